"""`parity coverage`: requirements against cases, for people and for programs."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml
from recording import record

from harness.corpus.paths import shipped

SHOUT_TWICE = (
    "  - {id: ECHO-03, level: MUST, document: echo, section: Shouting, statement: Loud stays loud., observable: true}\n"
)


def test_a_covered_corpus(run_parity: Any, echo_corpus: Path) -> None:
    """With a case for every observable MUST the status is 0; what has positive cases only is named all the same."""
    done = run_parity("coverage", "--corpus", echo_corpus)
    assert (done.returncode, done.stderr) == (0, "")
    positive = done.stdout.partition("Requirements with positive cases only")[2]
    assert "ECHO-01" in positive
    assert "ECHO-02" not in positive
    assert done.stdout.endswith("Every observable MUST has a case.\n")


def test_an_uncovered_must(run_parity: Any, echo_corpus: Path) -> None:
    """An observable MUST without a case is named, and the status is 1."""
    _require(echo_corpus, SHOUT_TWICE)
    done = run_parity("coverage", "--corpus", echo_corpus)
    assert done.returncode == 1
    assert "ECHO-03  Loud stays loud." in done.stdout.partition("Observable requirements without a case")[2]


@pytest.mark.slow
def test_a_must_whose_only_case_is_gone_though_a_ruling_cites_it(tmp_path: Path, run_parity: Any) -> None:
    """The statement is named, and after it the ruling that has lost its evidence; the status is that of a broken corpus."""
    for name in ("cases/jeffs_brain", "schemas"):
        shutil.copytree(shipped() / name, tmp_path / name)
    suite = tmp_path / "cases" / "jeffs_brain" / "retrieval" / "trace.yaml"
    for case in yaml.safe_load(suite.read_text("utf-8"))["cases"]:
        if "TRACE-02d" in case["requirements"]:
            text = suite.read_text("utf-8")
            suite.write_text(re.sub(rf"  - id: {case['id']}\n(?:(?!  - id: ).*\n)*", "", text), "utf-8")
    done = run_parity("coverage", "--corpus", tmp_path)
    assert done.returncode == 2
    assert "TRACE-02d" in done.stdout.partition("Observable requirements without a case")[2]
    assert "RUL-B97 cites the case" in done.stderr


def test_what_cannot_be_observed_needs_no_case(run_parity: Any, echo_corpus: Path) -> None:
    """A reason why it cannot be observed is shown and takes the place of a case."""
    _require(echo_corpus, SHOUT_TWICE.replace("true", "It binds callers."))
    done = run_parity("coverage", "--corpus", echo_corpus)
    assert done.returncode == 0
    assert "ECHO-03  Loud stays loud.\n    It binds callers." in done.stdout


def test_a_reason_for_positive_cases_only(run_parity: Any, echo_corpus: Path) -> None:
    """`negative:` says why there is no negative case, and the requirement is no longer named for lacking one."""
    path = echo_corpus / "cases" / "echo" / "requirements.yaml"
    path.write_text(path.read_text("utf-8").replace("observable: true", "observable: true, negative: It is total.", 1))
    done = run_parity("coverage", "--corpus", echo_corpus)
    assert "Requirements with positive cases only" not in done.stdout


def test_for_programs(run_parity: Any, echo_corpus: Path) -> None:
    """The JSON names cases, negative cases and gaps of each requirement."""
    _require(echo_corpus, SHOUT_TWICE)
    done = run_parity("coverage", "--corpus", echo_corpus, "--format", "json")
    value = json.loads(done.stdout)
    said = {one["id"]: one for one in value["requirements"]}
    assert done.returncode == 1
    assert said["ECHO-02"]["cases"] == ["echo/shouted/word", "echo/shouted/nothing"]
    assert said["ECHO-02"]["negativeCases"] == ["echo/shouted/nothing"]
    assert value["uncoveredMusts"] == ["ECHO-03"]
    assert value["gaps"]["only positive cases"] == ["ECHO-01"]


def test_with_a_record(run_parity: Any, echo_corpus: Path, tmp_path: Path) -> None:
    """A record adds who answers how many of a requirement's cases, and what nobody could be asked."""
    file = record(
        run_parity, echo_corpus, tmp_path / "run.jsonl", alto={"operations": ["echo.say"], "answers": {"hello": "no"}}
    )
    done = run_parity("coverage", "--corpus", echo_corpus, "--record", file)
    row = next(line.split() for line in done.stdout.splitlines() if "ECHO-01" in line)
    assert [*row[:2], *row[-3:]] == ["ECHO-01", "MUST", "2", "0", "1/2"]
    assert "Requirements without a case that alto supports:\n  ECHO-02" in done.stdout


def test_a_record_of_another_corpus(run_parity: Any, echo_corpus: Path, tmp_path: Path) -> None:
    """A record that was made from another corpus is refused, since its cases may ask something else."""
    file = record(run_parity, echo_corpus, tmp_path / "run.jsonl", alto={})
    _require(echo_corpus, SHOUT_TWICE)
    done = run_parity("coverage", "--corpus", echo_corpus, "--record", file)
    assert (done.returncode, done.stdout) == (2, "")
    assert "made from another corpus" in done.stderr


def test_one_system(run_parity: Any, echo_corpus: Path) -> None:
    """--system leaves the requirements of other systems out, and refuses a system that is not there."""
    other = echo_corpus / "cases" / "hum"
    other.mkdir()
    (other / "requirements.yaml").write_text(
        "system: hum\nrevision: '1.0'\nrequirements:\n"
        "  - {id: HUM-01, level: MUST, document: hum, section: Humming, statement: It hums., observable: true}\n"
    )
    assert run_parity("coverage", "--corpus", echo_corpus).returncode == 1
    done = run_parity("coverage", "--corpus", echo_corpus, "--system", "echo")
    assert done.returncode == 0
    assert "HUM-01" not in done.stdout
    assert run_parity("coverage", "--corpus", echo_corpus, "--system", "sing").returncode == 2


def test_lines_fit_a_terminal(run_parity: Any) -> None:
    """No line about the shipped corpus is wider than 100 columns, and a section has one heading."""
    done = run_parity("coverage")
    lines = done.stdout.splitlines()
    assert max(map(len, lines)) <= 100
    assert sum(" query-dsl: Operator semantics " in line for line in lines) == 1


def _require(corpus: Path, line: str) -> None:
    with (corpus / "cases" / "echo" / "requirements.yaml").open("a", encoding="utf-8") as file:
        file.write(line)


def test_a_mutation_score_adds_proven_requirements(run_parity: Any, echo_corpus: Path, tmp_path: Path) -> None:
    """A MUST with cases is proven if the score has its id, else it is listed; an older score is marked."""
    score = tmp_path / "score.json"
    score.write_text(json.dumps({"corpus": "older", "proven": ["ECHO-01"]}))
    done = run_parity("coverage", "--corpus", echo_corpus, "--mutation", score)
    assert done.returncode == 0
    unproven = done.stdout.partition("Observable MUSTs with cases that no mutant proves:")[2]
    assert "ECHO-02" in unproven
    assert "ECHO-01" not in unproven
    sums = " ".join(done.stdout.split()).partition("The mutation score ")[2]
    assert "is in doubt; to renew it: make mutants Observable MUSTs: " in sums
    assert " proven by mutants, " in sums
    assert " Proven: " in sums
    value = json.loads(run_parity("coverage", "--corpus", echo_corpus, "--mutation", score, "--format", "json").stdout)
    assert {one["id"]: one["proven"] for one in value["requirements"]}["ECHO-01"] is True


def test_a_file_that_is_no_mutation_score(run_parity: Any, echo_corpus: Path, tmp_path: Path) -> None:
    """A file with other members is a usage error."""
    score = tmp_path / "score.json"
    score.write_text("{}")
    done = run_parity("coverage", "--corpus", echo_corpus, "--mutation", score)
    assert done.returncode == 2
    assert "members corpus and proven: a mutation score" in done.stderr


def test_origins_and_independent_answers(run_parity: Any, echo_corpus: Path) -> None:
    """Each system has its share of cases by origin; a second derivation adds to the independent answers. Without the list
    of derived answers the share is unknown, and not zero."""
    bare = run_parity("coverage", "--corpus", echo_corpus, "--format", "json")
    unknown = json.loads(bare.stdout)["provenance"]["echo"]
    assert (unknown["derived"], unknown["independent"]) == (None, None)
    assert "unknown" in run_parity("coverage", "--corpus", echo_corpus).stdout
    derived = echo_corpus / "oracles" / "confirmed.json"
    derived.parent.mkdir()
    counts = {}
    for excepted in (["*"], ["echo/shouted/*"], []):
        derived.write_text(json.dumps({"systems": ["echo"], "except": excepted}))
        done = run_parity("coverage", "--corpus", echo_corpus, "--format", "json")
        counts[len(excepted), tuple(excepted)] = json.loads(done.stdout)["provenance"]["echo"]
    nothing, some, everything = counts.values()
    assert nothing["derived"] == 0
    assert 0 < some["derived"] < everything["derived"] == everything["independent"] == everything["cases"]
    assert sum(everything["origins"].values()) == everything["cases"]
    text = run_parity("coverage", "--corpus", echo_corpus).stdout
    row = next(line.split() for line in text.splitlines() if line.startswith("  echo ") and line.endswith("100%"))
    assert row[1] == str(everything["cases"])


def test_a_derivation_from_a_repository_confirms_nothing(run_parity: Any, echo_corpus: Path) -> None:
    """Answers that only a repository gives are counted apart, and a second derivation of them is not independent."""
    derived = echo_corpus / "oracles" / "confirmed.json"
    derived.parent.mkdir()
    derived.write_text(json.dumps({"systems": ["echo"], "except": []}))
    suite = echo_corpus / "cases" / "echo" / "more.yaml"
    suite.write_text(
        "suite: echo/more\noperation: echo.say\ncases:\n"
        "  - {id: twice, requirements: [ECHO-01], origin: repository, request: {text: da da}, answer: {text: da da}}\n"
    )
    done = run_parity("coverage", "--corpus", echo_corpus, "--format", "json")
    found = json.loads(done.stdout)["provenance"]["echo"]
    assert found["origins"]["repository"] == 1
    assert (found["derived"], found["independent"]) == (found["cases"], found["cases"] - 1)


def test_floors(run_parity: Any, echo_corpus: Path) -> None:
    """The floor of a system is the mean of its operations by cases. An operation of two cases is not named as high."""
    done = run_parity("coverage", "--corpus", echo_corpus, "--format", "json")
    assert json.loads(done.stdout)["floors"] == {"echo.say": 0.5, "echo.shout": 0.5}
    assert "  echo  50%\n" in run_parity("coverage", "--corpus", echo_corpus).stdout


def test_a_file_that_lists_no_derivation(run_parity: Any, echo_corpus: Path) -> None:
    """A file with other members is a usage error that names it."""
    (echo_corpus / "oracles").mkdir()
    (echo_corpus / "oracles" / "confirmed.json").write_text("[]")
    done = run_parity("coverage", "--corpus", echo_corpus)
    assert done.returncode == 2
    assert "confirmed.json" in done.stderr
