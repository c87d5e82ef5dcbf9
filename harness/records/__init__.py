"""The only code that writes and reads run records: ASCII JSON lines, written as verdicts arrive.

The first line is the header, the last the footer; the lines between them are results and incidents. A run that was cut short
leaves a record without a footer, which holds all verdicts that had arrived. docs/run-record.md is the page for readers.
"""

from .join import join, read_shard
from .lines import line_of
from .reader import read_record
from .resume import Unfinished, going_on, read_unfinished
from .run_metadata import run_metadata
from .writer import Expect, Recorder, relist

__all__ = [
    "Expect",
    "Recorder",
    "Unfinished",
    "going_on",
    "join",
    "line_of",
    "read_record",
    "read_shard",
    "read_unfinished",
    "relist",
    "run_metadata",
]
