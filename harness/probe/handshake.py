"""The first meeting with an adapter: why it is silent, or every flaw in what it says of itself."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence

from harness.corpus.suggestions import misspelt
from harness.errors import ProtocolViolation, one_line
from harness.model import Implementation, JsonObject
from harness.probe.findings import ProbeFindings, ProtocolFinding
from harness.probe.session import ProbeSession
from harness.protocol import PROTOCOL_VERSION, read_implementation
from harness.report.error_text import breach_finding
from harness.report.text import plural

_FATAL = (ProtocolFinding.NO_LINE_END, ProtocolFinding.FRAMED)
"""Mistakes with which no second reply can be told from the first."""

_MOST_SLIPS = 5
"""Misspelt operations that are named."""


def meet(session: ProbeSession, known: Collection[str]) -> Implementation | None:
    """What the adapter says of itself, if it can be asked anything further."""
    message = session.initialize()
    if message is None:
        if ProtocolFinding.WIDE in session.findings:
            return None
        if session.ending:
            session.findings.add(ProtocolFinding.EXITS_AT_ONCE, session.ending)
        elif ProtocolFinding.FRAMED not in session.findings:
            _explain_silence(session, "initialize")
        return None
    if any(mistake in session.findings for mistake in _FATAL):
        return None
    if message.result is None:
        if message.code is not None:
            session.findings.add(ProtocolFinding.INITIALIZE_REFUSED, message.refused)
        return None
    return _said(session.findings, message.result, known)


def _explain_silence(session: ProbeSession, method: str) -> None:
    """Why no reply came: finds out whether replies lie in a buffer, or wait for the end of the input."""
    if ProtocolFinding.NO_REPLY_OBJECT in session.findings:
        return
    waited = f"nothing came for {session.seconds:g} s after {method}"
    size, all_answered = session.flooded()
    if all_answered:
        session.findings.add(ProtocolFinding.SLOW_START, f"{waited}, and the reply only later")
    elif size:
        session.findings.add(
            ProtocolFinding.NOT_FLUSHED, f"{waited}; {size} bytes came at once when many more requests were sent"
        )
    elif session.answers_at_end_of_input():
        session.findings.add(ProtocolFinding.READS_TO_END, f"{waited}, and the reply only when the input was closed")
    elif ProtocolFinding.TEXT_ON_STDOUT not in session.findings:
        session.findings.add(ProtocolFinding.SILENT, f"{waited}, nor when the input was closed")


def _said(findings: ProbeFindings, said: JsonObject, known: Collection[str]) -> Implementation | None:
    """Every flaw of an `initialize` reply, and the reply itself where its operations can be asked."""
    before = list(findings.sorted())
    version = said.get("protocolVersion")
    if isinstance(version, bool) or version != PROTOCOL_VERSION:
        findings.add(ProtocolFinding.PROTOCOL_VERSION, _member_seen(said, "protocolVersion"))
    told = said.get("implementation")
    if not isinstance(told, dict):
        findings.add(ProtocolFinding.NO_IMPLEMENTATION, _member_seen(said, "implementation"))
    else:
        for key in ("name", "version", "language"):
            if not isinstance(told.get(key), str):
                findings.add(ProtocolFinding.NO_IMPLEMENTATION, _member_seen(told, key, "implementation."))
    operations = said.get("operations")
    names = [name for name in operations if isinstance(name, str)] if isinstance(operations, list) else []
    if not names or not isinstance(operations, list) or len(names) < len(operations):
        findings.add(ProtocolFinding.NO_OPERATIONS, _member_seen(said, "operations"))
    _check_names(findings, names, known)
    try:
        return read_implementation("", said)
    except ProtocolViolation as violation:
        if findings.sorted() == before:
            findings.add(ProtocolFinding.INITIALIZE_SHAPE, breach_finding(violation.breach).rstrip("."))
        return _repaired(said, names)


def _repaired(said: JsonObject, names: list[str]) -> Implementation | None:
    """An implementation that offers these names, so that a flaw in `initialize` does not hide what is behind it."""
    told = said.get("implementation")
    texts = {key: str(value) for key, value in told.items()} if isinstance(told, dict) else {}
    asked = frozenset(names)
    return Implementation("", texts.get("name", ""), texts.get("version", ""), texts.get("language", ""), asked)


def _member_seen(values: JsonObject, key: str, where: str = "") -> str:
    if key not in values:
        return f"{where}{key} is missing"
    return f"{where}{key} is {one_line(json.dumps(values[key]), 60)}"


def _check_names(findings: ProbeFindings, names: Sequence[str], known: Collection[str]) -> None:
    slips = [f"{one_line(name, 60)} ({near} may be meant)" for name, near in misspelt(names, known)]
    more = f" and {len(slips) - _MOST_SLIPS} more like it" if len(slips) > _MOST_SLIPS else ""
    offered = f"it offers {', '.join(slips[:_MOST_SLIPS])}{more}" if slips else ""
    if names and not set(names).intersection(known):
        none = f"none of the {plural(len(names), 'operation')} offered is one of this corpus"
        offered = f"{none}; {offered}" if offered else none
    if offered:
        findings.add(ProtocolFinding.UNKNOWN_NAME, offered)
