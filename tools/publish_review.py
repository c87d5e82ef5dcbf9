"""Makes the kept review of the published SDKs again, with the digest of its system's files.

Writes nothing if an SDK with a release did not run, because its column would be lost. `--without NAME` allows that.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Collection, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from harness.model import RunRecord  # noqa: E402
from harness.records import read_record  # noqa: E402
from harness.transport.manifest import Manifest, shipped_manifests  # noqa: E402
from tools.system_digest import system_digest  # noqa: E402

SYSTEM = "jeffs_brain"
RECORD = ROOT / "reports" / "local" / "published.jsonl"
FOLDER = ROOT / "reports" / "published"
COMPLETE = (0, 1, 3)
"""Exit statuses of a run that ended: nothing failed, something failed, an implementation did not start."""


def absent(record: RunRecord, manifests: Mapping[str, Manifest], without: Collection[str]) -> dict[str, str]:
    """The SDKs with a release that did not run, each with the reason."""
    started = {one.name for one in record.metadata.implementations if one.identity is not None}
    reasons = {one.name: one.reason for one in record.metadata.implementations} | dict(record.skipped)
    released = [name for name, one in manifests.items() if not (one.sdk and one.sdk.unreleased_reason)]
    return {name: reasons.get(name, "") for name in released if name not in {*started, *without}}


def main() -> int:
    """Runs the system, checks who ran, and writes the review."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--without", action="append", default=[], metavar="NAME", help="an SDK that may be absent")
    without = parser.parse_args().without
    RECORD.unlink(missing_ok=True)
    status = _parity("run", "--system", SYSTEM, "--record", str(RECORD))
    if status not in COMPLETE:
        return status
    missing = absent(read_record(RECORD), shipped_manifests(ROOT), without)
    for name, reason in missing.items():
        print(f"published: {name} did not run, so nothing was written: {reason}", file=sys.stderr)
    if missing:
        names = " ".join([*without, *missing])
        print(
            f"published: Install what is missing, or accept the gap: make published WITHOUT='{names}'", file=sys.stderr
        )
        return 3
    status = _parity("report", str(RECORD), "--review", str(FOLDER / "review.md"))
    if status == 0:
        (FOLDER / "corpus.sha256").write_text(f"{system_digest(ROOT, SYSTEM)}\n", "ascii")
    return status


def _parity(*arguments: str) -> int:
    return subprocess.run([sys.executable, "-m", "harness", *arguments], cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
