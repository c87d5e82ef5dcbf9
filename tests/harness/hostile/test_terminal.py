"""Nothing that an implementation says can steer the terminal that a report is shown on."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

WAYS = {
    "names": "\\x1b[2J",
    "answers": "\\u001b[2J",
    "keys": "\\u001b[2J",
    "raises": "\\x1b[2J",
    "refuses": "\\x1b[2J",
    "invents-types": "\\x1b[2J",
    "babbles": "\\x1b[2J",
    "dies-loudly": "\\x1b[2J",
    "dies-loudly-at-once": "\\x1b[2J",
    "dies-loudly-at-the-end": "\\x1b[2J",
}


@pytest.mark.parametrize(("way", "shown"), WAYS.items(), ids=WAYS)
def test_control_characters_are_shown_and_not_obeyed(
    echo_corpus: Path, run_parity: Callable, adapter_command: Callable, way: str, shown: str
) -> None:
    """Escape sequences in names, reasons, answers, errors and standard error come out as visible escapes."""
    done = run_parity("run", "--corpus", echo_corpus, "--adapter", f"fake={adapter_command('tells.py', way)}")
    output = done.stdout + done.stderr
    assert shown in output
    assert {unicodedata.category(c) for c in output if c != "\n"}.isdisjoint({"Cc", "Cf", "Cs", "Zl", "Zp"})
    assert done.returncode < 4


def test_a_label_cannot_steer_either(echo_corpus: Path, run_parity: Callable) -> None:
    """What is wrong with the name of an adapter is said without obeying it."""
    done = run_parity("run", "--corpus", echo_corpus, "--adapter", "label=./\x1b[2Jnothing\x07")
    assert "\x1b" not in done.stdout + done.stderr
    assert "\x07" not in done.stdout + done.stderr
    assert done.returncode == 3
