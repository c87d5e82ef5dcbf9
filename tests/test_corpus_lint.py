"""The shipped corpus itself: whole, true in what it cites, and without anything that nobody reads."""

from __future__ import annotations

import json
import os
import re
import zoneinfo
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from packaging.version import Version

from harness.compare.canonical import sorted_text
from harness.compare.verdict import judge, response_differences
from harness.corpus.adopted_files import UNCONFIRMED
from harness.corpus.checker import Checker, check_schemas
from harness.corpus.json_schema import DescribedErrors, schema_fault
from harness.corpus.loader import Corpus, load_corpus
from harness.corpus.paths import shipped
from harness.corpus.profiles import floors_of
from harness.corpus.provenance import REPOSITORY
from harness.corpus.rules import resolved
from harness.corpus.schemas import SCHEME
from harness.corpus.strict_yaml import parse_yaml
from harness.errors import CorpusError, Problem
from harness.model import Answered, Json, Verdict


@pytest.fixture(scope="module")
def corpus(shipped_corpus: Corpus) -> Corpus:
    """The shipped corpus."""
    return shipped_corpus


def test_the_corpus_can_be_loaded() -> None:
    """Reading finds nothing wrong; what it finds is shown here, all at once."""
    problems: tuple[Problem, ...] = ()
    try:
        load_corpus(shipped())
    except CorpusError as error:
        problems = error.problems
    assert "\n\n".join(map(str, problems)) == ""


def test_every_answer_is_confirmed() -> None:
    """`parity adopt` marks an answer of the reference. A person derives it from the text, and deletes the mark."""
    files = sorted((shipped() / "cases").rglob("*.yaml"))
    lines = (
        (path, number, line) for path in files for number, line in enumerate(path.read_text("utf-8").split("\n"), 1)
    )
    assert [f"{path}:{number}" for path, number, line in lines if f"# {UNCONFIRMED}: " in line] == []


def test_every_request_and_answer_keeps_to_its_schema(corpus: Corpus) -> None:
    """Schemas are JSON Schemas, and requests, expected answers and other readings keep to them."""
    assert check_schemas(corpus.schemas) == []
    assert Checker(corpus.schemas).check_cases(corpus.cases, corpus.operations) == []


def test_every_schema_is_a_json_schema_by_jsonschema(corpus: Corpus) -> None:
    """What the quick check lets pass, jsonschema lets pass too."""
    faults = {address: schema_fault(schema) for address, schema in corpus.schemas.values.items()}
    assert {address: fault for address, fault in faults.items() if fault} == {}


@pytest.mark.slow
def test_every_case_file_keeps_to_the_schema_of_case_files(corpus: Corpus) -> None:
    """An editor that knows schemas/case-file.schema.json finds nothing to complain about."""
    address = f"{SCHEME}case-file.schema.json"
    validators = DescribedErrors({address: json.loads((shipped() / "schemas" / "case-file.schema.json").read_bytes())})
    files = {case.at.rpartition(":")[0] for case in corpus.cases}
    values = {file: parse_yaml((corpus.root / file).read_text("utf-8"), file)[0] for file in files}
    breaches = {file: validators.error(address, value) for file, value in values.items()}
    assert {file: breach for file, breach in breaches.items() if breach} == {}


def test_names_are_unique(corpus: Corpus) -> None:
    """No two cases share a name, so a name says which case is meant for ever."""
    counts = Counter(case.name for case in corpus.cases)
    assert counts
    assert [name for name, count in counts.items() if count > 1] == []


def test_every_case_cites_requirements_that_there_are(corpus: Corpus) -> None:
    """A case shows at least one requirement, and each that it cites is in the catalogue of its system."""
    assert [case.name for case in corpus.cases if not case.requirements] == []
    places = {id_: requirement.at.split("/")[1] for id_, requirement in corpus.requirements.items()}
    wrong = [case.name for case in corpus.cases if any(places.get(id_) != case.system for id_ in case.requirements)]
    assert wrong == []


def test_every_independent_engine_can_be_asked_again(corpus: Corpus) -> None:
    """A case whose answer an engine computed says with which command."""
    assert [case.name for case in corpus.cases if case.origin.startswith("oracle:") and not case.evidence] == []


def test_answers_from_a_repository_have_its_origin(corpus: Corpus) -> None:
    """A case whose requirements are all facts of a repository says so, or names the engine that computes its answer. No
    other case rests on a repository."""
    of_repository = {id_ for id_, found in corpus.requirements.items() if found.document == REPOSITORY}
    rests = {case.name: of_repository.issuperset(case.requirements) for case in corpus.cases}
    computed = {case.name for case in corpus.cases if case.origin.startswith("oracle:")}
    labelled = {case.name for case in corpus.cases if case.origin == REPOSITORY}
    assert labelled == {name for name, only in rests.items() if only} - computed
    assert labelled


def test_facts_of_a_repository_demand_nothing(corpus: Corpus) -> None:
    """What only a repository has is a fact: no text obliges an implementation to it."""
    levels = {found.level for found in corpus.requirements.values() if found.document == REPOSITORY}
    assert levels == {"fact"}


def test_no_request_has_two_answers(corpus: Corpus) -> None:
    """Two cases of one revision that ask the same want the same, where neither is disputed."""
    wanted: dict[str, dict[str, str]] = {}
    for case in corpus.cases:
        if not case.readings:
            asked = sorted_text([case.revision, case.operation, case.request, dict(case.environment)])
            outcome = case.expected
            answer = sorted_text(outcome.value) if isinstance(outcome, Answered) else outcome.type
            wanted.setdefault(asked, {}).setdefault(answer, case.name)
    assert [list(names.values()) for names in wanted.values() if len(names) > 1] == []


def test_no_case_is_older_than_what_it_cites(corpus: Corpus) -> None:
    """A case of one revision shows no statement of a later one."""
    late = [
        (case.name, id_)
        for case in corpus.cases
        for id_ in case.requirements
        if Version(corpus.requirements[id_].revision) > Version(case.revision)
    ]
    assert late == []


def test_catalogues_name_what_there_is(corpus: Corpus) -> None:
    """A requirement or ruling that a statement, a reason or a wording refers to has not gone."""
    known = {*corpus.requirements, *corpus.rulings}
    areas = "|".join(sorted({re.escape(id_.partition("-")[0]) for id_ in known}))
    lost = [
        (path.parent.name, id_)
        for path in sorted((shipped() / "cases").glob("*/r*.yaml"))
        for id_ in re.findall(rf"\b(?:{areas})(?:-[A-Z0-9]+)*-[A-Z]*\d+[a-z]?\b", path.read_text("utf-8"))
        if id_ not in known
    ]
    assert lost == []


def test_every_operation_has_a_case(corpus: Corpus) -> None:
    """No operation is described and never asked."""
    assert sorted(set(corpus.operations) - {case.operation for case in corpus.cases}) == []


def test_every_fixture_is_used(corpus: Corpus) -> None:
    """No fixture is kept that no request refers to."""
    used = {f"cases/{case.system}/fixtures/{fixture.name}.yaml" for case in corpus.cases for fixture in case.fixtures}
    kept = {path.relative_to(corpus.root).as_posix() for path in corpus.root.glob("cases/*/fixtures/*.yaml")}
    assert kept == used


def test_every_ruling_has_evidence(corpus: Corpus) -> None:
    """A ruling shows at least one case, and each that it shows is there."""
    assert sorted(ruling.id for ruling in corpus.rulings.values() if not ruling.evidence) == []
    names = {case.name for case in corpus.cases}
    assert sorted({name for ruling in corpus.rulings.values() for name in ruling.evidence} - names) == []


def test_every_ruling_names_what_the_text_does(corpus: Corpus) -> None:
    """The rule for plain and disputed cases needs it."""
    assert [ruling.id for ruling in corpus.rulings.values() if not ruling.text] == []


def test_a_ruling_disputes_cases_only_if_the_text_does_not_decide(corpus: Corpus) -> None:
    """`decides` has plain evidence only; the other two have disputed evidence only, or a reason for its absence."""
    disputed = {case.name for case in corpus.cases if case.readings}
    wrong = {
        ruling.id: sorted(
            set(ruling.evidence) & disputed if ruling.text == "decides" else set(ruling.evidence) - disputed
        )
        for ruling in corpus.rulings.values()
        if ruling.text and not ruling.text_note
    }
    assert {id_: names for id_, names in wrong.items() if names} == {}


def test_a_reason_for_no_disputed_case_is_given_only_without_one(corpus: Corpus) -> None:
    """`text-note` stands only where the text does not decide and no case is disputed."""
    ruled = {case.ruling for case in corpus.cases}
    noted = [ruling for ruling in corpus.rulings.values() if ruling.text_note]
    assert [ruling.id for ruling in noted if ruling.text in ("", "decides") or ruling.id in ruled] == []


def test_the_basis_of_a_ruling_fits_what_the_text_does(corpus: Corpus) -> None:
    """A sentence or a table that gives the answer decides, and prose decides nothing."""
    unfit = {("leaves-room", "normative-sentence"), ("leaves-room", "table"), ("decides", "prose")}
    assert [ruling.id for ruling in corpus.rulings.values() if (ruling.text, ruling.basis) in unfit] == []


def test_every_reading_can_be_told_from_the_adopted_one(corpus: Corpus) -> None:
    """Under the rules of its operation, no other reading of a dispute equals the one that is adopted. A reading that
    demands only a part of a text allows more."""
    alike = [
        f"{case.name} ({reading})"
        for case in corpus.cases
        for reading, outcome in case.readings.items()
        if not (isinstance(outcome, Answered) and outcome.contains)
        and not any(True for _ in response_differences(case.expected, outcome, corpus.operations[case.operation].rules))
    ]
    assert alike == []


@pytest.mark.parametrize(
    ("shown", "text"),
    [
        ("a constant", lambda _, __: "x"),
        ("all texts of the corpus", lambda _, corpus: corpus),
        ("the document twice and more", lambda document, _: f"{document} {document} {'and so on ' * 20}"),
    ],
)
def test_a_reading_of_a_part_of_a_text_has_a_bound(corpus: Corpus, shown: str, text: Callable[[str, str], str]) -> None:
    """A text that any document could have, and one that says far more than its document, follow no reading in nine of ten
    cases of an operation."""
    asked = [case for case in corpus.cases if case.operation == "rerank.documentText"]
    documents = [" ".join(str(value) for value in case.request.values()) for case in asked]
    everything = " ".join(documents)
    answers = [Answered({"text": text(document, everything)}) for document in documents]
    operation = corpus.operations["rerank.documentText"]
    verdicts = [judge(case, operation, answer).verdict for case, answer in zip(asked, answers, strict=True)]
    assert verdicts.count(Verdict.FAIL) >= 0.9 * len(asked), shown


def test_every_expected_answer_equals_itself(corpus: Corpus) -> None:
    """Judging an expected answer against itself finds no difference, whatever the rules of its operation."""
    unequal = [
        case.name
        for case in corpus.cases
        if any(
            True for _ in response_differences(case.expected, case.expected, corpus.operations[case.operation].rules)
        )
    ]
    assert unequal == []


def test_every_time_zone_is_one(corpus: Corpus) -> None:
    """A case's TZ names a zone of the IANA database; an unknown one would be UTC in silence."""
    zones = zoneinfo.available_timezones()
    if not zones:
        pytest.skip("this machine has no time-zone database")
    assert {value for case in corpus.cases for _, value in case.environment} - zones == set()


def test_no_shared_definition_is_an_orphan(corpus: Corpus) -> None:
    """Each file of shared definitions is referred to by another schema."""
    shared = {address for address in corpus.schemas.values if "." not in Path(address).stem}
    referred = {
        resolved(reference, address)[0]
        for address, schema in corpus.schemas.values.items()
        for reference in _references(schema)
    }
    assert sorted(shared - referred) == []


def _references(value: Json) -> list[str]:
    if isinstance(value, list):
        return [found for item in value for found in _references(item)]
    if not isinstance(value, dict):
        return []
    found = [one for item in value.values() for one in _references(item)]
    reference = value.get("$ref")
    return [*found, reference] if isinstance(reference, str) else found


MOST_BY_CONSTANTS = {"augur": 16, "jeffs_brain": 17, "nexus": 14, "tideline": 18}
"""Percentages of a system's cases that constant answers may pass. A change may lower a number, and never raises one."""


@pytest.mark.parametrize(("system", "most"), MOST_BY_CONSTANTS.items())
def test_constant_answers_pass_few_cases(corpus: Corpus, system: str, most: int) -> None:
    """One constant answer for each operation passes at most this percentage of the cases."""
    cases = [case for case in corpus.cases if case.system == system]
    floors = floors_of(cases)
    assert 100 * sum(floors[case.operation] for case in cases) <= most * len(cases)


def test_no_file_is_an_orphan(corpus: Corpus) -> None:
    """Below cases/ and schemas/ lies nothing but what the corpus reads, and the files that describe files."""
    systems = {case.system for case in corpus.cases}
    known = {f"schemas/{address.removeprefix(SCHEME)}" for address in corpus.schemas.values}
    known |= {case.at.rpartition(":")[0] for case in corpus.cases}
    beside = ("requirements", "rulings", "traps", "profiles")
    known |= {f"cases/{system}/{name}.yaml" for system in systems for name in beside}
    known |= {path.relative_to(corpus.root).as_posix() for path in corpus.root.glob("cases/*/fixtures/*.yaml")}
    known |= {path.relative_to(corpus.root).as_posix() for path in corpus.root.glob("schemas/*.schema.json")}
    known |= {"cases/conftest.py", "cases/REVISION"}
    found = {
        Path(here, name).relative_to(corpus.root).as_posix()
        for top in ("cases", "schemas")
        for here, _, names in os.walk(corpus.root / top)
        for name in names
        if "__pycache__" not in here
    }
    assert sorted(found - known) == []
