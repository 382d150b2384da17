# Two commands do everything on a fresh machine: `make demo` and `make test`.
PYTHON ?= python3
VENV := .venv
DEMO := .venv-demo
BIN := $(VENV)/bin
PIP := -m pip install --quiet --disable-pip-version-check
PINS := --constraint .ci/constraints.txt
EXTRAS := sb3,rllib,plot,render
TESTS ?= tests

.PHONY: demo test test-slow format lint type assets speed fidelity control physics soak clean

demo: $(DEMO)/installed
	$(DEMO)/bin/python examples/demo.py

test: $(VENV)/installed
	$(BIN)/python -m pytest -n 2 $(TESTS)

test-slow: $(VENV)/installed
	$(BIN)/python -m pytest -m slow $(TESTS)

format: $(VENV)/installed
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

lint: $(VENV)/installed
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

type: $(VENV)/installed
	$(BIN)/mypy

assets: $(VENV)/installed
	$(BIN)/python -m sumo_gymnasium.scenarios.intersection

speed: $(VENV)/installed
	$(BIN)/python benchmarks/speed.py

fidelity: $(VENV)/installed
	$(BIN)/python benchmarks/fidelity.py

control: $(VENV)/installed
	$(BIN)/python benchmarks/control.py

physics: $(VENV)/installed
	$(BIN)/python benchmarks/physics.py

soak: $(VENV)/installed
	$(BIN)/python benchmarks/soak.py

clean:
	rm -rf $(VENV) $(DEMO) .venv-sumo-rl

# torch first and pinned: without it gigabytes of CUDA come along
$(VENV)/installed: pyproject.toml .ci/constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python $(PIP) --upgrade "pip>=25.1"
	$(BIN)/python $(PIP) $(PINS) torch
	$(BIN)/python $(PIP) $(PINS) --editable ".[$(EXTRAS)]" --group dev
	$(BIN)/python $(PIP) --no-deps sumo-rl==1.4.5  # its RESCO networks; its code is not imported
	touch $@

$(DEMO)/installed: pyproject.toml .ci/constraints.txt
	$(PYTHON) -m venv $(DEMO)
	$(DEMO)/bin/python $(PIP) $(PINS) torch
	$(DEMO)/bin/python $(PIP) $(PINS) --editable ".[sb3,plot]"
	touch $@
