"""Other readings of the sections "The context block" and "Origin filtering, fail-closed"."""

from collections.abc import Sequence

from ...javascript import strings
from ...tideline import blocks, threats
from ...tideline.blocks import BlocksDecisions
from ...tideline.records import MemoryRecord

ACTS_ON = ("tideline.*",)


class ScanWithoutScanner(BlocksDecisions, reading="RUL-TIDE-17=b"):
    """The facts are still scanned without a scanner."""

    def no_scan(self, content: str) -> list[str]:
        return threats.scan(content)


class CapOfAutoRecall(BlocksDecisions, reading="RUL-TIDE-18=b"):
    """The cap of five facts applies to both blocks."""

    def context_facts(self, limit: int) -> int:
        return min(limit, blocks.AUTO_RECALL_FACTS) if limit > 0 else blocks.AUTO_RECALL_FACTS


class NothingBetweenBullets(BlocksDecisions, reading="RUL-TIDE-19=b"):
    """Nothing separates two bullets."""

    def separator(self) -> str:
        return ""


class OneBulletPerLine(BlocksDecisions, reading="RUL-TIDE-20=b"):
    """Auto-recall shows one bullet per line."""

    def auto_recall_text(self, lines: Sequence[str]) -> str:
        return "\n".join(map(blocks.printable, lines))


class FirstLineAlwaysFits(BlocksDecisions, reading="RUL-TIDE-21=a"):
    """The first line is shown in full, even if it is over the budget."""

    def fits(self, lines: Sequence[str], max_chars: int) -> bool:
        return len(lines) == 1 or self.block_length(lines) <= max_chars


class SeparatorAfterEveryLine(BlocksDecisions, reading="RUL-TIDE-22=a"):
    """A separator counts after every line, including the last one."""

    def block_length(self, lines: Sequence[str]) -> int:
        return sum(strings.length(line + self.separator()) for line in lines)


class LaterLinesAreTried(BlocksDecisions, reading="RUL-TIDE-23=b"):
    """A shorter line after a line that does not fit can still fit."""

    def lines_within(self, lines: Sequence[str], max_chars: int) -> list[str]:
        kept: list[str] = []
        for line in lines:
            if self.fits([*kept, line], max_chars):
                kept.append(line)
        return kept


class NotClipped(BlocksDecisions, reading="RUL-TIDE-29=b"):
    """The block is not cut."""

    def clipped(self, text: str) -> str:
        return text


class NewestFirst(BlocksDecisions, reading="RUL-TIDE-32=b"):
    """Auto-recall takes the facts newest first, so equally near facts have this order."""

    def auto_recall_order(self, records: Sequence[MemoryRecord]) -> Sequence[MemoryRecord]:
        return sorted(records, key=lambda record: -record.created_at)
