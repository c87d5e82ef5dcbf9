"""Readings in a known-divergence file: against the rulings of the corpus, and against the readings of a run. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from ..corpus.reading_names import ReadingState, other_readings, reading_state
from ..errors import Problem, one_line
from ..model import PASSING, Readings, RecordedResult, Requirement, Ruling, Verdict, replace
from .known_divergences import KnownDivergences, ListedReading
from .names import case_globs, cover


class ReadingChange(Struct, frozen=True):
    """A case whose answer follows another reading of a ruling than the file lists. An empty reading is the adopted one."""

    case: str
    ruling: str
    before: str
    after: str

    @property
    def text(self) -> str:
        """`RUL-B03: reading b → the adopted reading`."""
        names = (f"reading {name}" if name else "the adopted reading" for name in (self.before, self.after))
        return f"{self.ruling}: {' → '.join(names)}"


def reading_changes(known: KnownDivergences, results: Iterable[RecordedResult]) -> list[ReadingChange]:
    """The answers that follow another reading than the file lists; none if the file lists no readings. An answer that varies
    from run to run, by this run or by the file, is none, and so is one to a case that is new in the corpus."""
    return [change for seen in results if not known.is_new(seen.case) for change in changes_of(known, seen)]


def changes_of(known: KnownDivergences, seen: RecordedResult) -> Iterator[ReadingChange]:
    """The readings of one answer that the file does not list.

    A disputed case has the reading of its entry, else the adopted one. The answer to another case can follow each reading
    that the file lists, and follows those of `follows`. At a base, every case has exactly its own readings.
    """
    if seen.verdict not in PASSING or seen.is_flaky or not known.lists_readings:
        return
    follows, is_variant = dict(known.follows), seen.verdict is Verdict.VARIANT
    followed = {ruling: reading if is_variant else "" for ruling, reading in seen.readings}
    if seen.ruling:
        followed[seen.ruling] = _reading(seen)
    if known.base:
        followed = {**dict.fromkeys(known.rulings_of.get(seen.case, ()), ""), **followed}
    for ruling, reading in followed.items():
        before = follows.get(ruling, "")
        if known.base or (ruling == seen.ruling and known.readings is not None):
            before, allowed = known.reading_of(seen.case, ruling), _allowed(known, seen.case, ruling)
        elif reading:
            allowed = known.listed_readings_of(ruling)
        else:
            is_separated = ruling != seen.ruling or before in seen.separates
            allowed = {before} if is_separated else {"", before}
        # A case lists one of several readings that give it the same answer, and another of these stands in the file.
        is_same = before and reading and seen.separates and not {before, reading}.issubset(seen.separates)
        if reading not in allowed and not is_same:
            yield ReadingChange(seen.case, ruling, before, reading)


def _follows_a_reading(seen: RecordedResult) -> bool:
    """Whether the response to a disputed case is that of a recorded reading."""
    return bool(seen.ruling) and seen.verdict in PASSING


def _reading(seen: RecordedResult) -> str:
    """The reading of its ruling that a variant follows; else empty."""
    return seen.reading_of(seen.ruling) if seen.verdict is Verdict.VARIANT else ""


def _allowed(known: KnownDivergences, case: str, ruling: str) -> set[str]:
    """The readings that a listed case may follow: the listed one; if it varies, all listed ones and the adopted one."""
    entries = known.readings_of(case, ruling)
    if any(entry.flaky for entry in entries):
        return {"", *(entry.reading for entry in entries)}
    return {known.reading_of(case, ruling)}


def listed_readings(
    known: KnownDivergences, results: Sequence[RecordedResult], ruling_of: Mapping[str, str]
) -> tuple[ListedReading, ...]:
    """An entry for each ruling and reading that is not adopted. Disputed cases without a reading in this run keep theirs,
    and so do those with a listed reading that varies from run to run. Another case is listed only with a reading that the
    file has nowhere else."""
    flaky = [entry for entry in known.readings or () if entry.flaky]
    reading_in_run = {seen.case: _reading(seen) for seen in results if _follows_a_reading(seen)}
    following: dict[tuple[str, str], set[str]] = defaultdict(set)
    for case, ruling in ruling_of.items():
        if any(entry.ruling == ruling and entry.holds(case) for entry in flaky):
            continue
        reading = reading_in_run[case] if case in reading_in_run else known.reading_of(case, ruling)
        if reading:
            following[ruling, reading].add(case)
    listed = []
    for (ruling, reading), cases in sorted(following.items()):
        disputed = [case for case, cited in ruling_of.items() if cited == ruling]
        names = ["*"] if len(cases) == len(disputed) else cover(cases, disputed, case_globs)
        listed.append(ListedReading(ruling=ruling, reading=reading, cases=tuple(names)))
    whole = replace(known, readings=(*listed, *flaky), is_free=False)
    unlisted: dict[tuple[str, str], set[str]] = defaultdict(set)
    for change in reading_changes(whole, results):
        unlisted[change.ruling, change.after].add(change.case)
    listed += [
        ListedReading(ruling=ruling, reading=reading, cases=tuple(sorted(cases)))
        for (ruling, reading), cases in unlisted.items()
    ]
    return tuple(sorted([*listed, *flaky], key=lambda entry: (entry.ruling, entry.reading, entry.flaky)))


def followed_readings(known: KnownDivergences, results: Sequence[RecordedResult]) -> Readings:
    """The readings that every answer follows; those that no answer of this run shows stay. A failing answer shows the
    readings that explain it: they keep a reading of the file, and make none."""
    followed: dict[str, set[str]] = defaultdict(set)
    explaining: dict[str, set[str]] = defaultdict(set)
    for seen in results:
        for ruling, reading in seen.readings:
            followed[ruling].add(reading if seen.verdict is Verdict.VARIANT else "")
        for ruling, reading in seen.explained_by.readings:
            explaining[ruling].add(reading)
    follows = {
        ruling: reading
        for ruling, reading in known.follows
        if reading in followed.get(ruling, {reading}) | explaining.get(ruling, set())
    }
    for ruling, readings in followed.items():
        shown = readings | explaining.get(ruling, set())
        if ruling not in follows and len(shown) == 1 and all(shown):
            follows[ruling] = min(shown)
    return tuple(sorted(follows.items()))


def reading_problems(known: KnownDivergences, rulings: Mapping[str, Ruling]) -> Iterator[Problem]:
    """A problem for each reading of `model` or `follows` that has no effect there. An unknown reading is no problem of the
    file's form: the gate reports it as unmatched."""
    for divergence in known.divergences:
        ruling, is_reading, reading = divergence.model.partition("=")
        if is_reading:
            yield from _problem(known, ruling, reading, rulings, ReadingState.REFUTED)
    for ruling, reading in known.follows:
        yield from _problem(known, ruling, reading, rulings, ReadingState.OPEN)


def requirement_problems(known: KnownDivergences, requirements: Mapping[str, Requirement]) -> Iterator[Problem]:
    """A problem for each requirement of an entry that no answer can break. The gate reports an unknown one as unmatched."""
    for divergence in known.divergences:
        for id_ in divergence.requirements:
            if id_ in requirements and requirements[id_].is_fact:
                message = f"{one_line(id_, 60)} is a fact, which demands nothing, so no answer breaks it."
                remedy = "Name the requirement that the cause breaks."
                yield Problem(known.place(divergence.cause), "fact-as-requirement", message, remedy)


def _problem(
    known: KnownDivergences, ruling: str, reading: str, rulings: Mapping[str, Ruling], wanted: ReadingState
) -> Iterator[Problem]:
    name, state = one_line(f"{ruling}={reading}", 80), reading_state(ruling, reading, rulings)
    if state in (wanted, ReadingState.UNKNOWN):
        return
    place = known.place(f"{ruling}={reading}")
    others = ", ".join(other_readings(ruling, rulings))
    match state:
        case ReadingState.ADOPTED:
            message = f"{name} is the adopted reading, and every prediction assumes it."
            yield Problem(place, "adopted-reading", message, f"Delete it, or name another reading: {others}.")
        case ReadingState.OPEN:
            message = f"{name} is an open reading. It fails no case, so as a model it has no effect."
            remedy = f"Delete the entry, and write `{ruling}: {reading}` below `follows:`."
            yield Problem(place, "open-reading-as-model", message, remedy)
        case _:
            message = f"The text refutes {name}. Only open readings belong below `follows:`, so it has no effect there."
            remedy = f"Delete it below `follows:`, and write an entry with `model: {name}` and a reason."
            yield Problem(place, "refuted-reading-in-follows", message, remedy)
