"""A build is independent of the streams of the command that needs it."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from harness.transport.build import build
from harness.transport.manifest import BuildPlan, Manifest
from harness.transport.sandbox import Sandbox


class _Closed(io.StringIO):
    def write(self, text: str) -> int:  # noqa: ARG002
        raise BrokenPipeError


def test_a_closed_standard_error_does_not_end_a_build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The output of the steps is lost, and the adapter is built."""
    folder = tmp_path / "toy"
    folder.mkdir()
    (folder / "adapter.toml").write_text("", "utf-8")
    plan = BuildPlan(inputs=(), steps=(("sh", "-c", "echo on; touch built"),), environment=(), fixed={})
    manifest = Manifest("toy", folder, "sh", "toy 1.0", (), plan, None, ("sh",), ())
    monkeypatch.setattr(sys, "stderr", _Closed())
    with Sandbox() as sandbox:
        assert (build(manifest, tmp_path / "cache", sandbox) / "built").exists()
