"""Allowed names that are like a written one: what every "Did you mean …?" suggests."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

_CUTOFF = 0.75
"""Similarity of two names, 0 to 1, from which one is suggested for the other."""


def near_names(written: str, allowed: Iterable[str], count: int) -> list[str]:
    """At most `count` allowed names: the equal one, else those that start with `written`, the shortest first, else the most
    similar ones. Upper and lower case are equal."""
    wanted, names = written.lower(), {name.lower(): name for name in allowed}
    if wanted in names:
        return [names[wanted]]
    near = sorted((name for name in names if wanted and name.startswith(wanted)), key=len)
    if not near:
        from difflib import get_close_matches

        near = get_close_matches(wanted, names, count, _CUTOFF)
    return [names[name] for name in near[:count]]


def nearest(written: str, allowed: Iterable[str]) -> str:
    """The allowed name that is most like `written`; empty if none is."""
    return next(iter(near_names(written, allowed, 1)), "")


def misspelt(written: Iterable[str], allowed: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yields each other name that is like an allowed one, and that allowed name."""
    for name in sorted(set(written).difference(allowed)):
        if near := nearest(name, allowed):
            yield name, near


def name_remedy(name: str, allowed: Collection[str]) -> str:
    """A remedy for a name that is not allowed: the nearest allowed name, or all of them."""
    near = nearest(name, sorted(allowed))
    return f"Did you mean {near}?" if near else f"Use one of: {', '.join(sorted(allowed))}."
