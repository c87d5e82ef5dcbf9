"""A result that its own line refutes: another program changed it.

A line lacks the rules of its operation: tolerances, lists without an order, places that are not compared. Where an answer
passed with another value than a number, the corpus of the run decides, if it is still there.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path

from ..compare.canonical import equality_text
from ..compare.json_diff import differences
from ..corpus.loader import load_corpus
from ..corpus.paths import shipped
from ..errors import ParityError
from ..model import Answered, Json, Operation, Raised, Response, ResultLine, RunMetadata, Verdict, is_generated


def check_result(line: ResultLine, leaves: int, causes: Collection[str]) -> None:
    """Raises `ValueError` for the first contradiction. `leaves` are those of the expected response, and `causes` those that
    the header names for the implementation."""
    if not 0 <= line.unobserved <= leaves:
        raise ValueError(f"unobserved: {line.unobserved} is not a number of leaves from 0 to {leaves}")
    if line.by_cause and not (line.charged and line.explained_by):
        raise ValueError("byCause: no cause explains the result, or it charges nothing")
    if (name := line.explained_by.listed) and name not in causes:
        raise ValueError(f"explainedBy.listed: the header has no cause {name} of {line.implementation}")
    response, expected = line.response, line.expected
    if response is None:
        return
    answered = isinstance(expected, Answered) and isinstance(response, Answered)
    match line.verdict:
        case Verdict.FAIL if not line.differences:
            raise ValueError("difference: the verdict is fail, and it has none")
        case Verdict.PASS if not answered and not _is_same(expected, response):
            raise ValueError("answer: the verdict is pass, and it is not the expected answer")
        case Verdict.FAIL | Verdict.VARIANT if _is_same(expected, response):
            raise ValueError(f"answer: the verdict is {line.verdict}, and it is the expected answer")


def _is_same(expected: Response, response: Response) -> bool:
    """Whether no rule makes the two differ."""
    if isinstance(expected, Answered) and isinstance(response, Answered):
        # The texts tell 1 from true, which Python does not.
        return expected.value == response.value and equality_text(expected.value) == equality_text(response.value)
    return isinstance(expected, Raised) and isinstance(response, Raised) and expected.type == response.type


def is_doubtful(line: ResultLine) -> bool:
    """Whether an answer passed with another value than the expected one. A disputed case can have free places, and a
    generated one has no expected answer but that of the reference."""
    expected, response = line.expected, line.response
    if line.verdict is not Verdict.PASS or line.ruling or line.unobserved or is_generated(line.case):
        return False
    return isinstance(expected, Answered) and isinstance(response, Answered) and _differ(expected.value, response.value)


def _differ(wanted: Json, got: Json) -> bool:
    """Whether two values differ in more than numbers, the order of lists, and members that only the second one has."""
    match wanted, got:
        case dict(), dict():
            return any(key not in got or _differ(value, got[key]) for key, value in wanted.items())
        case list(), list() if len(wanted) == len(got):
            other = any(map(_differ, wanted, got))
            return other and sorted(map(equality_text, wanted)) != sorted(map(equality_text, got))
        case (bool(), _) | (_, bool()):
            return wanted is not got
        case int() | float(), int() | float():
            return False
    return wanted != got


def operations_of(run: RunMetadata) -> Mapping[str, Operation]:
    """The operations of the corpus that the run was judged by; none if it is no longer there."""
    try:
        corpus = load_corpus(Path(run.options.corpus or shipped()))
    except (ParityError, OSError):
        return {}
    return corpus.operations if corpus.digest == run.corpus_digest else {}


def check_pass(line: ResultLine, operations: Mapping[str, Operation]) -> None:
    """Raises `ValueError` for a pass that is none by the rules of its operation."""
    expected, response, operation = line.expected, line.response, operations.get(line.operation)
    if operation and isinstance(expected, Answered) and isinstance(response, Answered):
        for part in differences(expected.value, response.value, operation.rules):
            raise ValueError(f"answer: the verdict is pass, and {part.path} is not as expected")
