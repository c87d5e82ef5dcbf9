"""The shipped adapters over working copies: the published package unpacked, and stand-ins for what cannot be had here."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from driving import GO_MODULE, lines, parity, verdicts

from harness.corpus.paths import cache, shipped
from harness.transport.adapter_spec import AdapterSpec
from harness.transport.build import build
from harness.transport.connect import try_connect
from harness.transport.manifest import shipped_manifests
from harness.transport.sandbox import Sandbox
from harness.transport.working_copy import inspect_working_copy

pytestmark = pytest.mark.slow

SCRATCH = "--select=jeffs_brain/*"


def tool(name: str) -> None:
    if shutil.which(name) is None:
        pytest.skip(f"{name} is not on PATH")


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The published TypeScript package, unpacked in a folder of its own."""
    with Sandbox() as sandbox:
        manifests = shipped_manifests(shipped())
        reached = try_connect(AdapterSpec("ts"), manifests, sandbox, ())
        folder = build(manifests["ts"], cache(), sandbox) if reached.connection else Path()
    if reached.connection is None:
        pytest.skip(f"the release cannot be had here: {reached.reason}")
    copy = tmp_path_factory.mktemp("published") / "memory"
    shutil.copytree(folder / "node_modules" / "@jeffs-brain" / "memory", copy)
    return copy


def built(folder: Path, record: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Judges a working copy of the TypeScript SDK; skipped where its dependencies cannot be had."""
    done = parity("run", "--adapter", "ts", "--sdk", folder, "--record", record, *arguments)
    if done.returncode == 3 and ("ENOTFOUND" in done.stderr or "EAI_AGAIN" in done.stderr):
        pytest.skip("the package's dependencies cannot be had here")
    return done


def test_the_published_package_unpacked_is_judged_as_the_release(published: Path, tmp_path: Path) -> None:
    """Every case of a fortieth has the same verdict and the same signature, and the record tells the two sources apart."""
    released, unpacked = tmp_path / "released.jsonl", tmp_path / "unpacked.jsonl"
    parity("run", "--adapter", "ts", "--record", released, SCRATCH, "--shard=1/40")
    built(published, unpacked, SCRATCH, "--shard=1/40")
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
                "`npm run --ignore-scripts build` failed. No lock file lies in the folder or above it; a member of a "
                "workspace builds only inside a copy of the whole workspace. Name the folder inside such a copy, or build "
                "the working copy yourself",
            ),
        ],
    )
    def test_what_cannot_be_built_is_a_sentence(self, tmp_path: Path, build: str | None, sentence: str) -> None:
        """No stack trace: the last line says what is missing."""
        done = pack(package(tmp_path / "memory", build), tmp_path)
        assert done.returncode == 1
        assert done.stderr.splitlines()[-1] == f"pack_sdk: {sentence}"

    @pytest.mark.parametrize(
        ("lock", "sentence"),
        [
            (
                "bun.lock",
                "bun is not on PATH, and bun.lock needs it. Install bun (https://bun.sh, or `npm install --global bun "
                "--allow-scripts=bun`), or build the working copy yourself",
            ),
            (
                "pnpm-lock.yaml",
                "pnpm is not on PATH, and pnpm-lock.yaml needs it. Install pnpm (https://pnpm.io, or `npm install "
                "--global pnpm`), or build the working copy yourself",
            ),
        ],
    )
    def test_a_lock_file_names_the_program(self, tmp_path: Path, lock: str, sentence: str) -> None:
        """A workspace's lock file above the package decides, and a missing program is named with its source."""
        folder = tmp_path / "repository" / "sdks" / "memory"
        package(folder, build="true")
        (tmp_path / "repository" / lock).touch()
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
        assert done.stderr.splitlines()[-1] == f"pack_sdk: {sentence}"


def test_a_package_that_the_registry_does_not_serve_is_named() -> None:
    """The error lines of bun and npm reach the message of the failed build."""
    plan = shipped_manifests(shipped())["ts"].sdk
    assert plan is not None
    assert plan.missing_symbol is not None
    output = """\
error: failed to download @x/y@0.6.3: 404 Not Found
546 packages installed
npm error 404 Not Found - GET https://localhost/@x%2fy
npm error 404  The requested resource '@x/y@^0.6.3' could not be found
src/a.ts(1,2): error TS2304: Cannot find name 'b'.
pack_sdk: `bun install` failed. Read its output above
"""
    assert plan.missing_symbol.findall(output) == [
        "failed to download @x/y@0.6.3: 404 Not Found",
        "The requested resource '@x/y@^0.6.3' could not be found",
        "`bun install` failed. Read its output above",
    ]


def workspace(root: Path, workspaces: Any) -> Path:
    """A member of a JavaScript workspace without git: its lock file and settings lie in the root."""
    (root / "node_modules" / "tool").mkdir(parents=True)
    for name in ("bun.lock", "tsconfig.base.json", "node_modules/tool/index.js"):
        (root / name).write_text("{}\n", "utf-8")
    (root / "package.json").write_text(json.dumps({"private": True, "workspaces": workspaces}), "utf-8")
    package(root / "sdks" / "ts" / "other", build=None)
    return package(root / "sdks" / "ts" / "memory", build="true")


@pytest.mark.parametrize("workspaces", [["install", "sdks/ts/*"], {"packages": ["./sdks/ts/memory/"]}])
def test_a_copy_without_git_keeps_its_workspace(tmp_path: Path, workspaces: Any) -> None:
    """The root that lists the folder among its members is copied whole, without installed dependencies."""
    folder = workspace(tmp_path / "memory", workspaces)
    copy = inspect_working_copy(shipped_manifests(shipped())["ts"], folder)
    inside = copy.copy(tmp_path / "copy")
    assert (copy.root, copy.revision) == (tmp_path / "memory", "")
    assert inside == tmp_path / "copy" / "sdks" / "ts" / "memory"
    copied = {path.relative_to(tmp_path / "copy").as_posix() for path in (tmp_path / "copy").rglob("*.*")}
    assert copied == {
        "bun.lock",
        "package.json",
        "tsconfig.base.json",
        *(f"sdks/ts/{name}/{file}" for name in ("memory", "other") for file in ("package.json", "src/query.js")),
    }


@pytest.mark.parametrize("workspaces", [None, [], ["mcp/*"], "sdks/ts/*", {"packages": 1}, [1]])
def test_a_folder_above_that_is_no_workspace_of_it(tmp_path: Path, workspaces: Any) -> None:
    """A package.json above that does not list the folder is not its root: only the folder is copied."""
    folder = workspace(tmp_path / "memory", workspaces)
    assert inspect_working_copy(shipped_manifests(shipped())["ts"], folder).root == folder


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
