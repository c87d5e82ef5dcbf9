"""Readings as switches of the reference, against the answers that the corpus records for them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from itertools import combinations
from typing import Any

import pytest
from reference_answers import Reference, answer, cases, corpus, differs, reached_in

from harness.compare.alternatives import DECIDES, Alternative
from harness.compare.attribution import Attribution
from harness.compare.verdict import judge
from harness.model import Answered, Case, Response, Result, Ruling, Verdict
from reference_impl.switches import Switch, all_switches
from reference_impl.wire.operations import SYSTEMS


def rulings() -> dict[str, Ruling]:
    return dict(corpus().corpus.rulings)


def other_readings() -> list[str]:
    """Every recorded reading that is not the adopted one."""
    return [
        f"{ruling.id}={reading}"
        for ruling in rulings().values()
        for reading in ruling.readings
        if reading != ruling.adopted
    ]


def unshown() -> dict[str, str]:
    """The readings that no answer shows, with the reasons."""
    found: dict[str, str] = {}
    for system in SYSTEMS:
        found |= import_module(f"reference_impl.readings.{system}").UNSHOWN
    return found


def cases_with(name: str) -> list[Case]:
    """The cases that record an answer for the reading."""
    return cases_by_reading().get(name, [])


@cache
def cases_by_reading() -> dict[str, list[Case]]:
    """The cases that record an answer, by reading."""
    recorded: dict[str, list[Case]] = {}
    for case in cases():
        for reading in case.readings:
            recorded.setdefault(f"{case.ruling}={reading}", []).append(case)
    return recorded


def switches(*, readings: bool) -> Iterator[Switch]:
    return (switch for switch in all_switches().values() if switch.is_reading is readings)


def test_every_reading_has_a_switch_or_shows_in_no_answer() -> None:
    defined = {switch.name for switch in switches(readings=True)}
    assert sorted(set(other_readings()) - defined - unshown().keys()) == []


def test_every_switch_is_a_recorded_reading() -> None:
    assert sorted({switch.name for switch in switches(readings=True)} - set(other_readings())) == []


def test_readings_of_two_rulings_exclude_each_other_nowhere() -> None:
    """Readings of two rulings that replace one method would: one of them would have no effect."""
    excluding = {
        (first.name, second.name)
        for first, second in combinations(switches(readings=True), 2)
        if first.ruling != second.ruling
        for place, method in first.replaced().items()
        if second.replaced().get(place, method) is not method
    }
    assert excluding == set()


@pytest.mark.parametrize("text", ["Zebu", ""], ids=["constant", "empty"])
def test_no_reading_has_a_reranker_text_without_its_document(text: str) -> None:
    """A text without the words of its document fails, also one that is empty; a document of blank fields has no words."""
    operation = corpus().corpus.operations["rerank.documentText"]
    asked = [case for case in cases() if case.operation == operation.name]
    with_words = [case for case in asked if "".join(map(str, case.request.values())).strip()]
    assert len(with_words) > 30
    verdicts = {case.name: judge(case, operation, Answered({"text": text})).verdict for case in with_words}
    assert {name for name, verdict in verdicts.items() if verdict is not Verdict.FAIL} == set()


def test_no_reading_has_the_text_of_another_document() -> None:
    """A search whose reranker gets the texts of two documents in exchange fails, also under the reading of other texts."""
    name = "jeffs_brain/retrieval/rerank/each-document-has-its-own-text"
    (case,) = [case for case in cases() if case.name == name]
    operation = corpus().corpus.operations[case.operation]
    for switches_on in ([], ["RUL-B103=b"]):
        found: Any = answer(case, switches_on)
        assert judge(case, operation, found).verdict is not Verdict.FAIL
        first, second = found.value["calls"][-1]["documents"]
        first["text"], second["text"] = second["text"], first["text"]
        assert judge(case, operation, found).verdict is Verdict.FAIL


@pytest.mark.parametrize("name", other_readings())
def test_a_reading_gives_the_answers_that_the_cases_record(name: str) -> None:
    """The recorded answers are derived by hand; the switch is checked against them."""
    if name in unshown():
        assert not cases_with(name)
        return
    reading = name.partition("=")[2]
    wrong = [case.name for case in cases_with(name) if differs(case, case.readings[reading], answer(case, [name]))]
    assert wrong == []


@pytest.mark.slow
@pytest.mark.parametrize("name", other_readings())
def test_some_case_shows_the_reading(name: str) -> None:
    """The corpus has a case in which the reading gives another answer than the adopted one."""
    if name in unshown():
        return
    system = _system_of(name)
    assert any(differs(case, case.expected, answer(case, [name])) for case in _candidates(name, system))


def _system_of(name: str) -> str:
    """The system of a reading's ruling; its switch can also be in a module that all systems share."""
    requirement = rulings()[name.partition("=")[0]].requirements[0]
    return corpus().corpus.requirements[requirement].system


def _candidates(name: str, system: str) -> Iterator[Case]:
    """The cases of the system, those of the reading first."""
    yield from cases_with(name)
    yield from (case for case in cases() if case.name.startswith(f"{system}/"))


def open_readings() -> list[str]:
    """The readings that the specification leaves open."""
    return [name for name in other_readings() if rulings()[name.partition("=")[0]].text != DECIDES]


@cache
def reached_by() -> dict[Alternative, list[Case]]:
    """For each alternative, the cases whose request reaches its point of decision."""
    found: dict[Alternative, list[Case]] = {}
    for case in cases():
        for one in reached_in(case):
            found.setdefault(one, []).append(case)
    return found


@cache
def following() -> dict[str, list[tuple[Case, Response]]]:
    """For each open reading, cases that reach it with their answers: all up to 30 of an operation, and every tenth of the
    others."""
    found: dict[str, list[tuple[Case, Response]]] = {name: [] for name in open_readings()}
    counts: Counter[tuple[str, str]] = Counter()
    for case in cases():
        for name in map("=".join, reached_in(case)):
            counts[name, case.operation] += 1
            if name in found and (counts[name, case.operation] <= 30 or counts[name, case.operation] % 10 == 0):
                found[name].append((case, answer(case, [name])))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", open_readings())
def test_an_implementation_that_follows_a_reading_fails_no_case(name: str) -> None:
    """An answer under one open reading passes or is a variant. Of each operation, five cases are explained by a search."""
    operations = corpus().corpus.operations
    failing = {}
    searched: Counter[str] = Counter()
    for case, received in following()[name]:
        outcome = judge(case, operations[case.operation], received)
        if outcome.verdict in (Verdict.PASS, Verdict.VARIANT):
            continue
        searched[case.operation] += 1
        if searched[case.operation] > 5:
            continue
        explained = Attribution(Reference(), rulings(), operations).explain(Result(case, "sdk", outcome))
        if explained.verdict is not Verdict.VARIANT:
            failing[case.name] = explained.verdict
    assert failing == {}


@pytest.mark.slow
@pytest.mark.parametrize("name", open_readings())
def test_a_reading_changes_only_answers_that_reach_it(name: str) -> None:
    """The search for an explanation leaves out the readings that a request does not reach."""
    ruling, _, reading = name.partition("=")
    reaching = {case.name for case in reached_by().get((ruling, reading), [])}
    system = _system_of(name)
    others = [case for case in cases() if case.name not in reaching and case.name.startswith(f"{system}/")]
    assert [case.name for case in others[::29] if differs(case, case.expected, answer(case, [name]))] == []
