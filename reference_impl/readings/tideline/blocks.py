"""Other readings of the sections "The context block" and "Origin filtering, fail-closed"."""

from collections.abc import Sequence

from ...javascript import strings
from ...switches import Switches
from ...tideline import blocks, threats
from ...tideline.records import MemoryRecord

SWITCHES = Switches("tideline.*")


@SWITCHES.reading("RUL-TIDE-17", "b", blocks.no_scan)
def scan_without_scanner(content: str) -> list[str]:
    """The facts are still scanned without a scanner."""
    return threats.scan(content)


@SWITCHES.reading("RUL-TIDE-18", "b", blocks.context_facts)
def cap_of_auto_recall(limit: int) -> int:
    """The cap of five facts applies to both blocks."""
    return min(limit, blocks.AUTO_RECALL_FACTS) if limit > 0 else blocks.AUTO_RECALL_FACTS


@SWITCHES.reading("RUL-TIDE-19", "b", blocks.separator)
def nothing_between_bullets() -> str:
    """Nothing separates two bullets."""
    return ""


@SWITCHES.reading("RUL-TIDE-20", "b", blocks.auto_recall_text)
def one_bullet_per_line(lines: Sequence[str]) -> str:
    """Auto-recall shows one bullet per line."""
    return "\n".join(map(blocks.printable, lines))


@SWITCHES.reading("RUL-TIDE-21", "a", blocks.fits)
def first_line_always_fits(lines: Sequence[str], max_chars: int) -> bool:
    """The first line is shown in full, even if it is over the budget."""
    return len(lines) == 1 or blocks.block_length(lines) <= max_chars


@SWITCHES.reading("RUL-TIDE-22", "a", blocks.block_length)
def separator_after_every_line(lines: Sequence[str]) -> int:
    """A separator counts after every line, including the last one."""
    return sum(strings.length(line + blocks.separator()) for line in lines)


@SWITCHES.reading("RUL-TIDE-23", "b", blocks.lines_within)
def later_lines_are_tried(lines: Sequence[str], max_chars: int) -> list[str]:
    """A shorter line after a line that does not fit can still fit."""
    kept: list[str] = []
    for line in lines:
        if blocks.fits([*kept, line], max_chars):
            kept.append(line)
    return kept


@SWITCHES.reading("RUL-TIDE-29", "b", blocks.clipped)
def not_clipped(text: str) -> str:
    """The block is not cut."""
    return text


@SWITCHES.reading("RUL-TIDE-32", "b", blocks.auto_recall_order)
def newest_first(records: Sequence[MemoryRecord]) -> Sequence[MemoryRecord]:
    """Auto-recall takes the facts newest first, so equally near facts have this order."""
    return sorted(records, key=lambda record: -record.created_at)
