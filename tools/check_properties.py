"""Checks the properties of the strategies on the reference, in this process, for many requests.

Prints each property that fails with the shortest failing request, and the number of requests. Exits with 1 if one fails.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests/strategies")]

from generated import NAMES, answer, properties, requests, system_of  # noqa: E402

from strategies.common.choices import Json  # noqa: E402
from strategies.common.property import Property  # noqa: E402


@dataclass(frozen=True, slots=True)
class Checked:
    """A property after its requests: their number, the number of failures, and the shortest failing request."""

    requests: int
    failures: int
    shortest: Json | None


def checked(one: Property, count: int, seconds: float, seed: int) -> Checked:
    """Checks a property on ``count`` requests, or on fewer after ``seconds`` of CPU time."""
    done, failing, end = 0, list[Json](), time.process_time() + seconds
    for request in islice(requests(one.operation, seed), count):
        done += 1
        if not one.holds(request, answer(one.operation, request), answer):
            failing.append(request)
        if time.process_time() > end:
            break
    shortest = min(failing, key=lambda request: len(json.dumps(request)), default=None)
    return Checked(done, len(failing), shortest)


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the failures and returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--system", action="append", choices=NAMES, help="only this system; can be repeated")
    parser.add_argument("--requests", type=int, default=10_000, help="requests of each property (default: 10000)")
    parser.add_argument("--seconds", type=float, default=6, help="most CPU time of each property (default: 6)")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args(arguments)
    total = failed = count = 0
    for one in properties():
        if system_of(one.operation) in (given.system or NAMES):
            found = checked(one, given.requests, given.seconds, given.seed)
            total, count = total + found.requests, count + 1
            if found.failures:
                failed += 1
                shown = json.dumps(found.shortest)[:2000]
                print(
                    f"{one.operation} {one.name} ({one.requirement}): {found.failures} of {found.requests}\n  {shown}",
                    flush=True,
                )
    print(f"{count} properties, {total} requests, {failed} properties fail")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
