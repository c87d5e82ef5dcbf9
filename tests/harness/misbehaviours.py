"""A collection of misbehaving adapters, each a way and a schedule of `adapters/misbehaves.py`; a script times them.

    python tests/harness/misbehaviours.py [--timeout S] [--select EXPR] [WAY ...]

prints a table: the time and the verdicts of one run for each.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "harness")]

MISBEHAVIOURS = [
    *(
        (way, "start")
        for way in ("hangs", "exits-before", "exits", "banner", "refuses", "half-a-line", "closes-stdout")
    ),
    *((way, "end") for way in ("stays", "exits-with-3", "says-nothing", "trickles")),
    *(
        (way, "always")
        for way in (
            "exits-with-3",
            "segfaults",
            "dies-in-a-line",
            "dies-leaving-a-session",
            "closes-stdout",
            "hangs",
            "hangs-unmoved",
            "hangs-with-a-session",
            "hangs-in-a-line",
            "closes-stdin",
            "trickles-blank-lines",
            "trickles-stderr",
            "answers-late",
            "answers-never",
            "unknown-id",
            "null-id",
            "text-id",
            "echoes-the-request",
            "notifies",
            "batch",
            "both",
            "null-result",
            "method-not-found",
            "internal-error",
            "banner",
            "invalid-utf8",
            "pretty-printed",
            "nests-very-deeply",
            "overlong-line",
            "floods-stderr-and-exits",
            "dies-after-every-reply",
            "answers-everything-twice",
            "hangs-after-reply",
            "exits-later",
            "half-a-reply-then-exit",
            "floods-stdout",
            "floods-stdout-without-line-feed",
            "floods-blank-lines",
            "floods-stderr",
            "floods-stderr-and-answers",
            "slow-reply",
            "starts-processes",
            "one-of-several",
            "crash-or-hang",
            "answers-nothing-useful",
        )
    ),
    *(
        (way, schedule)
        for schedule in ("third", "fiftieth", "from-the-tenth", "one-operation")
        for way in ("exits-with-3", "hangs", "banner")
    ),
    ("hangs", "once"),
    ("answers-late", "once"),
    ("hangs", "some-requests"),
    ("exits-with-3", "some-requests"),
]
"""(way, schedule)."""


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--timeout", default="1")
    parser.add_argument("--select", default="operation:query.normalise")
    parser.add_argument("--limit", type=float, default=600, help="seconds after which a run is killed")
    parser.add_argument("ways", nargs="*")
    given = parser.parse_args()
    print("| way | schedule | seconds | CPU | verdicts |\n|---|---|---|---|---|", flush=True)
    for way, schedule in MISBEHAVIOURS:
        if not given.ways or way in given.ways or f"{way}/{schedule}" in given.ways:
            print("| " + " | ".join((way, schedule, *timed(given, way, schedule))) + " |", flush=True)


def timed(given: argparse.Namespace, way: str, schedule: str) -> tuple[str, str, str]:
    """Seconds, CPU seconds of harness and adapters, and the verdicts of one run."""
    from commands import adapter

    from harness.errors import ParityError
    from harness.records import read_record

    with tempfile.TemporaryDirectory() as folder:
        record = Path(folder, "run.jsonl")
        fake = adapter("misbehaves.py", way, schedule, ROOT)
        words = ["run", "--adapter", f"fake={fake}", "--timeout", given.timeout, "--record", str(record)]
        words += ["--select", given.select] if given.select else []
        before, began = os.times(), time.monotonic()
        run = subprocess.Popen(
            [sys.executable, "-m", "harness", *words], cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            run.wait(given.limit)
        except subprocess.TimeoutExpired:
            run.kill()
            run.wait()
        seconds, after = time.monotonic() - began, os.times()
        cpu = after.children_user + after.children_system - before.children_user - before.children_system
        try:
            counts: Counter[str] = Counter()
            for result in read_record(record).results:
                kind = f"/{result.kind}" if result.kind else ""
                counts[f"{result.verdict}{kind}{' (not sent)' if result.unsent_after else ''}"] += 1
        except ParityError:
            counts = Counter({"no record": 1})
    verdicts = ", ".join(f"{count} {name}" for name, count in sorted(counts.items()))
    return f"{seconds:.1f}", f"{cpu:.1f}", f"{verdicts}{'' if run.returncode >= 0 else ' KILLED'}"


if __name__ == "__main__":
    main()
