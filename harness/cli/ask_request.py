"""The request of `parity ask`: read from the command line, a file, a case or standard input, and checked."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path
from typing import BinaryIO

from ..compare.canonical import compact
from ..compare.error_text import breach_finding, breach_remedy
from ..corpus.checker import Checker
from ..corpus.loader import Corpus
from ..errors import ProtocolViolation, UsageError, one_line
from ..model import Answered, BreachCode, Case, Json, JsonObject, Operation, replace
from ..protocol import read_message
from .find_case import find

_CASE = "@case:"
_MAX_BYTES = 16 << 20

Environment = tuple[tuple[str, str], ...]


def read_request(given: str, operation: Operation, corpus: Corpus, checker: Checker) -> tuple[JsonObject, Environment]:
    """The request that the argument names, and the environment of its case if it is one. Raises `UsageError`."""
    environment: Environment = ()
    if given.startswith(_CASE):
        case = find(given.removeprefix(_CASE), corpus)
        value: Json = case.request
        environment, source = case.environment, case.name
    elif given == "-":
        source = "standard input"
        value = _parsed(_bounded(sys.stdin.buffer, source), source, operation, corpus)
    elif given.startswith("@"):
        source = one_line(given[1:])
        value = _parsed(_file(given[1:]), source, operation, corpus)
    else:
        source = "REQUEST"
        value = _parsed(given.encode("utf-8", "surrogateescape"), source, operation, corpus)
    if not isinstance(value, dict):
        raise UsageError(f"{source}: the request is not a JSON object. {_types_command(operation)}")
    if breach := checker.request_error(operation, value):
        raise UsageError(
            f"{source}: the request breaks its schema at {breach_finding(breach)} {breach_remedy(breach)} "
            f"{_types_command(operation)}"
        )
    return value, environment


def _types_command(operation: Operation) -> str:
    return f"`parity schema {operation.name}` prints its members."


def _bounded(file: BinaryIO, source: str) -> bytes:
    found = file.read(_MAX_BYTES + 1)
    if len(found) > _MAX_BYTES:
        raise UsageError(f"{source}: a request has at most {_MAX_BYTES >> 20} MiB. Give a smaller one.")
    return found


def _file(path: str) -> bytes:
    try:
        with Path(path).open("rb") as file:
            return _bounded(file, f"@{one_line(path)}")
    except OSError as error:
        remedy = "Write the path of a JSON file after the @."
        raise UsageError(f"@{one_line(path)}: the file cannot be read: {error.strerror}. {remedy}") from None
    except ValueError:
        raise UsageError(f"@{one_line(path)}: this is not a path. Write the path of a JSON file after the @.") from None


def _parsed(text: bytes, source: str, operation: Operation, corpus: Corpus) -> Json:
    """The JSON value; a lone surrogate is refused, because no request may hold one."""
    try:
        value = read_message(text.strip())
    except ProtocolViolation as violation:
        breach = violation.breach
        if breach.code is BreachCode.NOT_JSON:
            raise UsageError(_not_json(text.decode("utf-8"), source, operation, corpus)) from None
        located = replace(breach, path=f"${breach.path.removeprefix('reply')}")
        raise UsageError(f"{source}: {breach_finding(located)}") from None
    try:
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        message = "the request has half of a surrogate pair, which no request may have. Write the whole character."
        raise UsageError(f"{source}: {message}") from None
    return value


def _not_json(text: str, source: str, operation: Operation, corpus: Corpus) -> str:
    """The message about a text that is no JSON: the place, and a command with a request of a case."""
    why = "it is empty"
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        if text.strip():
            why = f"{error.msg}, line {error.lineno}, column {error.colno}, in {one_line(text.strip())}"
    form = example(operation, corpus)
    hint = f" Example: parity ask {operation.name} {shlex.quote(form)}" if form else ""
    return f"{source}: the request is not JSON: {why}.{hint}"


def example(operation: Operation, corpus: Corpus) -> str:
    """A short request of the operation's cases as JSON, a worked example if there is one; empty without a case."""
    cases = [case for case in corpus.cases if case.operation == operation.name]
    return min((_rank(case) for case in cases), default=(0, ""))[-1]


def _rank(case: Case) -> tuple[bool, bool, bool, bool, int, str]:
    text = compact(case.request)
    is_empty = any(blank in text for blank in ('""', '" ', '"\t', "[]", "{}"))
    return (
        not isinstance(case.expected, Answered),
        "\\u" in text or "\\t" in text or "\\n" in text or "'" in text,
        is_empty,
        case.origin != "spec-example",
        len(text),
        text,
    )
