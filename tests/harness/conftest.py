"""A made-up system of two operations, and the commands to run on it."""

from __future__ import annotations

import json
import subprocess
from functools import partial
from pathlib import Path

import pytest
from commands import Parity, Session, parity, parity_process, session, session_process

_TEXT = {"type": "object", "additionalProperties": False, "properties": {"text": {"type": "string"}}}
_SCHEMA = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "$defs": {
        "request": {**_TEXT, "required": ["text"]},
        "answer": {**_TEXT, "required": ["text"]},
        "error": {"enum": ["unclassified", "empty", "forbidden"]},
    },
}
_REQUIREMENTS = """\
system: echo
revision: "1.0"
requirements:
  - {id: ECHO-01, level: MUST, document: echo, section: Saying, statement: What is said comes back., observable: true}
  - {id: ECHO-02, level: MUST, document: echo, section: Shouting, statement: A shout comes back loud., observable: true}
"""
_SAID = """\
suite: echo/said
operation: echo.say
cases:
  - {id: word, requirements: [ECHO-01], origin: spec-text, request: {text: hello}, answer: {text: hello}}
  - {id: nothing, requirements: [ECHO-01], origin: spec-text, request: {text: ""}, answer: {text: ""}}
"""
_SHOUTED = """\
suite: echo/shouted
operation: echo.shout
cases:
  - {id: word, requirements: [ECHO-02], origin: spec-text, request: {text: hello}, answer: {text: HELLO}}
  - id: nothing
    requirements: [ECHO-02]
    origin: spec-text
    negative: true
    request: {text: ""}
    error: {type: empty}
"""


@pytest.fixture
def echo_corpus(tmp_path: Path) -> Path:
    """A corpus folder: `echo.say` gives a text back, `echo.shout` in capitals, refusing an empty one as `empty`."""
    folder = tmp_path / "corpus"
    cases, schemas = folder / "cases" / "echo", folder / "schemas" / "echo"
    cases.mkdir(parents=True)
    schemas.mkdir(parents=True)
    for name in ("echo.say", "echo.shout"):
        (schemas / f"{name}.json").write_text(json.dumps({"title": name, **_SCHEMA}), "utf-8")
    (cases / "requirements.yaml").write_text(_REQUIREMENTS, "utf-8")
    (cases / "said.yaml").write_text(_SAID, "utf-8")
    (cases / "shouted.yaml").write_text(_SHOUTED, "utf-8")
    return folder


@pytest.fixture
def here(tmp_path: Path) -> Path:
    """An empty folder, in which the commands run."""
    folder = tmp_path / "here"
    folder.mkdir()
    return folder


@pytest.fixture
def run_parity(here: Path) -> Parity:
    """Runs `parity` with these arguments from an empty folder, in this process."""
    return partial(parity, folder=here)


@pytest.fixture
def run_parity_process(here: Path) -> Parity:
    """The same in a process of its own."""
    return partial(parity_process, folder=here)


@pytest.fixture
def run_pytest(echo_corpus: Path) -> Session:
    """Runs `pytest` with these arguments in the corpus' folder; with workers, in a process of its own."""

    def run(*arguments: str, folder: Path = echo_corpus) -> subprocess.CompletedProcess[str]:
        run_session = session_process if "-n" in arguments else session
        return run_session(*arguments, folder=folder)

    return run
