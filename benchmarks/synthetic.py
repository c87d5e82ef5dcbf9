"""Corpora of any size for an echo: the answer to each request is the request itself."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

CASES_A_SUITE = 200
FIRST_CASE = "echo/suite-00000/case-0"

_REQUIREMENTS = """\
system: echo
revision: "1.0"
requirements:
  - {id: ECHO-01, level: MUST, document: echo, section: Echo, statement: The request comes back., observable: true}
"""
_VALUE = {
    "type": "object",
    "properties": {"text": {"type": "string"}, "items": {"type": "array"}},
    "additionalProperties": False,
}
_SCHEMA = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "Echo",
    "$defs": {"request": _VALUE, "answer": _VALUE, "error": {"enum": ["unclassified"]}},
}


def texts(folder: Path, cases: int) -> Path:
    """Writes a corpus of short texts; returns its folder."""
    return _write(folder, cases, lambda number: json.dumps({"text": f"text {number}"}))


def lists(folder: Path, cases: int, items: Sequence[object]) -> Path:
    """Writes a corpus with the same long list in every case; returns its folder."""
    text = json.dumps({"items": list(items)})
    return _write(folder, cases, lambda _: text)


def _write(folder: Path, cases: int, request: Callable[[int], str]) -> Path:
    system, schemas = folder / "cases/echo", folder / "schemas/echo"
    system.mkdir(parents=True)
    schemas.mkdir(parents=True)
    (system / "requirements.yaml").write_text(_REQUIREMENTS)
    (schemas / "echo.repeat.json").write_text(json.dumps(_SCHEMA))
    for suite, first in enumerate(range(0, cases, CASES_A_SUITE)):
        numbers = range(first, min(cases, first + CASES_A_SUITE))
        with (system / f"suite-{suite:05}.yaml").open("w") as file:
            file.writelines(_suite(f"suite-{suite:05}", numbers, request))
    return folder


def _suite(name: str, numbers: range, request: Callable[[int], str]) -> Iterator[str]:
    yield f"suite: echo/{name}\noperation: echo.repeat\ncases:\n"
    for number in numbers:
        value = request(number)
        yield (
            f"  - id: case-{number}\n    requirements: [ECHO-01]\n    origin: spec-text\n"
            f"    request: {value}\n    answer: {value}\n"
        )
