"""The parts of the reference that a sample of requests reaches: branches and lines of functions, by coverage.py, and the
points of decision of rulings, which its readings mark."""

from __future__ import annotations

import json
import sys
import sysconfig
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from ..model import Case, Ruling
from ..transport.answer_under import AlternativesAdapter
from ..transport.connect import ProcessConnection
from ..transport.sync_client import RequestFailed, SyncClient
from ..transport.temporary import TemporaryFolder

_SECONDS = 60.0
_IN_FLIGHT = 32

Branch = tuple[int, int]
"""The line of a decision, and the line that follows it; a negative one stands for the end of the function."""


class Untouched(Struct, frozen=True):
    """Lines of a function that no request reached, all of them if `is_whole`; and the branches that no request took although
    it reached their decision."""

    file: str
    function: str
    lines: tuple[int, ...]
    branches: tuple[Branch, ...]
    is_whole: bool


class Reached(Struct, frozen=True):
    """How much of a program a sample of requests reached. Lines and branches are those of functions, in the modules with at
    least one executed function."""

    requests: int
    modules: int = 0
    lines: int = 0
    executed_lines: int = 0
    branches: int = 0
    executed_branches: int = 0
    untouched: tuple[Untouched, ...] = ()


class ReachedRulings(Struct, frozen=True):
    """The rulings whose points of decision in the reference a sample of requests reaches, of `rulings` in the operations of
    a campaign. `untouched` has the others, each with its requirements."""

    requests: int
    rulings: int
    untouched: tuple[tuple[str, tuple[str, ...]], ...]


def reached_rulings(
    source: AlternativesAdapter, cases: Sequence[Case], rulings: Mapping[str, Ruling]
) -> ReachedRulings | None:
    """What the requests of the cases reach of these rulings; None if the source answers nothing."""
    accepted = source.accepted()
    if accepted is None:
        return None
    wanted = {name for name, _ in accepted} & rulings.keys()
    found: set[str] = set()
    for case in cases:
        if found >= wanted:
            break
        if (effects := source.effects(case)) is not None:
            found.update(ruling for ruling, _ in effects.reached)
    untouched = tuple((name, rulings[name].requirements) for name in sorted(wanted - found))
    return ReachedRulings(len(cases), len(wanted), untouched)


def reached(connection: ProcessConnection, root: Path, requests: Mapping[str, Sequence[str]]) -> Reached | None:
    """What the requests, JSON by operation, reach in the Python files below `root` that an adapter uses, without its own
    folder; None if the adapter is no Python program, or breaks."""
    if connection.command[0] != sys.executable:
        return None
    libraries = Path(sysconfig.get_path("purelib"))
    omitted = [connection.folder, *([libraries] if libraries.is_relative_to(root) else [])]
    with TemporaryFolder() as folder:
        data = Path(folder, "coverage.sqlite")
        options = ["--branch", f"--data-file={data}", f"--include={root}/*"]
        options.append("--omit=" + ",".join(f"{folder}/*" for folder in omitted))
        command = (sys.executable, "-m", "coverage", "run", *options, *connection.command[1:])
        traced = ProcessConnection(command, connection.folder, connection.environment)
        try:
            with SyncClient(traced.start(())) as client:
                client.initialize("")
                for operation, params in requests.items():
                    client.call_all(operation, params, _IN_FLIGHT, _SECONDS)
                client.close(_SECONDS)
            files = _report(data, Path(folder, "report.json"))
        except (RequestFailed, OSError, ValueError):
            return None
    return _summary(files, root, sum(map(len, requests.values())))


def _report(data: Path, output: Path) -> Mapping[str, Any]:
    """The files of coverage.py's JSON report."""
    from coverage import Coverage
    from coverage.exceptions import CoverageException

    try:
        measured = Coverage(data_file=data, config_file=False)
        measured.load()
        measured.json_report(outfile=str(output), ignore_errors=True)
    except CoverageException as error:  # nothing was measured
        raise ValueError(str(error)) from None
    files: Mapping[str, Any] = json.loads(output.read_text("utf-8"))["files"]
    return files


def _summary(files: Mapping[str, Any], root: Path, requests: int) -> Reached:
    untouched: list[Untouched] = []
    modules = 0
    counts = [0, 0, 0, 0]
    for name in sorted(files):
        functions = {key: function for key, function in files[name]["functions"].items() if key}
        if not any(function["executed_lines"] for function in functions.values()):
            continue  # imported and not used: other systems, and the switches that are off
        modules += 1
        for function in functions.values():
            parts = ("executed_lines", "missing_lines", "executed_branches", "missing_branches")
            counts = [count + len(function[part]) for count, part in zip(counts, parts, strict=True)]
        untouched += _untouched((Path.cwd() / name).relative_to(root).as_posix(), functions)
    executed, missing, taken, not_taken = counts
    return Reached(requests, modules, executed + missing, executed, taken + not_taken, taken, tuple(untouched))


def _untouched(file: str, functions: Mapping[str, Any]) -> Iterator[Untouched]:
    for name, function in functions.items():
        missed = function["missing_lines"]
        reached_lines = set(function["executed_lines"])
        branches = tuple((start, end) for start, end in function["missing_branches"] if start in reached_lines)
        if missed or branches:
            yield Untouched(file, name, tuple(missed), branches, is_whole=not reached_lines)
