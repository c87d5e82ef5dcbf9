"""The questions that a probe puts, in order, and what it makes of the replies."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field

from harness.errors import AdapterUnavailable, one_line
from harness.model import Implementation, Json
from harness.probe.findings import ProbeFinding, ProbeFindings, ProtocolFinding
from harness.probe.handshake import meet
from harness.probe.replies import Message
from harness.probe.samples import ACCENTED, ASTRAL, Sample
from harness.probe.session import Exhausted, Probed, ProbeSession
from harness.protocol import (
    INVALID_PARAMS,
    METHOD_NOT_FOUND,
    OUT_OF_REACH,
    RAISED,
    initialize_params,
)
from harness.report.error_text import breach_finding, breach_remedy

LONGEST = 120.0
"""Seconds after which a probe ends, whatever is left to look at."""
CLOSING = 5.0
"""Seconds in which an adapter exits after shutdown or at the end of its input, unless less patience was asked for."""
_TOGETHER = 4
_PADDING = 100 * 1024
_NO_OPERATION = "parity.noSuchOperation"


@dataclass(slots=True)
class Probe:
    """What a probe came to. `answered` maps an operation to how it was answered; of those, nothing was found in the
    reply of the `well_formed`."""

    findings: Sequence[ProbeFinding] = ()
    implementation: Implementation | None = None
    answered: dict[str, str] = field(default_factory=dict)
    well_formed: int = 0


SampleOf = Callable[[str], Sample | None]
"""Finds a sample request for an operation, if the corpus has one."""


def probe(
    start: Callable[[], Probed], known: Collection[str], sample_of: SampleOf, seconds: float, longest: float = LONGEST
) -> Probe:
    """Probes the adapter that `start` starts. `known` are the operations of the corpus; it ends within `longest` s."""
    findings = ProbeFindings()
    found = Probe()
    with ProbeSession(start, findings, seconds, longest) as session:
        try:
            found.implementation = meet(session, known)
            if found.implementation is not None:
                _question(session, found, sample_of)
        except AdapterUnavailable as unavailable:
            findings.add(ProtocolFinding.CANNOT_START, unavailable.reason.rstrip("."))
        except Exhausted as exhausted:
            findings.add(ProtocolFinding.NOT_FINISHED, str(exhausted))
    found.findings = findings.sorted()
    return found


def _question(session: ProbeSession, found: Probe, sample_of: SampleOf) -> None:
    assert found.implementation is not None
    offered = sorted(found.implementation.operations)
    samples = [sample for name in offered if (sample := sample_of(name)) is not None]
    for sample in samples:
        before = len(found.answered), session.findings.notes
        _ask_sample(session, sample, found)
        found.well_formed += (len(found.answered), session.findings.notes) == (before[0] + 1, before[1])
    good = [sample for sample in samples if sample.operation.name in found.answered]
    _ask_unknown(session)
    if good:
        for sample in good:
            _ask_foreign(session, sample)
        for sample in good:
            _ask_malformed(session, sample)
        _ask_together(session, good)
        _ask_at_length(session, good[0])
    _shut_down(session)
    _end_input(session, good)


def _ask_sample(session: ProbeSession, sample: Sample, found: Probe) -> None:
    name = sample.operation.name
    message = session.ask(name, sample.request)
    if message is None:
        _note_no_reply(session, name, ProtocolFinding.CRASHES)
    elif message.code in (RAISED, OUT_OF_REACH):
        found.answered[name] = (
            f"{'raised' if message.code == RAISED else 'out of reach'}: {one_line(message.said, 100)}"
        )
    elif message.code is not None:
        session.findings.add(ProtocolFinding.REFUSES_OFFERED, f"{name} got {message.refused}")
    elif message.result is not None:
        flaw = sample.answer_error(message.result)
        if flaw:
            session.findings.add(
                ProtocolFinding.BREAKS_SCHEMA,
                f"{name} at {breach_finding(flaw).rstrip('.')}",
                breach_remedy(flaw).rstrip("."),
            )
        found.answered[name] = "answered"
    elif wanted := sample.answer_error(None):
        session.findings.advise(
            ProtocolFinding.NO_RESULT, f"Answer with an {wanted.expected}. {breach_remedy(wanted)}".rstrip(".")
        )


def _note_no_reply(session: ProbeSession, what: str, crash: ProtocolFinding) -> None:
    if session.ending:
        session.findings.add(crash, f"asked {what}: {session.ending}")
    else:
        session.findings.add(ProtocolFinding.SILENT_ON_REQUEST, f"nothing came for {session.seconds:g} s after {what}")


def _ask_foreign(session: ProbeSession, sample: Sample) -> None:
    """The sample again with characters outside ASCII in one of its texts."""
    for request, crash in (
        (sample.accented, ProtocolFinding.CRASHES_ON_NON_ASCII),
        (sample.astral, ProtocolFinding.CRASHES_ON_ASTRAL),
    ):
        if request is None or ProtocolFinding.CRASHES_ON_NON_ASCII in session.findings or crash in session.findings:
            continue
        character = ACCENTED if crash is ProtocolFinding.CRASHES_ON_NON_ASCII else ASTRAL
        what = f"{sample.operation.name} with {character} in a text"
        message = session.ask(sample.operation.name, request)
        if message is None:
            _note_no_reply(session, what, crash)
        elif message.code not in (None, RAISED, OUT_OF_REACH):
            session.findings.add(ProtocolFinding.REFUSES_OFFERED, f"{what} got {message.refused}")
        else:
            for mistake, wrong in _garblings():
                if _shows(wrong, message.result):
                    session.findings.add(mistake, f"{character} came back as {one_line(wrong, 20)}")
                    break


def _garblings() -> Iterator[tuple[ProtocolFinding, str]]:
    """What becomes of the characters that are tried, if something goes wrong with them on the way."""
    for character in (ACCENTED, ASTRAL):
        for encoding in ("latin-1", "cp1252"):
            yield ProtocolFinding.MOJIBAKE, character.encode().decode(encoding, "replace").replace("\ufffd", "")
        yield ProtocolFinding.MOJIBAKE, json.dumps(character)[1:-1]  # escaped twice, so that the escape is the text
    code = ord(ASTRAL)
    yield (
        ProtocolFinding.SHORT_ESCAPE,
        f"{chr(code >> 4)}{code & 0xF:x}",
    )  # five digits: an escape has four, the last is a text
    yield ProtocolFinding.SHORT_ESCAPE, chr(code & 0xFFFF)
    yield ProtocolFinding.MOJIBAKE, "\ufffd"


def _shows(wrong: str, answer: Json) -> bool:
    """Whether the answer holds this text in any case, for the operation may have changed that."""
    return wrong.lower() in json.dumps(answer, ensure_ascii=False).lower()


def _ask_unknown(session: ProbeSession) -> None:
    message = session.ask(_NO_OPERATION, {})
    if message is None:
        how = session.ending or f"nothing came for {session.seconds:g} s"
        session.findings.add(ProtocolFinding.UNKNOWN_OPERATION, f"asked {_NO_OPERATION}: {how}")
    elif message.code != METHOD_NOT_FOUND:
        session.findings.add(ProtocolFinding.UNKNOWN_OPERATION, f"{_NO_OPERATION} got {_reaction(message)}")


def _ask_malformed(session: ProbeSession, sample: Sample) -> None:
    if sample.malformed is None or ProtocolFinding.MALFORMED_REQUEST in session.findings:
        return
    what = f"{sample.operation.name} with {one_line(json.dumps(sample.malformed), 60)}"
    message = session.ask(sample.operation.name, sample.malformed)
    if message is None:
        how = session.ending or f"nothing came for {session.seconds:g} s"
        session.findings.add(ProtocolFinding.MALFORMED_REQUEST, f"{what}: {how}")
    elif message.code != INVALID_PARAMS:
        session.findings.add(ProtocolFinding.MALFORMED_REQUEST, f"{what} got {_reaction(message)}")


def _reaction(message: Message) -> str:
    return "an answer" if message.code is None else message.refused


def _ask_together(session: ProbeSession, samples: Sequence[Sample]) -> None:
    chosen = [samples[index % len(samples)] for index in range(_TOGETHER)]
    count = session.ask_together([(sample.operation.name, sample.request) for sample in chosen])
    if count < _TOGETHER:
        session.findings.add(
            ProtocolFinding.ONE_AT_A_TIME, f"of {_TOGETHER} requests in one piece {count} were answered"
        )


def _ask_at_length(session: ProbeSession, sample: Sample) -> None:
    if session.ask(sample.operation.name, sample.request, _PADDING) is None:
        how = session.ending or f"nothing came for {session.seconds:g} s"
        session.findings.add(ProtocolFinding.LONG_LINE, f"a request of {_PADDING // 1024} KiB (mostly spaces): {how}")


# Ending


def _patience(session: ProbeSession) -> float:
    return min(CLOSING, max(1.0, session.seconds))


def _shut_down(session: ProbeSession) -> None:
    if session.channel is None and session.initialize() is None:
        return
    patience = _patience(session)
    message = session.hear([session.send("shutdown", {})], patience)
    if message is None or message.result is None:
        how = session.ending or (message.refused if message and message.code else "no reply with a result came")
        session.findings.add(ProtocolFinding.SHUTDOWN_REPLY, how)
    status = session.wait_for_exit(patience)
    if status is None:
        session.findings.add(ProtocolFinding.NO_EXIT, f"it still ran {patience:g} s later")
    elif status:
        session.findings.add(ProtocolFinding.EXIT_STATUS, f"status {status} after shutdown")


def _end_input(session: ProbeSession, samples: Sequence[Sample]) -> None:
    """What becomes of a request that is the last thing before the end of the input."""
    if session.initialize() is None:
        return
    assert session.channel is not None
    method, params = (samples[0].operation.name, samples[0].request) if samples else ("initialize", initialize_params())
    id_ = session.send(method, params)
    session.channel.pump()
    session.channel.end_input()
    if session.hear([id_]) is None:
        session.findings.add(ProtocolFinding.END_OF_INPUT, f"the last request, {method}, was not answered")
    patience = _patience(session)
    status = session.wait_for_exit(patience)
    if status is None:
        session.findings.add(ProtocolFinding.END_OF_INPUT, f"it still ran {patience:g} s after its input was closed")
    elif status:
        session.findings.add(ProtocolFinding.EXIT_STATUS, f"status {status} at the end of its input")
