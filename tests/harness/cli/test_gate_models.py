"""`parity gate` with models: the reference under a refuted reading stands for an SDK whose failures have one cause."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

import pytest
from commands import Parity

SELECTED = "jeffs_brain/query_dsl/operators/operator-before-a-word-that-strips-to-nothing"
MODEL = "RUL-B03=b"


def sdk(*options: str) -> str:
    """The option that adds the reference with these options."""
    return f"--adapter=sdk={shlex.join([sys.executable, '-m', 'harness', 'serve', *options])}"


@pytest.mark.slow
def test_one_model_in_place_of_a_list_of_cases(run_parity: Parity, tmp_path: Path) -> None:
    """An update writes one entry for all failures of the reading; it is known, stale without its cause, and unmatched
    under a name that does not exist."""
    file, record = tmp_path / "known.yaml", tmp_path / "run.jsonl"
    select = ("--select", SELECTED, "--record", record)
    new = run_parity("gate", sdk("--reading", MODEL), *select)
    assert f"explained by {MODEL}, which the file does not name: add an entry with `model: {MODEL}`" in new.stdout
    run_parity("gate", sdk("--reading", MODEL), *select, "--write-known", file)
    text = file.read_text("utf-8")
    assert f"divergences:\n- reason: TODO\n  model: {MODEL}\nunsupported: []\n" in text
    file.write_text(text.replace("TODO", "A dropped word takes its operator with it."), "utf-8")

    known = run_parity("gate", sdk("--reading", MODEL), *select, "--known", file)
    assert (known.returncode, "6 known divergences" in known.stdout) == (0, True), known.stdout
    (cause,) = json.loads(record.read_text("ascii").splitlines()[0])["implementations"][0]["causes"]
    assert cause == {"name": MODEL, "reason": "A dropped word takes its operator with it."}

    stale = run_parity("gate", sdk(), *select, "--known", file)
    assert stale.returncode == 1
    assert "Correct 1 model: " in stale.stdout
    assert "or delete the entry if a whole run shows none of its failures" in stale.stdout

    assert f"{MODEL}: 6 of the 6 failures that it predicts do not occur" in stale.stdout

    file.write_text(text.replace("TODO", "A reason.").replace(MODEL, "RUL-B03=a"), "utf-8")
    adopted = run_parity("gate", sdk(), *select, "--known", file)
    assert adopted.returncode == 2
    assert "RUL-B03=a is the adopted reading, and every prediction assumes it." in adopted.stderr

    file.write_text(text.replace("TODO", "A reason.").replace(MODEL, "RUL-B03=z"), "utf-8")
    unmatched = run_parity("gate", sdk("--reading", MODEL), *select, "--known", file)
    assert "RUL-B03=z: no such deviation or reading" in unmatched.stdout
    assert "gate: RED (6 new, 1 unmatched)" in unmatched.stdout
