"""The GitHub Action: its own steps, run by bash as a runner would run them."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

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

    def ran(name: str, path: str = os.environ["PATH"], **inputs: str) -> subprocess.CompletedProcess[str]:
        script = tmp_path / "script.sh"
        script.write_text(STEPS[name]["run"], "utf-8")
        context = {
            "github.action_path": str(ROOT),
            "steps.python.outputs.python-path": sys.executable,
            **{f"inputs.{key}": str(value.get("default", "")) for key, value in ACTION["inputs"].items()},
            **{f"inputs.{key}": value for key, value in inputs.items()},
        }
        return subprocess.run(
            ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", script],
            cwd=tmp_path,
            # Modules are compiled when they are first used.
            env={
                **os.environ,
                "PATH": path,
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


def said(gate: subprocess.CompletedProcess[str]) -> str:
    """What the gate printed, which stands between two commands that keep the runner from obeying any other."""
    first, *text, last = gate.stdout.splitlines(keepends=True)
    assert (token := first.strip().removeprefix("::stop-commands::")) != first.strip()
    assert last == f"::{token}::\n"
    return "".join(text)


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
    made = {path.name for path in (runner / "parity-reports").iterdir()}
    assert made == {"run.jsonl", "gate.txt", "summary.md", "report.html", "junit.xml", "gate.sarif"}


def test_a_red_gate_fails_its_step_and_is_still_reported(runner: Path, step: Step) -> None:
    """A red gate ends its step with its own status, and the report step shows what is red."""
    known = runner / "known of.yaml"
    known.write_text("unsupported:\n- {reason: It has none., names: [fusion.rrf]}\n", "utf-8")
    gate = step("Gate", adapter="reference", select="jeffs_brain/fusion/odd_ids", known=str(known), shard="1/2")
    assert gate.returncode == 1
    assert step("Report").returncode == 0
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
    assert step("Report").returncode == 0
    assert "no/such/case" in gate.stdout
    assert (runner / "github_step_summary").read_text("utf-8") == shown(said(gate))


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


def path_with(folder: Path, **versions: str) -> str:
    """A PATH with the system's small programs, and with tools that print these versions and do nothing else."""
    folder.mkdir()
    for name in ("bash", "sh", "cat", "tee", "env"):
        if found := shutil.which(name):
            (folder / name).symlink_to(found)
    for name, version in versions.items():
        (folder / name).write_text(f"#!/bin/sh\necho {version}\n", "utf-8")
        (folder / name).chmod(0o755)
    return str(folder)


def copy_of(folder: Path, files: Mapping[str, str]) -> str:
    """A working copy with these files; the path of its folder `sdk`."""
    for name, text in {"sdk/README.md": "", **files}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    return str(folder / "sdk")


BUN = {"bun.lock": "", "package.json": '{"packageManager": "bun@1.3.8"}'}


@pytest.mark.parametrize(
    ("adapter", "has", "files", "missing"),
    [
        ("ts", {}, None, "node=20\n"),
        ("ts@0.2.0", {}, None, "node=20\n"),
        ("ts", {"node": "v18.20.0", "npm": "10.2.0"}, None, "node=20\n"),
        ("ts", {"node": "v22.1.0", "npm": "10.2.0"}, None, ""),
        ("ts", {"node": "v22.1.0", "npm": "10.2.0"}, BUN, "bun=1.3.8\n"),
        ("ts", {}, BUN, "node=20\nbun=1.3.8\n"),
        ("ts", {"node": "v22.1.0", "npm": "10.2.0", "bun": "1.0.0"}, BUN, ""),
        ("ts", {"node": "v22.1.0", "npm": "10.2.0"}, {"sdk/package-lock.json": "", **BUN}, ""),
        ("ts", {"node": "v22.1.0", "npm": "10.2.0"}, {"sdk/.git": "", **BUN}, ""),
        ("go", {}, None, "go=~1.25\n"),
        ("go", {"go": "go version go1.24.9 linux/amd64"}, None, "go=~1.25\n"),
        ("go", {"go": "go version go1.25.3 linux/amd64"}, None, ""),
        ("go", {"go": "go version go1.25.3 linux/amd64"}, {"sdk/go.mod": "module m\n\ngo 1.26.1\n"}, "go=~1.26.1\n"),
        ("go", {}, {"sdk/go.mod": "module m\n\ngo 1.21\n"}, "go=~1.25\n"),
        ("python", {}, {"sdk/pyproject.toml": ""}, ""),
        ("reference", {}, None, ""),
        ("node adapter.mjs", {}, None, ""),
        ("mine=node adapter.mjs", {}, BUN, ""),
        ("no-such-adapter", {}, None, ""),
    ],
)
def test_the_tools_that_a_job_does_not_have(
    runner: Path, step: Step, adapter: str, has: dict[str, str], files: dict[str, str] | None, missing: str
) -> None:
    """Each tool that the adapter or its working copy needs is an output, unless PATH has one that is new enough."""
    sdk = copy_of(runner / "copy", files) if files is not None else ""
    found = step("Find missing tools", path=path_with(runner / "path", **has), adapter=adapter, sdk=sdk)
    assert (found.returncode, found.stderr) == (0, "")
    assert found.stdout == (runner / "github_output").read_text("utf-8") == missing


def test_a_working_copy_in_the_adapter_input_is_read(runner: Path, step: Step) -> None:
    """`NAME=DIR` names a working copy as the input `sdk` does."""
    sdk = copy_of(runner / "copy", {"sdk/go.mod": "module m\ngo 1.99.0\n"})
    step("Find missing tools", adapter=f"go@mine={sdk}")
    assert (runner / "github_output").read_text("utf-8") == "go=~1.99.0\n"


@pytest.mark.parametrize(
    "manager", ["bun@1.3.8\nnode=6", "bun@canary", "bun@https://a.example", "pnpm@9.0.0", "bun@../1.0.0", None, ["bun"]]
)
def test_a_working_copy_writes_no_output_but_a_version(runner: Path, step: Step, manager: object) -> None:
    """A version of another form in a stranger's working copy is never an output; the job gets the latest bun."""
    sdk = copy_of(runner / "copy", {"bun.lock": "", "package.json": json.dumps({"packageManager": manager})})
    path = path_with(runner / "path", node="v22.1.0", npm="10.2.0")
    assert step("Find missing tools", path=path, adapter="ts", sdk=sdk).stdout == "bun=latest\n"


@pytest.mark.parametrize("text", ["[" * 100_000, "{", "[]", "\ud800"])
def test_a_package_json_that_cannot_be_read_stops_no_job(runner: Path, step: Step, text: str) -> None:
    """The gate reports an unusable working copy; the step before it does not fail."""
    sdk = copy_of(runner / "copy", {"bun.lock": ""})
    (runner / "copy" / "package.json").write_bytes(text.encode("utf-8", "surrogatepass"))
    path = path_with(runner / "path", node="v22.1.0", npm="10.2.0")
    assert step("Find missing tools", path=path, adapter="ts", sdk=sdk).stdout == "bun=latest\n"


def test_code_of_the_working_copy_is_not_imported(runner: Path, step: Step, monkeypatch: pytest.MonkeyPatch) -> None:
    """Modules in the job's folder that have names of parity's own modules are not run, even with a PYTHONPATH."""
    monkeypatch.setenv("PYTHONPATH", str(runner))
    for name in ("json", "harness", "packaging", "sitecustomize"):
        (runner / f"{name}.py").write_text("open('owned', 'w')", "utf-8")
    assert step("Find missing tools", adapter="reference").returncode == 0
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


def test_a_gate_that_was_cut_short_is_told_in_the_summary(runner: Path, step: Step) -> None:
    """The table of a record without its footer stands in the summary though its report step fails."""
    assert step("Gate", adapter="reference", select="nexus/settings/defaults").returncode == 0
    record = runner / "parity-reports" / "run.jsonl"
    record.write_bytes(b"".join(record.read_bytes().splitlines(keepends=True)[:-1]))
    assert step("Report").returncode == 2
    assert "## gate: red (verdicts are missing)" in (runner / "github_step_summary").read_text("utf-8")


def test_an_input_is_never_a_command(runner: Path, step: Step) -> None:
    """Text of an input that a shell would run, or read as an option, stays one argument."""
    gate = step("Gate", adapter="reference", select='$(touch "$RUNNER_TEMP/owned"); touch owned', known="--corpus")
    assert gate.returncode == 2
    assert not list(runner.rglob("owned"))


def test_the_installed_parity_gates(tmp_path: Path, step: Step) -> None:
    """The install step makes a parity of its own out of the action's checkout, with the corpus in it."""
    install = step("Install parity")
    if install.returncode and "No matching distribution" in install.stderr:
        pytest.skip("no package index can be reached from here")
    assert install.returncode == 0, install.stderr
    assert (tmp_path / "parity" / "bin" / "parity").exists()
    assert step("Gate", adapter="reference", select="nexus/settings/defaults").returncode == 0
