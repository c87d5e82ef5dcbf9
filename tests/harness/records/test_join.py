"""Records of different implementations over the same cases are one record for a report."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from made_values import started
from msgspec import to_builtins

from harness.errors import RecordError
from harness.model import Answered, NotTested, NotTestedCode, Passed, ResultLine, RunMetadata
from harness.records import join, read_shard
from harness.records.header import Footer, header_members
from harness.records.join_checks import Shard
from harness.records.lines import line_text, result_members


def made(
    folder: Path, name: str, cases: str = "ab", *, is_complete: bool = True, label: str = "", **metadata: Any
) -> Shard:
    """A record of one implementation that passes these cases, and that skips `bass` and `choir`."""
    answer = Answered({})
    results = [
        ResultLine(
            case=f"s/{case}",
            at=f"a:{number}",
            operation="o",
            implementation=name,
            requirements=(),
            request={},
            expected=answer,
            outcome=Passed(answer),
        )
        for number, case in enumerate(cases)
    ]
    header = RunMetadata(
        **{
            "started_at": f"2026-11-2{len(name)}",
            "corpus_digest": "c",
            "cases": 2,
            "implementations": (started(name),),
            "skipped": tuple(NotTested(name, NotTestedCode.NO_TOOLCHAIN, "no tool") for name in ("bass", "choir")),
            **metadata,
        }
    )
    footer = Footer(finished_at="2026-11-30", seconds=1.5, counts={name: {"pass": len(results)}}, incidents=0)
    lines = [header_members(header), *map(result_members, results), *([to_builtins(footer)] if is_complete else [])]
    path = folder / f"{name}-{label or len(list(folder.iterdir()))}.jsonl"
    path.write_text("".join(f"{line_text(one)}\n" for one in lines), "ascii")
    return read_shard(path, label)


def test_all_results_are_in_it(tmp_path: Path) -> None:
    """The results stay in their files; an implementation that one record skips and another runs counts as run."""
    joined = join([made(tmp_path, "alto"), made(tmp_path, "bass")])
    found = joined.record()
    assert found.implementations == ("alto", "bass")
    assert [(one.implementation, one.case, one.line.implementation) for one in found.results] == [
        (name, f"s/{case}", name) for name in ("alto", "bass") for case in "ab"
    ]
    assert [one.name for one in found.skipped] == ["choir"]
    assert (found.complete, found.metadata.started_at) == (True, "2026-11-24")


def test_a_label_renames_the_results(tmp_path: Path) -> None:
    """Two records of one name are told apart by a label, in memory and in the lines of the joined record."""
    joined = join([made(tmp_path, "alto"), made(tmp_path, "alto", label="tenor")])
    names = ["alto", "alto", "tenor", "tenor"]
    assert [one.implementation for one in joined.record().results] == names
    _, *lines, footer = joined.blocks()
    assert [f'"implementation":"{name}"'.encode() in line for name, line in zip(names, lines, strict=True)] == [
        True
    ] * 4
    assert b'"counts":{"alto":{"pass":2},"tenor":{"pass":2}}' in footer


@pytest.mark.parametrize(
    ("other", "sentence"),
    [
        ({"corpus_digest": "x"}, "has another corpus than"),
        ({"cases_digest": "x"}, "has another selection than"),
        ({"is_complete": False}, "has no footer: its run did not come to its end"),
        ({"cases": "ac"}, "bass has no verdict on 1 cases: s/b"),
    ],
)
def test_records_that_do_not_belong_together(tmp_path: Path, other: dict[str, Any], sentence: str) -> None:
    """The message names what is wrong."""
    with pytest.raises(RecordError, match=sentence):
        join([made(tmp_path, "alto"), made(tmp_path, "bass", **other)])
