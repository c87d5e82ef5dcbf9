"""Prints the digest of one system's files: SHA-256 over the paths and bytes below `cases/SYSTEM` and `schemas/SYSTEM`.

The published review of a system is out of date when this digest changes; other systems do not count.
"""

from __future__ import annotations

import argparse
import hashlib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def system_digest(root: Path, system: str) -> str:
    """The digest, in hexadecimal."""
    total = hashlib.sha256()
    for path in sorted(path for part in ("cases", "schemas") for path in (root / part / system).rglob("*.*")):
        if path.is_file():
            content = path.read_bytes()
            total.update(f"{path.relative_to(root).as_posix()}\n{len(content)}\n".encode())
            total.update(content)
    return total.hexdigest()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("system", metavar="SYSTEM")
    print(system_digest(ROOT, parser.parse_args().system))
