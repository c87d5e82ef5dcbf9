"""`parity merge`: shards become the record of the whole run, or every reason is told why not."""

from __future__ import annotations

import copy
import json
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from commands import NO_BYTECODE
from gating import singer
from recording import lines, record, write

from harness.records import read_record

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[3]

Values = list[dict[str, Any]]


@pytest.fixture
def whole(run_parity: Any, echo_corpus: Path, tmp_path: Path) -> Path:
    """The record of a whole run of two implementations."""
    return record(run_parity, echo_corpus, tmp_path / "whole.jsonl", good={}, deaf={"answers": {"hello": "hallo"}})


def sharded(whole: Path, of: int) -> list[Values]:
    """The lines that the shards of that run would have left: every case with all its verdicts in one of them."""
    header, *others = lines(whole)
    cases = sorted({value["case"] for value in others if value["type"] == "result"})
    shards = []
    for index in range(1, of + 1):
        mine = set(cases[index - 1 :: of])
        head = {**header, "shard": {"index": index, "of": of}}
        values = [head, *(value for value in others if value["type"] != "result" or value["case"] in mine)]
        shards.append(copy.deepcopy(values))
    return shards


def written(folder: Path, shards: list[Values]) -> list[Path]:
    return [write(folder / f"shard-{number}.jsonl", values) for number, values in enumerate(shards, 1)]


def verdicts(file: Path) -> list[str]:
    return sorted(json.dumps(value, sort_keys=True) for value in lines(file) if value["type"] == "result")


@pytest.mark.parametrize("of", [1, 2, 3])
def test_shards_become_the_whole(run_parity: Any, whole: Path, tmp_path: Path, of: int) -> None:
    """The merged record says all that the record of one whole run says, whatever the order of the shards."""
    files = written(tmp_path, sharded(whole, of))
    done = run_parity("merge", *reversed(files), "--record", tmp_path / "merged.jsonl")
    assert (done.returncode, done.stderr) == (0, "")
    assert (
        done.stdout == f"{of} record{'s' if of > 1 else ''} merged, 8 verdicts\nrecord: {tmp_path / 'merged.jsonl'}\n"
    )
    assert verdicts(tmp_path / "merged.jsonl") == verdicts(whole)
    merged, original = lines(tmp_path / "merged.jsonl"), lines(whole)
    assert merged[0] == original[0]
    assert merged[-1]["counts"] == original[-1]["counts"]
    assert read_record(tmp_path / "merged.jsonl").complete


def test_shards_that_were_run(run_parity: Any, echo_corpus: Path, tmp_path: Path) -> None:
    """The records of `parity run --shard` become that of the whole run."""
    adapters: Any = {"good": {}, "deaf": {"answers": {"hello": "hallo"}}}
    whole = record(run_parity, echo_corpus, tmp_path / "whole.jsonl", **adapters)
    files = [
        record(run_parity, echo_corpus, tmp_path / f"{index}.jsonl", shard=f"{index}/2", **adapters) for index in (1, 2)
    ]
    done = run_parity("merge", *files, "--record", tmp_path / "merged.jsonl")
    assert (done.returncode, done.stderr) == (0, "")
    untimed = [
        [{key: value for key, value in line.items() if key != "ms"} for line in map(json.loads, verdicts(file))]
        for file in (tmp_path / "merged.jsonl", whole)
    ]
    assert untimed[0] == untimed[1]
    missing = run_parity("merge", files[0], "--record", tmp_path / "merged.jsonl")
    assert missing.returncode == 2
    assert "Shard 2/2 of deaf, good is missing" in missing.stderr


def test_the_same_twice_is_kept_once(run_parity: Any, whole: Path, tmp_path: Path) -> None:
    """A shard that was run twice with the same verdicts counts once, though its times differ."""
    one, two = sharded(whole, 2)
    again = copy.deepcopy(two)
    for value in again:
        value |= {"ms": 99.5} if value["type"] == "result" else {}
    done = run_parity("merge", *written(tmp_path, [one, two, again]), "--record", tmp_path / "merged.jsonl")
    assert done.returncode == 0
    assert verdicts(tmp_path / "merged.jsonl") == verdicts(whole)


def test_incidents_come_along(run_parity: Any, whole: Path, tmp_path: Path) -> None:
    """An incident of any shard is one of the merged run, and texts that one shard alone cites stay."""
    one, two = sharded(whole, 2)
    incident = {
        "type": "incident",
        "implementation": "good",
        "kind": "timeout",
        "suspects": ["x"],
        "reason": "!",
        "error": {"seconds": 10},
        "stderr": "",
    }
    for shard in (one, two):  # the same happened in both
        shard.insert(-1, incident)
        shard[-1]["incidents"] = 1
    del one[0]["requirements"]["ECHO-02"]
    done = run_parity("merge", *written(tmp_path, [one, two]), "--record", tmp_path / "merged.jsonl")
    assert done.returncode == 0
    merged = lines(tmp_path / "merged.jsonl")
    assert merged.count(incident) == merged[-1]["incidents"] == 2
    assert set(merged[0]["requirements"]) == {"ECHO-01", "ECHO-02"}


def test_a_shard_is_not_written_over(run_parity: Any, whole: Path, tmp_path: Path) -> None:
    """The merged record has a place of its own, so that no shard is lost."""
    paths = written(tmp_path, sharded(whole, 2))
    before = Path(paths[0]).read_bytes()
    done = run_parity("merge", *paths, "--record", paths[0])
    assert (done.returncode, "is one of the records to merge" in done.stderr) == (2, True)
    assert Path(paths[0]).read_bytes() == before


def _conflict(shards: list[Values]) -> None:
    again = copy.deepcopy(shards[1])
    value = next(value for value in again if value["type"] == "result" and value["implementation"] == "good")
    value |= {"verdict": "fail", "signature": "0123456789ab", "answer": {"answer": {"text": "other"}}}
    value["difference"] = [{"path": "$.text"}]
    shards.append(again)


def _copied(shards: list[Values], **members: Any) -> None:
    """A copy of the second shard whose first result of `good` has other members."""
    shards.append(copy.deepcopy(shards[1]))
    results = (value for value in shards[-1] if value["type"] == "result")
    next(value for value in results if value["implementation"] == "good").update(members)


def _other_case(shards: list[Values]) -> None:
    shards.append(copy.deepcopy(shards[1]))
    for value in shards[-1]:
        if value["type"] == "result":
            value["case"] += "-b"


def _other_version(shards: list[Values]) -> None:
    shards[1][0]["implementations"][0]["version"] = "2"


def _not_started(shards: list[Values]) -> None:
    entries = shards[1][0]["implementations"]
    entries[0] = {"name": entries[0]["name"], "adapter": entries[0]["adapter"], "started": False, "reason": "no"}


def _other_name(shards: list[Values]) -> None:
    shards[1][0]["implementations"][0]["name"] = "better"
    for value in shards[1][1:]:
        if value.get("implementation") == "good":
            value["implementation"] = "better"


@pytest.mark.parametrize(
    ("ours", "theirs", "told"),
    [
        (["--timeout", "7"], [], "2.jsonl was run with --timeout 10 (the default), and {1} with --timeout 7."),
        (["--timeout", "7"], ["--timeout", "8.5"], "2.jsonl was run with --timeout 8.5, and {1} with --timeout 7."),
        (["--pass-env", "A"], [], "2.jsonl was run without --pass-env, and {1} with --pass-env A."),
        (
            ["--pass-env", "B", "--pass-env", "A"],
            ["--pass-env", "C"],
            "2.jsonl was run with --pass-env C, and {1} with --pass-env A, B.",
        ),
    ],
    ids="a default,numbers,variables once,variables".split(","),
)
def test_shards_that_were_asked_under_other_options(
    run_parity: Any, echo_corpus: Path, tmp_path: Path, ours: list[str], theirs: list[str], told: str
) -> None:
    """Shards that an option which decides verdicts sets apart are refused, with that option and both values."""
    files = {"1": tmp_path / "1.jsonl", "2": tmp_path / "2.jsonl"}
    asking = ["run", "--adapter", singer(), "--corpus", echo_corpus]
    for index, options in zip("12", (ours, theirs), strict=True):
        run_parity(*asking, "--shard", f"{index}/2", "--record", files[index], *options)
    done = run_parity("merge", *files.values(), "--record", tmp_path / "merged.jsonl")
    assert (done.returncode, done.stdout) == (2, "")
    assert told.format("", *files.values()) in done.stderr


def test_what_is_spelt_otherwise_on_another_machine(run_parity: Any, whole: Path, tmp_path: Path) -> None:
    """The folders of the corpus and of the working copy may differ, and the order of variables."""
    shards = sharded(whole, 2)
    for place, names, (header, *_) in zip(("/here", "/there"), (["A", "B"], ["B", "A"]), shards, strict=True):
        header["options"] = {"corpus": place, "sdk": place, "passEnv": names}
        header["implementations"][0]["sdk"] = {"digest": "0" * 64}
    done = run_parity("merge", *written(tmp_path, shards), "--record", tmp_path / "merged.jsonl")
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("ours", "theirs", "told"),
    [
        ("a", "b", "with --sdk of the files {b}, and {first} with --sdk of the files {a}."),
        ("a", "", "without --sdk, and {first} with --sdk of the files {a}."),
        ("", "b", "with --sdk of the files {b}, and {first} without --sdk."),
    ],
)
def test_shards_of_another_working_copy(
    run_parity: Any, whole: Path, tmp_path: Path, ours: str, theirs: str, told: str
) -> None:
    """A working copy is its files: shards of others, or of the release, are refused, with what both judged."""
    shards = sharded(whole, 2)
    for digest, (header, *_) in zip((ours, theirs), shards, strict=True):
        if digest:
            header["options"]["sdk"] = "/sdk"
            header["implementations"][0]["sdk"] = {"digest": digest * 64}
    files = written(tmp_path, shards)
    done = run_parity("merge", *files, "--record", tmp_path / "merged.jsonl")
    assert done.returncode == 2
    assert told.format(first=files[0], a="a" * 64, b="b" * 64) in done.stderr


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (
            lambda shards: shards.pop(1),
            "Shard 2/3 of deaf, good is missing. Make it with the options of the others and --shard 2/3.",
        ),
        (
            lambda shards: shards[1][0].update(gate={"unmatched": [], "withoutReason": 0}),
            "shard-2.jsonl is of `parity gate`, and {first} of `parity run`.",
        ),
        (
            lambda shards: (shards[1].pop(), shards[1][0].update(gate={"unmatched": [], "withoutReason": 0})),
            "has no footer: its run did not come to its end. Run that gate again.",
        ),
        (lambda shards: shards[1].pop(), "shard-2.jsonl has no footer"),
        (
            lambda shards: shards[1][0]["corpus"].update(digest="0" * 64),
            "shard-2.jsonl has another corpus than {first}: digest 000000000000, not ",
        ),
        (
            lambda shards: shards[1][0]["selection"].append("echo/said"),
            "has another selection than {first}: 4 cases of --select echo/said, not 4 cases of all systems.",
        ),
        (
            lambda shards: shards[1][0]["harness"].update(version="9"),
            "shard-2.jsonl is of parity 9, and {first} of parity ",
        ),
        (lambda shards: shards[1][0]["shard"].update(of=4), "is one of 4 shards"),
        (lambda shards: shards[1][0]["shard"].update(index=0), "shard: it is not an index from 1"),
        (lambda shards: shards[1][0].update(shard="2/3"), "shard: it is not an index from 1"),
        (lambda shards: shards[1].pop(1), "has no verdict on 1 case: echo/"),
        (_conflict, " (good) is pass in "),
        (
            lambda shards: _copied(shards, expected={"answer": {"text": "hi"}}, answer={"answer": {"text": "hi"}}),
            " (good) has another member expected in {last} than in {second}.",
        ),
        (_other_case, "-b (good) is in {last}, and not in {second}, which is the same shard."),
        (_other_version, 'its version is "2", not "1"'),
        (_not_started, "its started is false, not true"),
        (_other_name, "better is in "),
    ],
    ids=(
        "missing shard,gate and run,gate cut short,no footer,corpus,selection,parity,number of shards,index 0,no shard,"
        "missing verdict,conflict,expected answer,other case,version,not started,other name"
    ).split(","),
)
def test_refused(
    run_parity: Any, whole: Path, tmp_path: Path, spoil: Callable[[list[Values]], Any], message: str
) -> None:
    """What stands in the way is named, the status is 2, and a record that was there stays as it was."""
    shards = sharded(whole, 3)
    spoil(shards)
    (tmp_path / "merged.jsonl").write_text("mine", "ascii")
    done = run_parity("merge", *written(tmp_path, shards), "--record", tmp_path / "merged.jsonl")
    assert (done.returncode, done.stdout) == (2, "")
    files = {name: tmp_path / f"shard-{number}.jsonl" for number, name in ((1, "first"), (2, "second"), (4, "last"))}
    assert message.format(**files) in done.stderr
    assert (tmp_path / "merged.jsonl").read_text("ascii") == "mine"


def test_a_whole_run_is_the_only_shard(run_parity: Any, whole: Path, tmp_path: Path) -> None:
    """A record without a shard is a whole run; it merges with the same run at another time, and not with a part of a run."""
    header, *others = lines(whole)
    (later,) = written(tmp_path, [[{**header, "startedAt": "2030-01-01T00:00:00Z"}, *others]])
    assert run_parity("merge", whole, later, "--record", tmp_path / "merged.jsonl").returncode == 0
    assert verdicts(tmp_path / "merged.jsonl") == verdicts(whole)
    (part, _) = written(tmp_path, sharded(whole, 2))
    done = run_parity("merge", whole, part, "--record", tmp_path / "merged.jsonl")
    assert done.returncode == 2
    assert "one of 2" in done.stderr


def test_a_record_is_named_once(run_parity: Any, whole: Path, tmp_path: Path) -> None:
    """The same record, by another path or as a copy, is refused: one run does not count twice."""
    copied = tmp_path / "copy.jsonl"
    copied.write_bytes(whole.read_bytes())
    for second in (whole, copied):
        done = run_parity("merge", whole, second, "--record", tmp_path / "merged.jsonl")
        assert done.returncode == 2
        assert f"{second} is the same record as {whole}: the same run does not count twice." in done.stderr


def test_several_reasons_at_once(run_parity: Any, whole: Path, tmp_path: Path) -> None:
    """Everything that is in the way is told together."""
    shards = sharded(whole, 3)
    shards[0].pop()
    shards[1][0]["selection"] = ["echo"]
    done = run_parity("merge", *written(tmp_path, shards[:2]), "--record", tmp_path / "merged.jsonl")
    assert [
        part for part in ("no footer", "selection", "Shard 3/3 of deaf, good is missing") if part in done.stderr
    ] == [
        "no footer",
        "selection",
        "Shard 3/3 of deaf, good is missing",
    ]


def test_no_room(whole: Path, tmp_path: Path) -> None:
    """Where the merged record does not fit, nothing is left in its place."""

    def little_room() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64))

    words = [sys.executable, "-m", "harness", "merge", str(whole), "--record", str(tmp_path / "merged.jsonl")]
    environment = {**os.environ, **NO_BYTECODE}
    done = subprocess.run(
        words, cwd=ROOT, env=environment, capture_output=True, text=True, preexec_fn=little_room, check=False
    )
    assert done.returncode == 2
    assert "merged.jsonl: the record cannot be written: File too large." in done.stderr
    assert not [path.name for path in tmp_path.iterdir() if "merged" in path.name]
