"""An implementation that cannot be built: it has no verdict, and a reason. Whether it fails the run is decided by the step
that failed and by who named it."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from made_up import ADAPTER, MANIFEST, SDK, Installation

STEPS = "steps = [["
FETCH_FAILS = 'fetch = [["sh", "-c", "echo 40$((1 + 2)) Forbidden; exit 1"]]\nsteps = [['
BUILD_FAILS = 'fetch = [["true"]]\nsteps = [["false"], ['


@pytest.fixture
def installation(tmp_path: Path) -> Installation:
    """Two shipped adapters, `mine` and `other`, of which `other` runs."""
    made = Installation(tmp_path)
    other = made.root / "adapters" / "other"
    other.mkdir()
    manifest = MANIFEST.replace('name = "mine"', 'name = "other"').replace("echo 1.0", "echo other")
    (other / "adapter.toml").write_text(manifest, "utf-8")
    (other / "adapter.py").write_text(ADAPTER, "utf-8")
    (other / "release.py").write_text(SDK.format(version="1.0", flaw=""), "utf-8")
    return made


def breaks(installation: Installation, step: str) -> None:
    (installation.adapter / "adapter.toml").write_text(MANIFEST.replace(STEPS, step, 1), "utf-8")


def verdicts_by_name(installation: Installation) -> Counter[str]:
    return Counter(line["implementation"] for line in installation.lines() if line["type"] == "result")


def test_a_release_that_cannot_be_fetched_is_not_tested(installation: Installation) -> None:
    """Nobody named it: the others are judged, the status is theirs, and the last line names it with the sort of reason."""
    breaks(installation, FETCH_FAILS)
    done = installation.run("run", "--record", installation.record)
    assert done.returncode == 0, done.stderr
    assert verdicts_by_name(installation) == {"other": 4}
    (skipped,) = installation.lines()[0]["skipped"]
    assert (skipped["implementation"], skipped["code"], skipped["error"]) == ("mine", "not-fetched", False)
    assert "403 Forbidden" in skipped["reason"]
    assert done.stdout.splitlines()[-1] == "NOT COMPLETE: not tested: mine (its release cannot be fetched)"


def test_a_named_adapter_that_cannot_be_fetched_is_one_error(installation: Installation) -> None:
    """The status is 3, once and not for each case; the other implementation is judged. What the registry says stands once
    in the output of the build and once in the report."""
    breaks(installation, FETCH_FAILS)
    words = ["run", "--adapter", "mine", "--adapter", "other", "--record", installation.record]
    done = installation.run(*words)
    assert done.returncode == 3
    assert verdicts_by_name(installation) == {"other": 4}
    assert [one["error"] for one in installation.lines()[0]["skipped"]] == [True]
    assert [text.count("403 Forbidden") for text in (done.stderr, done.stdout)] == [1, 1]


def test_a_build_that_fails_is_an_error_whoever_names_it(installation: Installation) -> None:
    """The release was fetched, so its failing build is an error without `--adapter` too."""
    breaks(installation, BUILD_FAILS)
    done = installation.run("run", "--record", installation.record)
    assert done.returncode == 3
    assert verdicts_by_name(installation) == {"other": 4}
    (skipped,) = installation.lines()[0]["skipped"]
    assert (skipped["code"], skipped["error"]) == ("not-built", True)
    assert done.stdout.splitlines()[-1] == "NOT COMPLETE: not tested: mine (its build failed)"


@pytest.mark.parametrize("verb", ["run", "gate"])
def test_no_case_runs_if_no_adapter_is_left(installation: Installation, verb: str) -> None:
    """The one named adapter cannot be fetched: status 3, its reason, what the registry says once, and no record that looks
    like a result."""
    breaks(installation, FETCH_FAILS)
    done = installation.run(verb, "--adapter", "mine", "--record", installation.record)
    assert done.returncode == 3
    assert "mine cannot run: echo 1.0 cannot be fetched: " in done.stderr
    assert done.stderr.count("403 Forbidden") == 1
    assert not installation.record.exists()


def test_what_is_not_tested_is_in_every_report(installation: Installation) -> None:
    """No report of the record gives it a share or a verdict; each names it."""
    breaks(installation, FETCH_FAILS)
    installation.run("run", "--record", installation.record)
    formats = ("html", "markdown", "json", "junit", "sarif", "ctrf", "review")
    files = {name: installation.folder / f"report.{name}" for name in formats}
    done = installation.run(
        "report", installation.record, *(word for name in formats for word in (f"--{name}", files[name]))
    )
    assert done.returncode == 0, done.stderr
    for name, path in files.items():
        assert "cannot be fetched" in path.read_text("utf-8"), name
    value = json.loads(files["json"].read_text("utf-8"))
    assert (list(value["implementations"]), list(value["notTested"])) == (["other"], ["mine"])
    installation.run("site", installation.folder / "site", installation.record)
    assert "is not tested: echo 1.0 cannot be fetched" in (installation.folder / "site" / "index.html").read_text(
        "utf-8"
    )


def test_a_comparison_fails_where_the_newer_run_could_not_build(installation: Installation) -> None:
    """An implementation of the older record that was named and not built in the newer one is status 3."""
    older = installation.folder / "older.jsonl"
    words = ["run", "--adapter", "mine", "--adapter", "other", "--record"]
    installation.run(*words, older)
    breaks(installation, BUILD_FAILS)
    installation.run(*words, installation.record)
    done = installation.run("compare", older, installation.record)
    assert done.returncode == 3
    assert "mine could not be built or started" in done.stdout


def test_a_case_is_explained_without_what_cannot_be_fetched(installation: Installation) -> None:
    """`explain` leaves it out with the reason; a name makes it status 3."""
    breaks(installation, FETCH_FAILS)
    for words, status in (((), 0), (("--adapter", "mine"), 3)):
        done = installation.run("explain", "echo/say/word", *words)
        assert done.returncode == status
        assert "mine is not tested: echo 1.0 cannot be fetched" in done.stdout


def test_the_installation_is_sound_without_what_cannot_be_fetched(installation: Installation) -> None:
    """`doctor` finds nothing wrong with an adapter whose release cannot be fetched, and an error in a failing build."""
    for step, status, state in ((FETCH_FAILS, 0, "skipped"), (BUILD_FAILS, 3, "not ready")):
        breaks(installation, step)
        done = installation.run("doctor")
        assert done.returncode == status, done.stdout
        assert f"  mine  {state}: echo 1.0" in done.stdout
