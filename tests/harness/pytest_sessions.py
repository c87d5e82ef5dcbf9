"""What tests of `pytest cases/` have in common: a table of words to ask, and the numbers that a session ends with."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

TABLE = """\
suite: echo/words
operation: echo.say
cases:
  - id: said
    requirements: [ECHO-01]
    origin: spec-text
    table:
      columns: [id, request.text, answer.text]
      rows:
        - [before, before, before]
        - [guilty, guilty, guilty]
        - [after, after, after]
"""


def counts(session: subprocess.CompletedProcess[str]) -> dict[str, int]:
    """The numbers of pytest's last line: `{"passed": 3, "failed": 1}`."""
    (last,) = re.findall(r"^(?:=+ )?([^\n]*) in [\d.]+s", session.stdout, re.MULTILINE)
    return {words.split()[1].rstrip("s"): int(words.split()[0]) for words in last.split(", ")}


def write(corpus: Path, name: str, text: str) -> None:
    """Writes a file of the echo corpus."""
    (corpus / "cases" / "echo" / name).write_text(text, "utf-8")
