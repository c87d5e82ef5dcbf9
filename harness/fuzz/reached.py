"""The parts of the reference that a sample of requests reaches: lines of functions, and the functions left untouched."""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import CodeType

from ..transport.connect import ProcessConnection
from ..transport.sync_client import RequestFailed, SyncClient

_SECONDS = 60.0
_IN_FLIGHT = 32


@dataclass(frozen=True, slots=True)
class Untouched:
    """Lines of a function that no request reached; all of them if `is_whole`."""

    file: str
    function: str
    lines: tuple[int, ...]
    is_whole: bool


@dataclass(frozen=True, slots=True)
class Reached:
    """How much of a program a sample of requests reached. `lines` and `executed` count lines of functions, in the modules
    with at least one executed function."""

    requests: int
    modules: int
    lines: int
    executed: int
    untouched: tuple[Untouched, ...]


def reached(connection: ProcessConnection, root: Path, requests: Mapping[str, Sequence[str]]) -> Reached | None:
    """What the requests, JSON by operation, reach in the Python files below `root` that an adapter uses, without its own
    folder; None if the adapter is no Python program, or breaks."""
    if connection.command[0] != sys.executable:
        return None
    with tempfile.TemporaryDirectory(prefix="parity-") as folder:
        output = Path(folder, "lines.json")
        command = (sys.executable, str(Path(__file__).with_name("traced.py")), str(output), str(root))
        traced = ProcessConnection((*command, *connection.command[1:]), connection.folder, connection.environment)
        try:
            with SyncClient(traced.start(())) as client:
                client.initialize("")
                for operation, params in requests.items():
                    client.call_all(operation, params, _IN_FLIGHT, _SECONDS)
                client.close(_SECONDS)
            lines = json.loads(output.read_text("utf-8"))
        except (RequestFailed, OSError, ValueError):
            return None
    files = {Path(name): set(found) for name, found in lines.items()}
    own = {path: found for path, found in files.items() if not path.is_relative_to(connection.folder)}
    return _summary(own, root, sum(map(len, requests.values())))


def _summary(executed: Mapping[Path, set[int]], root: Path, requests: int) -> Reached:
    untouched: list[Untouched] = []
    modules = total = hit = 0
    for path in sorted(executed):
        functions = [(name, lines) for name, lines in _functions(path) if lines]
        if not any(lines & executed[path] for _, lines in functions):
            continue  # imported and not used: other systems, and the switches that are off
        modules += 1
        for name, lines in functions:
            missed = lines - executed[path]
            total, hit = total + len(lines), hit + len(lines) - len(missed)
            if missed:
                shown = path.relative_to(root).as_posix()
                untouched.append(Untouched(shown, name, tuple(sorted(missed)), missed == lines))
    untouched.sort(key=lambda one: (one.file, one.lines))
    return Reached(requests, modules, total, hit, tuple(untouched))


def _functions(path: Path) -> Iterator[tuple[str, set[int]]]:
    """The functions of a Python file with the lines of their bodies; what runs at the import does not count."""
    try:
        code = compile(path.read_text("utf-8"), str(path), "exec")
    except (OSError, SyntaxError, ValueError):
        return
    waiting = [(code, "", False)]
    while waiting:
        own, prefix, is_function = waiting.pop()
        if is_function:
            first = own.co_firstlineno
            yield prefix, {line for _, _, line in own.co_lines() if line is not None and line != first}
        for constant in own.co_consts:
            if isinstance(constant, CodeType):
                name = f"{prefix}.{constant.co_name}".removeprefix(".")
                waiting.append((constant, name, _is_function(constant, own)))


def _is_function(code: CodeType, parent: CodeType) -> bool:
    """Whether it is the code of a function, not of a class body or of a comprehension or lambda at the import."""
    is_optimised = bool(code.co_flags & 0x01)  # CO_OPTIMIZED: functions, not class bodies
    return is_optimised and not (code.co_name.startswith("<") and parent.co_name == "<module>")
