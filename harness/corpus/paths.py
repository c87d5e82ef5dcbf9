"""Default folders and files: the shipped corpus, schemas and adapters; the build cache; the run record."""

from __future__ import annotations

import errno
import os
from pathlib import Path

from platformdirs import user_cache_path

_HERE = Path(__file__).resolve().parents[1]


def make_folder_of(file: Path) -> None:
    """Creates the parent folder of an output file if it does not exist. Raises `OSError`."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(file.parent)) from None


def shipped() -> Path:
    """The folder with cases, schemas and adapters: the checkout, or the data inside an installed package."""
    checkout = _HERE.parent
    return checkout if (checkout / "cases").is_dir() and (checkout / "adapters").is_dir() else _HERE / "shipped"


def cache() -> Path:
    """The folder for built adapters."""
    return user_cache_path("parity", appauthor=False)


def default_record() -> Path:
    """`reports/local/run.jsonl` if the current folder is inside the checkout, else `parity-run.jsonl` here."""
    root, here = shipped(), Path.cwd()
    inside = root.name != "shipped" and here.is_relative_to(root)
    return root / "reports" / "local" / "run.jsonl" if inside else here / "parity-run.jsonl"
