"""The order of reports is that of the corpus, whatever the order of the record."""

from __future__ import annotations

import random
import re
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest
from made_records import everything, failing, record, with_metadata
from renderers import console, html, json_summary, junit, markdown, review

from harness.model import RunRecord, replace
from harness.report.run_summary import in_corpus_order

pytestmark = pytest.mark.slow

SINGER = Path(__file__).parents[1] / "cli" / "adapters" / "singer.py"
TIMES = re.compile(
    r'"(?:startedAt|seconds)": [^\n]*|(?:timestamp|time)="[^"]*"|"ms":[\d.]+|<time>[^<]*</time>|, [\d.]+ s</p>'
    r"|[\d-]+T[\d:]+Z|run of \S+"
)


def test_as_in_the_files() -> None:
    """Suites are sorted by name, the cases of a suite by the line that they stand on, a place that is none first."""
    places = {"b/x/late": "cases/b/x.yaml:10", "b/x/early": "cases/b/x.yaml:9", "a/y/any": "cases/a/y.yaml:70"}
    made = record(*(failing(case, "bass", at=at) for case, at in {**places, "b/x/nowhere": "²:²"}.items()))
    assert [one.case for one in in_corpus_order(made).results] == ["a/y/any", "b/x/nowhere", "b/x/early", "b/x/late"]


def shuffled(made: RunRecord) -> RunRecord:
    results = list(made.results)
    random.Random(7).shuffle(results)
    return replace(made, results=tuple(results))


@pytest.mark.parametrize("form", [html, junit, markdown, json_summary], ids=lambda form: form.name)
def test_the_order_of_the_record_shows_nowhere(form: Any) -> None:
    """Every report of the same results is the same, byte for byte."""
    assert form.render(everything()) == form.render(shuffled(everything()))


def test_nor_at_a_terminal() -> None:
    """What a run prints does not hang on which answer came first."""
    made = everything()
    assert console.render(made, color=False) == console.render(shuffled(made), color=False)


def test_merged_shards_are_reported_as_one_run(run_parity: Any, echo_corpus: Path, tmp_path: Path) -> None:
    """The reports of shards that were run and merged are those of one run but for times."""
    adapters = []
    for name, flaw in (("mumbler", "mumbling"), ("hoarse", "hoarse")):
        adapters += ["--adapter", f"{name}={shlex.join([sys.executable, '-S', str(SINGER), flaw])}"]
    options = ["--corpus", echo_corpus, *adapters]
    assert run_parity("run", *options, "--record", tmp_path / "whole.jsonl").returncode == 1
    shards = [tmp_path / f"shard-{number}.jsonl" for number in (1, 2)]
    for number, shard in enumerate(shards, 1):
        run_parity("run", *options, "--shard", f"{number}/2", "--record", shard)
    assert run_parity("merge", *shards, "--record", tmp_path / "merged.jsonl").returncode == 0
    for form in ("html", "junit", "markdown", "json", "review"):
        whole, merged = (
            run_parity("report", tmp_path / f"{one}.jsonl", f"--{form}", "-") for one in ("whole", "merged")
        )
        assert whole.returncode == 0, whole.stderr
        assert TIMES.sub("", merged.stdout) == TIMES.sub("", whole.stdout), form
    assert TIMES.search(whole.stdout)


def test_the_review_does_not_hang_on_it_either() -> None:
    """The review names the same cases first."""
    made = with_metadata(everything(), rulings={})
    assert review.render(made) == review.render(shuffled(made))
