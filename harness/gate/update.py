"""A known-divergence file and the results of a run → the file that explains these results. Pure."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date

from msgspec import Struct

from ..compare.causes import group_of, names_of
from ..compare.error_text import outcome_text
from ..corpus.entries import TODO
from ..model import FAILING, Choice, RecordedResult, Status, Verdict, replace
from .findings import Declared, answered_names, predicted_by
from .known_divergences import Divergence, KnownDivergences, ListedNames, as_reason, cause_name, is_unwritten
from .listing import has_other_signature, is_off_model, listing, signatures, sometimes_passes
from .names import cover_cases
from .readings import followed_readings, listed_readings


def updated(
    known: KnownDivergences,
    results: Sequence[RecordedResult],
    declared: Declared,
    predict: Callable[[Choice], Mapping[str, Choice]],
) -> KnownDivergences:
    """The file that explains these results, with its predictions: `merged` without a model that predicts a failure that does
    not occur. `predict` gives the failures that a model predicts, by case, with their parts.

    New models go first, then those of the file, which only a whole run refutes; of several, the one with the largest share
    of wrong predictions, because the others can be right without it.
    """
    refuted: set[str] = set()
    assumed, listed = known.model, {entry.model for entry in known.divergences}
    while True:
        after = merged(known, results, declared, refuted)
        if after.model != assumed:
            assumed = after.model
            known = replace(known, predicted=predict(assumed))
        after = replace(after, predicted=known.predicted)
        wrong = _wrong_shares(after, results)
        candidates = wrong.keys() - listed or (wrong.keys() if declared.is_whole(results) else ())
        if not candidates:
            return after
        refuted.add(max(sorted(candidates), key=wrong.__getitem__))


def _wrong_shares(known: KnownDivergences, results: Sequence[RecordedResult]) -> dict[str, float]:
    """The models with a prediction that does not occur, and the share of such predictions, above 0 and up to 1."""
    shares = {}
    for model in filter(None, (entry.model for entry in known.divergences)):
        predicted = predicted_by(known, model, results)
        if wrong := sum(is_off_model(known, seen) for seen in predicted):
            shares[model] = wrong / len(predicted)
    return shares


def merged(
    known: KnownDivergences, results: Sequence[RecordedResult], declared: Declared, refuted: Collection[str] = ()
) -> KnownDivergences:
    """The file that explains these results. Reasons stay with their cases; new failures get a `TODO` for each deviation or
    refuted reading that explains them, and for each category of the others.

    A failure with another signature than the known one gets a `TODO` and keeps the old reason in `before`. Lines about
    cases that were not selected stay; stale and unmatched lines go. A model in `refuted` is not written: an entry that
    has it becomes a `TODO` with the cases that fail as the model predicts, and keeps its reason in `before`.
    """
    known = _without(_with_recorded_cases(known, declared, results), declared.unknown_models(known))
    known = _with_cases(known, refuted, results)
    known = replace(known, follows=followed_readings(known, results))
    return KnownDivergences(
        _divergences(known, results, declared, refuted),
        _unsupported(known, results, declared),
        known.unobservable,
        listed_readings(known, results, declared.ruling_of),
        known.follows,
        known.versions,
    )


def with_unobservable(known: KnownDivergences, new: Collection[str], gone: Collection[str]) -> KnownDivergences:
    """The file with an entry for the `new` unobservable paths, and without those that are `gone`."""
    kept = [
        replace(entry, names=tuple(name for name in entry.names if name not in gone)) for entry in known.unobservable
    ]
    added = [ListedNames(reason=TODO, names=tuple(new))] if new else []
    return replace(known, unobservable=tuple(entry for entry in (*kept, *added) if entry.names))


def _with_recorded_cases(
    known: KnownDivergences, declared: Declared, results: Sequence[RecordedResult]
) -> KnownDivergences:
    """The content with the cases that each model explained when the file was written and explains no more. An unknown model
    becomes the name of the cause of these cases."""
    cases: dict[str, list[RecordedResult]] = defaultdict(list)
    for seen in results:
        is_unexplained = not known.divergence(seen.case) and not known.modelled(seen.explained_by)
        if seen.verdict in FAILING and is_unexplained and (entry := known.recorded(seen.case, signatures(seen))):
            cases[entry.model].append(seen)
    unknown = declared.unknown_models(known)

    def with_cases(entry: Divergence) -> Divergence:
        if entry.model not in cases:
            return entry
        entry = replace(entry, cases={**_signatures(cases[entry.model]), **entry.cases})
        return replace(entry, model="", name=cause_name(entry.model)) if entry.model in unknown else entry

    return replace(known, divergences=tuple(map(with_cases, known.divergences)))


def explained_failures(
    known: KnownDivergences, results: Iterable[RecordedResult]
) -> Mapping[str, Sequence[tuple[str, str]]]:
    """The failures that each model of the file explains: the case and its signature."""
    failures: dict[str, list[tuple[str, str]]] = {entry.model: [] for entry in known.divergences if entry.model}
    for seen in results:
        if seen.verdict in FAILING and not known.divergence(seen.case) and (entry := known.modelled(seen.explained_by)):
            failures[entry.model] += [(seen.case, signature) for signature in sorted(signatures(seen))]
    return failures


def _without(known: KnownDivergences, names: Collection[str]) -> KnownDivergences:
    """The content without these models and followed readings. An entry keeps its cases."""
    return replace(
        known,
        divergences=tuple(_uncaused(entry) if entry.model in names else entry for entry in known.divergences),
        follows=tuple(followed for followed in known.follows if "=".join(followed) not in names),
    )


def _with_cases(
    known: KnownDivergences, refuted: Collection[str], results: Sequence[RecordedResult]
) -> KnownDivergences:
    """The content with a list of cases in place of each refuted model: the failures that the model explains."""

    def with_cases(entry: Divergence) -> Divergence:
        failing = (seen for seen in results if seen.verdict in FAILING and known.modelled(seen.explained_by) == entry)
        before = "" if is_unwritten(entry.reason) else entry.reason
        return _waiting(entry, before, {**_signatures(failing), **entry.cases})

    entries = (with_cases(entry) if entry.model in refuted else entry for entry in known.divergences)
    return replace(known, divergences=tuple(entries))


def _waiting(divergence: Divergence, before: str, cases: Mapping[str, tuple[str, ...]]) -> Divergence:
    """The entry with these cases, no cause, and a reason that a person still has to write."""
    return replace(_uncaused(divergence), reason=TODO, before=before, cases=cases, documented=None, since="")


def _uncaused(divergence: Divergence) -> Divergence:
    """The entry without its cause."""
    return replace(divergence, name="", model="", requirements=(), place="")


def changed(known: KnownDivergences, results: Sequence[RecordedResult]) -> list[str]:
    """The cases that fail with another signature than the known ones."""
    return [seen.case for seen in results if has_other_signature(known, seen)]


class RemovedLine(Struct, frozen=True):
    """A case, operation or model that an update removes, with its written reason. `operation` is empty for a model and for
    a case that the corpus lacks. `new_failures` counts the new failures of the operation in the same run."""

    name: str
    reason: str
    operation: str = ""
    new_failures: int = 0


def removed(
    before: KnownDivergences,
    after: KnownDivergences,
    results: Sequence[RecordedResult],
    declared: Declared,
    today: date,
) -> list[RemovedLine]:
    """The lines with a written reason that `before` has and the updated file `after` has not."""
    kept = {*_reason_of_names(after)}
    new = Counter(
        seen.operation
        for seen in results
        if seen.verdict in FAILING and (found := listing(before, seen, today)) and found.status == Status.NEW
    )
    lines = []
    for name, reason in _reason_of_names(before).items():
        if name not in kept and not is_unwritten(reason):
            operation = declared.operation_of.get(name, name if name in declared.operations else "")
            lines.append(RemovedLine(name, reason, operation, new[operation]))
    return lines


def _reason_of_names(known: KnownDivergences) -> dict[str, str]:
    """The reason of each case, model, unsupported name and unobservable path of a file."""
    reasons = {case: entry.reason for entry in known.divergences for case in entry.cases}
    reasons |= {entry.model: entry.reason for entry in known.divergences if entry.model}
    return reasons | {name: entry.reason for entry in (*known.unsupported, *known.unobservable) for name in entry.names}


def _divergences(
    known: KnownDivergences, results: Sequence[RecordedResult], declared: Declared, refuted: Collection[str]
) -> tuple[Divergence, ...]:
    by_case = {seen.case: seen for seen in results}
    others = set(changed(known, results))
    kept = [part for entry in known.divergences for part in _parted(entry, _kept(entry, by_case, declared), others)]
    explained = {case for entry in kept for case in entry.cases}
    unlisted = [seen for seen in results if seen.verdict in FAILING and seen.case not in explained]
    listed = {
        *names_of(Choice(known.follows)),
        *(entry.model for entry in kept if not _is_gone(known, entry.model, results, declared)),
    }
    models = [model for model in _new_models(unlisted, listed, declared) if model not in refuted]
    whole = listed.union(models)
    new: dict[tuple[str, bool], list[RecordedResult]] = defaultdict(list)
    for seen in unlisted:
        if not declared.causes(seen) or not whole.issuperset(names_of(seen.explained_by)):
            new[group_of(seen), sometimes_passes(seen)].append(seen)
    joined = [
        replace(entry, cases={**entry.cases, **_signatures(new.pop((entry.category, entry.flaky), ()))})
        if _waits_for(entry)
        else entry
        for entry in kept
    ]
    errors_first = sorted(
        new.items(), key=lambda item: (item[1][0].verdict is not Verdict.ERROR, -len(item[1]), item[0])
    )
    joined += [Divergence(reason=TODO, model=model) for model in models]
    joined += [
        Divergence(reason=TODO, category=category, flaky=flaky, cases=_signatures(seen))
        for (category, flaky), seen in errors_first
    ]
    return tuple(
        entry
        for entry in joined
        if entry.cases or (entry.model and not _is_gone(known, entry.model, results, declared))
    )


def _new_models(failing: Iterable[RecordedResult], listed: Collection[str], declared: Declared) -> list[str]:
    """The causes that the file does not name and that explain a failure together with the names that it has; the most
    frequent first."""
    counts: Counter[str] = Counter()
    for seen in failing:
        missing = [name for name in names_of(seen.explained_by) if name not in listed]
        if len(missing) == 1 and missing[0] in declared.causes(seen) and not seen.is_flaky:
            counts[missing[0]] += 1
    return [name for name, _ in sorted(counts.items(), key=lambda item: (-item[1], item[0]))]


def _is_gone(known: KnownDivergences, model: str, results: Sequence[RecordedResult], declared: Declared) -> bool:
    """Whether the model predicts failures, and a whole run shows that none of them occurs."""
    predicted = predicted_by(known, model, results)
    return bool(predicted) and declared.is_whole(results) and all(is_off_model(known, seen) for seen in predicted)


def _signatures(results: Iterable[RecordedResult]) -> dict[str, tuple[str, ...]]:
    return {seen.case: tuple(sorted(signatures(seen))) for seen in results}


def _waits_for(divergence: Divergence) -> bool:
    """Whether the entry has no reason yet and takes new failures of its category."""
    return bool(divergence.category) and is_unwritten(divergence.reason)


def _parted(
    divergence: Divergence, cases: Mapping[str, tuple[str, ...]], others: Collection[str]
) -> Iterator[Divergence]:
    """The entry with the cases that keep its reason, and an entry with the `others`, which need a new one."""
    if is_unwritten(divergence.reason):
        yield replace(divergence, cases=cases)
        return
    settled = replace(divergence, category="", before="")
    yield replace(settled, cases={case: cases[case] for case in cases if case not in others})
    yield _waiting(settled, divergence.reason, {case: cases[case] for case in cases if case in others})


def _kept(
    divergence: Divergence, by_case: Mapping[str, RecordedResult], declared: Declared
) -> dict[str, tuple[str, ...]]:
    kept = {}
    for case, listed in divergence.cases.items():
        seen = by_case.get(case)
        if seen is None:
            if case in declared.operation_of:
                kept[case] = listed
        elif seen.verdict in FAILING and not _is_of_another_category(seen, divergence):
            kept[case] = _joined(signatures(seen), listed, flaky=divergence.flaky)
        elif divergence.flaky:
            kept[case] = listed
    return kept


def _is_of_another_category(seen: RecordedResult, divergence: Divergence) -> bool:
    """Whether the entry waits for the reason of one category of failures, and the case has a new failure of another."""
    if not _waits_for(divergence) or divergence.category == group_of(seen):
        return False
    return signatures(seen).isdisjoint(divergence.cases[seen.case])


def _joined(of_run: Collection[str], listed: tuple[str, ...], *, flaky: bool) -> tuple[str, ...]:
    """The listed signatures with those of this run: they replace a single one, and join those of a flaky case."""
    new = sorted(set(of_run).difference(listed))
    if flaky or len(listed) > 1 or len(of_run) > 1:
        return (*listed, *new)
    return tuple(new) or listed


def _unsupported(
    known: KnownDivergences, results: Sequence[RecordedResult], declared: Declared
) -> tuple[ListedNames, ...]:
    """The entries with the names that still hold. New cases join the entry that listed them before, then one whose reason
    is that of the adapter; the others get an entry for each reason of the adapter."""
    answered = answered_names(known, results)
    kept = [
        replace(entry, names=tuple(name for name in entry.names if declared.has(name) and name not in answered))
        for entry in known.unsupported
    ]
    still = KnownDivergences(unsupported=tuple(kept))
    former: dict[int, set[str]] = defaultdict(set)
    fresh: dict[str, set[str]] = defaultdict(set)
    for seen in results:
        if seen.verdict is not Verdict.UNSUPPORTED or still.unsupported_name(seen.case, seen.operation):
            continue
        entry = _entry_for(seen, known)
        if entry is None:
            fresh[as_reason(outcome_text(seen.brief))].add(seen.case)
        else:
            former[entry].add(seen.case)
    for number, cases in former.items():
        names = cover_cases(cases, declared.operation_of)
        kept[number] = replace(kept[number], names=(*kept[number].names, *names))
    kept += [
        ListedNames(reason=reason, names=tuple(cover_cases(cases, declared.operation_of)))
        for reason, cases in sorted(fresh.items(), key=lambda item: (-len(item[1]), item[0]))
    ]
    return tuple(entry for entry in kept if entry.names)


def _entry_for(seen: RecordedResult, known: KnownDivergences) -> int | None:
    """The number of the entry that a new unsupported case joins; None if there is none."""
    before = known.unsupported_name(seen.case, seen.operation)
    reason = as_reason(outcome_text(seen.brief))
    for number, entry in enumerate(known.unsupported):
        if before in entry.names or (not before and as_reason(entry.reason) == reason):
            return number
    return None
