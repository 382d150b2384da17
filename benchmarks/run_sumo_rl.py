"""One run of sumo-rl 1.4.5 with its fixed program, by the Python of a venv of its own: see speed.py.

Takes the same options of SUMO that this package uses, and leaves to sumo-rl those that it sets itself.
"""

import json
import sys

from cpu import used
from sumo_rl import SumoEnvironment  # type: ignore[import-untyped]


def environment(options: dict[str, str]) -> SumoEnvironment:
    """sumo-rl's environment of all signals, with everything else at its default."""
    given = {name: options.pop(name) for name in ("--net-file", "--route-files", "--begin", "--seed")}
    memory, teleport = options.pop("--waiting-time-memory"), options.pop("--time-to-teleport")
    return SumoEnvironment(
        net_file=given["--net-file"],
        route_file=given["--route-files"],
        begin_time=int(given["--begin"]),
        num_seconds=int(options["--end"]) - int(given["--begin"]),
        waiting_time_memory=int(memory),
        time_to_teleport=int(teleport),
        delta_time=5,
        sumo_seed=int(given["--seed"]),
        fixed_ts=True,
        additional_sumo_cmd=" ".join(f"{name} {value}" for name, value in options.items()),
    )


def main() -> None:
    words = json.loads(sys.argv[1])
    env = environment(dict(zip(words[::2], words[1::2], strict=True)))
    env.reset()
    before = used()
    over = False
    while not over:
        _, _, dones, _ = env.step({})
        over = dones["__all__"]
    env.close()
    print("cpu", used() - before)


if __name__ == "__main__":
    main()
