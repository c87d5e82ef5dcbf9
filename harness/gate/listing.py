"""One result against a known-divergence file: its listing, with the reason. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from enum import StrEnum

from msgspec import Struct, field

from ..compare.causes import names_of, refuted_parts
from ..compare.error_text import outcome_text
from ..model import (
    ADOPTED,
    FAILING,
    PASSING,
    Choice,
    ErrorKind,
    HasOutcome,
    Listing,
    Outcome,
    Result,
    Ruling,
    Status,
    Verdict,
    brief_of,
)
from .known_divergences import Divergence, KnownDivergences


class NewReason(StrEnum):
    """Why a result is new. The record of a gate holds the value as the reason of its listing."""

    NOT_LISTED = "not-listed"
    OTHER_ANSWER = "other-answer"
    OTHER_SIGNATURE = "other-signature"
    UNSUPPORTED_NOT_LISTED = "unsupported-not-listed"
    LISTED_AS_UNSUPPORTED = "listed-as-unsupported"


class GateInput(HasOutcome, Struct, frozen=True):
    """One result as a gate reads it: its outcome in short, and what the gate adds.

    `ruling` is set for a disputed case; `category` is the name of the failure group of a failing one. `flaky` has the
    signature of each outcome of a flaky case: empty for a pass or a variant, `unsupported` for an unsupported one. `causes`
    are the deviations and refuted readings that explain a failing answer, by name. `predicted` explains the failing answer
    that the model predicts, and is empty if the model predicts none.
    """

    case: str
    operation: str
    outcome: Outcome
    ruling: str = ""
    category: str = ""
    flaky: frozenset[str] = frozenset()
    causes: tuple[str, ...] = ()
    predicted: Choice = ADOPTED

    @property
    def reason(self) -> str:
        """The adapter's own reason for an unsupported case; else empty."""
        return outcome_text(self.outcome) if self.verdict is Verdict.UNSUPPORTED else ""

    @property
    def reading(self) -> str:
        """The reading of its ruling that a variant follows; else empty."""
        return self.reading_of(self.ruling) if self.verdict is Verdict.VARIANT else ""

    @property
    def is_failing(self) -> bool:
        """Whether the case fails or is an error."""
        return self.verdict in FAILING

    @property
    def is_off_model(self) -> bool:
        """Whether the model predicts a failure and the case is answered without one."""
        return bool(self.predicted) and self.verdict in PASSING

    @property
    def signatures(self) -> frozenset[str]:
        """The signatures with which the case fails in this run."""
        return (self.flaky or frozenset({self.signature})) - {""}

    @property
    def sometimes_passes(self) -> bool:
        """Whether the case is flaky and does not fail in every execution."""
        return "" in self.flaky

    @property
    def follows_a_reading(self) -> bool:
        """Whether the response to a disputed case is that of a recorded reading."""
        return bool(self.ruling) and self.verdict in PASSING


def listing(known: KnownDivergences, seen: GateInput, today: date) -> Listing | None:
    """The status of one result with its reason (for `stale` also the line to delete); None for a pass without an entry.

    A known flaky failure has only outcomes that the entry lists, or that pass. Without an entry, a failure that does not
    repeat is `flaky`: it is no evidence against the tested version, and none for it.
    """
    divergence, listed = entry_of(known, seen), known.divergence(seen.case)
    name, place = known.unsupported_name(seen.case, seen.operation), known.place(seen.case)
    if seen.is_failing:
        if divergence is None:
            if seen.sometimes_passes:
                return Listing(Status.FLAKY, "")
            return Listing(Status.NEW, NewReason.OTHER_ANSWER if seen.predicted else NewReason.NOT_LISTED)
        if has_other_signature(known, seen):
            return Listing(Status.NEW, NewReason.OTHER_SIGNATURE, place=place, listed=divergence.reason)
        if divergence.expires and date.fromisoformat(divergence.expires) < today:
            place = place or known.entry_place(divergence)
            return Listing(Status.EXPIRED, divergence.reason, divergence.documented, place)
        if name and not listed:
            return Listing(Status.NEW, NewReason.LISTED_AS_UNSUPPORTED, place=known.place(name))
    if seen.verdict is Verdict.UNSUPPORTED and not name:
        failure = listed or (known.modelled(seen.predicted) if seen.predicted else None)
        reason = failure.reason if failure else ""
        return Listing(Status.NEW, NewReason.UNSUPPORTED_NOT_LISTED, place=place, listed=reason)
    if seen.is_off_model:
        predicting = known.modelled(seen.predicted)
        prediction = f"{' and '.join(names_of(seen.predicted))} predicts a failure"
        reason = predicting.reason if predicting else ""
        return Listing(Status.STALE, f"the case {present(seen.verdict)}, and {prediction}: {reason}")
    if stale := _refuted(known, seen, name):
        reason = known.unsupported_reason(stale) or (divergence.reason if divergence else "")
        delete = f"delete {known.place(stale) or stale}: {reason}"
        return Listing(Status.STALE, f"the case {present(seen.verdict)}; {delete}")
    if divergence:
        return Listing(Status.KNOWN, divergence.reason, divergence.documented)
    return Listing(Status.KNOWN, known.unsupported_reason(name)) if name else None


def entry_of(known: KnownDivergences, seen: GateInput) -> Divergence | None:
    """The entry that lists the case, else the one with a model that explains the failure."""
    return known.divergence(seen.case) or known.modelled(seen.explained_by)


def has_other_signature(known: KnownDivergences, seen: GateInput) -> bool:
    """Whether the file lists a failing case, with other signatures only."""
    divergence = known.divergence(seen.case)
    return bool(divergence and seen.is_failing and not seen.signatures.issubset(divergence.cases[seen.case]))


def fails_no_more(known: KnownDivergences, seen: GateInput) -> bool:
    """Whether a known failure has ended: the case passes, or it is known to be unsupported."""
    divergence = known.divergence(seen.case)
    if divergence and divergence.flaky:
        return False
    if seen.verdict is Verdict.UNSUPPORTED:
        return bool(known.unsupported_name(seen.case, seen.operation))
    return not seen.is_failing


def _refuted(known: KnownDivergences, seen: GateInput, name: str) -> str:
    """The name of the line that this result refutes; empty if every line holds. `name` lists it as unsupported."""
    if known.divergence(seen.case) and fails_no_more(known, seen):
        return seen.case
    return "" if seen.verdict is Verdict.UNSUPPORTED else name


def present(verdict: Verdict) -> str:
    """The present state of a case that has a stale line."""
    if verdict in FAILING:
        return "is answered now"
    texts = {Verdict.UNSUPPORTED: "is unsupported now", Verdict.VARIANT: "is a variant now"}
    return texts.get(verdict, "passes now")


class Judge(Struct, frozen=True):
    """Lists the results of a run one after the other; `seen` keeps what the gate decides on, for each case that ran.

    `predicted` has the failures that the model of the file predicts, by case. `category_of` names the failure group of a
    failing result.
    """

    known: KnownDivergences
    predicted: Mapping[str, Choice]
    rulings: Mapping[str, Ruling]
    today: date
    category_of: Callable[[Result], str]
    seen: dict[str, GateInput] = field(default_factory=dict)

    def __call__(self, result: Result) -> Listing | None:
        """The listing of a result."""
        seen = self._input(result)
        if result.kind is not ErrorKind.START:
            self.seen[seen.case] = seen
        return listing(self.known, seen, self.today)

    def counts(self, result: Result) -> bool:
        """Whether `--max-failures` counts a failure: it is not known, or its entry has expired."""
        found = listing(self.known, self._input(result), self.today)
        return found is not None and found.status in (Status.NEW, Status.EXPIRED)

    def _input(self, result: Result) -> GateInput:
        case = result.case
        return GateInput(
            case.name,
            case.operation,
            brief_of(result.outcome),
            ruling=case.ruling,
            category=self.category_of(result) if result.verdict in FAILING else "",
            flaky=_flaky_signatures(result),
            causes=refuted_parts(result.explained_by, self.rulings),
            predicted=self.predicted.get(case.name, ADOPTED),
        )


def _flaky_signatures(result: Result) -> frozenset[str]:
    """The signature of each outcome of a flaky case, as `GateInput.flaky` has them."""
    return frozenset(
        part.verdict.value if part.verdict is Verdict.UNSUPPORTED else part.signature for part in result.flaky
    )
