"""Known names that are like a written one: what every "Did you mean …?" suggests."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

_CUTOFF = 0.75
"""Similarity of two names, 0 to 1, from which one is suggested for the other."""


def near_names(written: str, known: Iterable[str], count: int) -> list[str]:
    """At most `count` known names: the equal one, else those that start with `written`, the shortest first, else the most
    similar ones. Upper and lower case are equal."""
    wanted, names = written.lower(), {name.lower(): name for name in known}
    if wanted in names:
        return [names[wanted]]
    near = sorted((name for name in names if wanted and name.startswith(wanted)), key=len)
    if not near:
        from difflib import get_close_matches

        near = get_close_matches(wanted, names, count, _CUTOFF)
    return [names[name] for name in near[:count]]


def nearest(written: str, known: Iterable[str]) -> str:
    """The known name that is most like `written`; empty if none is."""
    return next(iter(near_names(written, known, 1)), "")


def misspelt(written: Iterable[str], known: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yields each unknown name that is like a known one, and that known name."""
    for name in sorted(set(written).difference(known)):
        if near := nearest(name, known):
            yield name, near


def name_remedy(name: str, allowed: Collection[str]) -> str:
    """A remedy for a name that is not allowed: the nearest allowed name, or all of them."""
    near = nearest(name, sorted(allowed))
    return f"Did you mean {near}?" if near else f"Use one of: {', '.join(sorted(allowed))}."
