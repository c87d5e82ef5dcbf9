"""Open readings that an implementation follows together: none of their answers is a failure.

Each answer under several open readings is within the letter of the text. The implementation here is the reference under
these readings; it answers disputed cases of their rulings too, which could contradict them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import cache
from itertools import combinations, groupby
from random import Random

import pytest
from reference_answers import Reference, answer, cases, corpus, differs, reached_in

from harness.compare.alternatives import Alternative, Combined, choice_of
from harness.compare.attribution import Attribution
from harness.compare.causes import names_of
from harness.compare.combination_search import MAX_TRIED_FOR_ONE, searchable_response
from harness.compare.verdict import judge
from harness.model import ADOPTED, Case, Choice, Readings, Response, Result, Ruling, Verdict
from reference_impl.switches import SwitchError, all_switches

pytestmark = pytest.mark.slow

HIDDEN_PAIRS = ("RUL-B40=b RUL-B110=b", "RUL-B145=b RUL-B94=d", "RUL-B107=c RUL-B92=b", "RUL-B93=b RUL-B98=b")
"""Pairs of which one reading hides the other in every case, or that no other case shows."""

TRIPLES = 150
"""Triples that are drawn."""


class Remembering(Reference):
    """The reference; it keeps the combinations of the last case."""

    def __init__(self) -> None:
        self._case = ""
        self._known: dict[object, Combined] = {}

    def combined(self, case: Case, beside: Choice, further: Collection[Alternative], size: int, limit: int) -> Combined:
        key = beside, tuple(further), size, limit if size > 2 else 0
        if case.name != self._case:
            self._case, self._known = case.name, {}
        if key not in self._known:
            self._known[key] = super().combined(case, beside, further, size, limit)
        return self._known[key]


REFERENCE = Remembering()


def rulings() -> dict[str, Ruling]:
    return dict(corpus().corpus.rulings)


@cache
def open_readings() -> tuple[Alternative, ...]:
    """The open readings that some answer shows."""
    return tuple(one for one in attribution().open_readings() if "=".join(one) in all_switches())


def attribution() -> Attribution:
    return Attribution(REFERENCE, rulings(), corpus().corpus.operations)


def result(case: Case, received: Response) -> Result:
    return Result(case, "sdk", judge(case, corpus().corpus.operations[case.operation], received))


@cache
def disputed(ruling: str) -> list[Case]:
    return [case for case in cases() if case.ruling == ruling]


@cache
def shown(readings: Readings) -> list[Result]:
    """The results of the disputed cases of these rulings that pass or are variants."""
    names = names_of(Choice(readings))
    found = [result(case, answer(case, names)) for ruling, _ in readings for case in disputed(ruling)]
    return [one for one in found if one.verdict in (Verdict.PASS, Verdict.VARIANT)]


def convicted(case: Case, readings: Readings, received: Response) -> bool:
    """Whether the answer is still a failure after the search for its readings."""
    judged = result(case, received)
    if not searchable_response(judged):
        return False
    made = attribution()
    for one in shown(readings):
        made.observe(one)
    return made.explain(judged).verdict is not Verdict.VARIANT


def compared() -> list[Case]:
    """Of each operation, the disputed cases whose requests reach the most pairs that no case before them reaches."""
    chosen: list[Case] = []
    for _, found in groupby(sorted(filter(lambda case: case.ruling, cases()), key=_operation), _operation):
        left = {case.name: (case, _pairs(case)) for case in found}
        for _ in range(CASES):
            case, pairs = max(left.values(), key=lambda one: len(one[1]), default=(None, set()))
            if case is None or not pairs:
                break
            chosen.append(case)
            left = {name: (one, own - pairs) for name, (one, own) in left.items()}
    return chosen


CASES = 5
"""Cases of each operation."""


def _pairs(case: Case) -> set[tuple[Alternative, Alternative]]:
    """The pairs of open readings of two rulings that the request reaches."""
    reached = sorted({*reached_in(case)} & {*open_readings()})
    return {(first, second) for first, second in combinations(reached, 2) if first[0] != second[0]}


def _operation(case: Case) -> str:
    return case.operation


def test_no_pair_of_open_readings_convicts() -> None:
    """Every pair that a request reaches, where the answer under both is another one than under each alone."""
    failing, pairs = {}, 0
    for case in compared():
        found = REFERENCE.combined(case, ADOPTED, open_readings(), 2, MAX_TRIED_FOR_ONE)
        assert found.size == 2
        for readings, received in found.responses.items():
            pairs += len(readings) == 2
            if len(readings) == 2 and differs(case, case.expected, received) and convicted(case, readings, received):
                failing[case.name] = readings
    assert failing == {}
    assert pairs > 100


@pytest.mark.parametrize("pair", HIDDEN_PAIRS)
def test_readings_that_hide_each_other_convict_with_no_third_one(pair: str) -> None:
    """The pair, and the pair with each open reading that the same request reaches."""
    failing = {}
    for case, two in _first_failing(pair.split()):
        reached = [one for one in reached_in(case) if one in open_readings() and one[0] not in dict(two)]
        for readings in (two, *(tuple(sorted((*two, one))) for one in reached)):
            received = answer(case, names_of(Choice(readings)))
            if convicted(case, readings, received):
                failing[readings] = case.name
    assert failing == {}


def _first_failing(names: Sequence[str]) -> Iterator[tuple[Case, Readings]]:
    """A case that no reading of the pair excuses alone."""
    readings = choice_of((name.partition("=")[0], name.partition("=")[2]) for name in names).readings
    acting = [all_switches()[name].acts_on for name in names]
    for case in cases():
        if any(acts_on(case.operation) for acts_on in acting) and {*readings} & {*reached_in(case)}:
            received = answer(case, names)
            effects = REFERENCE.effects(case) if searchable_response(result(case, received)) else None
            if effects and not any(not differs(case, found, received) for found in effects.changes.values()):
                yield case, readings
                return


def test_no_triple_of_open_readings_convicts() -> None:
    """Triples that a request reaches, drawn at random; one of them changes the answer alone."""
    draw, failing = Random(1), {}
    drawn = sorted(draw.sample(range(len(cases())), 40 * TRIPLES))
    for case, readings in _triples([cases()[place] for place in drawn], draw):
        try:
            received = answer(case, names_of(Choice(readings)))
        except SwitchError:
            continue
        if convicted(case, readings, received):
            failing[case.name] = readings
    assert failing == {}


def _triples(drawn: Sequence[Case], draw: Random) -> Iterator[tuple[Case, Readings]]:
    found = 0
    for case in drawn:
        reached = sorted(one for one in reached_in(case) if one in open_readings())
        draw.shuffle(reached)
        readings = tuple(sorted(dict(reached).items()))
        if len(readings) >= 3 and found < TRIPLES:
            found += 1
            yield case, tuple(sorted(draw.sample(readings, 3)))
