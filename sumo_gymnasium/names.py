"""Names for strategies and scenarios: of this package, or `"package.module:object"` of another."""

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from pkgutil import resolve_name
from typing import Any, TypeVar

T = TypeVar("T")


def resolve(kind: str, table: Mapping[str, T], name: str | T, needs: Sequence[str] = ("__call__",)) -> T:
    """The `kind` (say, "reward") that `name` stands for; what is no string is taken as it is. A class is called.

    Raises:
        ValueError: no such name in `table`, or nothing importable behind `"package.module:object"`.
        TypeError: what was found lacks one of the attributes that it `needs`.
    """
    found: Any = _named(kind, table, name) if isinstance(name, str) else name
    if isinstance(found, type):
        found = found()
    missing = [attribute for attribute in needs if not hasattr(found, attribute)]
    if missing:
        raise TypeError(f"{kind} {name!r} has no {missing[0]!r}; expected an object with {', '.join(needs)}")
    return found  # type: ignore[no-any-return]


def _named(kind: str, table: Mapping[str, Any], name: str) -> Any:
    if name in table:
        return table[name]
    if ":" not in name:
        raise ValueError(unknown(kind, name, table))
    try:
        return resolve_name(name)
    except (ImportError, AttributeError, ValueError) as error:
        raise ValueError(f"{kind} {name!r} cannot be imported ({error}); expected 'package.module:object'") from error


def unknown(kind: str, name: str, known: Mapping[str, object]) -> str:
    """The message for a name that is not known: what is near, and what there is."""
    near = get_close_matches(name, known, n=1)
    hint = f"; did you mean {near[0]!r}?" if near else "."
    return f"no {kind} {name!r}{hint} There are: {', '.join(known)}"
