"""A known-divergence file and the results of a run → the file that explains these results. Pure."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from types import MappingProxyType

from ..model import ADOPTED, FAILING, Choice, Readings, Verdict
from .alternatives import Model
from .gate_findings import GateInput, answered_names, existing_names, expectation, is_whole, predicted_by, unknown_names
from .known_divergences import (
    TODO,
    Divergence,
    KnownDivergences,
    KnownReading,
    KnownUnobservable,
    KnownUnsupported,
    Status,
    is_unwritten,
    names_of,
)
from .name_cover import case_globs, cover, cover_cases

_NO_RULINGS: Mapping[str, str] = MappingProxyType({})


def updated(
    known: KnownDivergences,
    results: Sequence[GateInput],
    operation_of: Mapping[str, str],
    ruling_of: Mapping[str, str],
    alternatives: Collection[str] | None,
    predict: Callable[[Model], Mapping[str, Choice]],
) -> tuple[KnownDivergences, Sequence[GateInput]]:
    """The file that explains these results, and the results with its predictions: `merged` without a model that predicts a
    failure that does not occur. `predict` gives the failures that a model predicts, by case, with their parts.

    New models go first, then those of the file, which only a whole run refutes; of several, the one with the largest share
    of wrong predictions, because the others can be right without it.
    """
    refuted: set[str] = set()
    assumed, listed = known.model, {one.model for one in known.divergences}
    while True:
        after = merged(known, results, operation_of, ruling_of, alternatives, refuted)
        if after.model != assumed:
            assumed, predicted = after.model, predict(after.model)
            results = [replace(seen, predicted=predicted.get(seen.case, ADOPTED)) for seen in results]
        wrong = _wrong_shares(after, results)
        candidates = wrong.keys() - listed or (wrong.keys() if is_whole(results, operation_of) else ())
        if not candidates:
            return after, results
        refuted.add(max(sorted(candidates), key=wrong.__getitem__))


def _wrong_shares(known: KnownDivergences, results: Sequence[GateInput]) -> dict[str, float]:
    """The models with a prediction that does not occur, and the share of such predictions, above 0 and up to 1."""
    predicted = {one.model: predicted_by(one.model, results) for one in known.divergences if one.model}
    return {
        model: sum(seen.is_off_model for seen in found) / len(found)
        for model, found in predicted.items()
        if any(seen.is_off_model for seen in found)
    }


def merged(
    known: KnownDivergences,
    results: Sequence[GateInput],
    operation_of: Mapping[str, str],
    ruling_of: Mapping[str, str] = _NO_RULINGS,
    alternatives: Collection[str] | None = None,
    refuted: Collection[str] = (),
) -> KnownDivergences:
    """The file that explains these results. Reasons stay with their cases; new failures get a `TODO` for each deviation or
    refuted reading that explains them, and for each kind of the others.

    A failure with another signature than the known one gets a `TODO` and keeps the old reason in `before`. Lines about
    cases that were not selected stay; stale and unmatched lines go. `operation_of` has every case of the corpus,
    `ruling_of` every disputed one; `alternatives` is as for `findings`. A model in `refuted` is not written: an entry that
    has it becomes a `TODO` with the cases that fail as the model predicts, and keeps its reason in `before`.
    """
    known = _without(known, unknown_names(known, alternatives))
    known = _with_cases(known, refuted, results)
    follows = _follows(known, results)
    return KnownDivergences(
        _divergences(known, results, operation_of, follows, refuted),
        _unsupported(known, results, operation_of),
        known.unobservable,
        _readings(known, results, ruling_of),
        follows,
        known.versions,
    )


def with_unobservable(known: KnownDivergences, new: Collection[str], gone: Collection[str]) -> KnownDivergences:
    """The file with an entry for the `new` unobservable paths, and without those that are `gone`."""
    kept = [replace(one, names=tuple(name for name in one.names if name not in gone)) for one in known.unobservable]
    added = [KnownUnobservable(reason=TODO, names=tuple(new))] if new else []
    return replace(known, unobservable=tuple(one for one in (*kept, *added) if one.names))


def _without(known: KnownDivergences, names: Collection[str]) -> KnownDivergences:
    """The content without these models and followed readings. An entry keeps its cases."""
    return replace(
        known,
        divergences=tuple(replace(one, model="", place="") if one.model in names else one for one in known.divergences),
        follows=tuple(one for one in known.follows if "=".join(one) not in names),
    )


def _with_cases(known: KnownDivergences, refuted: Collection[str], results: Sequence[GateInput]) -> KnownDivergences:
    """The content with a list of cases in place of each refuted model: the failures that the model explains."""

    def listing(one: Divergence) -> Divergence:
        failing = (seen for seen in results if seen.verdict in FAILING and known.modelled(seen.explained_by) == one)
        cases = {**_signatures(failing), **one.cases}
        before = "" if is_unwritten(one.reason) else one.reason
        return replace(one, reason=TODO, before=before, model="", place="", cases=cases, documented=None, since="")

    entries = (listing(one) if one.model in refuted else one for one in known.divergences)
    return replace(known, divergences=tuple(entries))


def _follows(known: KnownDivergences, results: Sequence[GateInput]) -> Readings:
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
        if ruling not in follows and len(found := readings | explaining.get(ruling, set())) == 1 and all(found):
            follows[ruling] = min(found)
    return tuple(sorted(follows.items()))


def changed(known: KnownDivergences, results: Sequence[GateInput]) -> list[str]:
    """The cases that fail with another signature than the known ones."""
    return [
        seen.case
        for seen in results
        if seen.verdict in FAILING
        and (divergence := known.divergence(seen.case))
        and not seen.signatures.issubset(divergence.cases[seen.case])
    ]


@dataclass(frozen=True, slots=True)
class RemovedLine:
    """A case, operation or model that an update removes, with its written reason. `operation` is empty for a model and for
    a case that the corpus lacks. `new_failures` counts the new failures of the operation in the same run."""

    name: str
    reason: str
    operation: str = ""
    new_failures: int = 0


def removed(
    before: KnownDivergences,
    after: KnownDivergences,
    results: Sequence[GateInput],
    operation_of: Mapping[str, str],
    today: date,
) -> list[RemovedLine]:
    """The lines with a written reason that `before` has and the updated file `after` has not."""
    there = {*_reason_of_names(after)}
    new = Counter(
        seen.operation
        for seen in results
        if seen.verdict in FAILING and (found := expectation(before, seen, today)) and found.status == Status.NEW
    )
    operations = {*operation_of.values()}
    lines = []
    for name, reason in _reason_of_names(before).items():
        if name not in there and not is_unwritten(reason):
            operation = operation_of.get(name, name if name in operations else "")
            lines.append(RemovedLine(name, reason, operation, new[operation]))
    return lines


def _reason_of_names(known: KnownDivergences) -> dict[str, str]:
    """The reason of each case, model, unsupported name and unobservable path of a file."""
    reasons = {case: one.reason for one in known.divergences for case in one.cases}
    reasons |= {one.model: one.reason for one in known.divergences if one.model}
    reasons |= {name: one.reason for one in known.unsupported for name in one.names}
    return reasons | {name: one.reason for one in known.unobservable for name in one.names}


def _divergences(
    known: KnownDivergences,
    results: Sequence[GateInput],
    operation_of: Mapping[str, str],
    follows: Readings,
    refuted: Collection[str],
) -> tuple[Divergence, ...]:
    by_case = {seen.case: seen for seen in results}
    others = set(changed(known, results))
    kept = [part for one in known.divergences for part in _parted(one, _kept(one, by_case, operation_of), others)]
    explained = {case for one in kept for case in one.cases}
    unlisted = [seen for seen in results if seen.verdict in FAILING and seen.case not in explained]
    listed = {
        *names_of(Choice(follows)),
        *(one.model for one in kept if not _is_gone(one.model, results, operation_of)),
    }
    models = [model for model in _new_models(unlisted, listed) if model not in refuted]
    whole = listed.union(models)
    new: dict[tuple[str, bool], list[GateInput]] = defaultdict(list)
    for seen in unlisted:
        if not seen.causes or not whole.issuperset(names_of(seen.explained_by)):
            new[seen.kind, seen.sometimes_passes].append(seen)
    joined = [
        replace(one, cases={**one.cases, **_signatures(new.pop((one.kind, one.flaky), ()))}) if _waits_for(one) else one
        for one in kept
    ]
    errors_first = sorted(
        new.items(), key=lambda item: (item[1][0].verdict is not Verdict.ERROR, -len(item[1]), item[0])
    )
    joined += [Divergence(reason=TODO, model=model, cases={}) for model in models]
    joined += [
        Divergence(reason=TODO, kind=kind, flaky=flaky, cases=_signatures(seen)) for (kind, flaky), seen in errors_first
    ]
    return tuple(one for one in joined if one.cases or (one.model and not _is_gone(one.model, results, operation_of)))


def _new_models(failing: Iterable[GateInput], listed: Collection[str]) -> list[str]:
    """The causes that the file does not name and that explain a failure together with the names that it has; the most
    frequent first."""
    found: Counter[str] = Counter()
    for seen in failing:
        missing = [name for name in names_of(seen.explained_by) if name not in listed]
        if len(missing) == 1 and missing[0] in seen.causes and not seen.flaky:
            found[missing[0]] += 1
    return [name for name, _ in sorted(found.items(), key=lambda item: (-item[1], item[0]))]


def _is_gone(model: str, results: Sequence[GateInput], operation_of: Mapping[str, str]) -> bool:
    """Whether the model predicts failures, and a whole run shows that none of them occurs."""
    predicted = predicted_by(model, results)
    return bool(predicted) and is_whole(results, operation_of) and all(seen.is_off_model for seen in predicted)


def _signatures(results: Iterable[GateInput]) -> dict[str, tuple[str, ...]]:
    return {seen.case: tuple(sorted(seen.signatures)) for seen in results}


def _waits_for(divergence: Divergence) -> bool:
    """Whether the entry has no reason yet and takes new failures of its kind."""
    return bool(divergence.kind) and is_unwritten(divergence.reason)


def _parted(
    divergence: Divergence, cases: Mapping[str, tuple[str, ...]], others: Collection[str]
) -> Iterator[Divergence]:
    """The entry with the cases that keep its reason, and an entry with the `others`, which need a new one."""
    if is_unwritten(divergence.reason):
        yield replace(divergence, cases=cases)
        return
    kept = {case: signatures for case, signatures in cases.items() if case not in others}
    waiting = {case: signatures for case, signatures in cases.items() if case in others}
    yield replace(divergence, kind="", before="", cases=kept)
    needs_reason = replace(divergence, reason=TODO, kind="", before=divergence.reason, documented=None, since="")
    yield replace(needs_reason, model="", place="", cases=waiting)


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
            kept[case] = _with(seen.signatures, signatures, flaky=divergence.flaky)
        elif divergence.flaky:
            kept[case] = signatures
    return kept


def _is_of_another_kind(seen: GateInput, divergence: Divergence) -> bool:
    """Whether the entry waits for the reason of one kind of failure, and the case has a new failure of another kind."""
    if not _waits_for(divergence) or divergence.kind == seen.kind:
        return False
    return seen.signatures.isdisjoint(divergence.cases[seen.case])


def _with(found: Collection[str], signatures: tuple[str, ...], *, flaky: bool) -> tuple[str, ...]:
    """The known signatures with those of this run: they replace a single one, and join those of a flaky case."""
    new = sorted(set(found).difference(signatures))
    if flaky or len(signatures) > 1 or len(found) > 1:
        return (*signatures, *new)
    return tuple(new) or signatures


def _unsupported(
    known: KnownDivergences, results: Sequence[GateInput], operation_of: Mapping[str, str]
) -> tuple[KnownUnsupported, ...]:
    """The entries with the names that still hold. New cases join the entry that listed them before, then an entry with
    the same reason of the adapter; the others get an entry for each reason of the adapter."""
    answered = answered_names(known, results)
    holding = existing_names(known, operation_of).difference(answered)
    kept = [replace(one, names=tuple(filter(holding.__contains__, one.names))) for one in known.unsupported]
    still = KnownDivergences(unsupported=tuple(kept))
    former: dict[int, set[str]] = defaultdict(set)
    fresh: dict[str, set[str]] = defaultdict(set)
    for seen in results:
        if seen.verdict is not Verdict.UNSUPPORTED:
            continue
        if still.unsupported_name(seen.case, seen.operation):
            continue
        entry = _entry_for(seen, known)
        if entry is None:
            fresh[seen.reason].add(seen.case)
        else:
            former[entry].add(seen.case)
    for number, cases in former.items():
        kept[number] = replace(kept[number], names=(*kept[number].names, *cover_cases(cases, operation_of)))
    kept += [
        KnownUnsupported(reason=TODO, adapter=reason, names=tuple(cover_cases(cases, operation_of)))
        for reason, cases in sorted(fresh.items(), key=lambda item: (-len(item[1]), item[0]))
    ]
    return tuple(one if is_unwritten(one.reason) else replace(one, adapter="") for one in kept if one.names)


def _entry_for(seen: GateInput, known: KnownDivergences) -> int | None:
    """The number of the entry that a new unsupported case joins; None if there is none."""
    before = known.unsupported_name(seen.case, seen.operation)
    for number, one in enumerate(known.unsupported):
        if before in one.names or (not before and is_unwritten(one.reason) and one.adapter == seen.reason):
            return number
    return None


def _readings(
    known: KnownDivergences, results: Sequence[GateInput], ruling_of: Mapping[str, str]
) -> tuple[KnownReading, ...]:
    """An entry for each ruling and reading that is not adopted. Disputed cases without a reading in this run keep theirs,
    and so do those with a listed reading that varies from run to run."""
    flaky = [one for one in known.readings or () if one.flaky]
    varies = {
        case for case, ruling in ruling_of.items() if any(one.ruling == ruling and one.holds(case) for one in flaky)
    }
    seen_reading = {seen.case: seen.reading for seen in results if seen.follows_a_reading}
    following: dict[tuple[str, str], set[str]] = defaultdict(set)
    for case, ruling in ruling_of.items():
        if case in varies:
            continue
        reading = seen_reading[case] if case in seen_reading else known.reading_of(case, ruling)
        if reading:
            following[ruling, reading].add(case)
    found = []
    for (ruling, reading), cases in sorted(following.items()):
        disputed = [case for case, cited in ruling_of.items() if cited == ruling]
        listed = ["*"] if len(cases) == len(disputed) else cover(cases, disputed, case_globs)
        found.append(KnownReading(ruling=ruling, reading=reading, cases=tuple(listed)))
    return tuple(sorted([*found, *flaky], key=lambda one: (one.ruling, one.reading, one.flaky)))
