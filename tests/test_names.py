import pytest

from sumo_gymnasium.names import resolve

TABLE = {"one": max, "two": min}


class Made:
    """Called without arguments where a class is named."""

    value = 3


def test_resolve__takes_names_objects_and_paths() -> None:
    assert resolve("thing", TABLE, "one") is max
    assert resolve("thing", TABLE, min) is min
    assert resolve("thing", TABLE, "os.path:join")("a", "b").endswith("b")
    assert resolve("thing", TABLE, "tests.test_names:Made", needs=("value",)).value == 3
    assert resolve("thing", TABLE, Made, needs=("value",)).value == 3


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("on", "no thing 'on'; did you mean 'one'"),
        ("zzz", r"no thing 'zzz'\. There are: one, two"),
        ("no_such_package:thing", "cannot be imported"),
        ("os.path:no_such_thing", "cannot be imported"),
    ],
)
def test_resolve__says_what_there_is(name: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        resolve("thing", TABLE, name)


def test_resolve__checks_what_it_found() -> None:
    with pytest.raises(TypeError, match=r"thing 'os\.path:sep' has no '__call__'"):
        resolve("thing", TABLE, "os.path:sep")
