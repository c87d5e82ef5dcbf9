"""The workflows, the hooks and the action: they parse, and name targets, versions and files that exist."""

from __future__ import annotations

import re
import subprocess
import textwrap
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[1]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]


def load(path: Path) -> dict[str, Any]:
    """The content of a YAML file. YAML 1.1 reads the key `on` as true."""
    content: dict[Any, Any] = yaml.safe_load(path.read_text("utf-8"))
    return {"on" if key is True else key: value for key, value in content.items()}


def steps(path: Path) -> Iterator[dict[str, Any]]:
    """Every step of every job of a workflow."""
    for job in load(path)["jobs"].values():
        yield from job["steps"]


def matrices(path: Path, key: str) -> list[list[str]]:
    """The values of one key in every matrix of a workflow."""
    jobs = load(path)["jobs"].values()
    found = [job["strategy"]["matrix"] for job in jobs if "strategy" in job]
    return [matrix[key] for matrix in found if key in matrix]


def targets() -> set[str]:
    """The targets of the Makefile."""
    return set(re.findall(r"^([a-z][a-z-]*):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_a_workflow_has_the_parts_that_a_runner_needs(path: Path) -> None:
    """Each has a name, a trigger, read-only permissions, and jobs with a time limit."""
    workflow = load(path)
    assert workflow.keys() >= {"name", "on", "permissions", "jobs"}
    assert workflow["permissions"] == {"contents": "read"}
    assert [name for name, job in workflow["jobs"].items() if not job.get("timeout-minutes")] == []


def test_the_workflows_are_here() -> None:
    """The tests above look at something."""
    assert [path.name for path in WORKFLOWS] == ["ci.yml", "release.yml", "site.yml"]


@pytest.mark.parametrize("path", [*WORKFLOWS, *PAGES], ids=lambda path: path.name)
def test_every_make_target_exists(path: Path) -> None:
    """`make TARGET` in a workflow or on a page is a target of the Makefile."""
    named = re.findall(r"(?:^ {4}|run: |`)make ([a-z][a-z-]*)", path.read_text("utf-8"), re.MULTILINE)
    assert set(named) <= targets()


@pytest.mark.parametrize("path", [one for one in WORKFLOWS if one.stem != "site"], ids=lambda path: path.stem)
def test_the_python_versions_are_the_supported_ones(path: Path) -> None:
    """Each matrix has the versions of the classifiers, and the oldest of them is that of requires-python."""
    supported = [one.split(" :: ")[-1] for one in PROJECT["classifiers"] if re.search(r":: 3\.\d+$", one)]
    assert matrices(path, "python") == [supported]
    assert PROJECT["requires-python"] == f">={supported[0]}"


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_foreign_actions_are_pinned_by_major_version(path: Path) -> None:
    """An action is this repository's own, or has a major version."""
    used = [step["uses"] for step in steps(path) if "uses" in step]
    assert used
    assert [name for name in used if name != "./" and not re.fullmatch(r"[\w-]+/[\w-]+@v\d+", name)] == []


def test_the_action_is_used_with_inputs_that_it_has() -> None:
    """The workflow that uses the action of this repository gives it its own inputs, and reads its own outputs."""
    action = load(ROOT / "action.yml")
    used = [step for step in steps(ROOT / ".github/workflows/ci.yml") if step.get("uses") == "./"]
    assert used
    assert [name for step in used for name in step["with"] if name not in action["inputs"]] == []
    read = re.findall(r"steps\.parity\.outputs\.(\w+)", (ROOT / ".github/workflows/ci.yml").read_text("utf-8"))
    assert set(read) == set(action["outputs"])


def test_the_documented_workflow_is_whole() -> None:
    """It has all that a runner needs, a pinned parity, the history for a base, no token on the disk, and known inputs."""
    page = (ROOT / "docs" / "gating-in-ci.md").read_text("utf-8")
    [block] = re.findall(r"(?<=\n\n)    name: parity\n(?:(?:    .*)?\n)+", page)
    workflow = yaml.safe_load(textwrap.dedent(block))
    assert workflow.keys() == {"name", True, "permissions", "jobs"}
    assert workflow[True].keys() == {"pull_request", "push"}
    [job] = workflow["jobs"].values()
    assert job["timeout-minutes"]
    assert job["permissions"] == {**workflow["permissions"], "pull-requests": "write"}
    mine, parity, gate = job["steps"]
    assert mine["with"]["fetch-depth"] == 0
    assert parity["with"]["ref"]
    assert gate["uses"] == f"./{parity['with']['path']}"
    assert [step["with"]["persist-credentials"] for step in (mine, parity)] == [False, False]
    inputs = load(ROOT / "action.yml")["inputs"]
    assert gate["with"].keys() <= inputs.keys()
    rows = re.findall(
        r"^\| (`[a-z].*?`) \|", page[page.index("| input |") : page.index("The output `record`")], re.MULTILINE
    )
    assert {name for row in rows for name in re.findall(r"`([a-z-]+)`", row)} == {*inputs}


def test_every_adapter_of_the_action_job_is_shipped() -> None:
    """The job that uses the action names folders of adapters/."""
    [adapters] = matrices(ROOT / ".github/workflows/ci.yml", "adapter")
    assert [name for name in adapters if not (ROOT / "adapters" / name / "adapter.toml").is_file()] == []


def test_every_script_of_a_workflow_has_its_values_as_variables() -> None:
    """No expression stands inside a script."""
    scripts = [step["run"] for path in WORKFLOWS for step in steps(path) if "run" in step]
    assert [script for script in scripts if "${{" in script] == []


def test_the_hooks_run_tools_of_make_check() -> None:
    """Each hook's tool is also run by `make check`, and its script exists."""
    makefile = (ROOT / "Makefile").read_text("utf-8")
    config = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text("utf-8"))
    hooks = [hook for repo in config["repos"] for hook in repo["hooks"]]
    assert {repo["repo"] for repo in config["repos"]} == {"local"}
    for hook in hooks:
        tool, *arguments = hook["entry"].split()
        scripts = [one for one in arguments if one.endswith(".py")]
        assert [one for one in [*scripts, f"$(BIN)/{Path(tool).name}"] if one not in makefile] == [], hook["id"]
        assert [one for one in scripts if not (ROOT / one).is_file()] == []


def test_setup_and_run_end_with_the_command_that_puts_parity_on_the_path() -> None:
    """`make setup` and `make run` end with the line that activates the environment; the quick start has it too."""
    line = "To put parity on your PATH: . .venv/bin/activate"
    for target in ("setup", "run"):
        command = ["make", "--no-print-directory", "--dry-run", target]
        shown = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
        assert line in shown.stdout.splitlines()[-1]
    assert "    . .venv/bin/activate" in (ROOT / "README.md").read_text("utf-8").split("\n- ")[0]


def test_the_licence_is_in_the_metadata() -> None:
    """The metadata names the licence and its file, which has the copyright line."""
    assert (PROJECT["license"], PROJECT["license-files"]) == ("Apache-2.0", ["LICENSE"])
    text = (ROOT / "LICENSE").read_text("utf-8")
    assert "Apache License" in text
    assert "Copyright 2026 The parity authors" in text
