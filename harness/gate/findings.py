"""A run compared with known divergences: the status of each result and of each line of the file. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from ..compare.causes import names_of
from ..model import ADOPTED, FAILING, Choice, GateExpectation, Readings, Verdict
from .known_divergences import Divergence, KnownDivergences, NewReason, Status, is_glob, matches, means


@dataclass(frozen=True, slots=True)
class GateInput:
    """The parts of one result that a gate reads. `reason` is the adapter's own reason for an unsupported case; `kind` is the
    name of its failure group in the reports; `ruling` is set for a disputed case, `reading` for a variant. `flaky` has the
    signature of each outcome of a flaky case: empty for a pass or a variant, `unsupported` for an unsupported one.
    `explained_by` explains a failing answer, and `causes` are its deviations and refuted readings, by name; `predicted`
    explains the failing answer that the model predicts, and is empty if the model predicts none. `readings` are those of a
    pass or a variant."""

    case: str
    operation: str
    verdict: Verdict
    signature: str = ""
    reason: str = ""
    kind: str = ""
    ruling: str = ""
    reading: str = ""
    flaky: frozenset[str] = frozenset()
    explained_by: Choice = ADOPTED
    causes: tuple[str, ...] = ()
    predicted: Choice = ADOPTED
    readings: Readings = ()

    @property
    def is_off_model(self) -> bool:
        """Whether the model predicts a failure and the case is answered without one."""
        return bool(self.predicted) and self.verdict in (Verdict.PASS, Verdict.VARIANT)

    @property
    def signatures(self) -> frozenset[str]:
        """The signatures with which the case fails in this run."""
        return (self.flaky or frozenset({self.signature})) - {""}

    @property
    def sometimes_passes(self) -> bool:
        """Whether the case is flaky and does not fail in every pass."""
        return "" in self.flaky

    @property
    def follows_a_reading(self) -> bool:
        """Whether the response to a disputed case is that of a recorded reading."""
        return bool(self.ruling) and self.verdict in (Verdict.PASS, Verdict.VARIANT)


@dataclass(frozen=True, slots=True)
class GateFinding:
    """Something that fails a gate: a case or a line of the file, where that line is, and what was seen.

    `entry` is where the whole entry is, if none of its cases diverges any more. A new result has its `verdict` and
    `reason`; `seen` is then its signature, or the adapter's reason for an unsupported case. `causes` are those of a new
    failure, and `unlisted` the parts of its explanation that the file does not name. `predicted` are the parts of the
    model that predict another failure than a new one. `listed_reason` is the reason of a known failure of the same case,
    with another signature or of a case that is unsupported now. `off_model` are the cases of a model that it predicts to
    fail and that have no failure. `is_path`: it is an unobservable path, no case.
    """

    status: Status
    name: str
    place: str
    seen: str
    entry: str = ""
    verdict: Verdict | None = None
    reason: NewReason | None = None
    causes: tuple[str, ...] = ()
    unlisted: tuple[str, ...] = ()
    predicted: tuple[str, ...] = ()
    listed_reason: str = ""
    off_model: tuple[str, ...] = ()
    is_path: bool = False


@dataclass(frozen=True, slots=True)
class ReadingChange:
    """A disputed case that follows another reading than the file lists. An empty reading is the adopted one."""

    case: str
    ruling: str
    before: str
    after: str


def expectation(known: KnownDivergences, seen: GateInput, today: date) -> GateExpectation | None:
    """The status of one result with its reason (for `stale` also the line to delete); None for a pass without an entry.

    A known flaky failure has only outcomes that the entry lists, or that pass. Without an entry, a failure that does not
    repeat is `flaky`: it is no evidence against the tested version, and none for it.
    """
    divergence = known.divergence(seen.case) or known.modelled(seen.explained_by)
    if seen.verdict in FAILING:
        if divergence is None:
            if seen.sometimes_passes:
                return GateExpectation(Status.FLAKY, "")
            return GateExpectation(Status.NEW, NewReason.OTHER_ANSWER if seen.predicted else NewReason.NOT_LISTED)
        if seen.case in divergence.cases and not seen.signatures.issubset(divergence.cases[seen.case]):
            return GateExpectation(Status.NEW, NewReason.OTHER_SIGNATURE)
        if divergence.expires and date.fromisoformat(divergence.expires) < today:
            return GateExpectation(Status.EXPIRED, divergence.reason, divergence.documented)
    name = known.unsupported_name(seen.case, seen.operation)
    if seen.verdict in FAILING and name and not known.divergence(seen.case):
        return GateExpectation(Status.NEW, NewReason.LISTED_AS_UNSUPPORTED)
    if seen.verdict is Verdict.UNSUPPORTED and not name:
        return GateExpectation(Status.NEW, NewReason.UNSUPPORTED_NOT_LISTED)
    if seen.is_off_model:
        expected = known.modelled(seen.predicted)
        reason = expected.reason if expected else ""
        text = (
            f"the case {_now(seen.verdict)}, and {' and '.join(names_of(seen.predicted))} predicts a failure: {reason}"
        )
        return GateExpectation(Status.STALE, text)
    stale = _refuted(known, seen, name)
    if stale:
        reason = known.unsupported_reason(stale) or (divergence.reason if divergence else "")
        text = f"the case {_now(seen.verdict)}; delete {known.place(stale) or stale}: {reason}"
        return GateExpectation(Status.STALE, text)
    if divergence:
        return GateExpectation(Status.KNOWN, divergence.reason, divergence.documented)
    return GateExpectation(Status.KNOWN, known.unsupported_reason(name)) if name else None


def _refuted(known: KnownDivergences, seen: GateInput, name: str) -> str:
    """The name of the line that this result refutes; empty if every line holds. `name` lists it as unsupported."""
    if known.divergence(seen.case) and fails_no_more(known, seen):
        return seen.case
    return "" if seen.verdict is Verdict.UNSUPPORTED else name


def _now(verdict: Verdict) -> str:
    """The present state of a case that has a stale line."""
    if verdict in FAILING:
        return "is answered now"
    texts = {Verdict.UNSUPPORTED: "is unsupported now", Verdict.VARIANT: "is a variant now"}
    return texts.get(verdict, "passes now")


def findings(
    known: KnownDivergences,
    results: Sequence[GateInput],
    operation_of: Mapping[str, str],
    today: date,
    alternatives: Collection[str] | None = None,
) -> list[GateFinding]:
    """Everything that fails the gate. `operation_of` has every case of the corpus, selected or not; `alternatives` every
    name of a deviation or reading that a model can have, or is None if nobody knows them."""
    failures_first = sorted(
        results, key=lambda seen: (seen.verdict is Verdict.UNSUPPORTED, known.lines.get(seen.case, 0))
    )
    return [
        *_of_results(known, failures_first, today),
        *_of_divergences(known, results, operation_of),
        *_of_unsupported(known, results, operation_of),
        *_of_unobservable(known, operation_of),
        *_of_readings(known, operation_of),
        *(
            GateFinding(Status.UNMATCHED, name, known.place(name), "no such deviation or reading")
            for name in unknown_names(known, alternatives)
        ),
    ]


def path_findings(known: KnownDivergences, new: Collection[str], gone: Collection[str]) -> list[GateFinding]:
    """The unobservable paths that fail the gate: the `new` ones that the file does not list, and those of the file that are
    `gone`, because the implementation does not declare them."""
    listed = known.unobservable_names
    found = [
        GateFinding(Status.NEW, name, "", "not compared and not listed", is_path=True)
        for name in new
        if name not in listed
    ]
    for one in known.unobservable:
        entry = known.entry(one) if set(one.names).issubset(gone) else ""
        found += [
            GateFinding(Status.STALE, name, known.place(name), "not declared unobservable", entry, is_path=True)
            for name in one.names
            if name in gone
        ]
    return found


def reading_changes(known: KnownDivergences, results: Iterable[GateInput]) -> list[ReadingChange]:
    """The disputed cases that follow another reading than the file lists; none if the file lists no readings. A case that
    varies from run to run, by this run or by the file, is none."""
    if known.readings is None:
        return []
    return [
        ReadingChange(seen.case, seen.ruling, known.reading_of(seen.case, seen.ruling), seen.reading)
        for seen in results
        if seen.follows_a_reading
        and not seen.flaky
        and seen.reading not in known.allowed_readings(seen.case, seen.ruling)
    ]


def _of_results(known: KnownDivergences, results: Sequence[GateInput], today: date) -> Iterator[GateFinding]:
    for seen in results:
        found = expectation(known, seen, today)
        place = known.place(seen.case)
        if found and found.status == Status.NEW:
            shown = seen.signature or seen.reason
            whole = {*names_of(known.model.choice)}
            listed = _listed(known, seen, NewReason(found.reason))
            yield GateFinding(
                Status.NEW,
                seen.case,
                place,
                shown,
                verdict=seen.verdict,
                reason=NewReason(found.reason),
                causes=seen.causes,
                unlisted=tuple(one for one in names_of(seen.explained_by) if one not in whole) if seen.causes else (),
                predicted=tuple(names_of(seen.predicted)) if found.reason == NewReason.OTHER_ANSWER else (),
                listed_reason=listed.reason if listed else "",
            )
        elif found and found.status == Status.EXPIRED:
            divergence = known.divergence(seen.case) or known.modelled(seen.explained_by)
            assert divergence is not None
            place = place or known.entry(divergence)
            text = f"{seen.verdict} as before; expired on {divergence.expires}"
            yield GateFinding(Status.EXPIRED, seen.case, place, text)


def _listed(known: KnownDivergences, seen: GateInput, reason: NewReason) -> Divergence | None:
    """The entry of another failure of the case than the new result: with another signature, or before it was unsupported."""
    if reason is NewReason.OTHER_SIGNATURE:
        return known.divergence(seen.case)
    if reason is NewReason.UNSUPPORTED_NOT_LISTED:
        return known.divergence(seen.case) or (known.modelled(seen.predicted) if seen.predicted else None)
    return None


def _of_divergences(
    known: KnownDivergences, results: Sequence[GateInput], operation_of: Mapping[str, str]
) -> Iterator[GateFinding]:
    """The lines of divergences that name no case, and the stale ones."""
    by_case = {seen.case: seen for seen in results}
    for divergence in known.divergences:
        if divergence.model:
            yield from _of_model(known, divergence, results, whole=is_whole(results, operation_of))
        right = {
            case: seen
            for case in divergence.cases
            if case in operation_of and (seen := by_case.get(case)) and fails_no_more(known, seen)
        }
        whole = not divergence.model and len(right) == len(divergence.cases)
        entry = known.entry(divergence) if whole else ""
        for case in divergence.cases:
            if case not in operation_of:
                yield GateFinding(Status.UNMATCHED, case, known.place(case), "no such case")
            elif case in right:
                yield GateFinding(Status.STALE, case, known.place(case), f"it {_now(right[case].verdict)}", entry)


def unknown_names(known: KnownDivergences, alternatives: Collection[str] | None) -> list[str]:
    """The names of the models and of the followed readings that are not among the alternatives."""
    return [] if alternatives is None else [one for one in names_of(known.model.choice) if one not in alternatives]


def _of_model(
    known: KnownDivergences, divergence: Divergence, results: Sequence[GateInput], *, whole: bool
) -> Iterator[GateFinding]:
    """At most one finding: the cause of the model is gone, which only a whole run shows, or cases no longer match it."""
    predicted = predicted_by(divergence.model, results)
    off = [seen for seen in predicted if seen.is_off_model]
    if whole and off and len(off) == len(predicted):
        entry = known.entry(divergence)
        text = (
            "the failure that it predicts does not occur"
            if len(off) == 1
            else f"none of the {len(off)} failures that it predicts occurs"
        )
        yield GateFinding(Status.STALE, divergence.model, known.place(divergence.model), text, entry)
        return
    if off:
        others = len(predicted) - len(off)
        text = f"{len(off)} of the {len(predicted)} failures that it predicts {'does' if len(off) == 1 else 'do'} not occur"
        if whole and others:
            text += f"; the {'other' if others == 1 else f'other {others}'} can have another cause"
        cases = tuple(seen.case for seen in off)
        yield GateFinding(Status.STALE, divergence.model, known.place(divergence.model), text, off_model=cases)


def is_whole(results: Sequence[GateInput], operation_of: Mapping[str, str]) -> bool:
    """Whether the run has every case of its systems. `operation_of` has every case of the corpus."""
    seen = {one.case for one in results}
    systems = {case.partition("/")[0] for case in seen}
    return all(case in seen for case in operation_of if case.partition("/")[0] in systems)


def predicted_by(model: str, results: Iterable[GateInput]) -> list[GateInput]:
    """The results with an answer that this part of the model predicts to fail."""
    answered = (seen for seen in results if seen.verdict is not Verdict.UNSUPPORTED)
    return [seen for seen in answered if model in names_of(seen.predicted)]


def _of_unsupported(
    known: KnownDivergences, results: Sequence[GateInput], operation_of: Mapping[str, str]
) -> Iterator[GateFinding]:
    """The names of unsupported operations and cases that the corpus does not have, and the stale ones."""
    answered, existing = answered_names(known, results), existing_names(known, operation_of)
    for one in known.unsupported:
        entry = known.entry(one) if all(name in answered for name in one.names) else ""
        for name in one.names:
            if name not in existing:
                yield GateFinding(Status.UNMATCHED, name, known.place(name), "no such operation or case")
            elif seen := answered.get(name):
                which = "it is answered now" if seen.case == name else f"{seen.case} is answered"
                yield GateFinding(Status.STALE, name, known.place(name), f"{which}: {seen.verdict}", entry)


def _of_unobservable(known: KnownDivergences, operation_of: Mapping[str, str]) -> Iterator[GateFinding]:
    """The unobservable paths of operations that the corpus does not have."""
    operations = {*operation_of.values()}
    for name in known.unobservable_names:
        if name.partition("/")[0] not in operations:
            yield GateFinding(Status.UNMATCHED, name, known.place(name), "no such operation")


def _of_readings(known: KnownDivergences, operation_of: Mapping[str, str]) -> Iterator[GateFinding]:
    """The names of disputed cases that the corpus does not have."""
    for one in known.readings or ():
        for name in one.cases:
            if name not in operation_of and not any(matches(name, case) for case in operation_of):
                yield GateFinding(Status.UNMATCHED, name, f"{known.shown}:{one.line}", "no such case")


def fails_no_more(known: KnownDivergences, seen: GateInput) -> bool:
    """Whether a known failure has ended: the case passes, or it is known to be unsupported."""
    divergence = known.divergence(seen.case)
    if divergence and divergence.flaky:
        return False
    if seen.verdict is Verdict.UNSUPPORTED:
        return bool(known.unsupported_name(seen.case, seen.operation))
    return seen.verdict not in FAILING


def answered_names(known: KnownDivergences, results: Sequence[GateInput]) -> dict[str, GateInput]:
    """For each name that lists cases as unsupported, the first of its cases with an answer, if there is one."""
    answered = [seen for seen in results if seen.verdict is not Verdict.UNSUPPORTED]
    by_name: dict[str, GateInput] = {}
    for seen in answered:
        by_name.setdefault(seen.case, seen)
        by_name.setdefault(seen.operation, seen)
    found: dict[str, GateInput] = {}
    for name in (name for one in known.unsupported for name in one.names):
        first = by_name.get(name)
        if is_glob(name):
            first = next((seen for seen in answered if means(name, seen.case, seen.operation)), None)
        if first:
            found[name] = first
    return found


def existing_names(known: KnownDivergences, operation_of: Mapping[str, str]) -> set[str]:
    """The names below `unsupported` that mean a case of the corpus."""
    exact = {*operation_of, *operation_of.values()}
    return {
        name
        for one in known.unsupported
        for name in one.names
        if name in exact or (is_glob(name) and any(means(name, *pair) for pair in operation_of.items()))
    }
