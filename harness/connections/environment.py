"""What a process started by the harness sees of its surroundings: next to nothing, so that it can leak nothing."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import TracebackType


class Surroundings:
    """A folder of its own for one command of the harness, with an empty home and a place for temporary files.

    To be used as a context manager; what lies in the folder is removed at the end.
    """

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="parity-"))
        for name in ("home", "tmp"):
            (self._folder / name).mkdir()

    def __enter__(self) -> Surroundings:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)

    def variables(self, passed: Iterable[str], fixed: Mapping[str, str]) -> dict[str, str]:
        """The whole environment of a process: the plain set, the caller's variables `passed` by name, those `fixed`."""
        return {
            "PATH": os.environ.get("PATH", os.defpath),
            "HOME": str(self._folder / "home"),
            "TMPDIR": str(self._folder / "tmp"),
            "LANG": "C.UTF-8",
            "TZ": "UTC",
            **{name: os.environ[name] for name in passed if name in os.environ},
            **fixed,
        }
