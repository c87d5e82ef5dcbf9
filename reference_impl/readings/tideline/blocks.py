"""Other readings of the sections "The context block" and "Origin filtering, fail-closed"."""

from collections.abc import Sequence

from ...javascript import strings
from ...tideline import blocks, threats
from ...tideline.blocks import BlocksDecisions
from ...tideline.records import MemoryRecord

ACTS_ON = ("tideline.*",)


class ScanWithoutScanner(BlocksDecisions, reading="RUL-TIDE-17=b"):
    def no_scan(self, content: str) -> list[str]:
        """The facts are still scanned without a scanner."""
        return threats.scan(content)


class CapOfAutoRecall(BlocksDecisions, reading="RUL-TIDE-18=b"):
    def context_facts(self, limit: int) -> int:
        """The cap of five facts applies to both blocks."""
        return min(limit, blocks.AUTO_RECALL_FACTS) if limit > 0 else blocks.AUTO_RECALL_FACTS


class NothingBetweenBullets(BlocksDecisions, reading="RUL-TIDE-19=b"):
    def separator(self) -> str:
        """Nothing separates two bullets."""
        return ""


class OneBulletPerLine(BlocksDecisions, reading="RUL-TIDE-20=b"):
    def auto_recall_text(self, lines: Sequence[str]) -> str:
        """Auto-recall shows one bullet per line."""
        return "\n".join(map(blocks.printable, lines))


class FirstLineAlwaysFits(BlocksDecisions, reading="RUL-TIDE-21=a"):
    def fits(self, lines: Sequence[str], max_chars: int) -> bool:
        """The first line is shown in full, even if it is over the budget."""
        return len(lines) == 1 or self.block_length(lines) <= max_chars


class SeparatorAfterEveryLine(BlocksDecisions, reading="RUL-TIDE-22=a"):
    def block_length(self, lines: Sequence[str]) -> int:
        """A separator counts after every line, including the last one."""
        return sum(strings.length(line + self.separator()) for line in lines)


class LaterLinesAreTried(BlocksDecisions, reading="RUL-TIDE-23=b"):
    def ends_the_block(self, line: str) -> bool:
        """A shorter line after a line that does not fit can still fit."""
        return False


class NotClipped(BlocksDecisions, reading="RUL-TIDE-29=b"):
    def is_too_long(self, text: str) -> bool:
        """The block is not cut."""
        return False


class NewestFirst(BlocksDecisions, reading="RUL-TIDE-32=b"):
    def auto_recall_order(self, records: Sequence[MemoryRecord]) -> Sequence[MemoryRecord]:
        """Auto-recall takes the facts newest first, so equally near facts have this order."""
        return sorted(records, key=lambda record: -record.created_at)
