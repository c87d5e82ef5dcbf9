"""Merges the records of the shards of a run into the record of the whole run."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from ..errors import UsageError, printable
from ..records.file import RecordFile
from ..records.merge import Shard, merge
from ..records.reader import parse_record, read_bytes
from ..report.text import plural
from .options import path_argument


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("records", nargs="+", type=path_argument, metavar="RECORD", help="the record of a shard")
    parser.add_argument(
        "--record", type=path_argument, metavar="FILE", required=True, help="write the merged record to FILE"
    )


def run(arguments: argparse.Namespace) -> int:
    if arguments.record.resolve() in {path.resolve() for path in arguments.records}:
        raise UsageError(f"--record {arguments.record} is one of the records to merge. Name another file.")
    data = merge([read_shard(path) for path in arguments.records])
    merged = parse_record(arguments.record, data)
    _write(arguments.record, data)
    summary = f"{plural(len(arguments.records), 'record')} merged, {plural(len(merged.results), 'verdict')}"
    print(printable(f"{summary}\nrecord: {arguments.record}"))
    return 0


def _write(path: Path, data: bytes) -> None:
    """Writes the whole record, or leaves an existing file unchanged. Raises `RecordError`."""
    target = path.resolve()
    is_new = not target.exists()
    file = RecordFile(path, create=True)
    try:
        file.replace(data)
    except BaseException:
        if is_new:
            target.unlink(missing_ok=True)
        raise
    finally:
        file.close()


def read_shard(path: Path) -> Shard:
    """The record at `path` with its lines. Raises `RecordError` if the file is no record."""
    data = read_bytes(path)
    record = parse_record(path, data)
    found: dict[str, list[bytes]] = {"header": [], "result": [], "suspicion": [], "incident": [], "footer": []}
    for line in data.split(b"\n")[:-1]:
        found[json.loads(line)["type"]].append(line)
    footer: dict[str, Any] = json.loads(found["footer"][0]) if record.complete else {}
    return Shard(str(path), record, json.loads(found["header"][0]), found["result"], found["incident"], footer)
