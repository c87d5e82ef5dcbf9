"""Where things lie: the shipped corpus, schemas and adapters; the cache for builds; the default run record."""

from __future__ import annotations

import errno
import os
from pathlib import Path

from platformdirs import user_cache_path

_HERE = Path(__file__).resolve().parents[1]


def make_folder_of(file: Path) -> None:
    """Makes the folder that a file of the user's is to lie in, if it is not there. Raises `OSError`."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(file.parent)) from None


def shipped() -> Path:
    """The folder with cases, schemas and adapters: the checkout, or what travels inside an installed package."""
    checkout = _HERE.parent
    return checkout if (checkout / "cases").is_dir() and (checkout / "adapters").is_dir() else _HERE / "shipped"


def cache() -> Path:
    """The folder in which adapters are built."""
    return user_cache_path("parity", appauthor=False)


def default_record() -> Path:
    """`reports/local/run.jsonl` of the checkout that the current folder lies in, else `parity-run.jsonl` here."""
    root, here = shipped(), Path.cwd()
    inside = root.name != "shipped" and here.is_relative_to(root)
    return root / "reports" / "local" / "run.jsonl" if inside else here / "parity-run.jsonl"
