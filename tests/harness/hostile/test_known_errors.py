"""A gate that knows one error of a case: every other error of the same case is new."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

WORDS = ["one", "guilty"]


@pytest.fixture
def gate(
    echo_corpus: Path, run_parity: Callable, adapter_command: Callable, say: Callable, tmp_path: Path
) -> Callable[[str], int]:
    """The exit status of a gate that knows the error `wrong-type`, by the way in which the adapter breaks."""
    known = tmp_path / "known.yaml"
    say(WORDS)

    def run(way: str, *options: object) -> int:
        adapter = f"fake={adapter_command('guilty.py', way)}"
        status: int = run_parity("gate", "--corpus", echo_corpus, "--adapter", adapter, *options).returncode
        return status

    run("wrong-type", "--write-known", known)
    known.write_text(known.read_text("utf-8").replace("reason: TODO", "reason: The text is a number."), "utf-8")
    return lambda way: run(way, "--known", known)


@pytest.mark.slow
def test_another_breach_of_a_known_case_is_new(gate: Callable[[str], int]) -> None:
    """The known breach is green; an unexpected member, NaN, duplicate keys and text on standard output are red."""
    assert gate("wrong-type") == 0
    assert {way: gate(way) for way in ("further-member", "nan", "duplicate-keys", "banner", "exits-with-3")} == {
        "further-member": 1,
        "nan": 1,
        "duplicate-keys": 1,
        "banner": 1,
        "exits-with-3": 1,
    }
