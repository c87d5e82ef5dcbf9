"""A run against a known-divergence file: everything that fails the gate. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import cached_property

from msgspec import Struct, field

from ..compare.causes import names_of, refuted_parts
from ..compare.error_text import outcome_text
from ..corpus.reading_names import ReadingState, reading_state
from ..model import FAILING, Listing, RecordedResult, Ruling, Status, Verdict, replace
from .known_divergences import Divergence, KnownDivergences, ListedNames
from .listing import NewReason, entry_of, fails_no_more, is_off_model, listing, present
from .names import is_glob, matches, means
from .summary import GateSummary, by_status


class Declared(Struct, frozen=True, dict=True):
    """The names that a known-divergence file can use: each case of the corpus with its operation, selected or not, and each
    disputed case with its ruling. `alternatives` has every name of a deviation or reading that a model can have, and
    `requirements` every requirement; None if nobody knows them. `rulings` are those of the corpus."""

    operation_of: Mapping[str, str]
    ruling_of: Mapping[str, str] = field(default_factory=dict)
    alternatives: Collection[str] | None = None
    requirements: Collection[str] | None = None
    rulings: Mapping[str, Ruling] = field(default_factory=dict)

    @cached_property
    def operations(self) -> frozenset[str]:
        """The operations of the cases."""
        return frozenset(self.operation_of.values())

    def has(self, name: str) -> bool:
        """Whether a name below `unsupported` means a case of the corpus."""
        if name in self.operation_of or name in self.operations:
            return True
        return is_glob(name) and any(means(name, *pair) for pair in self.operation_of.items())

    def unknown_models(self, known: KnownDivergences) -> list[str]:
        """The names of models that are not among the alternatives, and of followed readings that the corpus lacks too. Of a
        newer corpus also those that have no effect in it."""
        if self.alternatives is None:
            return []
        readings = ((id_, name) for id_, ruling in self.rulings.items() for name in ruling.readings)
        followed = {"=".join(reading) for reading in readings if reading in known.follows}
        unknown = [name for name in names_of(known.model) if name not in {*self.alternatives, *followed}]
        return unknown + [name for name in self._without_effect(known) if known.newer and name not in unknown]

    def _without_effect(self, known: KnownDivergences) -> Iterator[str]:
        """The readings that change no prediction: followed ones that are not open, and models that are not refuted."""
        for reading in known.model.readings:
            wanted = ReadingState.OPEN if reading in known.follows else ReadingState.REFUTED
            if reading_state(*reading, self.rulings) not in (wanted, ReadingState.UNKNOWN):
                yield "=".join(reading)

    def causes(self, seen: RecordedResult) -> tuple[str, ...]:
        """The deviations and refuted readings that explain a failing answer, by name."""
        return refuted_parts(seen.explained_by, self.rulings)

    def is_whole(self, results: Iterable[RecordedResult]) -> bool:
        """Whether the run has every case of its systems."""
        seen = {result.case for result in results}
        systems = {case.partition("/")[0] for case in seen}
        return all(case in seen for case in self.operation_of if case.partition("/")[0] in systems)


class GateFinding(Struct, frozen=True):
    """Something that fails a gate: a case or a line of the file, where that line is, and what was seen.

    `entry` is where the whole entry is, if it expired or none of its cases diverges any more. Of a new `result`,
    `reason` says why it is new, and `seen` is its signature, or the adapter's reason for an unsupported case; `causes`
    are those of a new failure, and `unlisted` the parts of its explanation that the file does not name. `predicted` are
    the parts of the model that predict another failure than a new one. `listed_reason` is the reason of a known failure
    of the same case, with another signature or of a case that is unsupported now. `off_model` are the cases of a model
    that it predicts to fail and that have no failure. `is_path`: it is an unobservable path, no case; `is_unsupported`: a
    name below `unsupported`. `stale` counts the stale cases that a line is about, and `cases` has those that do not fail.
    """

    status: Status
    name: str
    place: str
    seen: str
    entry: str = ""
    result: RecordedResult | None = None
    reason: NewReason | None = None
    causes: tuple[str, ...] = ()
    unlisted: tuple[str, ...] = ()
    predicted: tuple[str, ...] = ()
    listed_reason: str = ""
    off_model: tuple[str, ...] = ()
    is_path: bool = False
    is_unsupported: bool = False
    stale: int = 0
    cases: tuple[str, ...] = ()


def gate_after(
    known: KnownDivergences, results: Sequence[RecordedResult], declared: Declared, today: date, *, trusted: bool
) -> GateSummary:
    """The state of a gate against a file that was written from these results, with all unobservable paths."""
    masked = masked_listings(findings(known, results, declared, today), results)
    listed = ((masked.get(seen.case) or listing(known, seen, today), seen) for seen in results)
    return GateSummary(
        listed=by_status((its.status if its else None, seen) for its, seen in listed),
        trusted=trusted,
        unwritten_reasons=known.unwritten_reasons,
        unmatched=tuple(unmatched_names(known, declared)),
        lost=tuple(unmatched_names(known, declared, Status.NEW_IN_CORPUS)),
    )


def findings(
    known: KnownDivergences, results: Sequence[RecordedResult], declared: Declared, today: date
) -> list[GateFinding]:
    """Everything that fails the gate, but for unobservable paths; and what is new in the corpus."""
    failures_first = sorted(
        results, key=lambda seen: (seen.verdict is Verdict.UNSUPPORTED, known.lines.get(seen.case, 0))
    )
    listed = [(seen, own) for seen in failures_first if (own := listing(known, seen, today))]
    of_results = _of_results(known, listed, declared)
    if known.base:
        return [*of_results]
    excused = {seen.case for seen, own in listed if own.status is Status.NEW_IN_CORPUS}
    judged = [seen for seen in results if seen.case not in excused]
    new = {seen.operation for seen, own in listed if own.status is Status.NEW and seen.verdict in FAILING}
    of_divergences = _of_divergences(known, judged, declared, whole=declared.is_whole(results))
    return [
        *of_results,
        *(_masked(finding, new, declared) for finding in of_divergences),
        *_of_unsupported(known, judged, declared, [seen for seen, own in listed if own.status is Status.STALE]),
        *_unmatched(known, declared),
    ]


def _masked(finding: GateFinding, new: Collection[str], declared: Declared) -> GateFinding:
    """The finding; its cases prove nothing if all their operations have `new` failures, because these can hide the known
    one."""
    operations = {declared.operation_of[case] for case in finding.cases}
    return replace(finding, status=Status.MASKED) if operations and operations.issubset(new) else finding


def masked_listings(found: Iterable[GateFinding], results: Iterable[RecordedResult]) -> dict[str, Listing]:
    """The statuses of the cases that the masked ones among these findings are about."""
    masked = {case for finding in found if finding.status is Status.MASKED for case in finding.cases}
    return {
        seen.case: Listing(Status.MASKED, f"new failures of {seen.operation} can hide the known failure")
        for seen in results
        if seen.case in masked
    }


def unmatched_names(known: KnownDivergences, declared: Declared, status: Status = Status.UNMATCHED) -> dict[str, str]:
    """The names of the file that do not exist, whatever a run shows, each with its place; those of this status."""
    return {
        finding.name: finding.place for finding in findings(known, (), declared, date.max) if finding.status is status
    }


def path_findings(known: KnownDivergences, new: Collection[str], gone: Collection[str]) -> list[GateFinding]:
    """The unobservable paths that fail the gate: the `new` ones that the file does not list, and those of the file that are
    `gone`, because the implementation does not declare them."""
    unlisted = [name for name in new if name not in known.unobservable_names]
    found = [GateFinding(Status.NEW, name, "", "not compared and not listed", is_path=True) for name in unlisted]
    for listed in known.unobservable:
        entry = _whole_entry(known, listed, set(listed.names).issubset(gone))
        for name in filter(gone.__contains__, listed.names):
            text = "not declared unobservable"
            found.append(GateFinding(Status.STALE, name, known.place(name), text, entry, is_path=True))
    return found


def _whole_entry(known: KnownDivergences, entry: Divergence | ListedNames, is_whole: bool) -> str:
    return known.entry_place(entry) if is_whole else ""


def _of_results(
    known: KnownDivergences, listed: Iterable[tuple[RecordedResult, Listing]], declared: Declared
) -> Iterator[GateFinding]:
    listed_parts = {*names_of(known.model)}
    for seen, own in listed:
        if own.status is Status.NEW_IN_CORPUS:
            yield GateFinding(own.status, seen.case, own.place, present(seen.verdict), result=seen)
        elif own.status == Status.NEW:
            reason = NewReason(own.reason)
            causes = declared.causes(seen)
            is_lacking = causes and not known.base
            unlisted = (name for name in names_of(seen.explained_by) if is_lacking and name not in listed_parts)
            yield GateFinding(
                Status.NEW,
                seen.case,
                own.place,
                seen.signature or outcome_text(seen.brief),
                result=seen,
                reason=reason,
                causes=causes,
                unlisted=tuple(unlisted),
                predicted=tuple(names_of(known.prediction(seen.case))) if reason is NewReason.OTHER_ANSWER else (),
                listed_reason=own.listed,
            )
        elif own.status == Status.EXPIRED and (entry := entry_of(known, seen)):
            text = f"{entry.model or 'this entry'} expired on {entry.expires}"
            yield GateFinding(Status.EXPIRED, seen.case, own.place, text, known.entry_place(entry))


def _of_divergences(
    known: KnownDivergences, results: Sequence[RecordedResult], declared: Declared, *, whole: bool
) -> Iterator[GateFinding]:
    """The lines of divergences that name no case, and the stale ones."""
    by_case = {seen.case: seen for seen in results}
    for divergence in known.divergences:
        if divergence.model:
            yield from _of_model(known, divergence, results, whole=whole)
        ended = {
            case: seen
            for case in divergence.cases
            if case in declared.operation_of and (seen := by_case.get(case)) and fails_no_more(known, seen)
        }
        entry = _whole_entry(known, divergence, not divergence.model and len(ended) == len(divergence.cases))
        for case in divergence.cases:
            if case not in declared.operation_of:
                yield _unmatched_line(known, case, "no such case")
            elif case in ended:
                text = f"it {present(ended[case].verdict)}"
                yield GateFinding(Status.STALE, case, known.place(case), text, entry, stale=1, cases=(case,))


def _of_model(
    known: KnownDivergences, divergence: Divergence, results: Sequence[RecordedResult], *, whole: bool
) -> Iterator[GateFinding]:
    """At most one finding: the cause of the model is gone, which only a whole run shows, or cases no longer match it."""
    predicted = predicted_by(known, divergence.model, results)
    off = tuple(seen.case for seen in predicted if is_off_model(known, seen))
    if not off:
        return
    count = len(off)
    others = sum(_can_have_cause(seen, divergence.model) for seen in predicted) - count
    if whole and not others:
        text = f"none of the {len(predicted):,} failures that it predicts occurs"
        text = "the failure that it predicts does not occur" if len(predicted) == 1 else text
        entry = known.entry_place(divergence)
        place = known.place(divergence.model)
        yield GateFinding(Status.STALE, divergence.model, place, text, entry, stale=count, cases=off)
        return
    text = f"{count:,} of the {len(predicted):,} failures that it predicts {'does' if count == 1 else 'do'} not occur"
    if whole:
        text += f"; the {'other' if others == 1 else f'other {others:,}'} can have another cause"
    place = known.place(divergence.model)
    yield GateFinding(Status.STALE, divergence.model, place, text, off_model=off, stale=count, cases=off)


def _can_have_cause(seen: RecordedResult, model: str) -> bool:
    """Whether a failure is not explained without this cause."""
    names = names_of(seen.explained_by)
    return not names or model in names


def predicted_by(known: KnownDivergences, model: str, results: Iterable[RecordedResult]) -> list[RecordedResult]:
    """The results with an answer that this part of the model predicts to fail."""
    answered = (seen for seen in results if seen.verdict is not Verdict.UNSUPPORTED)
    return [seen for seen in answered if model in names_of(known.prediction(seen.case))]


def _of_unsupported(
    known: KnownDivergences, results: Sequence[RecordedResult], declared: Declared, stale: Sequence[RecordedResult]
) -> Iterator[GateFinding]:
    """The names of unsupported operations and cases that the corpus does not have, and the stale ones."""
    cases = Counter(
        known.unsupported_name(seen.case, seen.operation) for seen in stale if seen.verdict is not Verdict.UNSUPPORTED
    )
    answered = answered_names(known, results)
    for listed in known.unsupported:
        entry = _whole_entry(known, listed, all(name in answered for name in listed.names))
        for name in listed.names:
            if not declared.has(name):
                yield _unmatched_line(known, name, "no such operation or case")
            elif seen := answered.get(name):
                which = "it is answered now" if seen.case == name else f"{seen.case} is answered"
                text = f"{which}: {seen.verdict}"
                yield GateFinding(
                    Status.STALE, name, known.place(name), text, entry, is_unsupported=True, stale=cases[name]
                )


def answered_names(known: KnownDivergences, results: Sequence[RecordedResult]) -> dict[str, RecordedResult]:
    """For each name that lists cases as unsupported, the first of its cases with an answer, if there is one."""
    answered: dict[str, RecordedResult] = {}
    for seen in results:
        if seen.verdict is not Verdict.UNSUPPORTED:
            for name in known.unsupported_names(seen.case, seen.operation):
                answered.setdefault(name, seen)
    return answered


def _unmatched(known: KnownDivergences, declared: Declared) -> Iterator[GateFinding]:
    """The unobservable paths, the disputed cases and the models that do not exist."""
    for name in known.unobservable_names:
        if name.partition("/")[0] not in declared.operations:
            yield _unmatched_line(known, name, "no such operation")
    for reading in known.readings or ():
        for name in reading.cases:
            if name not in declared.operation_of and not any(matches(name, case) for case in declared.operation_of):
                yield _unmatched_line(known, name, "no such case", f"{known.shown}:{reading.line}")
    for name in declared.unknown_models(known):
        yield _unmatched_line(known, name, "no such deviation or reading")
    for entry in known.divergences:
        for id_ in entry.requirements:
            if declared.requirements is not None and id_ not in declared.requirements:
                yield _unmatched_line(known, id_, "no such requirement", known.place(entry.cause))
        if entry.name and entry.name in (declared.alternatives or ()):
            yield _unmatched_line(
                known, entry.name, "the name of a deviation; write it as `model:`, or choose another name"
            )


def _unmatched_line(known: KnownDivergences, name: str, text: str, place: str = "") -> GateFinding:
    status = Status.NEW_IN_CORPUS if known.is_lost(name) else Status.UNMATCHED
    return GateFinding(status, name, place or known.place(name), text)
