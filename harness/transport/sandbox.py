"""What a process started by the harness sees of its sandbox: next to nothing, so that it can leak nothing."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import TracebackType


class Sandbox:
    """A folder of its own for the builds of one command, or for one process, with an empty home and a place for
    temporary files.

    To be used as a context manager, or closed; what lies in the folder is removed at the end.
    """

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="parity-"))
        for name in ("home", "tmp"):
            (self._folder / name).mkdir()

    @property
    def temporary(self) -> str:
        """The place for temporary files."""
        return str(self._folder / "tmp")

    def __enter__(self) -> Sandbox:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Removes the folder."""
        remove(self._folder)

    def variables(self, passed: Iterable[str], fixed: Mapping[str, str]) -> dict[str, str]:
        """The whole environment of a process: the plain set, the caller's variables `passed` by name, those `fixed`."""
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
        """The same environment for a process that lives here; the caller's home is kept, for it was passed by name."""
        own = {"HOME": str(self._folder / "home"), "TMPDIR": self.temporary}
        if environment.get("HOME") == os.environ.get("HOME", ""):
            del own["HOME"]
        return {**environment, **own}


def remove(folder: Path) -> None:
    """Removes the folder with all that it holds, however deep; what cannot be removed stays."""
    with contextlib.suppress(RecursionError):
        shutil.rmtree(folder, ignore_errors=True)
    if os.path.lexists(folder):  # deeper than Python's own way goes, or a link in the folder's place
        with contextlib.suppress(OSError):
            subprocess.run(["rm", "-rf", "--", folder], stderr=subprocess.DEVNULL, start_new_session=True, check=False)
