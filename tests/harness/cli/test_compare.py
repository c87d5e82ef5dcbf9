"""`parity compare` and `parity gate --since`: what changed between two runs, and what fails anew."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from gating import Gate, another_system, more_shouts, singer
from recording import lines, record, write

Made = Any


@pytest.fixture
def made(run_parity: Any, echo_corpus: Path, tmp_path: Path) -> Made:
    """Makes a record of this name with these adapters."""
    return lambda name, *select, **adapters: record(
        run_parity, echo_corpus, tmp_path / f"{name}.jsonl", *select, **adapters
    )


def whole(path: Path) -> Path:
    """The record as one of all cases of a smaller corpus."""
    head, *others = lines(path)
    return write(path, [{**head, "selection": []}, *others])


def test_nothing_changed(run_parity: Any, made: Made) -> None:
    """The same verdicts are no change, though some fail and every time differs."""
    options = {"answers": {"hello": "hallo"}}
    done = run_parity("compare", made("a", sdk=options), made("b", sdk=options))
    assert (done.returncode, done.stdout) == (0, "sdk: no changes\n")


def test_without_a_start_nothing_is_judged(run_parity: Any, echo_corpus: Path, tmp_path: Path) -> None:
    """Two runs in which an adapter did not start have no common answer: the text states it, and the status is that of a
    run."""
    files = [tmp_path / "a.jsonl", tmp_path / "b.jsonl"]
    for file in files:
        assert run_parity("run", "--corpus", echo_corpus, "--record", file, "--adapter=sdk=/bin/false").returncode == 3
    done = run_parity("compare", *files)
    assert done.returncode == 3
    assert done.stdout.splitlines()[-1] == "sdk: not judged, because it did not start in either run"


def test_newly_failing(run_parity: Any, made: Made) -> None:
    """A case that passed and fails now is shown with its difference, and makes the status 1."""
    done = run_parity("compare", made("a", sdk={}), made("b", sdk={"answers": {"hello": "hallo"}, "version": "2"}))
    assert done.returncode == 1
    assert done.stdout.splitlines()[0] == "sdk: echo 1 (Python) → echo 2 (Python)"
    assert "sdk, newly failing: 2 cases" in done.stdout
    assert '$.text   wanted "hello"   got "hallo"' in done.stdout
    assert done.stdout.splitlines()[-1] == "sdk: 2 newly failing"


def test_two_corpora(echo_corpus: Path, run_parity: Any, tmp_path: Path) -> None:
    """Requirements and cases that differ are listed with both values; a moved case does not differ."""
    newer = tmp_path / "newer"
    shutil.copytree(echo_corpus, newer)
    said, shouted = (newer / "cases" / "echo" / f"{name}.yaml" for name in ("said", "shouted"))
    shouted.write_text(f"# moved\n{shouted.read_text('utf-8')}", "utf-8")
    said.write_text(said.read_text("utf-8").replace("answer: {text: hello}", "answer: {text: hallo}", 1), "utf-8")
    requirements = newer / "cases" / "echo" / "requirements.yaml"
    requirements.write_text(requirements.read_text("utf-8").replace("A shout comes", "A cry comes"), "utf-8")
    done = run_parity("compare", "--corpus", echo_corpus, newer, "--format", "json")
    found = json.loads(done.stdout)
    assert {sort: [entry["change"] for entry in entries] for sort, entries in found.items()} == {
        "requirements": ["changed"],
        "rulings": [],
        "operations": [],
        "cases": ["changed"],
    }
    [case], [requirement] = found["cases"], found["requirements"]
    assert case["members"] == {
        "expected": {"before": {"answer": {"text": "hello"}}, "after": {"answer": {"text": "hallo"}}}
    }
    assert requirement["members"]["statement"]["after"] == "A cry comes back loud."
    page = run_parity("compare", "--corpus", echo_corpus, newer).stdout
    assert '$.text: "hello" becomes "hallo"' in page
    assert run_parity("compare", "--corpus", newer, newer).stdout.splitlines()[-1] == "Nothing differs."


def test_two_corpora_that_cannot_be_compared(echo_corpus: Path, run_parity: Any, tmp_path: Path) -> None:
    """The message names the folder; JSON of two records comes from `parity report`."""
    done = run_parity("compare", "--corpus", echo_corpus, tmp_path / "none")
    assert (done.returncode, f"{tmp_path}/none" in done.stderr) == (2, True)
    done = run_parity("compare", "--format", "json", "a.jsonl", "b.jsonl")
    assert (done.returncode, "parity report NEWER --since OLDER --json FILE" in done.stderr) == (2, True)


def test_fixed_and_changed(run_parity: Any, made: Made) -> None:
    """What is fixed, and what fails otherwise than before, are told apart, and neither makes the status 1."""
    before = made("a", sdk={"answers": {"hello": "hallo", "": "x"}})
    after = made("b", sdk={"answers": {"hello": "hullo"}})
    done = run_parity("compare", before, after)
    assert done.returncode == 0
    assert done.stdout.splitlines()[-1] == "sdk: 1 fixed, 2 changed difference"
    assert "  echo/said/nothing: fail " in done.stdout
    assert '  echo/said/word: fail → fail\n    $.text   wanted "hello"   got "hullo"\n' in done.stdout


def test_what_is_no_longer_answered_is_not_fixed(run_parity: Any, made: Made) -> None:
    """A failing case that an SDK no longer offers is no longer answered; one that answers nothing at all fails."""
    before = made("a", sdk={"answers": {"hello": "hallo"}})
    done = run_parity("compare", before, made("b", sdk={"operations": ["echo.shout"]}))
    assert done.stdout.splitlines()[-1] == "sdk: 1 fixed, 2 no longer answered"
    assert done.returncode == 0
    silent = run_parity("compare", before, made("c", "echo/said", sdk={"operations": ["echo.shout"]}))
    assert silent.returncode == 1
    assert "sdk supports none of the 2 cases." in silent.stdout


def test_cases_come_and_go(run_parity: Any, made: Made) -> None:
    """Cases of one record alone are added or removed, and never newly failing."""
    few, all_ = whole(made("a", "echo/said", sdk={})), made("b", sdk={"answers": {"hello": "hallo"}})
    done = run_parity("compare", few, all_)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (1, "sdk: 1 newly failing, 2 added")
    done = run_parity("compare", all_, few)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "sdk: 1 fixed, 2 removed")


def test_cases_of_another_selection_are_counted_and_not_compared(run_parity: Any, made: Made) -> None:
    """They are neither added nor removed, in the text and in the reports."""
    few, all_ = made("a", "echo/said", sdk={}), made("b", sdk={})
    line = "2 cases are only in the {} record, because the other run did not select them. They are not compared."
    done = run_parity("compare", few, all_)
    assert done.stdout.splitlines() == [line.format("newer"), "", "sdk: no changes"]
    for way in ("--html", "--markdown"):
        assert line.format("older") in run_parity("report", few, "--since", all_, way, "-").stdout


def test_what_comes_or_goes_unasked_is_one_line(run_parity: Any, made: Made) -> None:
    """Cases of one record alone that are unsupported are a number by system; what newly fails stands before all else."""
    older = whole(made("a", "echo/said/nothing", "echo/shouted/word", sdk={"answers": {"": ""}}))
    newer = made("b", sdk={"operations": ["echo.say"], "answers": {"": "x", "hello": "hallo"}})
    text = run_parity("compare", older, newer).stdout
    heads = [line for line in text.splitlines() if line.startswith("sdk, ")]
    assert heads == ["sdk, newly failing: 1 case", "sdk, no longer answered: 1 case", "sdk, added: 2 cases"]
    assert re.search(r"\n  echo/said/word: fail [0-9a-f]{12}\n  1 unsupported: echo 1\n\n", text)
    assert "  1 unsupported: echo 1\n" in run_parity("compare", newer, older).stdout
    report = run_parity("report", newer, "--since", older, "--markdown", "-").stdout
    changes = report.partition("### Changes")[2]
    assert changes.index("**Newly failing**") < changes.index("**Added**")
    assert "\n- `sdk`: 1 unsupported: `echo` 1\n" in changes
    assert "echo/shouted/nothing" not in changes.partition("**Added**")[2].partition("\n|")[0]


def test_implementations_of_one_record_alone(run_parity: Any, made: Made) -> None:
    """They are named and not compared; if there is no other the records cannot be compared at all."""
    one, both, other = made("a", sdk={}), made("b", sdk={}, twin={"answers": {"": "x"}}), made("c", twin={})
    done = run_parity("compare", one, both)
    assert done.returncode == 0
    assert "twin is only in the newer record and is not compared." in done.stdout
    refused = run_parity("compare", one, other)
    assert refused.returncode == 2
    assert "in common: the older one has sdk, the newer one twin." in refused.stderr


def test_an_implementation_that_the_newer_run_left_out(run_parity: Any, made: Made, tmp_path: Path) -> None:
    """The reason stands with it, in the text and in every report that tells what changed."""
    before, after = made("a", sdk={}, twin={}), lines(made("b", sdk={}))
    reason = "cobol is not on PATH. <b>"
    after[0]["skipped"] = [{"implementation": "twin", "code": "no-toolchain", "reason": reason, "error": False}]
    newer = write(tmp_path / "b.jsonl", after)
    done = run_parity("compare", before, newer)
    why = "In the newer run, twin is not tested: cobol is not on PATH."
    said = f"twin is only in the older record and is not compared. {why}"
    assert said in done.stdout
    reports = [run_parity("report", newer, "--since", before, way, "-").stdout for way in ("--html", "--markdown")]
    assert f"{said} &lt;b&gt;</p>" in reports[0]
    assert f"- `{said} <b>`" in reports[1]


def test_another_reading(run_parity: Any, made: Made, tmp_path: Path) -> None:
    """An answer that follows another reading than before changed its reading."""
    before = made("a", sdk={})
    values = lines(before)
    changed = next(value for value in values if value["type"] == "result")
    changed |= {"verdict": "variant", "readings": {"RUL-1": "b"}, "answer": {"answer": {"text": "other"}}}
    done = run_parity("compare", before, write(tmp_path / "b.jsonl", values))
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "sdk: 1 changed reading")
    assert ": pass → variant, RUL-1=b" in done.stdout


def test_changes_are_counted_by_cause(run_parity: Any, made: Made, tmp_path: Path) -> None:
    """The causes of fixed and new failures are listed before the totals, in the text and in the reports."""
    before = lines(made("a", sdk={"answers": {"hello": "hallo", "": "x"}}))
    for value in before:
        if value["type"] == "result" and value["case"].startswith("echo/said/") and value["verdict"] == "fail":
            value["explainedBy"] = {"readings": {}, "deviations": ["deaf"]}
    older = write(tmp_path / "a.jsonl", before)
    newer = made("b", sdk={"answers": {"hello": "hullo"}})
    done = run_parity("compare", older, newer)
    causes = "fixed: deaf (1 case); another difference: deaf → unexplained (1 case), unexplained (1 case)"
    assert done.stdout.splitlines()[-2:] == [f"sdk by cause: {causes}", "sdk: 1 fixed, 2 changed difference"]
    unnamed = run_parity("compare", made("c", sdk={"answers": {"hello": "hallo", "": "x"}}), newer).stdout
    assert "by cause" not in unnamed
    back = run_parity("compare", newer, older).stdout.splitlines()[-2]
    assert back.startswith("sdk by cause: new: deaf (1 case); another difference: unexplained → deaf (1 case), ")
    reports = [run_parity("report", newer, "--since", older, way, "-").stdout for way in ("--markdown", "--json")]
    assert f"  - by cause: `{causes}`" in reports[0]
    assert json.loads(reports[1])["changes"]["sdk"]["causes"] == {
        "fixed": {"deaf": 1},
        "new": {},
        "changed": [
            {"before": "deaf", "after": "unexplained", "cases": 1},
            {"before": "unexplained", "after": "unexplained", "cases": 1},
        ],
    }


def test_a_case_that_itself_changed_is_marked(run_parity: Any, made: Made, tmp_path: Path) -> None:
    """Where a corpus changed, a verdict that changed with its case says so."""
    values = lines(made("a", sdk={}))
    values[0]["corpus"]["digest"] = "0" * 64
    changed = next(value for value in values if value.get("case") == "echo/said/word")
    changed |= {"verdict": "fail", "signature": "0123456789ab", "expected": {"answer": {"text": "hi"}}}
    changed["difference"] = [{"path": "$.text", "wanted": "hi", "got": "hello"}]
    done = run_parity("compare", tmp_path / "a.jsonl", write(tmp_path / "b.jsonl", values))
    assert done.returncode == 1
    assert "different corpora" in done.stdout
    assert "echo/said/word (the case changed): pass → fail 0123456789ab" in done.stdout


@pytest.mark.parametrize("which", [0, 1], ids=["older", "newer"])
def test_a_record_without_footer(run_parity: Any, made: Made, tmp_path: Path, which: int) -> None:
    """A run that was cut short cannot be compared, on either side."""
    whole = made("a", sdk={})
    records = [whole, whole]
    records[which] = write(tmp_path / "cut.jsonl", lines(whole)[:-1])
    done = run_parity("compare", *records)
    assert (done.returncode, done.stdout) == (2, "")
    assert "has no footer" in done.stderr


# `parity gate --since`


@pytest.mark.slow
def test_since_shows_what_changed(gate: Gate, explained: Path, tmp_path: Path) -> None:
    """The text lists the changes since an older record, which may be the file that the gate writes again; they decide
    nothing, and its reports list them too. The command that updates the file lacks the option."""
    gate("mumbling", "--record", tmp_path / "old.jsonl")
    done = gate("hoarse", "--known", explained, "--since", tmp_path / "old.jsonl", "--record", tmp_path / "new.jsonl")
    text = done.stdout.splitlines()
    start = next(at for at, line in enumerate(text) if line.startswith("Changes since the older record of "))
    assert "singer, fixed: 1 case" in text[start:]
    assert "singer: 1 newly failing, 1 fixed" in text[start:]
    assert (done.returncode, text[-2]) == (1, "gate: RED (1 new, 1 stale case)")
    assert not [line for line in text if "--write-known" in line and "--since" in line]
    again = gate(
        "mumbling", "--known", explained, "--since", tmp_path / "new.jsonl", "--record", tmp_path / "new.jsonl"
    )
    assert (again.returncode, again.stdout.splitlines()[-2]) == (0, "gate: green")
    assert "singer: 1 newly failing, 1 fixed" in again.stdout.splitlines()


def test_since_refuses_a_record_of_something_else(
    gate: Gate, run_parity: Gate, echo_corpus: Path, tmp_path: Path, here: Path
) -> None:
    """A record of another corpus, implementation or system, or one that is cut short, ends with 2 before any request."""
    another_system(echo_corpus)
    old, others = tmp_path / "old.jsonl", tmp_path / "others.jsonl"
    gate("", "--record", old)
    ask = ["run", "--corpus", echo_corpus, "--record", others]
    run_parity(*ask, "--adapter", singer().replace("singer=", "choir="))
    cases = {"not of singer": (others, []), "Name a record of the same system": (old, ["--system", "flute"])}
    for sentence, (record_, more) in cases.items():
        done = gate("", "--since", record_, *more)
        assert (done.returncode, sentence in done.stderr) == (2, True), done.stderr
    more_shouts(echo_corpus, 1)
    done = gate("", "--since", old)
    assert (done.returncode, "is of another corpus: digest" in done.stderr) == (2, True)
    assert not (here / "parity-run.jsonl").exists()
