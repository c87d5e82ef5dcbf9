"""Verdicts, and what each of them means for a case. `harness.report.verdict_looks` says how each one looks."""

from __future__ import annotations

from collections import Counter
from enum import StrEnum


class Verdict(StrEnum):
    """Verdict on one case for one implementation."""

    PASS = "pass"
    VARIANT = "variant"
    FAIL = "fail"
    ERROR = "error"
    UNSUPPORTED = "unsupported"


class ErrorKind(StrEnum):
    """Cause of a verdict `error`."""

    CRASH = "crash"
    TIMEOUT = "timeout"
    PROTOCOL = "protocol"
    IMPLEMENTATION = "implementation"
    START = "start"


EXPECTED = frozenset({Verdict.PASS})
"""The verdicts on the expected answer."""
PASSING = EXPECTED | {Verdict.VARIANT}
"""The verdicts on an answer that a reading of the text gives."""
COMPARED = PASSING | {Verdict.FAIL}
"""The verdicts on a response that was compared with the expected one."""
FAILING = frozenset({Verdict.FAIL, Verdict.ERROR})
"""The verdicts that make a run's exit status 1."""
UNTESTED = frozenset({*Verdict} - COMPARED - FAILING)
"""The verdicts on a case that an implementation does not take; no share counts them."""


def supported(counts: Counter[Verdict]) -> int:
    """Number of supported cases."""
    return counts.total() - sum(counts[verdict] for verdict in UNTESTED)


def failing(counts: Counter[Verdict]) -> int:
    """Number of failing cases."""
    return sum(counts[verdict] for verdict in FAILING)
