"""KnownDivergences-divergence files as they are read: what is wrong in one, and what the shipped ones hold."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.corpus.known_divergences_file import FILE_NAME, load_known
from harness.corpus.paths import shipped
from harness.errors import CorpusError

BROKEN = {
    "no-mapping": ("- one\n", ":1", "holds a list"),
    "unknown-key": ("divergence: []\n", ":1", "Did you mean divergences?"),
    "blank-reason": ("divergences:\n  - reason: ' '\n    cases: {a/b: \"111111111111\"}\n", ":2", "reason is blank"),
    "blank-reason-of-an-operation": ('unsupported:\n  echo.say: "\\t"\n', ":2", "echo.say is blank"),
    "todo-behind-a-blank": ("unsupported:\n  echo.say: ' TODO'\n", ":2", "TODO"),
    "no-cases": (
        "divergences:\n  - reason: r\n    cases:\n",
        ":3",
        "explains no case.\n  Delete the whole entry, or list",
    ),
    "no-cases-at-all": ("divergences:\n  - reason: r\n", ":2", "Delete the whole entry, or list"),
    "no-reason": ("divergences:\n  - cases: {}\n", ":2", "reason is missing"),
    "todo": ('divergences:\n  - reason: todo later\n    cases: {echo/said/word: "111111111111"}\n', ":2", "TODO"),
    "todo-unsupported": ("unsupported:\n  echo.say: TODO\n", ":2", "TODO"),
    "number-for-a-signature": (
        "divergences:\n  - reason: r\n    cases:\n      a/b: 111111111111\n",
        ":4",
        "no signature of 12 hex digits",
    ),
    "no-signature": ("divergences:\n  - reason: r\n    cases:\n      a/b: []\n", ":4", "no signature"),
    "no-date": (
        'divergences:\n  - reason: r\n    expires: 20261121\n    cases: {a/b: "111111111111"}\n',
        ":3",
        "expires",
    ),
    "twice": (
        'divergences:\n  - reason: r\n    cases: {a/b: "111111111111"}\nunsupported:\n  a/b: mute\n',
        ":5",
        "a/b is explained at",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_file_is_refused_with_its_place(tmp_path: Path, name: str) -> None:
    """A mistake in the file is told with its line and what to do."""
    text, line, told = BROKEN[name]
    file = tmp_path / "known.yaml"
    file.write_text(text, "utf-8")
    with pytest.raises(CorpusError) as caught:
        load_known(file)
    assert f"{file}{line}\n" in str(caught.value)
    assert told in str(caught.value)


def test_shipped_files_say_when_and_why() -> None:
    """Each entry of a shipped file has a sentence for its reason and the day since when it is known."""
    for path in (shipped() / "adapters").glob(f"*/{FILE_NAME}"):
        known = load_known(path)
        assert known.divergences
        for one in known.divergences:
            assert one.since
            assert one.reason.endswith(".")
        assert all(reason.endswith(".") for reason in known.unsupported.values())
