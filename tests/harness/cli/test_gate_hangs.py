"""A gate waits one second for a case that its file knows as a hang."""

from __future__ import annotations

from pathlib import Path

from gating import MUMBLED, Gate

from harness.compare.verdict import error_signature
from harness.gate.known_divergences import Divergence, KnownDivergences
from harness.model import Errored, TimedOut
from harness.records import read_record

HANG = error_signature(TimedOut(0.0))


def test_a_known_hang_is_waited_for_one_second(gate: Gate, file: Path, tmp_path: Path) -> None:
    """The gate is green, and its record says after how many seconds."""
    text = f"divergences:\n- reason: It forgets the song.\n  cases: {{{MUMBLED}: '{HANG}'}}\n"
    file.write_text(text, "utf-8")
    done = gate("lost", "--known", file, "--record", record := tmp_path / "run.jsonl")
    assert done.returncode == 0, done.stdout
    [cause] = [result.outcome.cause for result in read_record(record).results if isinstance(result.outcome, Errored)]
    assert cause == TimedOut(1.0, known=True)


def test_only_a_case_that_always_hangs_is_known_to() -> None:
    """One that fails in another way too, or does not fail in every run, keeps the timeout."""
    listed = {"a/b/always": (HANG,), "a/b/or-fails": (HANG, "111111111111"), "a/b/fails": ("111111111111",)}
    known = Divergence(reason="It forgets.", cases=listed)
    flaky = Divergence(reason="It may forget.", flaky=True, cases={"a/b/sometimes": (HANG,)})
    assert KnownDivergences(divergences=(known, flaky)).known_hangs == {"a/b/always"}
