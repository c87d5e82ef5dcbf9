"""The Python adapter over working copies: stand-ins for the package."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from driving import PYTHON_PACKAGE, lines, parity

pytestmark = pytest.mark.slow

SCRATCH = "--select=jeffs_brain/*"


@pytest.fixture(autouse=True, scope="module")
def no_explanations() -> Iterator[None]:
    """No failure is searched for the readings behind it: no test here is about them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("harness.compare.attribution.MAX_SEARCHED", 0)
        yield


@pytest.fixture(scope="module")
def in_a_checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The stand-in, in a checkout with the files that it reads beside its package."""
    root = tmp_path_factory.mktemp("python") / "memory"
    shutil.copytree(PYTHON_PACKAGE, root / "sdks" / "py", ignore=shutil.ignore_patterns("__pycache__"))
    (root / "spec").mkdir()
    for language in ("en", "nl"):
        (root / "spec" / f"{language}.txt").write_text(f"{language} only", "utf-8")
    for arguments in (["init", "-q"], ["add", "."]):
        subprocess.run(["git", *arguments], cwd=root, check=True, capture_output=True)
    return root / "sdks" / "py"


@pytest.fixture(scope="module")
def record(in_a_checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The record of the stand-in over a twentieth of the cases of each operation."""
    record = tmp_path_factory.mktemp("record") / "run.jsonl"
    done = parity("run", "--adapter", "python", "--sdk", in_a_checkout, "--record", record, SCRATCH, "--shard=1/20")
    assert done.returncode == 1, done.stderr
    return record


@pytest.fixture(scope="module")
def small(in_a_checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The record of the stand-in over all cases of two operations that have few."""
    record = tmp_path_factory.mktemp("small") / "run.jsonl"
    selections = [f"--select=operation:{name}" for name in ("stopwords.list", "rerank.documentText")]
    parity("run", "--adapter", "python", "--sdk", in_a_checkout, "--record", record, *selections)
    return record


class TestPython:
    """The Python adapter over the stand-in package."""

    def test_every_case_has_a_verdict_and_no_adapter_broke(self, record: Path) -> None:
        """The stand-in fails most cases, and that is all that goes wrong: no protocol error, crash or incident."""
        kinds = {line.get("kind") for line in lines(record) if line["type"] == "result"}
        assert kinds <= {None, "implementation"}
        assert [line for line in lines(record) if line["type"] == "incident"] == []
        assert lines(record)[-1]["type"] == "footer"

    def test_it_reads_what_lies_beside_its_package(self, small: Path) -> None:
        """The stop words of the checkout are the ones that it lists."""
        answers = {line["request"]["language"]: line["answer"] for line in self.of(small, "stopwords.list")}
        assert sorted(answers["en"]["answer"]["words"]) == ["en", "only"]
        assert sorted(answers["nl"]["answer"]["words"]) == ["nl", "only"]

    def test_operations_pass_where_the_stand_in_is_right(self, record: Path, small: Path) -> None:
        """Each way of asking was tried: direct calls, a search's trace, a ranking, the whole pipeline."""
        right = {line["operation"] for line in lines(record) + lines(small) if line.get("verdict") == "pass"}
        assert right >= {
            "fusion.rrf",
            "intent.detect",
            "intent.matches",
            "intent.multiplier",
            "intent.reweight",
            "query.compile",
            "query.expandAliases",
            "query.normalise",
            "query.parse",
            "query.pipeline",
            "rerank.apply",
            "rerank.documentText",
            "rerank.unanimity",
            "retrieval.search",
            "retry.queryTokens",
            "retry.sanitise",
            "retry.strongestTerm",
            "temporal.augment",
            "temporal.expand",
            "temporal.parseDate",
            "trigram.grams",
            "trigram.jaccard",
            "trigram.search",
            "trigram.slugText",
        }

    def test_calls_are_recorded(self, record: Path) -> None:
        """A search tells what its parts were asked, in the contract's words."""
        answers = [line.get("answer", {}).get("answer") for line in self.of(record, "retrieval.search")]
        calls = [answer["calls"] for answer in answers if answer]
        assert {call["to"] for each in calls for call in each} == {"bm25", "embed", "vector", "rerank"}

    @staticmethod
    def of(record: Path, operation: str) -> list[dict[str, Any]]:
        return [line for line in lines(record) if line.get("operation") == operation]


def stand_in(folder: Path) -> Path:
    """A copy of the stand-in package that may be changed."""
    shutil.copytree(PYTHON_PACKAGE, folder, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def test_a_python_surface_that_has_moved(tmp_path: Path) -> None:
    """A renamed function, a parameter more, a result of another type, a module that ends the process when it is imported:
    each costs its own operations."""
    folder = stand_in(tmp_path / "py")
    package = folder / "src" / "jeffs_brain_memory"
    retrieval = package / "retrieval" / "__init__.py"
    text = retrieval.read_text("utf-8").replace("def sanitise_query(", "def sanitize_query(")
    text = text.replace("sanitise_query(", "sanitize_query(").replace(
        "def strongest_term(q: str)", "def strongest_term(q: str, n: int)"
    )
    text = text.replace("def slug_text_for(p: str) -> str:", "def slug_text_for(p: str) -> set[str]:\n    return {p}")
    retrieval.write_text(text, "utf-8")
    (package / "search" / "__init__.py").write_text("raise SystemExit('no SQLite here')\n", "utf-8")
    record = tmp_path / "run.jsonl"
    selections = [f"--select=operation:{glob}" for glob in ("retry.*", "query.parse", "trigram.slugText")]
    parity("run", "--adapter", "python", "--sdk", folder, "--record", record, *selections)
    entry, found = lines(record)[0]["implementations"][0], [line for line in lines(record) if line["type"] == "result"]
    broken = "`jeffs_brain_memory.search` does not load: SystemExit: no SQLite here"
    assert entry["unsupported"]["retry.sanitise"] == "the SDK exports no `jeffs_brain_memory.retrieval.sanitise_query`"
    assert entry["unsupported"]["query.parse"] == broken
    slugs = {(line["verdict"], line["kind"]) for line in found if line["operation"] == "trigram.slugText"}
    assert slugs == {("error", "implementation")}
    reasons = {line["reason"] for line in found if line["operation"] == "retry.strongestTerm"}
    assert reasons == {"the SDK's `strongest_term` has other parameters: missing a required argument: 'n'"}
    assert "pass" in {line["verdict"] for line in found if line["operation"] == "retry.queryTokens"}


def test_a_python_package_that_does_not_load(tmp_path: Path) -> None:
    """The run says which module is missing, and the status is 3."""
    folder = stand_in(tmp_path / "py")
    (folder / "src" / "jeffs_brain_memory" / "__init__.py").write_text("import not_there\n", "utf-8")
    done = parity("run", "--adapter", "python", "--sdk", folder, "--record", tmp_path / "r.jsonl", SCRATCH)
    assert done.returncode == 3
    fault = "`jeffs_brain_memory.search` does not load: ModuleNotFoundError: No module named 'not_there'"
    assert fault in done.stdout + done.stderr


def test_a_dependency_that_cannot_be_had(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is named in the sentence, and the status is 3."""
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.delenv("PIP_FIND_LINKS", raising=False)
    folder = stand_in(tmp_path / "py")
    project = folder / "pyproject.toml"
    text = project.read_text("utf-8").replace("[build-system]", 'dependencies = ["pygit2>=1.15"]\n\n[build-system]')
    project.write_text(text, "utf-8")
    done = parity("run", "--adapter", "python", "--sdk", folder, "--record", tmp_path / "r.jsonl", SCRATCH)
    assert done.returncode == 3
    wanted = f"the working copy {folder} does not build: Could not find a version that satisfies the requirement pygit2"
    assert wanted in done.stderr


def test_the_repository_instead_of_the_python_package(tmp_path: Path) -> None:
    """Its package is named, and not the other Python project in it."""
    for name, at in (("jeffs-brain-memory-mcp", "mcp/py"), ("jeffs-brain-memory", "sdks/py")):
        (tmp_path / at).mkdir(parents=True)
        (tmp_path / at / "pyproject.toml").write_text(f'[project]\nname = "{name}"\n', "utf-8")
    done = parity("run", "--adapter", "python", "--sdk", tmp_path, "--record", tmp_path / "r.jsonl", SCRATCH)
    assert done.returncode == 3
    assert f"it has no pyproject.toml. Did you mean {tmp_path / 'sdks' / 'py'}?" in done.stderr


def test_a_probe_takes_a_working_copy(tmp_path: Path) -> None:
    """An adapter without a release is probed with `--sdk`, and the next command has the option too."""
    folder = stand_in(tmp_path / "py")
    done = parity("probe", "python", "--sdk", folder)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1] == f"next: parity run --adapter python --sdk {folder}"
