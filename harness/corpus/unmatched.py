"""Why a term of a selection matches no case: what in it is not known, and what may have been meant."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence

from harness.corpus.suggestions import nearest
from harness.errors import one_line

_LISTED = 12
"""Names up to which all of them are told where none is near."""

_UNUSED = {"requirement": "cites", "ruling": "is about", "operation": "asks"}
"""What no case does with a name that is known without."""


def why_no_name(glob: str, names: Iterable[str]) -> str:
    """Why no full name matches; `glob` has no `.yaml`."""
    places = _places(names)
    whole = glob.strip("*/")
    if longer := sorted((place for place in places if place.endswith((f"/{whole}", f".{whole}"))), key=len):
        return f"names begin with their system. {_meant(longer[0])}"
    known, unknown, rest = _parting(glob.rstrip("/").split("/"), places)
    inside = {place.rpartition("/")[2] for place in places if place.rpartition("/")[0] == "/".join(known)}
    like = unknown.replace("*", "")
    what = f"{'/'.join(known) or 'the corpus'} has no {one_line(unknown)}." if like else "no name is like that."
    if near := nearest(like, inside):
        meant = "/".join([*known, near, *rest])
        return f"{what} {_meant(meant if '*' in meant or meant in places else '/'.join([*known, near]))}"
    below = "".join(f"{part}/" for part in known)
    by_last = {place.rpartition("/")[2]: place for place in sorted(places) if place.startswith(below)}
    if near := nearest(whole.rpartition("/")[2], by_last):
        return f"{what} {_meant(by_last[near])}"
    return f"{what} `parity cases` lists the names."


def _places(names: Iterable[str]) -> set[str]:
    """The names, and all folders, suites and tables that they lie in."""
    places: set[str] = set()
    for name in names:
        parts = name.split("/")
        places.update("/".join(parts[:count]) for count in range(1, len(parts) + 1))
        places.add(name.partition(".")[0])
    return places


def _parting(parts: Sequence[str], places: Collection[str]) -> tuple[Sequence[str], str, Sequence[str]]:
    """The parts of a name up to the first that leads nowhere, that one, and those behind it."""
    for count in range(1, len(parts)):
        if "/".join(parts[:count]) not in places:
            return parts[: count - 1], parts[count - 1], parts[count:]
    return parts[:-1], parts[-1], ()


def why_no_value(
    field: str, glob: str, matches: Callable[[str], bool], used: Collection[str], known: Collection[str]
) -> str:
    """The same for a field: `used` are its values in cases, `known` those that there are, with a case or without."""
    if unused := [value for value in known if matches(value)]:
        which = unused[0] if len(unused) == 1 else f"{unused[0]} and {len(unused) - 1} more like it"
        return f"there is the {field} {which}, but no case {_UNUSED.get(field, 'has')} it."
    what = f"there is no {field} {one_line(glob)}."
    there = sorted({*used, *known})
    if near := nearest(glob.replace("*", ""), there):
        return f"{what} {_meant(f'{field}:{near}')}"
    if there and len(there) <= _LISTED:
        return f"{what} There {'is' if len(there) == 1 else 'are'} {', '.join(map(one_line, there))}."
    return f"{what} `parity cases --format json` tells what each case has." if there else f"{what} No case has one."


def why_no_verdict(record: str, name: str, implementations: Collection[str], *, in_record: bool) -> str:
    """The same for a verdict; `in_record` tells whether the record has it, of cases that are no longer there."""
    if name and name not in implementations:
        there = ", ".join(map(one_line, sorted(implementations))) or "nobody"
        return f"{one_line(record)} has no verdicts of {one_line(name)}; it has those of {there}."
    if in_record:
        return f"the cases that have it in {one_line(record)} are not in the corpus."
    return f"nothing in {one_line(record)} has it."


def _meant(name: str) -> str:
    return f"Did you mean {one_line(name)}?"
