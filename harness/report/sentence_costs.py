"""RunRecord → what each sentence of the specification costs the SDKs: the failures and the variants that hang on it. Pure.

A sentence stands for the rulings of one topic, or for the rulings and the causes of failures about one requirement: of the
requirements of a ruling or a cause, the one that most of its answers cite. A failure with several causes counts for each.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct, field

from ..compare.alternatives import DECIDES
from ..model import (
    ADOPTED,
    PASSING,
    Choice,
    RecordedResult,
    RunRecord,
    Topic,
    Verdict,
)
from .adoption_effects import AdoptionEffect, SdkAnswers, answers_of, effects_on
from .description import Description, SharedCause, descriptions, shared_causes
from .ruling_adherence import Departure, ResultsByName, RulingAdherence, rulings


class SentenceCost(Struct, frozen=True):
    """A sentence with the answers that depart from it.

    `requirements` are the main ones of its members, in the order of the text; empty where none is known. `common` are
    causes that at least two SDKs have and that no other SDK contradicts; `other` are the other causes. `uncaused` are
    failures without a cause that charge the requirement. `varying` are variants. `practice` is what most SDKs do in place
    of the adopted text, and `effect` what it does as the text, by SDK; both are empty if most have nothing in common.
    """

    requirements: Sequence[str] = ()
    topic: Topic | None = None
    rulings: Sequence[RulingAdherence] = ()
    common: Sequence[SharedCause] = ()
    other: Sequence[SharedCause] = ()
    uncaused: ResultsByName = field(default_factory=dict)
    varying: ResultsByName = field(default_factory=dict)
    practice: Choice = ADOPTED
    effect: Mapping[str, AdoptionEffect] = field(default_factory=dict)

    @property
    def requirement(self) -> str:
        """The first requirement; empty without one."""
        return next(iter(self.requirements), "")

    @property
    def doubting(self) -> ResultsByName:
        """The answers that speak against the text: the variants, and the failures that the tested SDKs have in common."""
        return _merged([self.varying, *map(_failures, self.common)])

    @property
    def breaking(self) -> ResultsByName:
        """The failures that only some of the tested SDKs have."""
        return _merged([self.uncaused, *map(_failures, self.other)])

    @property
    def departures(self) -> Sequence[Departure]:
        """What SDKs do in place of the text, the most frequent first."""
        found = [departure for ruling in self.rulings for departure in ruling.departures]
        names = {departure.name for departure in found}
        causes = [cause for cause in (*self.common, *self.other) if cause.name not in names]
        found += [Departure(cause.name, cause.reason, _failures(cause)) for cause in causes]
        return sorted(found, key=lambda departure: -size(departure.by))

    @property
    def cost(self) -> int:
        """The number of variants and failures."""
        return size(_merged([self.doubting, self.breaking]))


class _Members(Struct):
    """What belongs to one sentence."""

    requirements: set[str] = field(default_factory=set)
    rulings: list[RulingAdherence] = field(default_factory=list)
    causes: list[SharedCause] = field(default_factory=list)
    uncaused: list[RecordedResult] = field(default_factory=list)


def size(results: ResultsByName) -> int:
    """The number of results of all SDKs."""
    return sum(map(len, results.values()))


def sentence_costs(record: RunRecord) -> list[SentenceCost]:
    """Every ruling of the record and every cause of failures by its sentence; the sentence that costs most first."""
    described = descriptions(record)
    answers = {description.implementation: answers_of(record, description.implementation) for description in described}
    order = {id_: place for place, id_ in enumerate(record.metadata.requirements)}
    members = _members(record, described)
    costs = [
        _cost(of_sentence, sorted(of_sentence.requirements, key=lambda id_: order.get(id_, len(order))), answers)
        for of_sentence in members
    ]
    return sorted(costs, key=lambda cost: (-cost.cost, order.get(cost.requirement, len(order))))


def _members(record: RunRecord, described: Sequence[Description]) -> Iterable[_Members]:
    """The members of each sentence. A deviation belongs to the topic of the rulings from which SDKs depart at its
    requirement, if it is one."""
    members: defaultdict[str, _Members] = defaultdict(_Members)
    of_ruling: dict[str, _Members] = {}
    topics: defaultdict[str, set[str]] = defaultdict(set)

    def sentence(requirement: str, key: str = "") -> _Members:
        about = topics[requirement]
        found = members[key or (next(iter(about)) if len(about) == 1 else requirement)]
        found.requirements.update({requirement} - {""})
        return found

    for ruling in rulings(record):
        departing = [
            result for departure in ruling.departures for results in departure.by.values() for result in results
        ]
        requirement = _main(ruling.text.requirements, departing or ruling.results, record)
        key = f"topic {ruling.text.topic.id}" if ruling.text.topic else requirement
        if departing:
            topics[requirement].add(key)
        of_ruling[ruling.id] = sentence(requirement, key)
        of_ruling[ruling.id].rulings.append(ruling)
    for cause in shared_causes(described):
        failures = [result for of_name in _failures(cause).values() for result in of_name]
        about = of_ruling.get(cause.name.partition("=")[0])
        (about or sentence(_main(_broken_by(cause, record), failures, record))).causes.append(cause)
    for result in (result for sdk in described for part in sdk.rest.values() for result in part):
        sentence(_main(result.charged, [result], record)).uncaused.append(result)
    return members.values()


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


def _cost(members: _Members, requirements: Sequence[str], answers: Mapping[str, SdkAnswers]) -> SentenceCost:
    common = [cause for cause in members.causes if _is_common(cause, answers)]
    practice = Choice(
        tuple(sorted(reading for ruling in members.rulings if (reading := _common_reading(ruling, common)))),
        tuple(sorted(cause.name for cause in common if _is_deviation(cause))),
    )
    uncaused: defaultdict[str, list[RecordedResult]] = defaultdict(list)
    for result in members.uncaused:
        uncaused[result.implementation].append(result)
    return SentenceCost(
        requirements,
        next((ruling.text.topic for ruling in members.rulings if ruling.text.topic), None),
        members.rulings,
        common,
        [cause for cause in members.causes if cause not in common],
        uncaused,
        _merged(
            {name: [result for result in results if result.verdict is Verdict.VARIANT]}
            for ruling in members.rulings
            for departure in ruling.departures
            for name, results in departure.by.items()
        ),
        practice,
        effects_on(practice, answers) if practice else {},
    )


def _is_deviation(cause: SharedCause) -> bool:
    """Whether a model predicts its answers: nobody can say what a text of listed answers would ask for."""
    failures = (result for results in _failures(cause).values() for result in results)
    return any(cause.name in result.explained_by.deviations for result in failures)


def _is_common(cause: SharedCause, answers: Mapping[str, SdkAnswers]) -> bool:
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
    for following in ruling.of_sdks.values():
        if followed := following.readings:
            votes[max(followed, key=lambda reading: followed[reading].cases)] += 1
    [(first, most), *rest] = votes.most_common() or [("", 0)]
    is_tied = bool(rest) and rest[0][1] == most
    return None if is_tied or first in ("", ruling.text.adopted) else (ruling.id, first)


def _failures(cause: SharedCause) -> ResultsByName:
    return {name: of_name.results for name, of_name in cause.by.items()}


def _merged(parts: Iterable[ResultsByName]) -> ResultsByName:
    """The results of all parts, each once."""
    merged: defaultdict[str, dict[str, RecordedResult]] = defaultdict(dict)
    for part in parts:
        for name, results in part.items():
            merged[name].update((result.case, result) for result in results)
    return {name: list(results.values()) for name, results in merged.items() if results}
