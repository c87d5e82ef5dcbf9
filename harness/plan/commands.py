"""A command line that a run prints for its reader."""

from __future__ import annotations

import shlex
from pathlib import Path

from ..model import RunOptions, option_words


def probe_command(option: str, options: RunOptions, sdk: Path | None = None) -> str:
    """The `parity probe` command for the adapter that this `--adapter` names, with its working copy if it has one."""
    copy = ["--sdk", str(sdk)] if sdk else []
    corpus, passed = (option_words(options, (name,)) for name in ("corpus", "pass_env"))
    return shlex.join(["parity", "probe", *corpus, option, *copy, *passed])
