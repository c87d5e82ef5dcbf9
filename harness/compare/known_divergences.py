"""Known divergences: what a gate expects of one implementation, and how a run compares with it. Pure.

A `KnownDivergences` holds divergences, each a reason with its cases and the signatures of their failures, and reasons for
operations and cases that the implementation does not support. docs/known-divergences.md describes the file;
`harness.corpus.known_divergences_file` reads and writes it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from enum import StrEnum

from ..model import FAILING, Verdict

TODO = "TODO"
"""Beginning of a reason that a person still has to write; a gate refuses it."""

_OF_A_KIND = f"{TODO}: one kind of failure: "
"""Beginning of the reason that `merged` gives to new failures; the kind of failure follows it."""


class NewReason(StrEnum):
    """Why a result is new. The record of a gate holds the value as the reason of its expectation."""

    NOT_LISTED = "not-listed"
    OTHER_SIGNATURE = "other-signature"
    UNSUPPORTED_NOT_LISTED = "unsupported-not-listed"


def is_unwritten(reason: str) -> bool:
    """Whether a person still has to write this reason."""
    return reason.lstrip().upper().startswith(TODO)


class Status(StrEnum):
    """Status of a result or of a line of the file in a gate. Every status except `known` fails the gate."""

    KNOWN = "known"
    NEW = "new"
    STALE = "stale"
    UNMATCHED = "unmatched"
    EXPIRED = "expired"


@dataclass(frozen=True, slots=True, kw_only=True)
class Divergence:
    """One reason and the cases that it explains: full name → the signatures seen of it. `since`, `expires`: YYYY-MM-DD.

    `rows` are its first and last line in the file, where they hold nothing else.
    """

    reason: str
    cases: Mapping[str, tuple[str, ...]]
    link: str = ""
    owner: str = ""
    since: str = ""
    expires: str = ""
    rows: tuple[int, int] | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class KnownDivergences:
    """Content of a known-divergence file. `unsupported` gives the reason for an operation or a full case name.

    Each name occurs once; `lines` gives its line in the file `shown`.
    """

    divergences: tuple[Divergence, ...] = ()
    unsupported: Mapping[str, str] = field(default_factory=dict)
    lines: Mapping[str, int] = field(default_factory=dict)
    shown: str = ""

    def divergence(self, case: str) -> Divergence | None:
        """The divergence that explains the case; None if there is none."""
        return next((one for one in self.divergences if case in one.cases), None)

    def place(self, name: str) -> str:
        """The place of a name, as `file:line`; empty if the file does not have it."""
        return f"{self.shown}:{self.lines[name]}" if name in self.lines else ""

    def entry(self, divergence: Divergence) -> str:
        """The place of a whole entry, as `file:first-last`; empty if its lines hold something else too."""
        return "{}:{}-{}".format(self.shown, *divergence.rows) if divergence.rows else ""


@dataclass(frozen=True, slots=True)
class GateInput:
    """The parts of one result that a gate reads. `reason` is the adapter's own reason for an unsupported case; `kind` is the
    name of its failure group in the reports, for `merged`."""

    case: str
    operation: str
    verdict: Verdict
    signature: str = ""
    reason: str = ""
    kind: str = ""


@dataclass(frozen=True, slots=True)
class GateFinding:
    """Something that fails a gate: a case or a line of the file, where that line is, and what was seen.

    `entry` is where the whole entry is, if none of its cases diverges any more. A new result has its `verdict` and
    `reason`; `seen` is then its signature, or the adapter's reason for an unsupported case.
    """

    status: Status
    name: str
    place: str
    seen: str
    entry: str = ""
    verdict: Verdict | None = None
    reason: NewReason | None = None


def expectation(known: KnownDivergences, seen: GateInput, today: date) -> tuple[Status, str] | None:
    """The status of one result with its reason (for `stale` also the line to delete); None for a pass without an entry."""
    divergence = known.divergence(seen.case)
    if seen.verdict in FAILING:
        if divergence is None:
            return Status.NEW, NewReason.NOT_LISTED.value
        if seen.signature not in divergence.cases[seen.case]:
            return Status.NEW, NewReason.OTHER_SIGNATURE.value
        if divergence.expires and date.fromisoformat(divergence.expires) < today:
            return Status.EXPIRED, divergence.reason
    unsupported = known.unsupported.get(seen.case) or known.unsupported.get(seen.operation)
    if seen.verdict is Verdict.UNSUPPORTED and not unsupported:
        return Status.NEW, NewReason.UNSUPPORTED_NOT_LISTED.value
    stale = _refuted(known, seen)
    if stale:
        reason = known.unsupported.get(stale) or (divergence.reason if divergence else "")
        return Status.STALE, f"the case {_now(seen.verdict)}; delete {known.place(stale) or stale}: {reason}"
    explained = divergence.reason if divergence else unsupported
    return (Status.KNOWN, explained) if explained else None


def _refuted(known: KnownDivergences, seen: GateInput) -> str:
    """The name of the line that this result refutes; empty if every line holds."""
    if known.divergence(seen.case) and _fails_no_more(known, seen):
        return seen.case
    if seen.verdict is Verdict.UNSUPPORTED:
        return ""
    return next((name for name in (seen.case, seen.operation) if name in known.unsupported), "")


def _now(verdict: Verdict) -> str:
    """The present state of a case that has a stale line."""
    if verdict in FAILING:
        return "is answered now"
    texts = {Verdict.UNSUPPORTED: "is unsupported now", Verdict.VARIANT: "is a variant now"}
    return texts.get(verdict, "passes now")


def findings(
    known: KnownDivergences, results: Sequence[GateInput], operation_of: Mapping[str, str], today: date
) -> list[GateFinding]:
    """Everything that fails the gate. `operation_of` has every case of the corpus, selected or not."""
    failures_first = sorted(
        results, key=lambda seen: (seen.verdict is Verdict.UNSUPPORTED, known.lines.get(seen.case, 0))
    )
    return [*_of_results(known, failures_first, today), *_of_lines(known, results, operation_of)]


def _of_results(known: KnownDivergences, results: Sequence[GateInput], today: date) -> Iterator[GateFinding]:
    for seen in results:
        status, reason = expectation(known, seen, today) or (None, "")
        place = known.place(seen.case)
        if status is Status.NEW:
            shown = seen.signature or seen.reason
            yield GateFinding(status, seen.case, place, shown, verdict=seen.verdict, reason=NewReason(reason))
        elif status is Status.EXPIRED:
            divergence = known.divergence(seen.case)
            assert divergence is not None
            yield GateFinding(status, seen.case, place, f"{seen.verdict} as before; expired on {divergence.expires}")


def _of_lines(
    known: KnownDivergences, results: Sequence[GateInput], operation_of: Mapping[str, str]
) -> Iterator[GateFinding]:
    """The lines that name no case or operation, and the stale ones."""
    by_case = {seen.case: seen for seen in results}
    for divergence in known.divergences:
        right = {
            case: seen
            for case in divergence.cases
            if case in operation_of and (seen := by_case.get(case)) and _fails_no_more(known, seen)
        }
        entry = known.entry(divergence) if len(right) == len(divergence.cases) else ""
        for case in divergence.cases:
            if case not in operation_of:
                yield GateFinding(Status.UNMATCHED, case, known.place(case), "no such case")
            elif case in right:
                yield GateFinding(Status.STALE, case, known.place(case), f"it {_now(right[case].verdict)}", entry)
    operations, answered = set(operation_of.values()), _answered(results)
    for name in known.unsupported:
        seen = answered.get(name)
        if name not in operation_of and name not in operations:
            yield GateFinding(Status.UNMATCHED, name, known.place(name), "no such operation or case")
        elif seen:
            which = "it is answered now" if seen.case == name else f"{seen.case} is answered"
            yield GateFinding(Status.STALE, name, known.place(name), f"{which}: {seen.verdict}")


def _fails_no_more(known: KnownDivergences, seen: GateInput) -> bool:
    """Whether a known failure has ended: the case passes, or its operation is known to be unsupported."""
    if seen.verdict is Verdict.UNSUPPORTED:
        return seen.operation in known.unsupported
    return seen.verdict not in FAILING


def _answered(results: Sequence[GateInput]) -> dict[str, GateInput]:
    """For each case and each operation its first result that is not `unsupported`."""
    found: dict[str, GateInput] = {}
    for seen in results:
        if seen.verdict is not Verdict.UNSUPPORTED:
            found.setdefault(seen.case, seen)
            found.setdefault(seen.operation, seen)
    return found


def merged(known: KnownDivergences, results: Sequence[GateInput], operation_of: Mapping[str, str]) -> KnownDivergences:
    """The file that explains these results. Reasons stay with their cases; new failures get a `TODO` for each kind.

    A failure with another signature than the known one gets a `TODO` that quotes the old reason. Lines about cases that
    were not selected stay; stale and unmatched lines go.
    """
    by_case = {seen.case: seen for seen in results}
    others = set(changed(known, results))
    kept = [part for one in known.divergences for part in _parted(one, _kept(one, by_case, operation_of), others)]
    explained = {case for one in kept for case in one.cases}
    new: dict[str, dict[str, tuple[str, ...]]] = defaultdict(dict)
    for seen in results:
        if seen.verdict in FAILING and seen.case not in explained:
            new[_OF_A_KIND + seen.kind][seen.case] = (seen.signature,)
    joined = [replace(one, cases={**one.cases, **new.pop(one.reason, {})}) for one in kept]
    commonest_first = sorted(new.items(), key=lambda item: (-len(item[1]), item[0]))
    joined += [Divergence(reason=reason, cases=cases) for reason, cases in commonest_first]
    return KnownDivergences(tuple(one for one in joined if one.cases), _unsupported(known, results, operation_of))


def changed(known: KnownDivergences, results: Sequence[GateInput]) -> list[str]:
    """The cases that fail with another signature than the known ones."""
    return [
        seen.case
        for seen in results
        if seen.verdict in FAILING
        and (divergence := known.divergence(seen.case))
        and seen.signature not in divergence.cases[seen.case]
    ]


def _parted(
    divergence: Divergence, cases: Mapping[str, tuple[str, ...]], changed: Collection[str]
) -> Iterator[Divergence]:
    """The entry with the cases that keep its reason, and an entry with the cases that need a new one."""
    if is_unwritten(divergence.reason):
        yield replace(divergence, cases=cases)
        return
    reason = f"{TODO}: diverges in another way than before. Before: {divergence.reason}"
    yield replace(divergence, cases={case: cases[case] for case in cases if case not in changed})
    yield replace(divergence, reason=reason, cases={case: cases[case] for case in cases if case in changed})


def _kept(
    divergence: Divergence, by_case: Mapping[str, GateInput], operation_of: Mapping[str, str]
) -> dict[str, tuple[str, ...]]:
    kept = {}
    for case, signatures in divergence.cases.items():
        seen = by_case.get(case)
        if seen is None:
            if case in operation_of:
                kept[case] = signatures
        elif seen.verdict in FAILING and not _is_of_another_kind(seen, divergence):
            kept[case] = _with(seen.signature, signatures)
    return kept


def _is_of_another_kind(seen: GateInput, divergence: Divergence) -> bool:
    """Whether the entry is a `TODO` for one kind of failure, and the case fails with a new signature of another kind."""
    if not divergence.reason.startswith(_OF_A_KIND) or divergence.reason == _OF_A_KIND + seen.kind:
        return False
    return seen.signature not in divergence.cases[seen.case]


def _with(signature: str, signatures: tuple[str, ...]) -> tuple[str, ...]:
    """The known signatures with this one: it replaces a single one, and joins a list, which belongs to a flaky answer."""
    if signature in signatures:
        return signatures
    return (*signatures, signature) if len(signatures) > 1 else (signature,)


def _unsupported(
    known: KnownDivergences, results: Sequence[GateInput], operation_of: Mapping[str, str]
) -> dict[str, str]:
    """An operation has one line if all its cases were selected and none was answered; else each case has its own."""
    there, answered = {*operation_of, *operation_of.values()}, _answered(results)
    kept = {name: reason for name, reason in known.unsupported.items() if name in there and name not in answered}
    missing = [seen for seen in results if seen.verdict is Verdict.UNSUPPORTED]
    missing_cases = {seen.case for seen in missing}
    whole = set(operation_of.values()) - {
        operation for case, operation in operation_of.items() if case not in missing_cases or case in kept
    }
    fresh: dict[str, str] = {}
    for seen in missing:
        if seen.case not in kept and seen.operation not in kept:
            name = seen.operation if seen.operation in whole else seen.case
            fresh.setdefault(name, known.unsupported.get(seen.operation, f"{TODO}: {seen.reason}"))
    return kept | fresh
