"""`parity merge` over the shards of gates: they become one gate only if all were judged by the same file."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import jsonschema
import pytest
from gating import MUMBLED, SIGNATURE, Gate
from recording import lines

pytestmark = pytest.mark.slow

SCHEMA = Path(__file__).resolve().parents[3] / "schemas" / "run-record.schema.json"
Merge = Gate
KNOWN = f"""\
divergences:
- reason: It swallows the end of a word.
  cases:
    {MUMBLED}: "{SIGNATURE}"
    echo/said/nothing: ["111111111111", "222222222222"]
unsupported:
- reason: It has no voice.
  names: [echo.shout, "none.*"]
readings:
- {{ruling: RUL-1, reading: b, cases: [echo/said/word]}}
"""
REORDERED = f"""\
# The same, in another order.
readings: [{{cases: [echo/said/word], ruling: RUL-1, reading: b}}]
unsupported: [{{names: ["none.*", echo.shout], reason: "It has no voice."}}]
divergences:
- reason: It swallows the end of a word.
  cases: {{echo/said/nothing: ["222222222222", "111111111111"], {MUMBLED}: "{SIGNATURE}"}}
"""
BY_OTHERS = "{1} and {0} were judged by different known-divergence files.\n"


@pytest.fixture
def merge(gate: Gate, run_parity: Gate, tmp_path: Path) -> Merge:
    """Merges two shards of a gate, each judged by a file of this text; None for none."""

    def merged(*texts: str | None) -> subprocess.CompletedProcess[str]:
        records = [tmp_path / f"{number}.jsonl" for number in (1, 2)]
        for number, (text, record) in enumerate(zip(texts, records, strict=True), 1):
            file = tmp_path / f"known-{number}.yaml"
            file.write_text(text or "", "utf-8")
            known = [] if text is None else ["--known", file]
            assert gate("mumbling mute", "--shard", f"{number}/2", "--record", record, *known).returncode in (0, 1)
        return run_parity("merge", *records, "--record", tmp_path / "merged.jsonl")

    return merged


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (KNOWN, KNOWN.replace("swallows", "loses")),
        (KNOWN, KNOWN.replace("111111111111", "333333333333")),
        (KNOWN, KNOWN.replace("  cases:", "  expires: 2199-01-01\n  cases:")),
        (KNOWN, KNOWN.replace("no voice", "no lungs")),
        (KNOWN, KNOWN.replace("  cases:", "  documented: {where: a page, says: it}\n  cases:")),
        (KNOWN, KNOWN.replace("reading: b", "reading: c")),
        (KNOWN, KNOWN.partition("readings:")[0]),
    ],
    ids=["reason", "signature", "day", "unsupported", "documented", "reading", "no readings"],
)
def test_shards_judged_by_different_files(merge: Merge, tmp_path: Path, ours: str, theirs: str) -> None:
    """Shards whose files differ in anything that they say are refused, and the sentence says so."""
    done = merge(ours, theirs)
    assert done.returncode == 2
    assert BY_OTHERS.format(tmp_path / "1.jsonl", tmp_path / "2.jsonl") in done.stderr
    assert not (tmp_path / "merged.jsonl").exists()


@pytest.mark.parametrize("texts", [(KNOWN, None), (None, KNOWN)])
def test_a_shard_judged_by_a_file_and_one_by_none(merge: Merge, tmp_path: Path, texts: tuple[str | None, ...]) -> None:
    """A gate without a file is not part of one with a file."""
    done = merge(*texts)
    with_, without = (tmp_path / f"{texts.index(text) + 1}.jsonl" for text in (KNOWN, None))
    assert done.returncode == 2
    assert f"{with_} was judged by a known-divergence file, and {without} by none.\n" in done.stderr


@pytest.mark.parametrize("texts", [(KNOWN, REORDERED), (None, None)], ids=["reordered", "none"])
def test_shards_judged_alike(merge: Merge, tmp_path: Path, texts: tuple[str | None, ...]) -> None:
    """Comments, the order of lines and where the file lies make no difference; the merged record is that of a gate."""
    done = merge(*texts)
    assert (done.returncode, done.stderr) == (0, "")
    header = lines(tmp_path / "merged.jsonl")[0]
    assert ("known" in header["gate"]) is (texts[0] is not None)
    jsonschema.validate(header, json.loads(SCHEMA.read_text("utf-8")))
