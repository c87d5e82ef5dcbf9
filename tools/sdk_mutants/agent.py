"""Runs a Python adapter in its own process, with a change of its SDK or with a record of the lines that a request executes.

    python agent.py change MODULE TEXT SCRIPT …    the module at this path has the text of the file TEXT
    python agent.py record SDK FOLDER PACKAGES SCRIPT …

`record` measures the modules below SDK with `coverage`, which lies in PACKAGES, and writes its data into FOLDER. The adapter
has to read its requests from `sys.stdin`, line by line, and to answer one before it reads the next.
"""

from __future__ import annotations

import atexit
import functools
import hashlib
import io
import json
import resource
import runpy
import sys
from collections.abc import Callable
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType
from typing import Any

DATA = "lines"
"""How the names of coverage's data files begin; each process writes one."""

_BYTES = 2 << 30


def request_key(method: object, params: object) -> str:
    """The name of a request among the measured contexts; equal requests share it."""
    text = json.dumps([method, params], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _change(module: str, text: str) -> None:
    """Lets the import of the module at this path compile another text; no file of the SDK changes."""
    resource.setrlimit(resource.RLIMIT_AS, (_BYTES, _BYTES))
    place, original = Path(module), SourceFileLoader.get_code

    def get_code(loader: SourceFileLoader, name: str) -> CodeType | None:
        if Path(loader.path).resolve() == place:
            return compile(Path(text).read_bytes(), module, "exec", dont_inherit=True)
        return original(loader, name)

    setattr(SourceFileLoader, "get_code", get_code)  # noqa: B010  # mypy knows the method as one of the class above


def _record(sdk: str, folder: str, packages: str) -> None:
    """Measures the lines of the SDK, each request in a context of its own."""
    sys.path.append(packages)
    from coverage import Coverage

    sys.path.remove(packages)  # the SDK sees its own environment alone
    coverage = Coverage(f"{folder}/{DATA}", data_suffix=True, include=[f"{sdk}/*"], config_file=False)
    coverage.start()

    def end() -> None:
        coverage.stop()
        coverage.save()

    def begin(line: bytes) -> None:
        for cached in _caches(sdk, len(sys.modules)):
            cached.cache_clear()  # so that each request executes the lines that it needs
        coverage.switch_context(_key_of(line))

    atexit.register(end)
    sys.stdin = io.TextIOWrapper(_Requests(begin), encoding="utf-8")


def _key_of(line: bytes) -> str:
    try:
        message = json.loads(line)
        return request_key(message["method"], message.get("params"))
    except (ValueError, TypeError, KeyError):
        return ""


@functools.cache
def _caches(sdk: str, _: int) -> list[functools._lru_cache_wrapper[Any]]:
    """The cached functions of the SDK's modules; the number of modules tells whether others were imported meanwhile."""
    modules = [module for module in [*sys.modules.values()] if (getattr(module, "__file__", "") or "").startswith(sdk)]
    values = (value for module in modules for value in vars(module).values())
    return [value for value in values if isinstance(value, functools._lru_cache_wrapper)]


class _Requests(io.BufferedReader):
    """Standard input, which tells of each line that it gives."""

    def __init__(self, begin: Callable[[bytes], None]) -> None:
        super().__init__(io.FileIO(0, closefd=False))
        self._begin = begin

    def readline(self, size: int | None = -1, /) -> bytes:
        line = super().readline(size)
        self._begin(line)
        return line

    def read1(self, _: int = -1, /) -> bytes:
        return self.readline()

    def __next__(self) -> bytes:
        if line := self.readline():
            return line
        raise StopIteration


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["change", module, text, *words]:
            _change(module, text)
        case ["record", sdk, folder, packages, *words]:
            _record(sdk, folder, packages)
    sys.argv = words
    sys.path[0] = str(Path(sys.argv[0]).resolve().parent)
    runpy.run_path(sys.argv[0], run_name="__main__")
