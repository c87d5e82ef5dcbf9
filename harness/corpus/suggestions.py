"""Which known name somebody may have meant who wrote one that is not known."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from difflib import get_close_matches

_ALIKE = 0.75


def nearest(written: str, known: Iterable[str]) -> str:
    """The shortest known name that begins with the one written, else the one most like it, whatever the case of letters;
    empty if none is much like it."""
    meant, names = written.lower(), {name.lower(): name for name in known}
    longer = sorted((name for name in names if meant and name.startswith(meant)), key=len)
    near = longer or get_close_matches(meant, names, 1, _ALIKE)
    return names[near[0]] if near else ""


def misspelt(written: Iterable[str], known: Collection[str]) -> Iterator[tuple[str, str]]:
    """Of the names written those that are not known and are much like a known one, each with that one."""
    for name in sorted(set(written).difference(known)):
        if near := nearest(name, known):
            yield name, near
