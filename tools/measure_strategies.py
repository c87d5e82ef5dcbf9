"""Measures the strategies: µs a request, share of trivial answers, and the branches of the reference without a request.

Prints one line an operation, then the branches that no request of a system executes. Needs `coverage` for the branches.
Exits with 1 if an operation has too many trivial answers or too slow requests.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests/strategies")]

from generated import NAMES, answer, is_trivial, recipes, requests, system_of  # noqa: E402

MAX_TRIVIAL = 0.30
MAX_MICROSECONDS = 300.0

BATCH_BYTES = 4000
"""Bytes of one batch: Hypothesis stops an example at 8 KiB of choices."""

BATCHES = 20


def microseconds(operation: str) -> float:
    """CPU time of Hypothesis for one request, in batches."""
    recipe, count = recipes()[operation], 0
    batch = max(1, min(200, BATCH_BYTES // recipe.size))

    @settings(max_examples=BATCHES, database=None, phases=(Phase.generate,), suppress_health_check=list(HealthCheck))
    @given(st.lists(recipe.strategy(), min_size=batch, max_size=batch))
    def generate(found: list[object]) -> None:
        nonlocal count
        count += len(found)

    start = time.process_time()
    generate()
    return (time.process_time() - start) / count * 1e6


def trivial_share(operation: str, examples: int) -> float:
    """The share of trivial answers of the reference."""
    return (
        sum(is_trivial(operation, answer(operation, one)) for one in islice(requests(operation), examples)) / examples
    )


def untouched(system: str, operations: Sequence[str], examples: int) -> list[str]:
    """The branches of a system's modules, and of the shared ones, that no request executes: `module: line -> line`.

    A branch at the top of a module counts as untouched, because the module is imported before.
    """
    import coverage

    names = (system, "javascript") if any(name.startswith("temporal") for name in operations) else (system,)
    folders = [ROOT / "reference_impl" / name for name in names]
    include = [f"{folder}/*" for folder in folders]
    measured = coverage.Coverage(branch=True, data_file=None, include=include, config_file=False)
    with measured.collect():
        for operation in operations:
            for request in islice(requests(operation), examples):
                answer(operation, request)
    found = []
    for module in sorted(module for folder in folders for module in folder.glob("*.py")):
        analysis = measured._analyze(str(module))  # the public report has no list of branches
        for line, targets in sorted(analysis.missing_branch_arcs().items()):
            found += [f"{module.relative_to(ROOT)}: {line} -> {target}" for target in targets]
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the table and returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--system", action="append", choices=NAMES, help="only this system; can be repeated")
    parser.add_argument("--examples", type=int, default=2000, help="requests of each operation (default: 2000)")
    parser.add_argument("--branches", action="store_true", help="list the branches without a request")
    given_ = parser.parse_args(arguments)
    systems = given_.system or NAMES
    bad = 0
    print(f"{'operation':<26} {'bytes':>5} {'µs':>6} {'trivial':>8}")
    for operation in sorted(recipes()):
        if system_of(operation) in systems:
            speed, share = microseconds(operation), trivial_share(operation, given_.examples)
            is_bad = speed > MAX_MICROSECONDS or share > MAX_TRIVIAL
            bad += is_bad
            print(
                f"{operation:<26} {recipes()[operation].size:>5} {speed:>6.0f} {share:>8.1%}{' !' * is_bad}", flush=True
            )
    for system in systems if given_.branches else ():
        operations = [operation for operation in recipes() if system_of(operation) == system]
        for line in untouched(system, operations, given_.examples):
            print(line)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
