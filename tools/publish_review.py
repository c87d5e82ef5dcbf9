"""Makes the review of the SDKs, `reports/published/review.md`.

An SDK with a release is judged from there, or from a working copy with `--sdk NAME=DIR`. Writes nothing if an SDK did not
run, because its column would be lost; `--without NAME` allows that.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from harness.model import RunRecord  # noqa: E402
from harness.records import read_record  # noqa: E402
from harness.transport.manifest import shipped_manifests  # noqa: E402
from tools.shown import run_module  # noqa: E402

SYSTEM = "jeffs_brain"
RECORDS = ROOT / "reports" / "local" / "published"
REVIEW = ROOT / "reports" / "published" / "review.md"
COMPLETE = (0, 1, 3)
"""Exit statuses of a run that ended: nothing failed, something failed, an implementation did not start."""


def absent(records: Sequence[RunRecord], manifests: Iterable[str], without: Collection[str]) -> dict[str, str]:
    """The adapters that did not run, each with the reason."""
    entries = [one for record in records for one in record.metadata.implementations]
    started = {one.name for one in entries if one.identity is not None}
    reasons = {one.name: one.reason for record in records for one in record.metadata.skipped}
    reasons |= {one.name: one.reason for one in entries}
    return {
        name: reasons.get(name, "it has no release, or its working copy cannot be built; name one: --sdk NAME=DIR")
        for name in manifests
        if name not in {*started, *without}
    }


def main() -> int:
    """Runs the system, checks which SDKs ran, and writes the review."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sdk", action="append", default=[], metavar="NAME=DIR", help="judge this working copy")
    parser.add_argument("--without", action="append", default=[], metavar="NAME", help="an SDK that may be absent")
    arguments = parser.parse_args()
    manifests = shipped_manifests(ROOT)
    copies = dict(one.partition("=")[::2] for one in arguments.sdk)
    unknown = sorted({*copies, *arguments.without} - set(manifests))
    missing_folders = [folder for folder in copies.values() if not Path(folder).is_dir()]
    if unknown or missing_folders or "reference" in arguments.without:
        for name in unknown:
            print(f"published: no shipped adapter is called {name}", file=sys.stderr)
        for folder in missing_folders:
            print(f"published: {folder}: the folder does not exist", file=sys.stderr)
        print("published: Use --sdk NAME=DIR and --without NAME with the adapters go, python, ts.", file=sys.stderr)
        return 2
    released = [
        name
        for name, one in manifests.items()
        if name not in {*copies, *arguments.without} and not (one.sdk and one.sdk.unreleased_reason)
    ]
    runs = {"release": [word for name in released for word in ("--adapter", name)]}
    runs |= {name: ["--adapter", name, "--sdk", folder] for name, folder in copies.items()}
    paths = [RECORDS / f"{name}.jsonl" for name in runs]
    for path, words in zip(paths, runs.values(), strict=True):
        path.unlink(missing_ok=True)
        status = _parity("run", "--system", SYSTEM, "--record", str(path), *words)
        if status not in COMPLETE:
            return status
    missing = absent([read_record(path) for path in paths if path.exists()], manifests, arguments.without)
    for name, reason in missing.items():
        print(f"published: {name} did not run, so nothing was written: {reason}", file=sys.stderr)
    if missing:
        copies_wanted = " ".join(f"{name}=DIR" for name in missing)
        print(f"published: Judge working copies: make published SDKS='{copies_wanted}'", file=sys.stderr)
        names = " ".join([*arguments.without, *missing])
        print(f"published: Or accept the gap: make published WITHOUT='{names}'", file=sys.stderr)
        return 3
    return _parity("report", *map(str, paths), "--review", str(REVIEW))


def _parity(*arguments: str) -> int:
    return run_module("harness", *arguments).returncode


if __name__ == "__main__":
    sys.exit(main())
