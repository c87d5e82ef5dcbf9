"""Runs every evidence command once and prints the commands whose output does not fit the expected answers.

`python -m tools.evidence` ends with 1 if a command does not fit or an exception is stale. Without node, the commands that
need it are counted and not run.
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from harness.corpus.loader import load_corpus  # noqa: E402
from tools.evidence.review import review  # noqa: E402


def main() -> int:
    """Prints what does not fit, then the counts."""
    found = review(load_corpus(ROOT))
    for command, what in found.failures.items():
        print(f"{what[0].case}: {what[0].found!r} does not fit ({len(what)} in all)\n    {command}")
    for pattern in found.stale:
        print(f"exceptions.yaml: no command needs the entry {pattern}")
    compared = sum(found.modes.values())
    by_mode = ", ".join(f"{count} {mode}" for mode, count in sorted(found.modes.items()))
    print(f"{compared} commands ({by_mode}), {len(found.failures)} do not fit, {len(found.missing)} need node")
    return 1 if found.failures or found.stale else 0


if __name__ == "__main__":
    sys.exit(main())
