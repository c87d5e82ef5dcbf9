"""A build is independent of the streams of the command that needs it."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from harness.errors import AdapterUnavailable
from harness.transport.build import build
from harness.transport.manifest import BuildPlan, Manifest, StartPlan
from harness.transport.sandbox import Sandbox


class _Closed(io.StringIO):
    def write(self, text: str) -> int:  # noqa: ARG002
        raise BrokenPipeError


def toy(tmp_path: Path, script: str) -> Manifest:
    """A manifest whose build is this shell script."""
    folder = tmp_path / "toy"
    folder.mkdir()
    (folder / "adapter.toml").write_text("", "utf-8")
    plan = BuildPlan(inputs=(), fetch=(), steps=(("sh", "-c", script),), environment=(), fixed={})
    return Manifest("toy", "sh", "toy 1.0", StartPlan(("sh",)), build=plan, folder=folder)


def test_a_closed_standard_error_does_not_end_a_build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The output of the steps is lost, and the adapter is built."""
    manifest = toy(tmp_path, "echo on; touch built")
    monkeypatch.setattr(sys, "stderr", _Closed())
    with Sandbox() as sandbox:
        assert (build(manifest, tmp_path / "cache", sandbox) / "built").exists()


def test_a_reason_that_a_compiler_repeats_is_kept_once(tmp_path: Path) -> None:
    """Lines that differ only in their place in a source file are one line of the log."""
    manifest = toy(tmp_path, "printf 'a.go:1:2: forbidden\\n  why\\nb.go:3:4: forbidden\\n  why\\n'; exit 1")
    with Sandbox() as sandbox, pytest.raises(AdapterUnavailable) as failed:
        build(manifest, tmp_path / "cache", sandbox)
    assert failed.value.log == "a.go:1:2: forbidden\n  why\n"
