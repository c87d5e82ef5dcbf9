"""Default folders and files: the shipped corpus, schemas and adapters; the build cache; the run record."""

from __future__ import annotations

import os
from pathlib import Path

from ..errors import UsageError, one_line

_ROOT = Path(__file__).resolve().parents[2]
_CACHE_MB = 1000


def shipped() -> Path:
    """The folder with cases, schemas and adapters: the checkout, or the installed package."""
    return _ROOT


def cache() -> Path:
    """The folder for built adapters and compiled corpora."""
    from platformdirs import user_cache_path

    return user_cache_path("parity", appauthor=False)


def cache_limit() -> int:
    """The bytes that builds of working copies may take in the cache. Raises `UsageError` for a value that is no number."""
    text = os.environ.get("PARITY_CACHE_MB", "")
    if text and not text.isdecimal():
        raise UsageError(f"PARITY_CACHE_MB: expected a whole number of megabytes, found {one_line(text)}. Correct it.")
    return int(text or _CACHE_MB) * 1_000_000


OWN_FILES = ("parity-run.jsonl", "parity-run.jsonl.lock", ".parity")
"""What a run writes into the current folder without a `--record`, and the folder of parity in a checkout of CI; they are no
part of an SDK that lies there. No other program uses these names, so nothing that a build needs is left out."""


def default_record() -> Path:
    """`reports/local/run.jsonl` if the current folder is inside the checkout, else `parity-run.jsonl` here; relative to the
    current folder if it is below it."""
    here = Path.cwd()
    if not here.is_relative_to(_ROOT):
        return Path(OWN_FILES[0])
    path = _ROOT / "reports" / "local" / "run.jsonl"
    return path.relative_to(here) if path.is_relative_to(here) else path
