"""`parity merge` joins runs of different implementations, and of versions under labels, over the same cases."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from recording import lines, record, write

from harness.records import read_record
from harness.report.ci.json_summary import as_value
from harness.report.run_summary import summarise

pytestmark = pytest.mark.slow

_DEAF = {"answers": {"hello": "hallo"}}


@pytest.fixture
def runs(run_parity: Any, echo_corpus: Path, tmp_path: Path) -> dict[str, Path]:
    """A run of two implementations, one of each alone, and one of a newer version of the second."""
    return {
        "both": record(run_parity, echo_corpus, tmp_path / "both.jsonl", good={}, deaf=_DEAF),
        "good": record(run_parity, echo_corpus, tmp_path / "good.jsonl", good={}),
        "deaf": record(run_parity, echo_corpus, tmp_path / "deaf.jsonl", deaf=_DEAF),
        "newer": record(run_parity, echo_corpus, tmp_path / "newer.jsonl", deaf={"version": "2"}),
    }


def summary(path: Path) -> Any:
    """What programs read of a record, without times."""
    value: Any = as_value(summarise(read_record(path)))
    return {key: one for key, one in value.items() if key not in ("startedAt", "seconds")}


def test_two_implementations_are_one_run(run_parity: Any, runs: dict[str, Path], tmp_path: Path) -> None:
    """Two runs of one implementation each make the record of one run of both."""
    merged = tmp_path / "merged.jsonl"
    done = run_parity("merge", runs["good"], runs["deaf"], "--record", merged)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"2 records merged, 8 verdicts\nrecord: {merged}\n"
    assert summary(merged) == summary(runs["both"])


def test_shards_and_a_matrix(run_parity: Any, runs: dict[str, Path], echo_corpus: Path, tmp_path: Path) -> None:
    """The shards of one implementation and the whole run of another are one record."""
    shards = [
        record(run_parity, echo_corpus, tmp_path / f"{index}.jsonl", shard=f"{index}/2", good={}) for index in (1, 2)
    ]
    merged = tmp_path / "merged.jsonl"
    done = run_parity("merge", shards[1], runs["deaf"], shards[0], "--record", merged)
    assert (done.returncode, done.stderr) == (0, "")
    assert summary(merged)["implementations"] == {
        name: summary(runs["both"])["implementations"][name] for name in ("good", "deaf")
    }
    missing = run_parity("merge", shards[0], runs["deaf"], "--record", merged)
    assert (missing.returncode, "Shard 2/2 of good is missing" in missing.stderr) == (2, True)


def test_two_versions_need_a_label(run_parity: Any, runs: dict[str, Path], tmp_path: Path) -> None:
    """Two versions of one name are refused with the remedy; under a label each has its results and its version."""
    merged = tmp_path / "merged.jsonl"
    refused = run_parity("merge", runs["deaf"], runs["newer"], "--record", merged)
    assert (refused.returncode, merged.exists()) == (2, False)
    assert f"To keep both, give one of them another name: LABEL={runs['newer']}" in refused.stderr
    done = run_parity("merge", runs["deaf"], f"newer={runs['newer']}", "--record", merged)
    assert (done.returncode, done.stderr) == (0, "")
    found = read_record(merged)
    assert [(one.name, one.identity.version) for one in found.metadata.implementations if one.identity] == [
        ("deaf", "1"),
        ("newer", "2"),
    ]
    assert {(one.implementation, one.verdict.value) for one in found.results if one.case.endswith("said/word")} == {
        ("deaf", "fail"),
        ("newer", "pass"),
    }


def test_a_label_names_a_version(run_parity: Any, runs: dict[str, Path], tmp_path: Path) -> None:
    """`merge` takes each label that `run` takes, such as a name with a version."""
    merged = tmp_path / "merged.jsonl"
    done = run_parity("merge", runs["deaf"], f"deaf@2={runs['newer']}", "--record", merged)
    assert (done.returncode, done.stderr) == (0, "")
    assert read_record(merged).implementations == ("deaf", "deaf@2")
    refused = run_parity("merge", runs["deaf"], f"Deaf={runs['newer']}", "--record", merged)
    assert (refused.returncode, "Deaf is no label" in refused.stderr) == (2, True)


def test_a_label_is_for_one_implementation(run_parity: Any, runs: dict[str, Path], tmp_path: Path) -> None:
    """A record of several implementations takes no label, and a file whose name looks like one is a file."""
    merged = tmp_path / "merged.jsonl"
    refused = run_parity("merge", f"older={runs['both']}", "--record", merged)
    assert (refused.returncode, "this record has 2: good, deaf" in refused.stderr) == (2, True)
    odd = tmp_path / "a=b.jsonl"
    odd.write_bytes(runs["good"].read_bytes())
    assert run_parity("merge", odd.name, "--record", merged, folder=tmp_path).returncode == 0


def test_renamed_lines(run_parity: Any, runs: dict[str, Path], tmp_path: Path) -> None:
    """Incidents have the new name too, and a request that mentions an implementation stays as it is."""
    header, *results, footer = lines(runs["good"])
    results[0]["request"] = {"a": "x", "implementation": "good", "b": 1}
    incident = {
        "type": "incident",
        "implementation": "good",
        "kind": "timeout",
        "suspects": ["x"],
        "reason": "!",
        "error": {"seconds": 10},
        "stderr": "",
    }
    changed = write(tmp_path / "changed.jsonl", [header, *results, incident, {**footer, "incidents": 1}])
    merged = tmp_path / "merged.jsonl"
    assert run_parity("merge", f"other={changed}", "--record", merged).returncode == 0
    assert [one.get("implementation") for one in lines(merged)[1:-1]] == ["other"] * (len(results) + 1)
    assert lines(merged)[1]["request"] == results[0]["request"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"selection": ["echo"]}, "deaf.jsonl has another selection than"),
        ({"harness": {"name": "parity", "version": "9"}}, "deaf.jsonl is of parity 9, and "),
        ({"options": {"timeout": 7}}, "deaf.jsonl was run with --timeout 7, and"),
        ({"gate": {"unmatched": [], "withoutReason": 0}}, "deaf.jsonl is of `parity gate`, and"),
    ],
)
def test_runs_that_do_not_belong_together(
    run_parity: Any, runs: dict[str, Path], tmp_path: Path, change: dict[str, Any], message: str
) -> None:
    """Runs of different implementations need the same cases, the same parity and the same common options."""
    header, *others = lines(runs["deaf"])
    write(runs["deaf"], [{**header, **change}, *others])
    done = run_parity("merge", runs["good"], runs["deaf"], "--record", tmp_path / "merged.jsonl")
    assert (done.returncode, message in done.stderr) == (2, True)


def test_options_of_one_run_alone(run_parity: Any, runs: dict[str, Path], tmp_path: Path) -> None:
    """Variables that only one adapter gets are no obstacle, and the merged record has only the common options."""
    header, *others = lines(runs["deaf"])
    write(runs["deaf"], [{**header, "options": {**header["options"], "passEnv": ["TOKEN"]}}, *others])
    merged = tmp_path / "merged.jsonl"
    assert run_parity("merge", runs["good"], runs["deaf"], "--record", merged).returncode == 0
    assert "passEnv" not in lines(merged)[0]["options"]
