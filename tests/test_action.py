"""The GitHub Action: its own steps, run by bash as a runner would run them."""

from __future__ import annotations

import json
import os
import platform
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from harness import VERSION

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[1]
ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
STEPS = {step["name"]: step for step in ACTION["runs"]["steps"] if "run" in step}

_EXPRESSION = re.compile(r"\$\{\{ *([^}]+?) *\}\}")

Step = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def runner(tmp_path: Path) -> Path:
    """A runner's temporary folder, with this checkout's parity where the action installs it."""
    programs = tmp_path / "parity" / "bin"
    programs.mkdir(parents=True)
    (programs / "parity").symlink_to(Path(sys.executable).with_name("parity"))
    python = programs / "python"
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n', "utf-8")
    python.chmod(0o755)
    return tmp_path


@pytest.fixture
def step(tmp_path: Path) -> Step:
    """Runs one step of the action, by its name, with the inputs given and the PATH."""

    def ran(name: str, **inputs: str) -> subprocess.CompletedProcess[str]:
        script = tmp_path / "script.sh"
        script.write_text(STEPS[name]["run"], "utf-8")
        context = {
            "github.action_path": str(ROOT),
            "github.event.before": os.environ.get("BEFORE_THE_PUSH", "0" * 40),
            "github.token": "t0ken",
            "steps.python.outputs.python-path": sys.executable,
            **{f"inputs.{key}": str(value.get("default", "")) for key, value in ACTION["inputs"].items()},
            **{f"inputs.{key.replace('_', '-')}": value for key, value in inputs.items()},
        }
        return subprocess.run(
            ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", script],
            cwd=tmp_path,
            # Modules are compiled when they are first used.
            env={
                **os.environ,
                **variables(tmp_path),
                **evaluated(STEPS[name].get("env", {}), context),
            },
            capture_output=True,
            encoding="utf-8",
            check=False,
            timeout=300,
        )

    return ran


def variables(folder: Path) -> dict[str, str]:
    """The variables of a runner. Modules that pip installs are compiled when they are first used."""
    files = {name: str(folder / name.lower()) for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
    return {"RUNNER_TEMP": str(folder), "PIP_NO_COMPILE": "1", **files}


def evaluated(environment: Mapping[str, str], context: Mapping[str, str]) -> dict[str, str]:
    return {key: _EXPRESSION.sub(lambda found: context[found.group(1)], str(text)) for key, text in environment.items()}


def parts_of(step: subprocess.CompletedProcess[str]) -> tuple[str, list[str]]:
    """What a step quoted, which stands between two commands that keep the runner from obeying any other; and the lines
    behind it."""
    text = step.stdout[step.stdout.index("::stop-commands::") :]
    first, _, rest = text.partition("\n")
    quoted, _, commands = rest.partition(f"::{first.removeprefix('::stop-commands::')}::\n")
    return quoted, commands.splitlines()


def said(gate: subprocess.CompletedProcess[str]) -> str:
    """What the gate printed."""
    quoted, commands = parts_of(gate)
    assert commands == []
    return quoted


def shown(text: str) -> str:
    """A text as an indented block of Markdown, which nothing in it can end."""
    return "".join(["\n", *(f"    {line}" for line in text.splitlines(keepends=True)), "\n"])


def test_no_script_has_an_expression_in_it() -> None:
    """What a caller gives reaches the scripts as variables alone, so that no text of theirs is run as a command."""
    assert STEPS
    assert not [name for name, step in STEPS.items() if "${{" in step["run"]]


def test_every_input_is_used() -> None:
    """Each input that the action declares has a user in its steps."""
    text = str(ACTION["runs"])
    assert [name for name in ACTION["inputs"] if f"inputs.{name} " not in text] == []


def test_a_gate_and_its_report(runner: Path, step: Step) -> None:
    """The gate step leaves a record and tells where; the report step makes the summary, an HTML page and JUnit XML."""
    gate = step("Gate", adapter="reference", select="jeffs_brain/fusion/odd_ids\n\nnexus/settings/defaults\n")
    assert gate.returncode == 0, gate.stderr
    assert (runner / "github_output").read_text("utf-8") == f"record={runner}/parity-reports/run.jsonl\n"
    assert "gate: green" in gate.stdout
    report = step("Report")
    assert report.returncode == 0, report.stderr
    summary = (runner / "github_step_summary").read_text("utf-8")
    assert summary.startswith("\n    reference: ")
    assert "gate: green" in summary
    assert "| `reference` |" in summary
    assert "::error" not in report.stdout
    assert f"sarif={runner}/parity-reports/gate.sarif\n" in (runner / "github_output").read_text("utf-8")
    made = {path.name for path in (runner / "parity-reports").iterdir()}
    assert made == {"run.jsonl", "gate.txt", "summary.md", "report.html", "junit.xml", "gate.sarif"}
    # A record without its footer: the table stands in the summary though the report step fails.
    record = runner / "parity-reports" / "run.jsonl"
    record.write_bytes(b"".join(record.read_bytes().splitlines(keepends=True)[:-1]))
    assert step("Report").returncode == 2
    assert "## gate: red (verdicts are missing)" in (runner / "github_step_summary").read_text("utf-8")


def test_a_red_gate_fails_its_step_and_is_still_reported(runner: Path, step: Step) -> None:
    """A red gate ends its step with its own status, and the report step shows what is red, in the checks too."""
    known = runner / "known of.yaml"
    known.write_text("unsupported:\n- {reason: It has none., names: [fusion.rrf]}\n", "utf-8")
    gate = step("Gate", adapter="reference", select="jeffs_brain/fusion/odd_ids", known=str(known), shard="1/2")
    assert gate.returncode == 1
    report = step("Report")
    assert report.returncode == 0
    _, commands = parts_of(report)
    assert [line.partition(" ")[0] for line in commands] == ["::error", "::warning"]
    summary = (runner / "github_step_summary").read_text("utf-8")
    numbers = re.findall(r"gate: (?:RED|red) \((\d+ stale cases?)", summary)
    assert len(numbers) == 2 and len(set(numbers)) == 1, "the gate and its report count differently"


def test_the_fuzz_step_shows_its_table(runner: Path, step: Step) -> None:
    """The input `fuzz` is the time; the record lies with the others."""
    fuzzed = step("Fuzz", adapter=f"mine={Path(sys.executable).with_name('parity')} serve", fuzz="0.2s")
    assert fuzzed.returncode == 0, fuzzed.stdout + fuzzed.stderr
    assert "nothing new" in (runner / "github_step_summary").read_text("utf-8")
    assert (runner / "parity-reports" / "fuzz.jsonl").exists()


def test_without_a_record_there_is_no_report(runner: Path, step: Step) -> None:
    """A gate that is refused fails with its own status, and the summary says why."""
    gate = step("Gate", adapter="reference", select="no/such/case")
    assert gate.returncode == 2
    report = step("Report")
    assert report.returncode == 0
    assert report.stdout.startswith("::error title=parity::parity: ")
    assert "no/such/case" in report.stdout
    assert (runner / "github_step_summary").read_text("utf-8") == shown(said(gate))


def test_a_refused_gate_gives_no_command_but_its_error(runner: Path, step: Step) -> None:
    """What it quotes of an adapter stays in one line."""
    reports = runner / "parity-reports"
    reports.mkdir()
    (reports / "gate.txt").write_text("100%\n::set-env name=A::b\r::x", "utf-8")
    assert step("Report").stdout == "::error title=parity::100%25%0A::set-env name=A::b%0D::x\n"
    assert "gate: no report" in (reports / "summary.md").read_text("utf-8")


ARGUMENTS = {
    "a timeout and a build": ({"timeout": "30", "build": "make it"}, {}, ["--build", "make it", "--timeout", "30"]),
    "a revision": ({"base": "v1.0"}, {}, ["--base", "v1.0"]),
    "a pull request": ({"base": "true"}, {"GITHUB_BASE_REF": "main"}, ["--base", "origin/main"]),
    "a push": ({"base": "true"}, {"BEFORE_THE_PUSH": "HEAD"}, ["--base", "HEAD"]),
    "the first push of a branch": ({"base": "true"}, {}, ["--base", "HEAD^"]),
    "other readings": ({"readings": "free"}, {}, ["--readings", "free"]),
    "no base": ({"base": "false"}, {"GITHUB_BASE_REF": "main"}, []),
}


@pytest.mark.parametrize(("inputs", "variables", "given"), ARGUMENTS.values(), ids=ARGUMENTS)
def test_the_inputs_of_the_gate(
    runner: Path,
    step: Step,
    monkeypatch: pytest.MonkeyPatch,
    inputs: dict[str, str],
    variables: dict[str, str],
    given: list[str],
) -> None:
    """Each is an option of `parity gate`."""
    program = runner / "parity" / "bin" / "parity"
    program.unlink()
    program.write_text('#!/bin/sh\nprintf "%s\\n" "$@"\n', "utf-8")
    program.chmod(0o755)
    monkeypatch.delenv("GITHUB_BASE_REF", raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    for command in ("init", "-c user.name=a -c user.email=a@localhost commit --allow-empty -m pushed"):
        subprocess.run(["git", *command.split()], cwd=runner, check=True, capture_output=True)
    words = said(step("Gate", adapter="mine", **inputs)).splitlines()
    assert words == ["gate", "--adapter", "mine", "--record", f"{runner}/parity-reports/run.jsonl", *given]


def test_the_job_is_prepared_by_a_command(runner: Path, step: Step) -> None:
    """In the folder of the job; a failing part of it fails the step."""
    assert step("Set up", setup_command="touch ready; false | true").returncode == 1
    assert (runner / "ready").exists()


def test_only_the_comment_step_has_the_token(runner: Path, step: Step, monkeypatch: pytest.MonkeyPatch) -> None:
    """It runs with the standard library alone; without a pull request it says why it writes nothing."""
    assert [step.get("name") for step in ACTION["runs"]["steps"] if "token" in str(step.get("env", ""))] == ["Comment"]
    (runner / "event.json").write_text("{}", "utf-8")
    monkeypatch.setenv("GITHUB_EVENT_PATH", str(runner / "event.json"))
    done = step("Comment")
    assert (done.returncode, done.stderr) == (0, "")
    assert "This job runs for no pull request." in done.stdout


def test_an_adapter_that_cannot_be_asked_is_told_in_the_summary(runner: Path, step: Step) -> None:
    """All that a gate that ends with 3 says is in the summary, in the order in which it said it."""
    gate = step("Gate", adapter="/no/such/adapter", select="nexus/settings/defaults")
    assert (gate.returncode, gate.stderr) == (3, "")
    step("Report")
    summary = (runner / "github_step_summary").read_text("utf-8")
    assert summary.startswith(shown(said(gate)))
    assert "/no/such/adapter" in summary


def test_a_working_copy_that_needs_bun_names_it(runner: Path, step: Step) -> None:
    """Without the program that the lock file needs, the summary names it and its source."""
    if shutil.which("bun") or not shutil.which("npm"):
        pytest.skip("bun is on PATH, or npm is not")
    sdk = runner / "memory"
    sdk.mkdir()
    manifest = {"name": "@jeffs-brain/memory", "version": "9.9.9", "scripts": {"build": "true"}}
    (sdk / "package.json").write_text(json.dumps(manifest), "utf-8")
    (sdk / "bun.lock").touch()
    gate = step("Gate", adapter="ts", sdk=str(sdk), select="jeffs_brain/fusion/odd_ids")
    assert gate.returncode == 3
    step("Report")
    summary = (runner / "github_step_summary").read_text("utf-8")
    assert "bun is not on PATH, and bun.lock needs it. Install bun (https://bun.sh" in summary


def test_code_of_the_working_copy_is_not_imported(runner: Path, step: Step, monkeypatch: pytest.MonkeyPatch) -> None:
    """Modules in the job's folder that have names of parity's own modules are not run, even with a PYTHONPATH."""
    monkeypatch.setenv("PYTHONPATH", str(runner))
    for name in ("json", "harness", "packaging", "sitecustomize"):
        (runner / f"{name}.py").write_text("open('owned', 'w')", "utf-8")
    found = step("Find missing tools", adapter="reference")
    assert found.returncode == 0
    assert found.stdout == (runner / "github_output").read_text("utf-8")
    assert not (runner / "owned").exists()


def test_each_missing_tool_has_a_step_that_installs_it() -> None:
    """One action a tool, before the gate, only if the tool is missing, of the same version as in parity's own workflows."""
    steps = ACTION["runs"]["steps"]
    gate = [step.get("id") for step in steps].index("gate")
    installs = {}
    for tool in ("node", "bun", "go"):
        [at] = [place for place, step in enumerate(steps) if f"steps.tools.outputs.{tool} " in step.get("if", "")]
        assert at < gate
        assert steps[at]["with"][f"{tool}-version"] == f"${{{{ steps.tools.outputs.{tool} }}}}"
        installs[tool] = steps[at]["uses"]
    workflows = "".join(path.read_text("utf-8") for path in sorted((ROOT / ".github" / "workflows").glob("*.yml")))
    assert installs.pop("bun") == "oven-sh/setup-bun@v2"
    assert [action for action in installs.values() if f"uses: {action}\n" not in workflows] == []


def test_an_input_is_never_a_command(runner: Path, step: Step) -> None:
    """Text of an input that a shell would run, or read as an option, stays one argument."""
    gate = step("Gate", adapter="reference", select='$(touch "$RUNNER_TEMP/owned"); touch owned', known="--corpus")
    assert gate.returncode == 2
    assert not list(runner.rglob("owned"))


def test_the_action_installs_its_own_parity(tmp_path: Path, step: Step) -> None:
    """The install step makes a parity out of the action's checkout, and prints its version."""
    packages = tmp_path / sysconfig.get_path("purelib", "venv", {"base": "parity"})
    packages.mkdir(parents=True)
    # What the project needs is here already.
    (packages / "here.pth").write_text(sysconfig.get_path("purelib"), "utf-8")
    install = step("Install parity")
    if install.returncode and "No matching distribution" in install.stderr:
        pytest.skip("no package index can be reached from here")
    assert install.returncode == 0, install.stderr
    assert install.stdout.startswith(f"Python {platform.python_version()}\nparity {VERSION} (")
    assert (packages / "parity" / "cases").is_dir()
