"""A made-up singer to be gated: its command, its flaws, and what names the mumbled word."""

from __future__ import annotations

import hashlib
import json
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

MUMBLED, SHOUTED = "echo/said/word", "echo/shouted/word"
SIGNATURE = hashlib.sha256(b'[["$.text","hello","hell"]]').hexdigest()[:12]
"""What names the mumbled answer, computed from the definition."""

MUTE = "unsupported:\n- {reason: It has no voice., names: [echo.shout]}\n"
"""A file that lists the operation of shouting as unsupported."""

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


def more_shouts(corpus: Path, count: int) -> None:
    """Adds so many shouts, which alone cite ECHO-02."""
    cases = "".join(
        f"  - {{id: more-{number:02}, requirements: [ECHO-02], origin: spec-text, "
        f"request: {{text: a{number}}}, answer: {{text: A{number}}}}}\n"
        for number in range(count)
    )
    file = corpus / "cases" / "echo" / "shouted.yaml"
    file.write_text(file.read_text("utf-8").replace("ECHO-02", "ECHO-01") + cases, "utf-8")


def record(here: Path) -> list[dict[str, Any]]:
    """The lines of the record in a folder."""
    return [json.loads(line) for line in (here / "parity-run.jsonl").read_text("ascii").splitlines()]


def listings(here: Path) -> dict[str, Any]:
    """How each case stands in it."""
    return {line["case"]: line.get("expectation") for line in record(here) if line["type"] == "result"}
