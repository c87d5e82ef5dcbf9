"""The case that a command line names: by its full name, or by its place in a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from ..base.near_names import near_names
from ..corpus.loader import Corpus
from ..errors import UsageError, one_line
from ..model import Case

_MAX_NAMES = 5


def find(name: str, corpus: Corpus) -> Case:
    """The case of this full name or place. Raises `UsageError` that suggests the nearest names, also among the ids of
    rulings and requirements."""
    cases, ids = corpus.cases, [*corpus.rulings, *corpus.requirements]
    for case in cases:
        if name == case.name or name == case.at or name.endswith(f"/{case.at}"):
            return case
    shown = one_line(name)
    if begins := _by_line(name, cases):
        return _around(int(name.rpartition(":")[2]), begins, shown, corpus.root)
    below = sum(case.name.startswith((f"{name.rstrip('/')}/", f"{name}.")) for case in cases)
    if below:
        raise UsageError(f"{shown} is not one case but {below}. `parity cases --select {shown}` lists them.")
    near_ids = near_names(name, ids, _MAX_NAMES)
    near = near_ids or _nearest(name, [case.name for case in cases])
    nothing = f"No {'case, ruling or requirement' if near_ids else 'case'} is called {shown}."
    if len(near) == 1:
        raise UsageError(f"{nothing} Did you mean this one?\n  parity explain {near[0]}")
    listed = "".join(f"\n  {name}" for name in near)
    raise UsageError(f"{nothing} " + (f"The nearest names:{listed}" if near else "`parity cases` lists the names."))


def _around(line: int, begins: Mapping[int, Case], shown: str, root: Path) -> Case:
    """The case in which a line of a file lies: the last that begins before it. Raises `UsageError` if there is none."""
    first = begins[min(begins)]
    if line < min(begins):
        raise UsageError(f"{shown} is above the first case of its file. Name that case: parity explain {first.at}")
    last = len((root / first.at.rpartition(":")[0]).read_text("utf-8").splitlines())
    if line > last:
        raise UsageError(f"{shown} is beyond the last line of its file, {last}. Name a line of a case.")
    return begins[max(begun for begun in begins if begun <= line)]


def _by_line(place: str, cases: Sequence[Case]) -> dict[int, Case]:
    """The cases of the file of this place, by the lines on which they begin; none if it has no line."""
    file, _, line = place.rpartition(":")
    begins: dict[int, Case] = {}
    if line.isdecimal():
        for case in cases:
            at, _, first = case.at.rpartition(":")
            if file == at or file.endswith(f"/{at}"):
                begins.setdefault(int(first), case)
    return begins


def _nearest(name: str, names: Sequence[str]) -> list[str]:
    """Names that end in what was given, else those whose last part is like its last part, or that are like it."""
    if ends := [other for other in names if other.endswith((f"/{name}", f".{name}"))]:
        return ends[:_MAX_NAMES]
    last = name.rsplit("/", 1)[-1]
    by_last: dict[str, list[str]] = {}
    for other in names:
        by_last.setdefault(other.rsplit("/", 1)[-1], []).append(other)
    alike = [other for part in near_names(last, by_last, _MAX_NAMES) for other in by_last[part]]
    alike.sort(key=lambda other: other.rpartition("/")[0] != name.rpartition("/")[0])
    return alike[:_MAX_NAMES] or near_names(name, names, _MAX_NAMES)
