"""The catalogues of the specifications and their rulings: every statement is shown, every claim has evidence."""

from __future__ import annotations

import fnmatch
from collections import Counter
from collections.abc import Iterator

import pytest

from harness.base.json_path import follow, pointer_steps
from harness.compare.verdict import response_differences
from harness.corpus.loader import Corpus
from harness.corpus.paths import shipped
from harness.corpus.requirement_coverage import MUST, Coverage, CoverageGap, CoveredRequirement, cover
from harness.corpus.rules import resolved
from harness.corpus.schemas import SCHEME
from harness.model import Answered, Json, Operation, Ruling

SYSTEMS = sorted(path.parent.name for path in (shipped() / "cases").glob("*/requirements.yaml"))
"""Every system with a catalogue of requirements."""


@pytest.fixture(scope="module")
def corpus(shipped_corpus: Corpus) -> Corpus:
    """The shipped corpus."""
    return shipped_corpus


@pytest.fixture(scope="module", params=SYSTEMS)
def system(request: pytest.FixtureRequest) -> str:
    """Each system in turn."""
    return str(request.param)


@pytest.fixture(scope="module")
def covering(corpus: Corpus, system: str) -> Coverage:
    """The requirements of the system with their cases."""
    cases = [case for case in corpus.cases if case.system == system]
    return cover([one for one in corpus.requirements.values() if one.system == system], cases)


@pytest.fixture(scope="module")
def rulings(corpus: Corpus, system: str) -> list[Ruling]:
    """The rulings of the system."""
    return [one for one in corpus.rulings.values() if one.at.startswith(f"cases/{system}/")]


def ids(rows: list[CoveredRequirement]) -> list[str]:
    """What a failure shows."""
    return [row.requirement.id for row in rows]


def test_every_system_is_checked(corpus: Corpus) -> None:
    """Each system that has cases has a catalogue, so none escapes these tests."""
    assert sorted({case.system for case in corpus.cases}) == SYSTEMS


def test_a_shipped_document_is_anchored(corpus: Corpus) -> None:
    """Some requirements have anchors, so the test of anchored documents checks something."""
    assert any(requirement.anchors for requirement in corpus.requirements.values())


def test_every_observable_must_has_two_cases(covering: Coverage) -> None:
    """A statement that MUST hold and can be observed is shown by two cases at least."""
    musts = [row for row in covering.rows if row.requirement.level == MUST and not row.requirement.unobservable]
    assert musts
    assert ids([row for row in musts if len(row.cases) < 2]) == []


def test_every_observable_statement_has_a_negative_case_or_a_reason(covering: Coverage) -> None:
    """Of the cases of a statement one shows what is refused or not done, unless it says why none can."""
    assert ids(covering.of(CoverageGap.POSITIVE_ONLY)) == []


def test_a_reason_for_no_negative_case_is_no_longer_needed_once_there_is_one(covering: Coverage) -> None:
    """A statement that says why it has no negative case has none."""
    assert ids([row for row in covering.rows if row.requirement.positive_only and row.negative]) == []


def test_what_cannot_be_observed_has_no_case(covering: Coverage) -> None:
    """A statement that says why it cannot be observed is cited by nothing."""
    assert ids(covering.of(CoverageGap.CONTRADICTED)) == []


def test_every_statement_of_an_anchored_document_has_an_anchor_or_a_reason(covering: Coverage) -> None:
    """Of a document with anchors, each statement names its passages or says why it has none."""
    listed = [row.requirement for row in covering.rows]
    documents = {requirement.document for requirement in listed if requirement.anchors}
    assert [
        requirement.id
        for requirement in listed
        if requirement.document in documents and not (requirement.anchors or requirement.unanchored)
    ] == []


def test_every_case_cites_something(covering: Coverage) -> None:
    """A case shows at least one statement."""
    assert covering.citing_nothing == ()


def test_a_ruling_lists_every_case_that_is_disputed_under_it(corpus: Corpus, rulings: list[Ruling]) -> None:
    """The evidence of a ruling has each disputed case that cites it."""
    evidence = {one.id: set(one.evidence) for one in rulings}
    disputed = [case for case in corpus.cases if case.ruling in evidence]
    assert disputed or not rulings
    assert [case.name for case in disputed if case.name not in evidence[case.ruling]] == []


def test_evidence_is_a_plain_case_or_one_that_is_disputed_under_the_ruling(
    corpus: Corpus, rulings: list[Ruling]
) -> None:
    """A ruling has evidence, of which none is disputed under another ruling."""
    disputed = {case.name: case.ruling for case in corpus.cases if case.ruling}
    assert [one.id for one in rulings if not one.evidence] == []
    assert [name for one in rulings for name in one.evidence if disputed.get(name, one.id) != one.id] == []


def test_a_ruling_has_readings_to_choose_from(rulings: list[Ruling]) -> None:
    """The adopted reading is one of two or more, which say different things."""
    assert [one.id for one in rulings if one.adopted not in one.readings] == []
    assert [one.id for one in rulings if len(set(one.readings.values())) < 2] == []


def test_cases_dispute_readings_that_their_ruling_has(corpus: Corpus, rulings: list[Ruling]) -> None:
    """A disputed case adopts what its ruling adopts, and its readings are readings of the ruling."""
    by_id = {one.id: one for one in rulings}
    disputed = [case for case in corpus.cases if case.ruling in by_id]
    assert [case.name for case in disputed if case.adopted != by_id[case.ruling].adopted] == []
    assert [case.name for case in disputed if not set(case.readings) <= set(by_id[case.ruling].readings)] == []


def test_the_readings_of_a_case_differ_from_each_other(corpus: Corpus) -> None:
    """No two readings of a disputed case have one outcome, so an answer follows one of them. A reading that demands only a
    part of a text allows the outcomes of others."""
    alike = []
    for case in corpus.cases:
        rules = corpus.operations[case.operation].rules
        others = [one for one in case.readings.items() if not (isinstance(one[1], Answered) and one[1].contains)]
        for at, (name, outcome) in enumerate(others):
            for other, compared in others[at + 1 :]:
                if not any(True for _ in response_differences(outcome, compared, rules)):
                    alike.append(f"{case.name} ({name}, {other})")
    assert alike == []


def test_every_reading_of_a_disputed_ruling_is_told_apart_somewhere(corpus: Corpus, rulings: list[Ruling]) -> None:
    """Where a ruling has disputed cases only, each reading is the outcome of some case."""
    told: dict[str, set[str]] = {}
    plain: Counter[str] = Counter()
    for case in corpus.cases:
        plain.update(case.cited_by_rulings)
        told.setdefault(case.ruling, set()).update(case.readings)
    unseen = {
        one.id: sorted(set(one.readings) - told[one.id] - {one.adopted})
        for one in rulings
        if one.id in told and not plain[one.id]
    }
    assert {id_: readings for id_, readings in unseen.items() if readings} == {}


def test_rulings_cite_requirements_of_their_evidence(corpus: Corpus, rulings: list[Ruling]) -> None:
    """A ruling is about at least one requirement that its evidence shows."""
    cited = {case.name: set(case.requirements) for case in corpus.cases}
    lost = [one.id for one in rulings if not any(cited[name] & set(one.requirements) for name in one.evidence)]
    assert lost == []


def test_every_place_of_a_requirement_exists(corpus: Corpus, system: str) -> None:
    """Each pointer in x-requirements and x-acceptance leads to a member that the schema of the answer has."""
    lost = [
        f"{operation.name}: {name}: {pointer}"
        for operation in corpus.operations.values()
        if operation.system == system
        for name, pointers in (*operation.places.items(), *operation.acceptance.items())
        for pointer in pointers
        if not answer_has(corpus, operation, pointer)
    ]
    assert lost == []


def test_requirements_with_places_are_cited_by_a_case_of_the_operation(corpus: Corpus, system: str) -> None:
    """A name in x-requirements and x-acceptance matches a requirement of the system that a case of the operation cites."""
    known = [one.id for one in corpus.requirements.values() if one.system == system]
    cited: dict[str, set[str]] = {}
    for case in corpus.cases:
        cited.setdefault(case.operation, set()).update(case.requirements)
    names = [
        (operation.name, name)
        for operation in corpus.operations.values()
        if operation.system == system
        for name in (*operation.places, *operation.acceptance)
    ]
    assert [pair for pair in names if not fnmatch.filter(known, pair[1])] == []
    assert [pair for pair in names if not fnmatch.filter(cited.get(pair[0], ()), pair[1])] == []


def answer_has(corpus: Corpus, operation: Operation, pointer: str) -> bool:
    """Whether the schema of the operation's answer has the place of a JSON Pointer."""
    address = f"{SCHEME}{operation.system}/{operation.name}.json"
    places = [(address, follow(corpus.schemas.values[address], ("$defs", "answer")))]
    for step in pointer_steps(pointer):
        places = [below for where, schema in places for below in members(corpus, where, schema, step)]
    return bool(places)


def members(corpus: Corpus, address: str, schema: Json, step: str) -> Iterator[tuple[str, Json]]:
    """The schemas of a member or an element, with the addresses of their files; `*` is any of them."""
    assert isinstance(schema, dict)
    if isinstance(reference := schema.get("$ref"), str):
        where, into = resolved(reference, address)
        yield from members(corpus, where, follow(corpus.schemas.values[where], into), step)
    for keyword in ("oneOf", "anyOf", "allOf"):
        parts = schema.get(keyword, [])
        for part in parts if isinstance(parts, list) else []:
            yield from members(corpus, address, part, step)
    if "items" in schema and (step == "*" or step.isdigit()):
        yield address, schema["items"]
    properties = schema.get("properties", {})
    for name, below in properties.items() if isinstance(properties, dict) else ():
        if step in ("*", name):
            yield address, below
