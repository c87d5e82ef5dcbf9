"""Runs a Python program and writes the lines that it executed: `traced.py OUTPUT FOLDER PROGRAM ARGUMENT…`.

Only files below FOLDER count. OUTPUT is JSON, file → lines. It runs as a script of its own, without the harness.
"""

import json
import os
import runpy
import sys
from types import CodeType, FrameType
from typing import Any

executed: dict[str, set[int]] = {}


def is_counted(name: str, folder: str) -> bool:
    """Whether a file lies below the folder, and in no installed package."""
    return name.startswith(folder) and "site-packages" not in name and name != __file__


def start(folder: str) -> None:
    """Begins to note executed lines; Python 3.12 and newer do it almost without cost."""
    if sys.version_info >= (3, 12):
        monitoring: Any = sys.monitoring

        def on_line(code: CodeType, line: int) -> object:
            if is_counted(code.co_filename, folder):
                executed.setdefault(code.co_filename, set()).add(line)
            return monitoring.DISABLE

        monitoring.use_tool_id(monitoring.COVERAGE_ID, "parity")
        monitoring.register_callback(monitoring.COVERAGE_ID, monitoring.events.LINE, on_line)
        monitoring.set_events(monitoring.COVERAGE_ID, monitoring.events.LINE)
    else:
        sys.settrace(lambda frame, event, argument: _on_call(folder, frame, event, argument))


def _on_call(folder: str, frame: FrameType, event: str, argument: Any) -> Any:  # noqa: ARG001
    name = frame.f_code.co_filename
    if not is_counted(name, folder):
        return None
    lines = executed.setdefault(name, set())
    lines.add(frame.f_lineno)

    def on_line(frame: FrameType, event: str, argument: Any) -> Any:  # noqa: ARG001
        lines.add(frame.f_lineno)
        return on_line

    return on_line


if __name__ == "__main__":
    output, below, program, *arguments = sys.argv[1:]
    sys.argv = [program, *arguments]
    sys.path[0] = os.path.dirname(os.path.abspath(program))  # noqa: PTH100, PTH120
    start(below)
    try:
        runpy.run_path(program, run_name="__main__")
    finally:
        sys.settrace(None)
        with open(output, "w", encoding="utf-8") as file:  # noqa: PTH123
            json.dump({name: sorted(lines) for name, lines in executed.items()}, file)
