"""Compares the answers of a record with those of the model: the reference with the readings and deviations of a file.

The last line counts the answers that the model predicts. Every other answer is listed with the predicted one,
except those of cases that the file lists.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from harness.compare.canonical import compact  # noqa: E402
from harness.compare.causes import names_of  # noqa: E402
from harness.compare.verdict import response_differences  # noqa: E402
from harness.corpus.loader import load_corpus  # noqa: E402
from harness.errors import one_line  # noqa: E402
from harness.gate.known_reader import load_known  # noqa: E402
from harness.model import (  # noqa: E402
    UNCLASSIFIED,
    Answered,
    Case,
    Json,
    JsonObject,
    Raised,
    RecordedResult,
    Response,
    RunRecord,
)
from harness.records import read_record  # noqa: E402
from reference_impl.switches import following  # noqa: E402
from reference_impl.wire.operations import SYSTEMS  # noqa: E402

OPERATIONS = {name: operation for table in SYSTEMS.values() for name, operation in table.items()}
LONGEST = 600


@dataclass(frozen=True, slots=True)
class Gap:
    """A received answer that the model does not predict."""

    result: RecordedResult
    predicted: Response
    received: Response
    place: str


def main() -> int:
    """Prints the gaps; 1 if there is one."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("record", type=Path, metavar="RECORD", help="a record of one implementation")
    parser.add_argument(
        "known", type=Path, nargs="+", metavar="KNOWN", help="its known-divergence file, or several parts"
    )
    parser.add_argument("--show", type=int, default=40, metavar="N", help="gaps to list (default: 40)")
    parser.add_argument("--without", action="append", default=[], metavar="NAME", help="leave this alternative out")
    parser.add_argument("--select", default="", metavar="TEXT", help="only cases whose name contains this text")
    arguments = parser.parse_args()
    known = [load_known(path, allow_todo=True) for path in arguments.known]
    names = sorted({name for file in known for name in names_of(file.model)} - {*arguments.without})
    listed = {case for file in known for entry in file.divergences for case in entry.cases}
    record = read_record(arguments.record)
    results = [
        one for one in record.results if one.response and arguments.select in one.case and one.case not in listed
    ]
    found = list(gaps(results, names, record))
    by_operation = Counter(gap.result.operation for gap in found)
    for gap in found[: arguments.show]:
        print(f"{gap.result.at}  {gap.result.case}  {gap.result.verdict}  at {gap.place}")
        print(f"  request   {_shown(gap.result.request)}")
        print(f"  predicted {_response(gap.predicted)}\n  received  {_response(gap.received)}")
    for operation, count in by_operation.most_common():
        print(f"{count:5} × {operation}")
    print(f"{len(results) - len(found)} of {len(results)} answers are predicted by {len(names)} alternatives.")
    return int(bool(found))


def gaps(results: Sequence[RecordedResult], names: Sequence[str], record: RunRecord) -> Iterator[Gap]:
    """The answers that the model does not predict."""
    corpus = load_corpus(ROOT)
    cases = {case.name: case for case in corpus.cases}
    for result in results:
        case, received = cases.get(result.case), result.response
        if case is None or received is None:
            continue
        predicted = answer(case, names, corpus.operations[case.operation].error_types)
        entry = record.metadata.implementation(result.implementation)
        hidden = entry.identity.unobservable.get(result.operation, ()) if entry and entry.identity else ()
        first = next(response_differences(predicted, received, corpus.operations[case.operation].rules, hidden), None)
        if first is not None:
            yield Gap(result, predicted, received, first.path)


def answer(case: Case, names: Sequence[str], error_types: Collection[str]) -> Response:
    """The predicted answer, or the error that the reference raises, in the environment of the case."""
    try:
        with following(case.operation, names), patch.dict(os.environ, case.environment):
            return Answered(OPERATIONS[case.operation](case.request))
    except Exception as error:
        name = type(error).__name__
        return Raised(name if name in error_types else UNCLASSIFIED)


def _response(response: Response) -> str:
    return _shown(response.value) if isinstance(response, Answered) else f"raises {response.type}"


def _shown(value: Json | JsonObject) -> str:
    return one_line(compact(value), LONGEST)


if __name__ == "__main__":
    sys.exit(main())
