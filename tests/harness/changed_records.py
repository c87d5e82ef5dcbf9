"""Records that another program changed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from harness.model import RunRecord
from harness.records import read_record


def read(tmp_path: Path, data: bytes) -> RunRecord:
    path = tmp_path / "changed.jsonl"
    path.write_bytes(data)
    return read_record(path)


def changed(whole: bytes, number: int, **values: Any) -> bytes:
    """The record with members of one line changed; None takes a member away."""
    lines = whole.splitlines()
    line = {**json.loads(lines[number]), **values}
    lines[number] = json.dumps({key: value for key, value in line.items() if value is not None}).encode()
    return b"".join(line + b"\n" for line in lines)
