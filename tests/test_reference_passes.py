"""The reference against the whole corpus: what it answers is what the text was found to say."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema_rs
import pytest
from commands import parity

from harness.corpus.paths import shipped
from harness.model import Verdict
from harness.records.reader import read_record

pytestmark = pytest.mark.slow


def test_the_reference_follows_every_expected_answer(tmp_path: Path) -> None:
    """Each case is a pass; another reading of a ruling, which no run fails for, is a fault of case or reference too.

    Every line of the record keeps to its schema.
    """
    record = tmp_path / "run.jsonl"
    newest = ["--select", "!tag:until:*"]  # what a later revision wants otherwise, the reference answers as that
    done = parity("run", "--adapter", "reference", *newest, "--record", record, folder=tmp_path, timeout=300)
    results = read_record(record).results
    assert {result.case: result.verdict for result in results if result.verdict is not Verdict.PASS} == {}
    assert results, done.stderr
    assert done.returncode == 0
    schema = jsonschema_rs.Draft202012Validator(json.loads((shipped() / "schemas/run-record.schema.json").read_bytes()))
    assert {line for line in record.read_text("ascii").splitlines() if not schema.is_valid(json.loads(line))} == set()
