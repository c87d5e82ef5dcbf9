"""The handshake: the cause of a missing reply to `initialize`, or every mistake in the reply."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence

from ..base.near_names import misspelt
from ..compare.error_text import breach_finding
from ..errors import ProtocolViolation, one_line, plural
from ..model import Implementation, JsonObject
from ..protocol import PROTOCOL_VERSION, read_implementation
from .mistakes import ProbeFindings, ProtocolFinding
from .probe_session import ProbeSession

_FATAL = (ProtocolFinding.NO_LINE_END, ProtocolFinding.FRAMED)
"""Mistakes that make a second reply unreadable."""

_MAX_MISSPELT = 5
"""Misspelt operations that a finding names."""


def handshake(session: ProbeSession, declared: Collection[str]) -> Implementation | None:
    """Sends `initialize`; returns the implementation if further requests make sense. `declared` are those of the corpus."""
    message = session.initialize()
    if message is None:
        if ProtocolFinding.WIDE in session.findings:
            return None
        if session.ending:
            session.findings.add(ProtocolFinding.EXITS_AT_ONCE, session.ending)
        elif ProtocolFinding.FRAMED not in session.findings:
            _diagnose_timeout(session, "initialize")
        return None
    if any(mistake in session.findings for mistake in _FATAL):
        return None
    if message.result is None:
        if message.code is not None:
            session.findings.add(ProtocolFinding.INITIALIZE_REFUSED, message.refused)
        return None
    return _check_reply(session.findings, message.result, declared)


def _diagnose_timeout(session: ProbeSession, method: str) -> None:
    """Adds the finding that explains a missing reply: an unflushed buffer, a read to the end of input, or a slow start."""
    if ProtocolFinding.NO_REPLY_OBJECT in session.findings:
        return
    waited = f"no output for {session.seconds:g} s after {method}"
    size, all_answered = session.flood()
    if all_answered:
        session.findings.add(ProtocolFinding.SLOW_START, f"{waited}; the reply came later")
    elif size:
        session.findings.add(
            ProtocolFinding.NOT_FLUSHED, f"{waited}; {size} bytes came at once after many more requests"
        )
    elif session.answers_at_end_of_input():
        session.findings.add(ProtocolFinding.READS_TO_END, f"{waited}; the reply came at the end of input")
    elif ProtocolFinding.TEXT_ON_STDOUT not in session.findings:
        session.findings.add(ProtocolFinding.SILENT, f"{waited}, and none at the end of input")


def _check_reply(findings: ProbeFindings, reply: JsonObject, declared: Collection[str]) -> Implementation | None:
    """Adds a finding for every mistake in the reply to `initialize`; returns the implementation that it describes."""
    before = list(findings.sorted())
    version = reply.get("protocolVersion")
    if isinstance(version, bool) or version != PROTOCOL_VERSION:
        findings.add(ProtocolFinding.PROTOCOL_VERSION, _member_evidence(reply, "protocolVersion"))
    own = reply.get("implementation")
    if not isinstance(own, dict):
        findings.add(ProtocolFinding.NO_IMPLEMENTATION, _member_evidence(reply, "implementation"))
    else:
        for key in ("name", "version", "language"):
            if not isinstance(own.get(key), str):
                findings.add(ProtocolFinding.NO_IMPLEMENTATION, _member_evidence(own, key, "implementation."))
    operations = reply.get("operations")
    names = [name for name in operations if isinstance(name, str)] if isinstance(operations, list) else []
    if not names or not isinstance(operations, list) or len(names) < len(operations):
        findings.add(ProtocolFinding.NO_OPERATIONS, _member_evidence(reply, "operations"))
    _check_names(findings, names, declared)
    try:
        return read_implementation("", reply)
    except ProtocolViolation as violation:
        if findings.sorted() == before:
            findings.add(ProtocolFinding.INITIALIZE_SHAPE, breach_finding(violation.breach).rstrip("."))
        return _repaired(reply, names)


def _repaired(reply: JsonObject, names: list[str]) -> Implementation | None:
    """An implementation that offers these operations, so that the checks go on after a mistake in `initialize`."""
    own = reply.get("implementation")
    texts = {key: str(value) for key, value in own.items()} if isinstance(own, dict) else {}
    name, version, language = (texts.get(key, "") for key in ("name", "version", "language"))
    return Implementation(name="", implementation=name, version=version, language=language, operations=frozenset(names))


def _member_evidence(values: JsonObject, key: str, where: str = "") -> str:
    if key not in values:
        return f"{where}{key} is missing"
    return f"{where}{key} is {one_line(json.dumps(values[key]), 60)}"


def _check_names(findings: ProbeFindings, names: Sequence[str], declared: Collection[str]) -> None:
    wrong = [f"{one_line(name, 60)} (similar: {near})" for name, near in misspelt(names, declared)]
    more = f" and {len(wrong) - _MAX_MISSPELT} more" if len(wrong) > _MAX_MISSPELT else ""
    evidence = f"it offers {', '.join(wrong[:_MAX_MISSPELT])}{more}" if wrong else ""
    if names and not set(names).intersection(declared):
        none = f"the corpus has none of the {plural(len(names), 'offered operation')}"
        evidence = f"{none}; {evidence}" if evidence else none
    if evidence:
        findings.add(ProtocolFinding.UNKNOWN_NAME, evidence)
