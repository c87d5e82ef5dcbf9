"""A made-up singer to be gated: its command, its flaws, and what names the mumbled word."""

from __future__ import annotations

import hashlib
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

MUMBLED, SHOUTED = "echo/said/word", "echo/shouted/word"
SIGNATURE = hashlib.sha256(b'[["$.text","hello","hell"]]').hexdigest()[:12]
"""What names the mumbled answer, computed from the definition."""

Gate = Callable[..., "subprocess.CompletedProcess[str]"]


def singer(flaws: str = "") -> str:
    """The `--adapter` that names a singer with these flaws."""
    script = Path(__file__).parent / "adapters" / "singer.py"
    return f"singer={shlex.join([sys.executable, '-S', str(script), *flaws.split()])}"


def another_system(corpus: Path) -> None:
    """Adds the system `flute`, whose operation nobody offers."""
    shutil.copytree(corpus / "schemas" / "echo", corpus / "schemas" / "flute")
    (corpus / "schemas" / "flute" / "echo.say.json").rename(corpus / "schemas" / "flute" / "flute.play.json")
    (corpus / "schemas" / "flute" / "echo.shout.json").unlink()
    (corpus / "cases" / "flute").mkdir()
    for name in ("requirements.yaml", "said.yaml"):
        text = (corpus / "cases" / "echo" / name).read_text("utf-8")
        text = text.replace("ECHO", "FLUTE").replace("echo.say", "flute.play").replace("echo", "flute")
        (corpus / "cases" / "flute" / name).write_text(text, "utf-8")
