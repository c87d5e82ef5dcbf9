"""The library judges what the command judges, with the command's verdicts."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from commands import Parity, adapter
from made_up import MANIFEST, Installation

from harness import api
from harness.corpus import paths
from harness.errors import AdapterUnavailable, UsageError
from harness.model import Implementation, Result
from harness.records import read_record

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[3]

_FOLLOWER = """\
import json, subprocess, sys
child = subprocess.Popen(sys.argv[2:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
ruling, _, reading = sys.argv[1].partition("=")
for line in sys.stdin:
    message = json.loads(line)
    is_operation = message["method"] not in ("initialize", "shutdown")
    if is_operation:
        under = {"operation": message["method"], "request": message["params"], "readings": {ruling: reading}}
        message |= {"method": "answerUnder", "params": under}
    print(json.dumps(message), file=child.stdin, flush=True)
    reply = json.loads(child.stdout.readline())
    if is_operation:
        reply["result"] = reply["result"]["answer"]
    print(json.dumps(reply), flush=True)
    if message["method"] == "shutdown":
        break
"""
"""An implementation that follows another reading of one ruling, everywhere."""


@pytest.fixture
def installation(tmp_path: Path) -> Installation:
    return Installation(tmp_path)


def library(option: str, select: Sequence[str] = (), root: Path | None = None) -> tuple[dict[str, str], dict[str, Any]]:
    """The verdict and signature of each case, and the version of each implementation, by the library."""
    corpus = api.load_corpus(root, select)
    verdicts, versions = {}, {}
    with api.open_adapters([option]) as connections:
        for event in api.execute(corpus.plan(connections)):
            match event:
                case Implementation():
                    versions[event.name] = event.version
                case Result():
                    signature = getattr(event.outcome, "signature", "")
                    verdicts[event.case.name] = f"{event.verdict} {signature} {'flaky' * bool(event.flaky)}"
    return verdicts, versions


def recorded(path: Path) -> tuple[dict[str, str], dict[str, Any]]:
    """The same of a record."""
    record = read_record(path)
    entries = record.metadata.implementations
    verdicts = {one.case: f"{one.verdict} {one.signature} {'flaky' * one.is_flaky}" for one in record.results}
    return verdicts, {entry.name: entry.identity.version for entry in entries if entry.identity}


def test_failing_answers_are_explained(run_parity: Parity, tmp_path: Path) -> None:
    """An answer to a plain case that follows an open reading is a variant, as in the command."""
    script = tmp_path / "follower.py"
    script.write_text(_FOLLOWER, "utf-8")
    reference = [sys.executable, str(ROOT / "adapters" / "reference" / "adapter.py")]
    command = f"follower={shlex.join([sys.executable, str(script), 'RUL-B33=b', *reference])}"
    suite = "jeffs_brain/temporal/date_token_names"
    done = run_parity("run", "--adapter", command, "--select", suite, "--record", tmp_path / "run.jsonl")
    assert done.returncode == 0, done.stdout + done.stderr
    found = library(command, [suite])
    assert found == recorded(tmp_path / "run.jsonl")
    assert {verdict.partition(" ")[0] for verdict in found[0].values()} == {"pass", "variant"}


@pytest.mark.parametrize("mood", ["order", "wrong"])
def test_a_failing_case_is_executed_twice(run_parity: Parity, echo_corpus: Path, tmp_path: Path, mood: str) -> None:
    """A case that fails only once is flaky, as in the command, and one that always fails is not."""
    command = f"fickle={adapter('fickle.py', mood)}"
    run_parity("run", "--corpus", echo_corpus, "--adapter", command, "--record", tmp_path / "run.jsonl")
    found, versions = library(command, root=echo_corpus)
    assert (found, versions) == recorded(tmp_path / "run.jsonl")
    assert any("flaky" in verdict for verdict in found.values()) == (mood == "order")


@pytest.mark.parametrize(
    ("form", "version"),
    [
        ("mine", "1.0"),
        ("mine@3.0.0", "3.0.0"),
        ("mine={copy}", "2.0"),
        ("mine@branch={copy}", "2.0"),
        ("own={command}", "1.0"),
    ],
)
def test_every_form_of_an_adapter_is_what_the_command_judges(
    installation: Installation, monkeypatch: pytest.MonkeyPatch, form: str, version: str
) -> None:
    """`open_adapters` builds the release, another release, a working copy or a command, as `--adapter` does."""
    copy = installation.working_copy(version="2.0")
    option = form.format(copy=copy, command=shlex.join([sys.executable, str(_command(installation))]))
    done = installation.run("run", "--adapter", option, "--record", installation.record)
    assert done.returncode in (0, 1), done.stderr
    _enter(installation, monkeypatch)
    found = library(option)
    assert found == recorded(installation.record)
    assert found[1] == {option.partition("=")[0]: version}


def _command(installation: Installation) -> Path:
    """The adapter with the release beside it, started as a command."""
    (installation.adapter / "sdk.py").write_bytes((installation.adapter / "release.py").read_bytes())
    return installation.adapter / "adapter.py"


def _enter(installation: Installation, monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes the library use the made-up installation."""
    monkeypatch.setattr(paths, "_ROOT", installation.root)
    for name, value in installation.environment().items():
        monkeypatch.setenv(name, value)


def test_a_folder_that_is_not_the_sdk_is_refused(installation: Installation, monkeypatch: pytest.MonkeyPatch) -> None:
    """`NAME=DIR` with another folder raises, and nothing is judged in its place."""
    _enter(installation, monkeypatch)
    folder = installation.folder / "other"
    folder.mkdir()
    (folder / "sdk.json").write_text(json.dumps({"name": "not-the-sdk"}), "utf-8")
    with (
        pytest.raises(AdapterUnavailable, match="this is not echo-sdk"),
        api.open_adapters([f"mine={folder}"]),
    ):
        pass
    assert installation.builds() == []


def test_an_adapter_without_a_release_needs_a_working_copy(
    installation: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The name alone raises, with the remedy."""
    _enter(installation, monkeypatch)
    only = MANIFEST.replace("missing_symbol =", 'unreleased_reason = "echo has no release."\nmissing_symbol =', 1)
    (installation.adapter / "adapter.toml").write_text(only, "utf-8")
    with pytest.raises(UsageError, match="--adapter mine=DIR"), api.open_adapters(["mine"]):
        pass
