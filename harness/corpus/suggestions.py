"""The reason why a term of a selection matches no case, with the nearest name that exists."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence

from ..base.near_names import nearest
from ..errors import one_line

_MAX_LISTED = 12
"""Values of a field up to which a message lists all of them."""

_UNUSED = {
    "requirement": "exists, but no case cites it",
    "ruling": "exists, but no case is about it",
    "operation": "exists, but no case calls it",
}
"""The state of an existing value that no case has."""


def why_no_name(glob: str, names: Iterable[str]) -> str:
    """The reason why `glob` (without `.yaml`) matches none of the full names."""
    places = _places(names)
    whole = glob.strip("*/")
    if longer := sorted((place for place in places if place.endswith((f"/{whole}", f".{whole}"))), key=len):
        return f"a name starts with its system. {_did_you_mean(longer[0])}"
    existing, unknown, rest = _split_at_unknown(glob.rstrip("/").split("/"), places)
    inside = {place.rpartition("/")[2] for place in places if place.rpartition("/")[0] == "/".join(existing)}
    like = unknown.replace("*", "")
    reason = f"{'/'.join(existing) or 'the corpus'} has no {one_line(unknown)}." if like else "no name matches it."
    if near := nearest(like, inside):
        longest = "/".join([*existing, near, *rest])
        return (
            f"{reason} {_did_you_mean(longest if '*' in longest or longest in places else '/'.join([*existing, near]))}"
        )
    below = "".join(f"{part}/" for part in existing)
    by_last = {place.rpartition("/")[2]: place for place in sorted(places) if place.startswith(below)}
    if near := nearest(whole.rpartition("/")[2], by_last):
        return f"{reason} {_did_you_mean(by_last[near])}"
    return f"{reason} `parity cases` lists the names."


def _places(names: Iterable[str]) -> set[str]:
    """The names, and all folders, suites and tables above them."""
    places: set[str] = set()
    for name in names:
        parts = name.split("/")
        places.update("/".join(parts[:count]) for count in range(1, len(parts) + 1))
        places.add(name.partition(".")[0])
    return places


def _split_at_unknown(parts: Sequence[str], places: Collection[str]) -> tuple[Sequence[str], str, Sequence[str]]:
    """The existing parts of a name, the first unknown part, and the parts after it."""
    for count in range(1, len(parts)):
        if "/".join(parts[:count]) not in places:
            return parts[: count - 1], parts[count - 1], parts[count:]
    return parts[:-1], parts[-1], ()


def why_no_value(
    field: str, glob: str, matches: Callable[[str], bool], used: Collection[str], declared: Collection[str]
) -> str:
    """The reason why no case has a matching value of a field.

    `used` are the values that cases have, `declared` the existing values with or without a case.
    """
    if unused := [value for value in declared if matches(value)]:
        more = f" (and {len(unused) - 1} more)" if len(unused) > 1 else ""
        return f"the {field} {unused[0]}{more} {_UNUSED.get(field, 'exists, but no case has it')}."
    reason = f"the {field} {one_line(glob)} does not exist."
    existing = sorted({*used, *declared})
    if near := nearest(glob.replace("*", ""), existing):
        return f"{reason} {_did_you_mean(f'{field}:{near}')}"
    if existing and len(existing) <= _MAX_LISTED:
        return f"{reason} Use one of: {', '.join(map(one_line, existing))}."
    return (
        f"{reason} `parity cases --format json` lists the values." if existing else f"{reason} No case has a {field}."
    )


def why_no_verdict(record: str, name: str, implementations: Collection[str], *, in_record: bool) -> str:
    """The reason why no case has the verdict; `in_record`: the record has it, but only for removed cases."""
    shown = one_line(record)
    if name and name not in implementations:
        existing = ", ".join(map(one_line, sorted(implementations))) or "none"
        return f"{shown} has no results of {one_line(name)}. Its implementations: {existing}."
    if in_record:
        return f"the cases with this verdict in {shown} are not in the corpus."
    return f"no result in {shown} has this verdict."


def _did_you_mean(name: str) -> str:
    return f"Did you mean {one_line(name)}?"
