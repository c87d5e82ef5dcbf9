"""What a change of the text does to the answers of SDKs, as far as their record shows it. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from ..compare.causes import names_of
from ..model import EXPECTED, FAILING, UNTESTED, Choice, RecordedResult, RunRecord, where
from .ruling_adherence import varies


class AdoptionEffect(Struct, frozen=True):
    """What a change of the text does to the answers of one SDK. `gained` then pass. `lost` are passes that it can end:
    the readings predict different answers there, or another SDK gains there. A record shows no more of it."""

    gained: Sequence[RecordedResult] = ()
    lost: Sequence[RecordedResult] = ()


class SdkAnswers(Struct, frozen=True):
    """The answers of one SDK, without those that vary from run to run: `of_case` by case, `departing` by the names of all
    that explains them, `separating` passes by each ruling whose readings predict different answers."""

    of_case: Mapping[str, RecordedResult]
    departing: Mapping[frozenset[str], Sequence[RecordedResult]]
    separating: Mapping[str, Sequence[RecordedResult]]


def adoption_effects(record: RunRecord, change: Choice, names: Iterable[str]) -> Mapping[str, AdoptionEffect]:
    """What a change does as the text to the answers of these implementations."""
    return effects_on(change, {name: answers_of(record, name) for name in names})


def answers_of(record: RunRecord, name: str) -> SdkAnswers:
    """The answers of an SDK in a record."""
    departing: defaultdict[frozenset[str], list[RecordedResult]] = defaultdict(list)
    separating: defaultdict[str, list[RecordedResult]] = defaultdict(list)
    of_case = {}
    for result in where(record.results, lambda result: result.verdict not in UNTESTED, {name}):
        if varies(result, record):
            continue
        of_case[result.case] = result
        if result.verdict in EXPECTED:
            for ruling, _ in result.readings:
                separating[ruling].append(result)
        else:
            choice = result.explained_by if result.verdict in FAILING else Choice(result.readings)
            departing[frozenset(names_of(choice))].append(result)
    return SdkAnswers(of_case, departing, separating)


def effects_on(change: Choice, answers: Mapping[str, SdkAnswers]) -> Mapping[str, AdoptionEffect]:
    """What a choice does as the text to these answers."""
    names, rulings = frozenset(names_of(change)), dict(change.readings)
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
