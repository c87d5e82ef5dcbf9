"""Sections "The context block" and "Origin filtering, fail-closed": prompt text of recalled facts."""

import re
import unicodedata
from collections.abc import Callable, Sequence
from typing import Final

from ..decisions import Decisions, decided
from ..javascript import strings
from ..observer import observe
from . import hybrid, store, threats
from .records import MemoryRecord, Origin, Recalled

SECTION = "The context block"

DEFAULT_MAX_CHARS: Final = 1200
AUTO_RECALL_FACTS: Final = 5
AUTO_RECALL_UNITS: Final = 10_000

# A scanner: content -> names of the threats in it.
Scanner = Callable[[str], list[str]]

_LINE_SEPARATORS = re.compile("[\u2028\u2029]")


def context(
    records: Sequence[MemoryRecord],
    query: str,
    now: float,
    *,
    scanner: Scanner = threats.scan,
    viewer: Origin | None = None,
    limit: int = hybrid.DEFAULT_LIMIT,
    max_chars: int = DEFAULT_MAX_CHARS,
) -> str | None:
    """The top-ranked facts as bullets within ``max_chars`` UTF-16 units; None without a fact that fits. Section "The
    context block".
    """
    rule = decided(BlocksDecisions)
    found = store.search(records, query, now, viewer, rule.context_facts(limit))
    lines = [_context_line(recalled.record, scanner(recalled.record.content)) for recalled in found]
    observe(SECTION, "lines before the budget", lines)
    kept = _lines_within(lines, max_chars)
    return rule.separator().join(kept) if kept else None


def _context_line(record: MemoryRecord, found: Sequence[str]) -> str:
    text = escape(record.content)
    if found:
        text = (
            f"[BLOCKED] this {record.segment} fact matched threat pattern(s): {', '.join(found)} — omitted from context"
        )
    return f"- [{record.segment}] {text}"


def _lines_within(lines: Sequence[str], max_chars: int) -> list[str]:
    """The lines that fit together into the budget."""
    rule = decided(BlocksDecisions)
    kept: list[str] = []
    for line in lines:
        if rule.fits([*kept, line], max_chars):
            kept.append(line)
        elif rule.ends_the_block(line):
            break
    return kept


def auto_recalled(records: Sequence[MemoryRecord], query: str, now: float, viewer: Origin | None) -> list[Recalled]:
    """At most five facts for the turn. Here, no viewer is an unidentified sender, who sees no fact. Section "Origin
    filtering, fail-closed".
    """
    if viewer is None:
        return []
    ordered = decided(BlocksDecisions).auto_recall_order(records)
    return store.search(ordered, query, now, viewer, AUTO_RECALL_FACTS)


def auto_recall(records: Sequence[MemoryRecord], query: str, now: float, viewer: Origin | None) -> str | None:
    """The block before a turn, always scanned and marked as untrusted; None without a recalled fact. Section "Origin
    filtering, fail-closed".
    """
    rule = decided(BlocksDecisions)
    found = auto_recalled(records, query, now, viewer)
    if not found:
        return None
    lines = [_auto_recall_line(recalled.record, threats.scan(recalled.record.content)) for recalled in found]
    text = escape(_clipped(rule.auto_recall_text(lines)))
    return f"<untrusted-memory>\n{text}\n</untrusted-memory>"


def _auto_recall_line(record: MemoryRecord, found: Sequence[str]) -> str:
    if not found:
        return f"- [{record.segment}] {record.content}"
    return (
        f"- [BLOCKED] a recalled {record.segment} fact matched threat pattern(s): {', '.join(found)}"
        " — omitted from context; use recall_memory to inspect or remove it"
    )


def _clipped(text: str) -> str:
    """The text, cut with a notice if it is too long."""
    if not decided(BlocksDecisions).is_too_long(text):
        return text
    excess = strings.length(text) - AUTO_RECALL_UNITS
    return f"{strings.slice_units(text, 0, AUTO_RECALL_UNITS)}\n...[truncated {excess} chars]"


def printable(text: str) -> str:
    """The text without control characters, format characters and line separators, including its line feeds."""
    text = _LINE_SEPARATORS.sub("", text)
    return "".join(character for character in text if unicodedata.category(character) not in ("Cc", "Cf"))


def escape(text: str) -> str:
    """Replaces ``<`` and ``>`` by entities, so that no fact opens or closes a tag. Section "The context block"."""
    return text.replace("<", "&lt;").replace(">", "&gt;")


class BlocksDecisions(Decisions):
    """What the section leaves open, as adopted."""

    def no_scan(self, _: str) -> list[str]:
        """RUL-TIDE-17: without a scanner, nothing is scanned, so no threat is found."""
        return []

    def context_facts(self, limit: int) -> int:
        """RUL-TIDE-18: the cap of five facts applies to auto-recall only."""
        return limit

    def ends_the_block(self, line: str) -> bool:
        """RUL-TIDE-23: the first line that does not fit ends the block."""
        return True

    def fits(self, lines: Sequence[str], max_chars: int) -> bool:
        """RUL-TIDE-21: a block never exceeds the budget, so a first line over the budget leaves no block."""
        return self.block_length(lines) <= max_chars

    def block_length(self, lines: Sequence[str]) -> int:
        """RUL-TIDE-22: only the separators between two lines count."""
        return strings.length(self.separator().join(lines))

    def separator(self) -> str:
        """RUL-TIDE-19: a line feed separates two bullets of a context block."""
        return "\n"

    def auto_recall_order(self, records: Sequence[MemoryRecord]) -> Sequence[MemoryRecord]:
        """RUL-TIDE-32: auto-recall takes the facts in the order of storage, so equally near facts keep this order."""
        return records

    def auto_recall_text(self, lines: Sequence[str]) -> str:
        """RUL-TIDE-20: the bullets are joined first, so all bullets are on one line without a separator."""
        return printable("\n".join(lines))

    def is_too_long(self, text: str) -> bool:
        """RUL-TIDE-29: a text of more than 10000 units is cut there, with a notice."""
        return strings.length(text) > AUTO_RECALL_UNITS
