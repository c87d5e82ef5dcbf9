"""The checks of a probe, in order."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Sequence

from msgspec import Struct, field

from ..compare.error_text import breach_finding, breach_remedy
from ..errors import AdapterUnavailable, one_line
from ..model import Implementation, Json
from ..protocol import (
    INVALID_PARAMS,
    METHOD_NOT_FOUND,
    OUT_OF_REACH,
    RAISED,
    Channel,
    initialize_params,
)
from .handshake import handshake
from .mistakes import ProbeFinding, ProbeFindings, ProtocolFinding
from .probe_session import BreakdownLimit, Exhausted, ProbeSession
from .replies import Message
from .samples import ACCENTED, ASTRAL, ESCAPED, UNDECODED, Sample

_REPLACEMENT = "\ufffd"
MAX_SECONDS = 120.0
"""Seconds after which a probe ends, with or without all checks done."""
EXIT_SECONDS = 5.0
"""Seconds that an adapter has to exit after shutdown or the end of its input; a shorter --timeout applies here too."""
_BATCH = 4
"""Requests that are sent in one piece."""
_PADDING = 100 * 1024
"""Spaces in a long request."""
_NO_OPERATION = "parity.noSuchOperation"


class ProbeResult(Struct):
    """The result of a probe. `replies` maps an operation to the kind of its reply; `well_formed` counts the operations
    whose reply led to no finding."""

    findings: Sequence[ProbeFinding] = ()
    implementation: Implementation | None = None
    replies: dict[str, str] = field(default_factory=dict)
    well_formed: int = 0


SampleOf = Callable[[str], Sample | None]
"""Finds a sample request for an operation, if the corpus has one."""


def probe(
    start: Callable[[], Channel],
    declared: Collection[str],
    sample_of: SampleOf,
    seconds: float,
    max_seconds: float = MAX_SECONDS,
) -> ProbeResult:
    """Probes the adapter that `start` starts. `declared` are the operations of the corpus, `seconds` the timeout of a reply,
    `max_seconds` that of the probe."""
    findings = ProbeFindings()
    result = ProbeResult()
    with ProbeSession(start, findings, seconds, max_seconds) as session:
        try:
            result.implementation = handshake(session, declared)
            if result.implementation is not None:
                _run_checks(session, result, result.implementation, sample_of)
        except AdapterUnavailable as unavailable:
            findings.add(ProtocolFinding.CANNOT_START, unavailable.reason.rstrip("."))
        except Exhausted as exhausted:
            findings.add(ProtocolFinding.NOT_FINISHED, str(exhausted))
    result.findings = findings.sorted()
    return result


def _run_checks(
    session: ProbeSession, result: ProbeResult, implementation: Implementation, sample_of: SampleOf
) -> None:
    offered = sorted(implementation.operations)
    samples = [sample for name in offered if (sample := sample_of(name)) is not None]
    try:
        _check_requests(session, result, samples)
    except BreakdownLimit as limit:
        session.findings.add(ProtocolFinding.NOT_FINISHED, str(limit))
    _check_shutdown(session)
    _check_end_of_input(session, [sample for sample in samples if sample.operation.name in result.replies])


def _check_requests(session: ProbeSession, result: ProbeResult, samples: Sequence[Sample]) -> None:
    for sample in samples:
        before = len(result.replies), session.findings.count
        _check_sample(session, sample, result)
        result.well_formed += (len(result.replies), session.findings.count) == (before[0] + 1, before[1])
    good = [sample for sample in samples if sample.operation.name in result.replies]
    _check_unknown_operation(session)
    if good:
        for sample in good:
            _check_characters(session, sample)
        for sample in good:
            _check_escapes(session, sample)
        for sample in good:
            _check_malformed(session, sample)
        _check_batch(session, good)
        _check_long_line(session, good[0])


def _check_sample(session: ProbeSession, sample: Sample, result: ProbeResult) -> None:
    name = sample.operation.name
    message = session.call(name, sample.request)
    if message is None:
        _add_no_reply(session, name, ProtocolFinding.CRASHES)
    elif message.code in (RAISED, OUT_OF_REACH):
        kind = "raised" if message.code == RAISED else "out of reach"
        result.replies[name] = f"{kind}: {one_line(message.text, 100)}"
    elif message.code is not None:
        session.findings.add(ProtocolFinding.REFUSES_OFFERED, f"{name}: {message.refused}")
    elif message.result is not None:
        flaw = sample.answer_error(message.result)
        if flaw:
            session.findings.add(
                ProtocolFinding.BREAKS_SCHEMA,
                f"{name} at {breach_finding(flaw).rstrip('.')}",
                breach_remedy(flaw).rstrip("."),
            )
        result.replies[name] = "answered"
    elif wanted := sample.answer_error(None):
        session.findings.advise(
            ProtocolFinding.NO_RESULT, f"Answer with an {wanted.expected}. {breach_remedy(wanted)}".rstrip(".")
        )


def _add_no_reply(session: ProbeSession, what: str, crash: ProtocolFinding) -> None:
    session.findings.add(
        crash if session.ending else ProtocolFinding.SILENT_ON_REQUEST, f"{what}: {_no_reply(session)}"
    )


def _no_reply(session: ProbeSession) -> str:
    """How the process ended, or the time without output."""
    return session.ending or f"no output for {session.seconds:g} s"


def _check_characters(session: ProbeSession, sample: Sample) -> None:
    """Sends the sample with characters outside ASCII in one of its texts."""
    for request, crash in (
        (sample.accented, ProtocolFinding.CRASHES_ON_NON_ASCII),
        (sample.astral, ProtocolFinding.CRASHES_ON_ASTRAL),
    ):
        if request is None or ProtocolFinding.CRASHES_ON_NON_ASCII in session.findings or crash in session.findings:
            continue
        character = ACCENTED if crash is ProtocolFinding.CRASHES_ON_NON_ASCII else ASTRAL
        what = f"{sample.operation.name} with {character} in a text"
        message = session.call(sample.operation.name, request)
        if message is None:
            _add_no_reply(session, what, crash)
        elif message.code not in (None, RAISED, OUT_OF_REACH):
            session.findings.add(ProtocolFinding.REFUSES_OFFERED, f"{what}: {message.refused}")
        else:
            _check_garbled(session, character, message.result)


def _check_escapes(session: ProbeSession, sample: Sample) -> None:
    """Sends texts with characters that JSON escapes, to operations whose answer carries them."""
    for kind, request in sample.escaped:
        if kind in session.findings:
            continue
        session.findings.malformed = kind
        message = session.call(sample.operation.name, request)
        session.findings.malformed = ProtocolFinding.MALFORMED_JSON
        what = f"{sample.operation.name} with {json.dumps(ESCAPED[kind])} in a text"
        twice = json.dumps(ESCAPED[kind])[1:-1]
        if message is None and kind not in session.findings:
            _add_no_reply(session, what, ProtocolFinding.CRASHES)
        elif message is not None and message.code not in (None, RAISED, OUT_OF_REACH):
            session.findings.add(ProtocolFinding.REFUSES_OFFERED, f"{what}: {message.refused}")
        elif message is not None and _holds(json.dumps(twice)[1:-1], message.result):
            session.findings.add(ProtocolFinding.MOJIBAKE, f"{what}: it came back escaped twice, as {twice}")
        elif message is not None and _holds(UNDECODED, message.result):
            session.findings.add(ProtocolFinding.UNDECODED, f"{what}: it came back with {UNDECODED}")


def _check_garbled(session: ProbeSession, character: str, answer: Json) -> None:
    """Reports a garbled character. U+FFFD beside the whole character is none: an operation that cuts a text between the
    halves of a surrogate pair leaves it where a language cannot write a half."""
    for mistake, garbled in _garblings():
        if _holds(garbled, answer) and not (garbled == _REPLACEMENT and _holds(character, answer)):
            session.findings.add(mistake, f"{character} came back as {one_line(garbled, 20)}")
            return


def _garblings() -> Iterator[tuple[ProtocolFinding, str]]:
    """The texts that the special characters become through common encoding mistakes."""
    for character in (ACCENTED, ASTRAL):
        for encoding in ("latin-1", "cp1252"):
            yield ProtocolFinding.MOJIBAKE, character.encode().decode(encoding, "replace").replace("\ufffd", "")
        yield ProtocolFinding.MOJIBAKE, json.dumps(character)[1:-1]  # escaped twice
    code = ord(ASTRAL)
    yield ProtocolFinding.SHORT_ESCAPE, f"{chr(code >> 4)}{code & 0xF:x}"  # five digits: the escape ends after four
    yield ProtocolFinding.SHORT_ESCAPE, chr(code & 0xFFFF)
    yield ProtocolFinding.MOJIBAKE, _REPLACEMENT


def _holds(text: str, answer: Json) -> bool:
    """Whether the answer holds the text, in upper or lower case: an operation can change the case."""
    return text.lower() in json.dumps(answer, ensure_ascii=False).lower()


def _check_unknown_operation(session: ProbeSession) -> None:
    message = session.call(_NO_OPERATION, {})
    if message is None:
        session.findings.add(ProtocolFinding.UNKNOWN_OPERATION, f"{_NO_OPERATION}: {_no_reply(session)}")
    elif message.code != METHOD_NOT_FOUND:
        session.findings.add(ProtocolFinding.UNKNOWN_OPERATION, f"{_NO_OPERATION}: {_reaction(message)}")


def _check_malformed(session: ProbeSession, sample: Sample) -> None:
    if sample.malformed is None or ProtocolFinding.MALFORMED_REQUEST in session.findings:
        return
    what = f"{sample.operation.name} with {one_line(json.dumps(sample.malformed), 60)}"
    message = session.call(sample.operation.name, sample.malformed)
    if message is None:
        session.findings.add(ProtocolFinding.MALFORMED_REQUEST, f"{what}: {_no_reply(session)}")
    elif message.code != INVALID_PARAMS:
        session.findings.add(ProtocolFinding.MALFORMED_REQUEST, f"{what}: {_reaction(message)}")


def _reaction(message: Message) -> str:
    return "an answer" if message.code is None else message.refused


def _check_batch(session: ProbeSession, samples: Sequence[Sample]) -> None:
    batch = [samples[index % len(samples)] for index in range(_BATCH)]
    count = session.call_together([(sample.operation.name, sample.request) for sample in batch])
    if count < _BATCH:
        session.findings.add(ProtocolFinding.ONE_AT_A_TIME, f"replies to {_BATCH} requests in one piece: {count}")


def _check_long_line(session: ProbeSession, sample: Sample) -> None:
    if session.call(sample.operation.name, sample.request, _PADDING) is None:
        what = f"a request of {_PADDING // 1024} KiB (mostly spaces)"
        session.findings.add(ProtocolFinding.LONG_LINE, f"{what}: {_no_reply(session)}")


# Ending


def _exit_seconds(session: ProbeSession) -> float:
    return min(EXIT_SECONDS, max(1.0, session.seconds))


def _check_shutdown(session: ProbeSession) -> None:
    if session.channel is None and session.initialize() is None:
        return
    seconds = _exit_seconds(session)
    message = session.receive([session.send("shutdown", {})], seconds)
    if message is None or message.result is None:
        how = session.ending or (message.refused if message and message.code else "no reply with a result")
        session.findings.add(ProtocolFinding.SHUTDOWN_REPLY, how)
    status = session.wait_for_exit(seconds)
    if status is None:
        session.findings.add(ProtocolFinding.NO_EXIT, f"it still ran after {seconds:g} s")
    elif status:
        session.findings.add(ProtocolFinding.EXIT_STATUS, f"status {status} after shutdown")


def _check_end_of_input(session: ProbeSession, samples: Sequence[Sample]) -> None:
    """Sends one request and ends the input: the adapter answers it and exits."""
    if session.initialize() is None:
        return
    assert session.channel is not None
    method, params = (samples[0].operation.name, samples[0].request) if samples else ("initialize", initialize_params())
    id_ = session.send(method, params)
    session.channel.pump()
    session.channel.end_input()
    if session.receive([id_]) is None:
        session.findings.add(ProtocolFinding.END_OF_INPUT, f"no reply to the last request, {method}")
    seconds = _exit_seconds(session)
    status = session.wait_for_exit(seconds)
    if status is None:
        session.findings.add(ProtocolFinding.END_OF_INPUT, f"it still ran {seconds:g} s after its input was closed")
    elif status:
        session.findings.add(ProtocolFinding.EXIT_STATUS, f"status {status} at the end of its input")
