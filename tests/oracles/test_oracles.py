"""The oracles: a second author's answers in another language, against the whole corpus."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from commands import parity

from harness.corpus.loader import Corpus
from harness.corpus.provenance import REPOSITORY, Derivation, provenance
from harness.model import Verdict
from harness.records.reader import read_record

ORACLES = Path(__file__).resolve().parents[2] / "oracles"
SECTIONS = sorted(ORACLES.glob("*/*.mjs"))
_IMPORT = re.compile(r"(?:from|import) '([^']*)'")


@pytest.fixture(scope="module")
def derivation() -> Derivation:
    value = json.loads((ORACLES / "confirmed.json").read_text("utf-8"))
    return Derivation(frozenset(value["systems"]), tuple(value["except"]))


@pytest.mark.slow
def test_the_oracles_give_every_expected_answer(tmp_path: Path, shipped_corpus: Corpus, derivation: Derivation) -> None:
    """Every case that `confirmed.json` does not except passes, and every excepted one is unsupported."""
    if shutil.which("node") is None:
        pytest.skip("node is not on PATH: the expected answers were NOT derived a second time")
    record = tmp_path / "run.jsonl"
    command = f"oracles=node {ORACLES / 'adapter.mjs'}"
    parity("run", "--adapter", command, "--select", "!tag:until:*", "--record", record, folder=tmp_path, timeout=300)
    verdicts = {result.case: result.verdict for result in read_record(record).results}
    confirmed = {case.name for case in shipped_corpus.cases if derivation.confirms(case)} & verdicts.keys()
    assert {name: verdicts[name] for name in confirmed if verdicts[name] is not Verdict.PASS} == {}
    assert {name for name in verdicts.keys() - confirmed if verdicts[name] is not Verdict.UNSUPPORTED} == set()
    assert len(confirmed) > 8000


def test_independent_shares(shipped_corpus: Corpus, derivation: Derivation) -> None:
    """Something independent of the reference confirms 95% of the answers of Jeffs Brain, and 80% of the other systems. The
    answers that only a repository gives do not count: nothing can confirm them.
    """
    for one in provenance(shipped_corpus.cases, derivation):
        least = 95 if one.system == "jeffs_brain" else 80
        cases = one.cases - one.origins.get(REPOSITORY, 0)
        assert one.independent is not None and 100 * one.independent >= least * cases, one.system


@pytest.mark.parametrize("file", SECTIONS, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_a_section_stands_alone(file: Path) -> None:
    """A section imports Node.js and other oracles only, and one sitting is enough to read it."""
    text = file.read_text("utf-8")
    foreign = [name for name in _IMPORT.findall(text) if not name.startswith(("node:", "./", "../out_of_reach"))]
    assert foreign == []
    assert "reference_impl" not in text
    assert text.count("\n") < 300
