"""The folders and variables of a process that the harness starts; secrets of the caller do not reach it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping

from .temporary import TemporaryFolder


class Sandbox:
    """A temporary folder for the builds of one command, or for one process, with an empty home and a TMPDIR.

    A context manager, or call `close`; both remove the folder.
    """

    def __init__(self) -> None:
        self._temporary = TemporaryFolder()
        self._folder = self._temporary.path
        for name in ("home", "tmp"):
            (self._folder / name).mkdir()

    @property
    def folder(self) -> str:
        """The path of the folder."""
        return str(self._folder)

    @property
    def temporary(self) -> str:
        """The path of TMPDIR."""
        return str(self._folder / "tmp")

    def __enter__(self) -> Sandbox:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Removes the folder."""
        self._temporary.close()

    def variables(self, passed: Iterable[str], fixed: Mapping[str, str]) -> dict[str, str]:
        """The whole environment of a process: the plain set, the caller's variables `passed` by name, and `fixed`."""
        return {
            "PATH": os.environ.get("PATH", os.defpath),
            "HOME": str(self._folder / "home"),
            "TMPDIR": self.temporary,
            "LANG": "C.UTF-8",
            "TZ": "UTC",
            **{name: os.environ[name] for name in passed if name in os.environ},
            **fixed,
        }

    def sandboxed(self, environment: Mapping[str, str]) -> dict[str, str]:
        """The environment with this sandbox's HOME and TMPDIR; the caller's own HOME stays if it was passed by name."""
        own = {"HOME": str(self._folder / "home"), "TMPDIR": self.temporary}
        if environment.get("HOME") == os.environ.get("HOME", ""):
            del own["HOME"]
        return {**environment, **own}
