"""Sections "The context block" and "Origin filtering, fail-closed": recalled facts as text for a prompt."""

import re
import unicodedata
from collections.abc import Callable, Sequence
from typing import Final

from reference_impl.javascript import strings
from reference_impl.observer import Observer, Step, silent
from reference_impl.tideline import hybrid, store, threats
from reference_impl.tideline.records import MemoryRecord, Origin, Recalled

SECTION = "The context block"

DEFAULT_MAX_CHARS: Final = 1200
AUTO_RECALL_FACTS: Final = 5
AUTO_RECALL_UNITS: Final = 10_000

# What a wired scanner is: content -> names of the threats in it.
Scanner = Callable[[str], list[str]]

_LINE_SEPARATORS = re.compile("[\u2028\u2029]")


def no_scan(_: str) -> list[str]:
    """The scanner of a caller that has wired none."""
    return []


def context(
    records: Sequence[MemoryRecord],
    query: str,
    now: float,
    *,
    scanner: Scanner = threats.scan,
    viewer: Origin | None = None,
    limit: int = hybrid.DEFAULT_LIMIT,
    max_chars: int = DEFAULT_MAX_CHARS,
    observe: Observer = silent,
) -> str | None:
    """The top-ranked facts as bullets within ``max_chars`` UTF-16 units; None where nothing was recalled.

    The first line is always there, in full. The first later one that does not fit ends the block.
    """
    found = store.search(records, query, now, viewer, limit, observe=observe)
    lines = [_context_line(recalled.record, scanner(recalled.record.content)) for recalled in found]
    observe(Step(SECTION, "lines before the budget", lines))
    kept = lines[: _how_many_fit(lines, max_chars)]
    return "\n".join(kept) if kept else None


def _context_line(record: MemoryRecord, found: Sequence[str]) -> str:
    text = escape(record.content)
    if found:
        text = (
            f"[BLOCKED] this {record.segment} fact matched threat pattern(s): {', '.join(found)} — omitted from context"
        )
    return f"- [{record.segment}] {text}"


def _how_many_fit(lines: Sequence[str], max_chars: int) -> int:
    """Every line pays for a line feed, the last one too, though nothing follows it."""
    used = 0
    for count, line in enumerate(lines):
        used += strings.length(line) + 1
        if used > max_chars and count > 0:
            return count
    return len(lines)


def auto_recalled(
    records: Sequence[MemoryRecord], query: str, now: float, viewer: Origin | None, *, observe: Observer = silent
) -> list[Recalled]:
    """The facts for the turn, at most five. No viewer is an unidentified sender here, who sees nothing."""
    if viewer is None:
        return []
    return store.search(records, query, now, viewer, AUTO_RECALL_FACTS, observe=observe)


def auto_recall(
    records: Sequence[MemoryRecord], query: str, now: float, viewer: Origin | None, *, observe: Observer = silent
) -> str | None:
    """The block that is injected before a turn, always scanned, marked as untrusted; None where nothing is."""
    found = auto_recalled(records, query, now, viewer, observe=observe)
    if not found:
        return None
    lines = [_auto_recall_line(recalled.record, threats.scan(recalled.record.content)) for recalled in found]
    text = escape(_clipped(_printable("\n".join(lines))))
    return f"<untrusted-memory>\n{text}\n</untrusted-memory>"


def _auto_recall_line(record: MemoryRecord, found: Sequence[str]) -> str:
    if not found:
        return f"- [{record.segment}] {record.content}"
    return (
        f"- [BLOCKED] a recalled {record.segment} fact matched threat pattern(s): {', '.join(found)}"
        " — omitted from context; use recall_memory to inspect or remove it"
    )


def _printable(text: str) -> str:
    """Without control and format characters and line separators, and so without the line feeds between bullets."""
    text = _LINE_SEPARATORS.sub("", text)
    return "".join(character for character in text if unicodedata.category(character) not in ("Cc", "Cf"))


def _clipped(text: str) -> str:
    excess = strings.length(text) - AUTO_RECALL_UNITS
    if excess <= 0:
        return text
    return f"{strings.slice_units(text, 0, AUTO_RECALL_UNITS)}\n...[truncated {excess} chars]"


def escape(text: str) -> str:
    """``<`` and ``>`` as entities, so that no fact opens or closes a tag; nothing else is touched."""
    return text.replace("<", "&lt;").replace(">", "&gt;")
