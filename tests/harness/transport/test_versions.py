"""Several versions of one SDK in a run: releases by version, working copies by folder, each with a name of its own."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from made_up import Installation

from harness.errors import UsageError
from harness.transport.adapter_spec import AdapterSpec, parse_specs

pytestmark = pytest.mark.slow


@pytest.fixture
def installation(tmp_path: Path) -> Installation:
    return Installation(tmp_path)


def test_releases_and_working_copies_stand_side_by_side(installation: Installation) -> None:
    """Each version is built once, has its own name, and its failures name the option that repeats them."""
    good, bad = installation.working_copy("good"), installation.working_copy("bad", flaw=" + '?'")
    named = ["mine", "mine@1.7.0", f"mine@rc.1={good}", f"mine@bad={bad}"]
    words = ["run", *(word for name in named for word in ("--adapter", name)), "--record", installation.record]
    done = installation.run(*words)
    assert done.returncode == 1, done.stderr
    entries = installation.lines()[0]["implementations"]
    assert [(one["name"], one["version"]) for one in entries] == [
        ("mine", "1.0"),
        ("mine@1.7.0", "1.7.0"),
        ("mine@rc.1", "2.0"),
        ("mine@bad", "2.0"),
    ]
    results = [line for line in installation.lines() if line["type"] == "result"]
    verdicts = {(line["implementation"], line["case"]): line["verdict"] for line in results}
    assert [verdicts[name, "echo/say/word"] for name in ("mine@rc.1", "mine@bad")] == ["pass", "fail"]
    alone = installation.run("run", "--adapter", f"mine@bad={bad}", "--record", installation.record)
    assert f"repeat:  parity run --adapter mine@bad={bad} --record repeat.jsonl --select echo/say/" in alone.stdout
    assert f"a working copy: {good} (files " in done.stdout
    assert installation.run(*words).returncode == 1
    assert installation.builds().count("1.7.0") == 1


def test_a_gate_compares_with_the_known_divergences_of_the_adapter(installation: Installation) -> None:
    """A version of a shipped adapter has the adapter's own file."""
    (installation.adapter / "known-divergences.yaml").write_text("divergences: []\n", "utf-8")
    done = installation.run("gate", "--adapter", "mine@1.7.0", "--record", installation.record)
    assert "adapters/mine/known-divergences.yaml" in done.stdout.replace("\\", "/")


def test_verdicts_of_a_version_can_be_selected(installation: Installation) -> None:
    """The name before the record may have a version."""
    installation.run("run", "--adapter", "mine@1.7.0", "--record", installation.record)
    done = installation.run("cases", "--select", f"verdict:fail:mine@1.7.0@{installation.record}")
    assert "echo/say/word" in done.stdout


def test_an_adapter_that_knows_no_other_release(installation: Installation) -> None:
    """Without [release] the adapter does not start, and the message names the option for a working copy."""
    manifest = installation.adapter / "adapter.toml"
    text = manifest.read_text("utf-8")
    manifest.write_text(text[: text.index("[release]")] + text[text.index("[run]") :], "utf-8")
    done = installation.run("run", "--adapter", "mine@1.7.0", "--record", installation.record)
    assert done.returncode == 3
    assert "mine has no other releases: its manifest has no [release]." in done.stderr
    assert "--adapter mine@1.7.0=DIR" in done.stderr


def test_specs_of_versions(tmp_path: Path) -> None:
    """A label of a shipped adapter names a folder; any other label names a command."""
    options = ["ts@0.2.0", "ts@v0.2.1", f"ts@rc={tmp_path}", f"ts={tmp_path}", "mine@2=./adapter -x"]
    assert parse_specs(options, ["ts"]) == [
        AdapterSpec("ts@0.2.0", version="0.2.0"),
        AdapterSpec("ts@v0.2.1", version="0.2.1"),  # a manifest adds the `v` that tags of its SDK have
        AdapterSpec("ts@rc", sdk=tmp_path),
        AdapterSpec("ts", sdk=tmp_path),
        AdapterSpec("mine@2", ("./adapter", "-x")),
    ]
    assert [one.option for one in parse_specs(options, ["ts"])] == options


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ("ts@", "expected a whole version after @, such as ts@1.2.0"),
        ("ts@latest", "expected a whole version after @"),
        ("ts@0.2", "expected a whole version after @"),
        ("ts@$(x)", "expected a whole version after @"),
        ("nothing@1.0", "no shipped adapter has this name"),
        ("ts@1=nowhere", "this is not a folder. Name the SDK's folder"),
        ("ts=node x.mjs", "label your command otherwise: --adapter my-ts='node x.mjs'"),
    ],
)
def test_wrong_versions(option: str, message: str) -> None:
    """Each wrong form has its own message."""
    with pytest.raises(UsageError, match=re.escape(message)):
        parse_specs([option], ["ts"])
