"""The signature of a failure: what it depends on, and what it leaves out of a message."""

from __future__ import annotations

import hashlib
import re
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_canonical import VALUES, _turned

from harness.compare.error_text import normalised
from harness.compare.json_diff import differences
from harness.compare.verdict import error_signature, signature
from harness.model import (
    ABSENT,
    Breach,
    BreachCode,
    BreakContext,
    Crash,
    Difference,
    ErrorCause,
    ImplementationError,
    StartFailure,
    TimedOut,
    replace,
)


class TestSignature:
    @settings(deadline=None)
    @given(VALUES, VALUES, st.randoms(use_true_random=False))
    def test_a_signature_knows_no_order(self, wanted: Any, got: Any, random: Any) -> None:
        """Neither the order of members nor that of the differences changes a signature."""
        difference = list(differences(wanted, got))
        turned = list(differences(_turned(wanted), _turned(got)))
        random.shuffle(turned)
        assert signature(turned) == signature(difference)

    @pytest.mark.parametrize(
        "rows",
        [
            [("$.a", 1, 2)],
            [("$.b", 1, 3)],
            [("$.a", 3, 1)],
            [("$.a", 1, ABSENT)],
            [("$.a", ABSENT, 1)],
            [("$.a", 1, None)],
            [("$.a", 1, "2")],
            [("$.a", True, 2)],
            [("$.a", 1, 2), ("$.b", 1, 2)],
            [],
        ],
    )
    def test_another_failure_has_another_signature(self, rows: list[tuple[str, Any, Any]]) -> None:
        """Path, wanted and got all count; absent is not null."""
        base = signature([Difference("$.a", 1, 3)])
        assert signature([Difference(*row) for row in rows]) != base

    def test_the_form_of_a_signature(self) -> None:
        """It is SHA-256 over the sorted rows as RFC 8785 writes them, the first twelve hex digits."""
        rows = [Difference("$.b", "é", ABSENT), Difference("$.a", 1.0, [None, {"d": 1, "c": 2}])]
        text = '[["$.a",1,[null,{"c":2,"d":1}]],["$.b","é",{"absent":true}]]'
        assert signature(rows) == hashlib.sha256(text.encode()).hexdigest()[:12]

    def test_the_page_shows_true_signatures(self) -> None:
        """The commands in docs/known-divergences.md print the signatures below them; the first is computed here too."""
        page = (Path(__file__).resolve().parents[3] / "docs" / "known-divergences.md").read_text("utf-8")
        shown = re.findall(r"^    \$ printf '%s' '(.*)' \| sha256sum \| cut -c1-12\n    (\w+)$", page, re.MULTILINE)
        assert [hashlib.sha256(text.encode()).hexdigest()[:12] for text, _ in shown] == [one for _, one in shown]
        rows = [Difference("$.trace.reranked", True, ABSENT), Difference("$.results[2].id", "b", "c")]
        assert len(shown) >= 2
        assert shown[0][1] == signature(rows)
        breach = Breach(BreachCode.WRONG_TYPE, "$.results[2].id")
        assert shown[1][1] == error_signature(breach)

    @pytest.mark.parametrize(
        ("cause", "text"),
        [
            (Breach(BreachCode.WRONG_TYPE, "$.a[2]", "string", "3"), '["protocol","wrong-type","$.a[2]"]'),
            (Breach(BreachCode.NOT_JSON, found="'hello'"), '["protocol","not-json",""]'),
            (ImplementationError("bad", "no key 'x' at 0x1f in /tmp/a"), '["implementation","bad","no key at in"]'),
            (Crash(3), '["crash",3]'),
            (Crash(signal="SIGSEGV", partial_line=7), '["crash","SIGSEGV"]'),
            (Crash(), '["crash","closed-output"]'),
            (TimedOut(10), '["timeout"]'),
            (StartFailure(Crash(1)), '["start"]'),
        ],
    )
    def test_the_form_of_an_error_signature(self, cause: ErrorCause, text: str) -> None:
        """It covers the code and path of a breach, the type and normalised message of an error, the signal or status."""
        assert error_signature(cause) == hashlib.sha256(text.encode()).hexdigest()[:12]

    @pytest.mark.parametrize("code", BreachCode)
    def test_two_breaches_never_share_a_signature(self, code: BreachCode) -> None:
        """Every pair of codes has two signatures, at the same path."""
        same = [
            one for one in BreachCode if error_signature(Breach(one, "$.a")) == error_signature(Breach(code, "$.a"))
        ]
        assert same == [code]

    def test_a_breach_at_another_path_has_another_signature(self) -> None:
        """The path counts; expected, found and context do not."""
        base = Breach(BreachCode.WRONG_TYPE, "$.a", "string", "3")
        assert error_signature(base) != error_signature(replace(base, path="$.b"))
        other = replace(base, found="4", context=BreakContext(last_answered="x/y/z"))
        assert error_signature(base) == error_signature(other)

    def test_another_panic_has_another_signature(self) -> None:
        """The message counts, without digits, addresses, paths and quoted values."""
        panics = (
            "index out of range [3] with length 2",
            "nil pointer dereference at 0xc000012",
            'unknown column "a" in /home/a/b.go:12',
        )
        again = (
            "index out of range [14] with length 9",
            "nil pointer dereference at 0xc000fff",
            'unknown column "bc" in /srv/b.go:7',
        )
        signatures = [error_signature(ImplementationError("unclassified", text)) for text in panics]
        assert len({*signatures}) == 3
        assert [error_signature(ImplementationError("unclassified", text)) for text in again] == signatures


class TestNormalisedMessages:
    @pytest.mark.parametrize(
        ("message", "normal"),
        [
            ("", ""),
            ("can't find 'it'", "can't find"),
            ("a `b` “c” ‘d’ «e» f", "a f"),
            ('near "x": at C:\\a\\b.c', "near : at"),
            ("commit 0123abcd9 of deadbeef", "commit of deadbeef"),
            ("line 1\n\tline 2", "line line"),
        ],
    )
    def test_variable_parts_are_removed(self, message: str, normal: str) -> None:
        """Quoted values, paths, addresses and digits are removed, and white space is folded."""
        assert normalised(message) == normal

    @pytest.mark.parametrize("unit", ["a", "1", "a1", ".", "a:", "a/", "'a", '"a', "“"])
    def test_a_long_message_takes_linear_time(self, unit: str) -> None:
        """A message of a million characters takes seconds at most; quadratic time would be hours."""
        message = unit * (1_000_000 // len(unit))
        start = time.process_time()
        normalised(message)
        assert time.process_time() - start < 10
