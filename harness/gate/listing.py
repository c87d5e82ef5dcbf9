"""One result against a known-divergence file: its listing, with the reason. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from enum import StrEnum

from ..compare.causes import names_of
from ..model import FAILING, PASSING, ErrorKind, Listing, RecordedResult, Status, Verdict, replace, where
from .known_divergences import Divergence, KnownDivergences
from .readings import changes_of


class NewReason(StrEnum):
    """Why a result is new. The record of a gate holds the value as the reason of its listing."""

    NOT_LISTED = "not-listed"
    OTHER_ANSWER = "other-answer"
    OTHER_SIGNATURE = "other-signature"
    UNSUPPORTED_NOT_LISTED = "unsupported-not-listed"
    LISTED_AS_UNSUPPORTED = "listed-as-unsupported"
    NOT_AT_BASE = "not-at-base"
    OTHER_AT_BASE = "other-at-base"
    ANSWERED_AT_BASE = "answered-at-base"


_AT_BASE = {
    NewReason.NOT_LISTED: NewReason.NOT_AT_BASE,
    NewReason.OTHER_SIGNATURE: NewReason.OTHER_AT_BASE,
    NewReason.UNSUPPORTED_NOT_LISTED: NewReason.ANSWERED_AT_BASE,
}
"""The reasons for a result that is worse than at the base."""


def that_ran(results: Sequence[RecordedResult]) -> Sequence[RecordedResult]:
    """The results without those of cases that never ran: they are no evidence."""
    return where(results, lambda result: result.kind is not ErrorKind.START)


def signatures(seen: RecordedResult) -> frozenset[str]:
    """The signatures with which the case fails in this run; `unsupported` for a round in which it is unsupported."""
    of_rounds = {part.verdict if part.verdict is Verdict.UNSUPPORTED else part.signature for part in seen.flaky}
    return frozenset(of_rounds or {seen.signature}) - {""}


def sometimes_passes(seen: RecordedResult) -> bool:
    """Whether the case is flaky and does not fail in every execution."""
    return any(part.verdict in PASSING for part in seen.flaky)


def is_off_model(known: KnownDivergences, seen: RecordedResult) -> bool:
    """Whether the model predicts a failure and the case is answered without one."""
    return bool(known.prediction(seen.case)) and seen.verdict in PASSING


def listing(known: KnownDivergences, seen: RecordedResult, today: date) -> Listing | None:
    """The status of one result with its reason (for `stale` also the line to delete, for `reading` the readings before and
    now); None for a pass without an entry.

    A known flaky failure has only outcomes that the entry lists, or that pass. Without an entry, a failure that does not
    repeat is `flaky`: it is no evidence against the tested version, and none for it. What is better than at a base has no
    status. What fails the gate because the file was written for an older corpus is `new in the corpus`.
    """
    found = _listing(known, seen, today)
    if found is None or found.status in (Status.KNOWN, Status.EXPIRED):
        return found
    if not known.base:
        return replace(found, status=Status.NEW_IN_CORPUS) if _is_of_newer_corpus(known, seen) else found
    match found.status:
        case Status.NEW:
            return Listing(Status.NEW, _AT_BASE[NewReason(found.reason)])
        case Status.STALE:
            return None
    return found


def _is_of_newer_corpus(known: KnownDivergences, seen: RecordedResult) -> bool:
    """Whether the case is new for the file, or a model predicts its failure now and explained none when the file was
    written: the prediction changed, and not the answer."""
    had_none = known.corpus is not None and not known.corpus.failed(seen.case)
    return known.is_new(seen.case) or (had_none and is_off_model(known, seen))


def _listing(known: KnownDivergences, seen: RecordedResult, today: date) -> Listing | None:
    divergence, listed, predicted = entry_of(known, seen), known.divergence(seen.case), known.prediction(seen.case)
    name, place = known.unsupported_name(seen.case, seen.operation), known.place(seen.case)
    if seen.verdict in FAILING:
        if divergence is None:
            if sometimes_passes(seen):
                return Listing(Status.FLAKY, "")
            return Listing(Status.NEW, NewReason.OTHER_ANSWER if predicted else NewReason.NOT_LISTED)
        if has_other_signature(known, seen):
            return Listing(Status.NEW, NewReason.OTHER_SIGNATURE, place=place, listed=divergence.reason)
        if divergence.expires and date.fromisoformat(divergence.expires) < today:
            place = place or known.entry_place(divergence)
            return Listing(Status.EXPIRED, divergence.reason, divergence.documented, place)
        if name and not listed:
            return Listing(Status.NEW, NewReason.LISTED_AS_UNSUPPORTED, place=known.place(name))
    if seen.verdict is Verdict.UNSUPPORTED and not name:
        failure = listed or (known.modelled(predicted) if predicted else None)
        reason = failure.reason if failure else ""
        return Listing(Status.NEW, NewReason.UNSUPPORTED_NOT_LISTED, place=place, listed=reason)
    if is_off_model(known, seen):
        predicting = known.modelled(predicted)
        prediction = f"{' and '.join(names_of(predicted))} predicts a failure"
        reason = predicting.reason if predicting else ""
        place = known.place(predicting.model) if predicting else ""
        return Listing(Status.STALE, f"the case {present(seen.verdict)}, and {prediction}: {reason}", place=place)
    if stale := _refuted(known, seen, name):
        reason = known.unsupported_reason(stale) or (divergence.reason if divergence else "")
        delete = f"delete {known.place(stale) or stale}: {reason}"
        return Listing(Status.STALE, f"the case {present(seen.verdict)}; {delete}", place=known.place(stale))
    if divergence:
        return Listing(Status.KNOWN, divergence.reason, divergence.documented)
    if name:
        return Listing(Status.KNOWN, known.unsupported_reason(name))
    changes = [] if known.is_free else [change.text for change in changes_of(known, seen)]
    return Listing(Status.READING, "; ".join(changes)) if changes else None


def entry_of(known: KnownDivergences, seen: RecordedResult) -> Divergence | None:
    """The entry that lists the case, else the one with a model that explains the failure, or explained it when the file was
    written."""
    return (
        known.divergence(seen.case) or known.modelled(seen.explained_by) or known.recorded(seen.case, signatures(seen))
    )


def has_other_signature(known: KnownDivergences, seen: RecordedResult) -> bool:
    """Whether the file lists a failing case, with other signatures only."""
    divergence = known.divergence(seen.case)
    return bool(divergence and seen.verdict in FAILING and not signatures(seen).issubset(divergence.cases[seen.case]))


def fails_no_more(known: KnownDivergences, seen: RecordedResult) -> bool:
    """Whether a known failure has ended: the case passes, or it is known to be unsupported."""
    divergence = known.divergence(seen.case)
    if divergence and divergence.flaky:
        return False
    if seen.verdict is Verdict.UNSUPPORTED:
        return bool(known.unsupported_name(seen.case, seen.operation))
    return seen.verdict not in FAILING


def _refuted(known: KnownDivergences, seen: RecordedResult, name: str) -> str:
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


def counts(known: KnownDivergences, seen: RecordedResult, today: date) -> bool:
    """Whether `--max-failures` counts a failure: it is not known, or its entry has expired."""
    found = listing(known, seen, today)
    return found is not None and found.status in (Status.NEW, Status.EXPIRED)


def is_change(known: KnownDivergences, seen: RecordedResult, today: date) -> bool:
    """Whether a result is another answer than the file or the base has. It can be one that varies."""
    found = listing(known, seen, today)
    return found is not None and found.status in ((Status.NEW, Status.READING) if known.base else (Status.READING,))
