"""RunRecord → what each sentence of the specification costs the SDKs: the failures and the variants that hang on it. Pure.

A sentence stands for the rulings and the causes of failures about one requirement: of the requirements of a ruling or a
cause, the one that most of its answers cite. A failure with several causes counts for each.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set

from msgspec import Struct, field

from ..compare.alternatives import DECIDES
from ..compare.causes import names_of
from ..model import (
    ADOPTED,
    EXPECTED,
    FAILING,
    PASSING,
    REFERENCE,
    UNTESTED,
    Choice,
    RecordedResult,
    RunRecord,
    Verdict,
    where,
)
from .description import Description, SharedCause, descriptions, shared_causes
from .ruling_adherence import RulingAdherence, rulings

_ByName = Mapping[str, Sequence[RecordedResult]]
"""Results by SDK, each once; of SDKs that have any."""


class AdoptionEffect(Struct, frozen=True):
    """What a change of the text does to the answers of one SDK. `gained` then pass. `lost` are passes that it can end:
    the readings predict different answers there, or another SDK gains there. A record shows no more of it."""

    gained: Sequence[RecordedResult] = ()
    lost: Sequence[RecordedResult] = ()


class SentenceCost(Struct, frozen=True):
    """A sentence with the answers that depart from it.

    `requirement` is empty where none is known. `common` are causes that at least two SDKs have and that no other SDK
    contradicts; `other` are the other causes. `uncaused` are failures without a cause that charge the requirement.
    `varying` are variants. `practice` is what most SDKs do in place of the adopted text, and `effect` what it does as the
    text, by SDK; both are empty if most SDKs have nothing in common.
    """

    requirement: str
    rulings: Sequence[RulingAdherence] = ()
    common: Sequence[SharedCause] = ()
    other: Sequence[SharedCause] = ()
    uncaused: _ByName = field(default_factory=dict)
    varying: _ByName = field(default_factory=dict)
    practice: Choice = ADOPTED
    effect: Mapping[str, AdoptionEffect] = field(default_factory=dict)

    @property
    def doubting(self) -> _ByName:
        """The answers that speak against the text: the variants, and the failures that the tested SDKs have in common."""
        return _merged([self.varying, *map(_failures, self.common)])

    @property
    def breaking(self) -> _ByName:
        """The failures that only some of the tested SDKs have."""
        return _merged([self.uncaused, *map(_failures, self.other)])

    @property
    def cost(self) -> int:
        """The number of variants and failures."""
        return size(_merged([self.doubting, self.breaking]))


class _Answers(Struct, frozen=True):
    """The answers of one SDK: `of_case` by case, without untested ones, `departing` by the names of all that explains them,
    `separating` passes by each ruling whose readings predict different answers."""

    of_case: Mapping[str, RecordedResult]
    departing: Mapping[frozenset[str], Sequence[RecordedResult]]
    separating: Mapping[str, Sequence[RecordedResult]]


class _Members(Struct):
    """What belongs to one sentence."""

    rulings: list[RulingAdherence] = field(default_factory=list)
    causes: list[SharedCause] = field(default_factory=list)
    uncaused: list[RecordedResult] = field(default_factory=list)


def size(results: _ByName) -> int:
    """The number of results of all SDKs."""
    return sum(map(len, results.values()))


def sentence_costs(record: RunRecord) -> list[SentenceCost]:
    """Every ruling of the record and every cause of failures by its sentence; the sentence that costs most first."""
    described = descriptions(record)
    answers = {description.implementation: _answers(record, description.implementation) for description in described}
    order = {id_: place for place, id_ in enumerate(record.metadata.requirements)}
    costs = [_cost(id_, members, answers) for id_, members in _members(record, described).items()]
    return sorted(costs, key=lambda cost: (-cost.cost, order.get(cost.requirement, len(order))))


def _members(record: RunRecord, described: Sequence[Description]) -> Mapping[str, _Members]:
    """The members of each sentence, by its requirement."""
    members: defaultdict[str, _Members] = defaultdict(_Members)
    main: dict[str, str] = {}
    for ruling in rulings(record):
        results = list(_departing(ruling)) or ruling.results
        main[ruling.id] = _main(ruling.text.requirements, results, record)
        members[main[ruling.id]].rulings.append(ruling)
    for cause in shared_causes(described):
        failures = [result for of_name in _failures(cause).values() for result in of_name]
        ruling_id = cause.name.partition("=")[0]
        members[main.get(ruling_id) or _main(_broken_by(cause, record), failures, record)].causes.append(cause)
    for result in (result for sdk in described for part in sdk.rest.values() for result in part):
        members[_main(result.charged, [result], record)].uncaused.append(result)
    return members


def _departing(ruling: RulingAdherence) -> Iterator[RecordedResult]:
    """The answers of SDKs that follow another reading than the adopted one."""
    for name, position in ruling.positions.items():
        for reading, followed in position.followers.readings.items():
            if name != REFERENCE and reading != ruling.text.adopted:
                yield from followed.every


def _broken_by(cause: SharedCause, record: RunRecord) -> Sequence[str]:
    """The requirements that a cause breaks, by the known-divergence files."""
    entries = map(record.metadata.implementation, cause.by)
    listed = (known for entry in entries if entry for known in entry.causes if known.name == cause.name)
    return [id_ for known in listed for id_ in known.requirements]


def _main(requirements: Sequence[str], results: Iterable[RecordedResult], record: RunRecord) -> str:
    """The requirement of these, or else of those that the results charge, that most results cite, facts last; empty without
    one."""
    texts, listed = record.metadata.requirements, list(results)
    cited = Counter(id_ for result in listed for id_ in {*result.requirements, *result.charged})
    known = requirements or [id_ for result in listed for id_ in result.charged]
    return min(known, key=lambda id_: (id_ in texts and texts[id_].is_fact, -cited[id_]), default="")


def _answers(record: RunRecord, name: str) -> _Answers:
    departing: defaultdict[frozenset[str], list[RecordedResult]] = defaultdict(list)
    separating: defaultdict[str, list[RecordedResult]] = defaultdict(list)
    of_case = {}
    for result in where(record.results, lambda result: result.verdict not in UNTESTED, {name}):
        of_case[result.case] = result
        if result.verdict in EXPECTED:
            for ruling, _ in result.readings:
                separating[ruling].append(result)
        else:
            choice = result.explained_by if result.verdict in FAILING else Choice(result.readings)
            departing[frozenset(names_of(choice))].append(result)
    return _Answers(of_case, departing, separating)


def _cost(requirement: str, members: _Members, answers: Mapping[str, _Answers]) -> SentenceCost:
    common = [cause for cause in members.causes if _is_common(cause, answers)]
    practice = Choice(
        tuple(sorted(reading for ruling in members.rulings if (reading := _common_reading(ruling, common)))),
        tuple(sorted(cause.name for cause in common if not cause.is_reading)),
    )
    ids = {ruling.id for ruling in members.rulings}
    uncaused: defaultdict[str, list[RecordedResult]] = defaultdict(list)
    for result in members.uncaused:
        uncaused[result.implementation].append(result)
    return SentenceCost(
        requirement,
        members.rulings,
        common,
        [cause for cause in members.causes if cause not in common],
        uncaused,
        {name: found for name, of in answers.items() if (found := list(_variants(of, ids)))},
        practice,
        _effect(practice, answers) if practice else {},
    )


def _variants(answers: _Answers, rulings: Set[str]) -> Iterator[RecordedResult]:
    """The variants by readings of these rulings."""
    for results in answers.departing.values():
        yield from (
            result
            for result in results
            if result.verdict is Verdict.VARIANT and not rulings.isdisjoint(dict(result.readings))
        )


def _is_common(cause: SharedCause, answers: Mapping[str, _Answers]) -> bool:
    """Whether at least two SDKs have a cause, and no other one answers its cases otherwise, as far as it reports."""
    cases = {result.case for results in _failures(cause).values() for result in results}
    others = (of.of_case.get(case) for name, of in answers.items() if name not in cause.by for case in cases)
    return len(cause.by) > 1 and not any(
        result and result.verdict in PASSING and not result.unobserved for result in others
    )


def _common_reading(ruling: RulingAdherence, common: Sequence[SharedCause]) -> tuple[str, str] | None:
    """The reading of a ruling that most SDKs have in place of the adopted one: each SDK has the one of most of its answers.
    A refuted reading must be a common cause."""
    if ruling.text.text == DECIDES:
        names = {tuple(cause.name.split("=")) for cause in common}
        return next(((ruling.id, reading) for reading in ruling.text.readings if (ruling.id, reading) in names), None)
    votes: Counter[str] = Counter()
    for name, position in ruling.positions.items():
        if name != REFERENCE and (followed := position.followers.readings):
            votes[max(followed, key=lambda reading: followed[reading].cases)] += 1
    [(first, most), *rest] = votes.most_common() or [("", 0)]
    is_tied = bool(rest) and rest[0][1] == most
    return None if is_tied or first in ("", ruling.text.adopted) else (ruling.id, first)


def _effect(practice: Choice, answers: Mapping[str, _Answers]) -> Mapping[str, AdoptionEffect]:
    names, rulings = frozenset(names_of(practice)), dict(practice.readings)
    gained = {
        name: [result for key, results in of.departing.items() if key and key <= names for result in results]
        for name, of in answers.items()
    }
    turning = {result.case for results in gained.values() for result in results}
    effect = {}
    for name, of in answers.items():
        passes = {result.case: result for ruling in rulings for result in of.separating.get(ruling, ())}
        passes |= {
            case: result
            for case in turning
            if (result := of.of_case.get(case)) and result.verdict in EXPECTED and not result.unobserved
        }
        effect[name] = AdoptionEffect(gained[name], list(passes.values()))
    return effect


def _failures(cause: SharedCause) -> _ByName:
    return {name: of_name.results for name, of_name in cause.by.items()}


def _merged(parts: Iterable[_ByName]) -> _ByName:
    """The results of all parts, each once."""
    merged: defaultdict[str, dict[str, RecordedResult]] = defaultdict(dict)
    for part in parts:
        for name, results in part.items():
            merged[name].update((result.case, result) for result in results)
    return {name: list(results.values()) for name, results in merged.items() if results}
