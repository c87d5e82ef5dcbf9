"""The tools that the action installs: those that the adapter or its working copy needs and PATH does not have."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from harness.corpus.paths import cache
from tools.action_tools import main

Missing = Callable[..., str]


@pytest.fixture
def missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Missing:
    """The output for an adapter and a working copy, without its first line, on a PATH with tools that print these versions
    and do nothing else."""

    def printed(adapter: str, has: Mapping[str, str], sdk: str = "") -> str:
        (tmp_path / "path").mkdir()
        for name in ("sh", "env"):
            (tmp_path / "path" / name).symlink_to(str(shutil.which(name)))
        for name, version in has.items():
            (tmp_path / "path" / name).write_text(f"#!/bin/sh\necho {version}\n", "utf-8")
            (tmp_path / "path" / name).chmod(0o755)
        monkeypatch.setenv("PATH", str(tmp_path / "path"))
        main([adapter, sdk])
        first, _, rest = capsys.readouterr().out.partition("\n")
        assert first == f"cache={cache()}"
        return rest

    return printed


def copy_of(folder: Path, files: Mapping[str, str]) -> str:
    """A working copy with these files; the path of its folder `sdk`."""
    for name, text in {"sdk/README.md": "", **files}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    return str(folder / "sdk")


BUN = {"bun.lock": "", "package.json": '{"packageManager": "bun@1.3.8"}'}
NODE = {"node": "v22.1.0", "npm": "10.2.0"}


@pytest.mark.parametrize(
    ("adapter", "has", "files", "tools"),
    [
        ("ts", {}, None, "node=20\n"),
        ("ts@0.2.0", {}, None, "node=20\n"),
        ("ts", {"node": "v18.20.0", "npm": "10.2.0"}, None, "node=20\n"),
        ("ts", NODE, None, ""),
        ("ts", NODE, BUN, "bun=1.3.8\n"),
        ("ts", {}, BUN, "node=20\nbun=1.3.8\n"),
        ("ts", {**NODE, "bun": "1.0.0"}, BUN, ""),
        ("ts", NODE, {"sdk/package-lock.json": "", **BUN}, ""),
        ("ts", NODE, {"sdk/.git": "", **BUN}, ""),
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
    tmp_path: Path, missing: Missing, adapter: str, has: dict[str, str], files: dict[str, str] | None, tools: str
) -> None:
    """Each tool that the adapter or its working copy needs is printed, unless PATH has one that is new enough."""
    assert missing(adapter, has, copy_of(tmp_path / "copy", files) if files is not None else "") == tools


def test_a_working_copy_in_the_adapter_input_is_read(tmp_path: Path, missing: Missing) -> None:
    """`NAME=DIR` names a working copy as the input `sdk` does."""
    sdk = copy_of(tmp_path / "copy", {"sdk/go.mod": "module m\ngo 1.99.0\n"})
    assert missing(f"go@mine={sdk}", {}) == "go=~1.99.0\n"


@pytest.mark.parametrize(
    "manager", ["bun@1.3.8\nnode=6", "bun@canary", "bun@https://a.example", "pnpm@9.0.0", "bun@../1.0.0", None, ["bun"]]
)
def test_a_working_copy_writes_no_output_but_a_version(tmp_path: Path, missing: Missing, manager: object) -> None:
    """A version of another form in a stranger's working copy is never an output; the job gets the latest bun."""
    sdk = copy_of(tmp_path / "copy", {"bun.lock": "", "package.json": json.dumps({"packageManager": manager})})
    assert missing("ts", NODE, sdk) == "bun=latest\n"


@pytest.mark.parametrize("text", ["[" * 100_000, "{", "[]", "\ud800"])
def test_a_package_json_that_cannot_be_read_stops_no_job(tmp_path: Path, missing: Missing, text: str) -> None:
    """The gate reports an unusable working copy; the step before it does not fail."""
    sdk = copy_of(tmp_path / "copy", {"bun.lock": ""})
    (tmp_path / "copy" / "package.json").write_bytes(text.encode("utf-8", "surrogatepass"))
    assert missing("ts", NODE, sdk) == "bun=latest\n"
