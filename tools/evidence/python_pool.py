"""Runs Python snippets and scripts, each in a namespace of its own with a time limit.

Reads `{limit, programs}` from standard input; a program is `{source}` or `{script, arguments}`. Writes `{printed, error}`
for each program, one a line: `printed` has the values of each `print`.
"""

from __future__ import annotations

import builtins
import json
import runpy
import signal
import sys
from collections.abc import Iterable
from types import FrameType


def plain(value: object) -> object:
    """A value that JSON lacks, as the nearest one that it has."""
    if isinstance(value, (set, frozenset)):
        return sorted(value)
    if isinstance(value, Iterable):
        return list(value)
    return float(value)  # type: ignore[arg-type]


def stopped(_signal: int, _frame: FrameType | None) -> None:
    raise TimeoutError


def run(program: dict[str, object]) -> dict[str, object]:
    """What one program prints, and the error that ended it."""
    printed: list[list[object]] = []

    def keep(*values: object, **_: object) -> None:
        printed.append(json.loads(json.dumps(values, default=plain)))

    original, builtins.print = builtins.print, keep  # type: ignore[assignment]
    error = None
    try:
        if "source" in program:
            exec(compile(str(program["source"]), "<evidence>", "exec"), {"__name__": "__main__"})
        else:
            arguments = program["arguments"]
            assert isinstance(arguments, list)
            sys.argv = [str(program["script"]), *arguments]
            runpy.run_path(str(program["script"]), run_name="__main__")
    except SystemExit as end:
        error = None if end.code in (None, 0) else f"exit status {end.code}"
    except BaseException as reason:
        error = f"{type(reason).__name__}: {reason}"
    finally:
        builtins.print = original
    return {"printed": printed, "error": error}


def main() -> None:
    work = json.load(sys.stdin)
    signal.signal(signal.SIGALRM, stopped)
    for program in work["programs"]:
        signal.alarm(work["limit"])
        result = run(program)
        signal.alarm(0)
        print(json.dumps(result), flush=True)


if __name__ == "__main__":
    main()
