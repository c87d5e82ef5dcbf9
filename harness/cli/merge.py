"""Merges records into one: the shards of a run, and runs of different implementations over the same cases."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

from ..errors import UsageError, one_line, plural, printable
from ..records import join, read_shard
from ..records.file import RecordFile
from ..records.join import Joined
from ..transport.adapter_spec import LABEL
from .options import check_each_once, path_argument

_LABELED = re.compile(rf"({LABEL.pattern})=(.+)", re.DOTALL)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "records",
        nargs="+",
        type=_record,
        metavar="RECORD",
        help="the record of a shard, or of another implementation; LABEL=RECORD gives its implementation that name",
    )
    parser.add_argument(
        "--record", type=path_argument, metavar="FILE", required=True, help="write the merged record to FILE"
    )


def run(arguments: argparse.Namespace) -> int:
    if arguments.record.resolve() in {path.resolve() for _, path in arguments.records}:
        raise UsageError(f"--record {arguments.record} is one of the records to merge. Name another file.")
    shards = [read_shard(path, label) for label, path in arguments.records]
    check_each_once([path for _, path in arguments.records])
    joined = join(shards)
    _write(arguments.record, joined)
    summary = f"{plural(len(arguments.records), 'record')} merged, {plural(joined.verdicts, 'verdict')}"
    print(printable(f"{summary}\nrecord: {arguments.record}"))
    return 0


def _record(text: str) -> tuple[str, Path]:
    """The label and the path of `LABEL=RECORD`, or an empty label. An existing file of that whole name is a path."""
    path = path_argument(text)
    if path.exists() or "=" not in text:
        return "", path
    labeled = _LABELED.fullmatch(text)
    if labeled is None:
        label = one_line(text.partition("=")[0])
        raise argparse.ArgumentTypeError(
            f"{label or 'an empty text'} is no label: a label has small letters, digits and -, begins with a letter, and "
            "may end with @VERSION"
        )
    return labeled[1], path_argument(labeled[2])


def _write(path: Path, joined: Joined) -> None:
    """Writes the whole record, or leaves an existing file unchanged. Raises `RecordError`."""
    target = path.resolve()
    is_new = not target.exists()
    file = RecordFile(path, create=True)
    try:
        file.replace(joined.blocks())
    except BaseException:
        if is_new:
            target.unlink(missing_ok=True)
        raise
    finally:
        file.close()
