"""The shipped adapters over working copies: the published package unpacked, and stand-ins for what cannot be had here."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from driving import GO_MODULE, PYTHON_PACKAGE, lines, parity, verdicts

from harness.corpus.paths import shipped
from harness.transport.adapter_spec import AdapterSpec
from harness.transport.connect import try_connect
from harness.transport.manifest import shipped_manifests
from harness.transport.sandbox import Sandbox

pytestmark = pytest.mark.slow

SCRATCH = "--select=jeffs_brain/*"


def tool(name: str) -> None:
    if shutil.which(name) is None:
        pytest.skip(f"{name} is not on PATH")


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The published TypeScript package, unpacked in a folder of its own."""
    with Sandbox() as sandbox:
        reached = try_connect(AdapterSpec("ts"), shipped_manifests(shipped()), sandbox, ())
    if reached.connection is None:
        pytest.skip(f"the release cannot be had here: {reached.reason}")
    folder = tmp_path_factory.mktemp("published") / "memory"
    shutil.copytree(reached.connection.folder / "node_modules" / "@jeffs-brain" / "memory", folder)
    return folder


def built(folder: Path, record: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Judges a working copy of the TypeScript SDK; skipped where its dependencies cannot be had."""
    done = parity("run", "--adapter", "ts", "--sdk", folder, "--record", record, *arguments)
    if done.returncode == 3 and ("ENOTFOUND" in done.stderr or "EAI_AGAIN" in done.stderr):
        pytest.skip("the package's dependencies cannot be had here")
    return done


def test_the_published_package_unpacked_is_judged_as_the_release(published: Path, tmp_path: Path) -> None:
    """Every case has the same verdict and the same signature, and the record tells the two sources apart."""
    released, unpacked = tmp_path / "released.jsonl", tmp_path / "unpacked.jsonl"
    parity("run", "--adapter", "ts", "--record", released, SCRATCH)
    built(published, unpacked, SCRATCH)
    assert verdicts(unpacked) == verdicts(released)
    sources = [lines(record)[0]["implementations"][0]["source"] for record in (released, unpacked)]
    assert sources[0].startswith("npm ")
    assert sources[1] == "a working copy"


def test_an_export_that_has_moved_makes_its_operations_unsupported(published: Path, tmp_path: Path) -> None:
    """Without `sanitiseQuery` that operation has a reason and the others are judged."""
    folder = tmp_path / "memory"
    shutil.copytree(published, folder)
    index = folder / "dist" / "retrieval" / "index.js"
    index.write_text(index.read_text("utf-8").replace("sanitiseQuery", "sanitiseQuery as sanitizeQuery", 1), "utf-8")
    record = tmp_path / "run.jsonl"
    built(folder, record, "--select=operation:retry.*")
    found = verdicts(record)
    assert {found[case][0] for case in found if "/retry/sanitise/" in case} == {"unsupported"}
    assert {found[case][0] for case in found if "/retry/query_tokens/" in case} >= {"pass"}
    entry = lines(record)[0]["implementations"][0]
    assert "sanitiseQuery" in entry["unsupported"]["retry.sanitise"]


def package(folder: Path, build: str | None) -> Path:
    """A package of the SDK's name that has no dependencies, exports a file in dist, and may be able to build it."""
    (folder / "src").mkdir(parents=True)
    manifest = {
        "name": "@jeffs-brain/memory",
        "version": "9.9.9",
        "type": "module",
        "exports": {"./query": {"import": "./dist/query.js", "types": "./dist/query.d.ts"}},
        "files": ["dist"],
        "scripts": {"build": build, "prepack": "exit 9", "prebuild": "exit 9", "postbuild": "exit 9"} if build else {},
    }
    (folder / "package.json").write_text(json.dumps(manifest), "utf-8")
    (folder / "src" / "query.js").write_text("export const normalise = (query) => query.trim();\n", "utf-8")
    return folder


@pytest.fixture(scope="module")
def packing() -> None:
    tool("npm")


def pack(folder: Path, tmp_path: Path) -> subprocess.CompletedProcess[str]:
    """Runs the adapter's packing step alone, in the way of a build: over a copy, which may be written to."""
    work = tmp_path / "build"
    shutil.copytree(folder, work / "sdk")
    return subprocess.run(
        ["node", str(shipped() / "adapters" / "ts" / "pack_sdk.mjs"), "./sdk", "sdk.tgz"],
        cwd=work,
        env={**os.environ, "npm_config_cache": str(tmp_path / "npm"), "npm_config_update_notifier": "false"},
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )


@pytest.mark.usefixtures("packing")
class TestPacking:
    """What becomes of a package folder before it is installed."""

    def test_what_is_built_is_taken_as_it_is(self, tmp_path: Path) -> None:
        """With everything that is exported there, nothing is run, no script of the package either."""
        folder = package(tmp_path / "memory", build="exit 9")
        (folder / "dist").mkdir()
        (folder / "dist" / "query.js").write_text("export const normalise = 1;\n", "utf-8")
        done = pack(folder, tmp_path)
        assert (done.returncode, done.stdout) == (0, "packing @jeffs-brain/memory 9.9.9\n"), done.stderr
        assert (tmp_path / "build" / "sdk.tgz").exists()
        assert not (tmp_path / "build" / "sdk").exists()

    def test_what_is_not_built_is_built_by_its_own_script(self, tmp_path: Path) -> None:
        """The build script runs, and no other: neither prepack nor postbuild."""
        folder = package(tmp_path / "memory", build="mkdir -p dist && cp src/query.js dist/query.js")
        done = pack(folder, tmp_path)
        assert done.returncode == 0, done.stderr
        assert "building the working copy: ./dist/query.js is not there" in done.stdout
        assert not (folder / "dist").exists()

    def test_what_is_older_than_its_source_is_built_anew(self, tmp_path: Path) -> None:
        """Stale files are never judged in silence."""
        folder = package(tmp_path / "memory", build="cp src/query.js dist/query.js")
        (folder / "dist").mkdir()
        (folder / "dist" / "query.js").write_text("export const normalise = 1;\n", "utf-8")
        os.utime(folder / "dist" / "query.js", (1, 1))
        done = pack(folder, tmp_path)
        assert done.returncode == 0, done.stderr
        assert "building the working copy: src/query.js is newer than what was built of it" in done.stdout

    @pytest.mark.parametrize(
        ("build", "sentence"),
        [
            (None, "./dist/query.js is not there, and its package.json has no build script"),
            ("true", "its build script has run, and ./dist/query.js is still not there"),
            (
                "echo broken >&2; exit 3",
                "`npm run --ignore-scripts build` failed. Install what it needs, or build the working copy yourself",
            ),
        ],
    )
    def test_what_cannot_be_built_is_a_sentence(self, tmp_path: Path, build: str | None, sentence: str) -> None:
        """No stack trace: the last line says what is missing."""
        done = pack(package(tmp_path / "memory", build), tmp_path)
        assert done.returncode == 1
        assert done.stderr.splitlines()[-1] == f"pack_sdk: {sentence}"

    def test_a_lock_file_names_the_program(self, tmp_path: Path) -> None:
        """A workspace's lock file above the package decides, and a program that is not here is named."""
        folder = tmp_path / "repository" / "sdks" / "memory"
        package(folder, build="true")
        (tmp_path / "repository" / "bun.lock").touch()
        work = tmp_path / "build"
        shutil.copytree(tmp_path / "repository", work / "sdk")
        programs = tmp_path / "programs"
        programs.mkdir()
        (programs / "node").symlink_to(str(shutil.which("node")))
        done = subprocess.run(
            ["node", str(shipped() / "adapters" / "ts" / "pack_sdk.mjs"), "./sdk/sdks/memory", "sdk.tgz"],
            cwd=work,
            env={"PATH": str(programs)},
            capture_output=True,
            encoding="utf-8",
            timeout=60,
            check=False,
        )
        assert done.returncode == 1
        assert done.stderr.splitlines()[-1].startswith("pack_sdk: bun is not on PATH.")


def test_a_go_module_is_put_in_the_place_of_the_release(tmp_path: Path) -> None:
    """A stand-in of the same module path is compiled in and asked; nothing of it is written to."""
    tool("go")
    before = sorted((str(path), path.stat().st_mtime_ns) for path in GO_MODULE.rglob("*"))
    record = tmp_path / "run.jsonl"
    done = parity(
        "run", "--adapter", "go", "--sdk", GO_MODULE, "--record", record, "--select=operation:query.normalise"
    )
    entry = lines(record)[0]["implementations"][0]
    assert (entry["implementation"], entry["version"]) == ("github.com/jeffs-brain/memory/go", "working copy")
    assert entry["source"] == "a working copy"
    assert done.returncode in (0, 1), done.stderr
    assert "pass" in {verdict for verdict, *_ in verdicts(record).values()}
    assert sorted((str(path), path.stat().st_mtime_ns) for path in GO_MODULE.rglob("*")) == before


def test_a_go_module_without_a_name_says_which(tmp_path: Path) -> None:
    """What the compiler misses stands in the sentence, and the status is 3."""
    tool("go")
    folder = tmp_path / "go"
    shutil.copytree(GO_MODULE, folder)
    source = folder / "search" / "search.go"
    source.write_text(source.read_text("utf-8").replace("func BuildFTS5Expr(", "func BuildExpr("), "utf-8")
    done = parity("run", "--adapter", "go", "--sdk", folder, "--record", tmp_path / "r.jsonl", "--select=jeffs_brain/*")
    assert done.returncode == 3
    assert f"the working copy {folder} does not build: undefined: search.BuildFTS5Expr. `go build" in done.stderr


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The stand-in, in a checkout with the files that it reads beside its package."""
    root = tmp_path_factory.mktemp("python") / "memory"
    shutil.copytree(PYTHON_PACKAGE, root / "sdks" / "py", ignore=shutil.ignore_patterns("__pycache__"))
    (root / "spec").mkdir()
    for language in ("en", "nl"):
        (root / "spec" / f"{language}.txt").write_text(f"{language} only", "utf-8")
    for arguments in (["init", "-q"], ["add", "."]):
        subprocess.run(["git", *arguments], cwd=root, check=True, capture_output=True)
    record = root.parent / "run.jsonl"
    done = parity("run", "--adapter", "python", "--sdk", root / "sdks" / "py", "--record", record, SCRATCH)
    assert done.returncode == 1, done.stderr
    return record


class TestPython:
    """The Python adapter over the stand-in package."""

    def test_every_case_has_a_verdict_and_no_adapter_broke(self, record: Path) -> None:
        """The stand-in fails most cases, and that is all that goes wrong: no protocol error, crash or incident."""
        kinds = {line.get("kind") for line in lines(record) if line["type"] == "result"}
        assert kinds <= {None, "implementation"}
        assert [line for line in lines(record) if line["type"] == "incident"] == []
        assert lines(record)[-1]["type"] == "footer"

    def test_it_reads_what_lies_beside_its_package(self, record: Path) -> None:
        """The stop words of the checkout are the ones that it lists."""
        answers = {line["request"]["language"]: line["answer"] for line in self.of(record, "stopwords.list")}
        assert sorted(answers["en"]["answer"]["words"]) == ["en", "only"]
        assert sorted(answers["nl"]["answer"]["words"]) == ["nl", "only"]

    def test_operations_pass_where_the_stand_in_is_right(self, record: Path) -> None:
        """Each way of asking was tried: direct calls, a search's trace, a ranking, the whole pipeline."""
        right = {line["operation"] for line in lines(record) if line.get("verdict") == "pass"}
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
            "temporal.dateTokens",
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
