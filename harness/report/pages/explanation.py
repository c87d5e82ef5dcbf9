"""One case and its results → the page that `parity explain` prints."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from msgspec import Struct, field

from ...base.text_limits import MAX_NAME, MAX_STATEMENT, MAX_TEXT
from ...compare.alignment import result_edits
from ...compare.canonical import sorted_text
from ...compare.edits import Edit, Marks, in_order_of, marks
from ...compare.error_text import outcome_text
from ...compare.json_diff import MAX_DIFFERENCES
from ...corpus.specification_text import SpecificationText
from ...errors import one_line
from ...gate.known_divergences import Divergence
from ...gate.places import source_place
from ...model import (
    ABSENT,
    EXPECTED,
    Answered,
    Case,
    Implementation,
    Incident,
    JsonObject,
    Operation,
    Raised,
    Requirement,
    Response,
    Result,
    Ruling,
    Verdict,
)
from ..cause_text import explained_by_text, verdict_with_readings
from ..difference_text import describe_edit, quoted
from ..document import Block, Code, Heading, Item, LaidOut, laid_out, literal, sections
from ..document_terminal import INDENT, Medium, render_document
from ..output_text import stack_lines
from ..phrases import and_more, place_text
from ..result_text import describe_incidents, repeat_command, stage_text
from ..ruling_adherence import adherence_text, followed_readings
from ..side_by_side import Column, Line, Lines, show, value_lines
from .ruling_page import documented_items, reading_line, requirement_items, ruling_title

_MAX_LISTED = 50
_BESIDE_BASELINE = {**dict.fromkeys(map(str, EXPECTED), "agrees"), "fail": "differs"}


class Explanation(Struct, frozen=True, kw_only=True):
    """A case with its results. `skipped` maps an adapter to the reason why it did not run; `steps` an implementation to
    the steps it reports (each `{section, step, value}`). `cited_by_rulings` are the rulings that cite the case as
    evidence, `options` the command-line options that repeat the case; `record` is the record of a generated case, which no
    corpus has. `calls` maps an implementation to the public calls of its SDK for this request, as code, `known` to
    the entry of its known-divergence file that explains its failure, and `known_otherwise` to the entry that lists the case
    with another signature. `run` names the run that has the results, if nothing is run. `rulings` are all of the corpus.
    `baseline` is for a request without a case: the implementation whose answer the others are compared with,
    and `repeat` the command that sends the request again. `repro` are the commands that print tests of failing SDKs."""

    case: Case
    operation: Operation
    requirements: Sequence[Requirement]
    ruling: Ruling | None
    results: Sequence[Result]
    implementations: Mapping[str, Implementation] = field(default_factory=dict)
    incidents: Sequence[Incident] = ()
    skipped: Mapping[str, str] = field(default_factory=dict)
    steps: Mapping[str, Sequence[JsonObject]] = field(default_factory=dict)
    cited_by_rulings: Sequence[Ruling] = ()
    record: str = ""
    options: Sequence[str] = ()
    calls: Mapping[str, str] = field(default_factory=dict)
    known: Mapping[str, Divergence] = field(default_factory=dict)
    known_otherwise: Mapping[str, Divergence] = field(default_factory=dict)
    rulings: Mapping[str, Ruling] = field(default_factory=dict)
    run: str = ""
    baseline: str = ""
    repeat: str = ""
    repro: Sequence[str] = ()
    text: SpecificationText | None = None

    def edits(self, result: Result) -> Sequence[Edit]:
        """The edits of one of the results."""
        return result_edits(result, _unobservable(self, result))


def render(explained: Explanation, medium: Medium) -> str:
    """The whole page."""
    width = medium.width - INDENT
    titled = {
        "": _head(explained),
        "request": [*laid_out(line.text for line in value_lines(explained.case.request))],
        "calls": _calls(explained),
        "answers": _answers(explained, width),
        "differences": laid_out(_differences(explained, width)),
        "stack": _stacks(explained),
        "known divergences": _known(explained),
        "the engine": _engine(explained),
        "requirements": requirement_items(explained.requirements, explained.text),
        "ruling": _ruling(explained),
        "cited by rulings": _citing_rulings(explained),
        "readings": _followed(explained),
        "steps": laid_out(_steps(explained)),
        "repeat": _repeat(explained),
    }
    return render_document(sections(titled.items()), medium)


def _calls(explained: Explanation) -> Iterator[Block]:
    """The code of each implementation; one line stands beside the name."""
    for name, code in explained.calls.items():
        lines = [one_line(line, MAX_TEXT) for line in code.expandtabs(4).splitlines()]
        yield Item(f"{name}:") if len(lines) > 1 else Item([f"{name}: ", Code(code, MAX_TEXT)])
        yield from laid_out(lines if len(lines) > 1 else [], 1)


def _head(explained: Explanation) -> Iterator[Block]:
    case = explained.case
    environment = [f"{name}={value}" for name, value in case.environment]
    if explained.baseline:
        yield Item("  ·  ".join([case.operation, *environment]))
        return
    yield Heading(2, case.name)
    if explained.run:
        yield Item(explained.run, tone="dim")
    details = [case.at, case.operation, f"origin {case.origin}", f"revision {case.revision}"]
    details += [*(["a negative case"] if case.negative else []), *environment]
    yield Item("  ·  ".join([*details, *case.tags]))
    if case.note:
        yield Item(f"note: {case.note}")
    if case.evidence:
        yield Item(["evidence: ", Code(case.evidence.strip(), MAX_TEXT)])


# Answers


def _answers(explained: Explanation, width: int) -> Iterator[Block]:
    incidents = [Lines([_barred(line)], "bold red") for line in describe_incidents(explained.incidents)]
    yield LaidOut([*show(list(_columns(explained)), width), *incidents])
    for name, reason in explained.skipped.items():
        yield Item([f"{name} is not tested: ", Code(reason, MAX_NAME)])


def _columns(explained: Explanation) -> Iterator[Column]:
    """The expected answer, then each other answer once, headed by the implementations that gave it."""
    groups: dict[str, list[Result]] = {}
    for result in explained.results:
        groups.setdefault(_response_text(result), []).append(result)
    wanted = explained.case.expected
    same = groups.pop(_text(wanted), [])
    marked, _ = marks([edit for result in explained.results for edit in explained.edits(result)])
    adopted = f" (reading {explained.case.adopted})" if explained.case.adopted else ""
    heading = explained.baseline or f"wanted{adopted}"
    yield Column([heading, *_verdicts(explained, same)], _response_lines(wanted, marked))
    for results in groups.values():
        lines = _result_lines(explained, results[0])
        yield Column([*_verdicts(explained, results), *_unobservable_heading(explained, results)], lines)


def _response_text(result: Result) -> str:
    if result.response:
        return _text(result.response)
    return f"{result.verdict} {result.kind} {outcome_text(result.outcome)}"


def _text(response: Response) -> str:
    return sorted_text(response.value) if isinstance(response, Answered) else f"raised {response.type}"


def _verdicts(explained: Explanation, results: Sequence[Result]) -> list[str]:
    return [f"{result.implementation}: {_shown_verdict(explained, result)}" for result in results]


def _shown_verdict(explained: Explanation, result: Result) -> str:
    """The verdict; beside a baseline `agrees` or `differs`, because no case states what is right."""
    text = verdict_with_readings(result)
    return _BESIDE_BASELINE.get(text, text) if explained.baseline else text


def _unobservable_heading(explained: Explanation, results: Sequence[Result]) -> Iterator[str]:
    """The places of the answer that these implementations cannot report."""
    pointers = sorted({pointer for result in results for pointer in _unobservable(explained, result)})
    if pointers and results[0].response:
        yield f"(unobservable: {', '.join(pointers)})"


def _response_lines(response: Response, marked: Marks) -> list[Line]:
    if isinstance(response, Answered):
        return value_lines(response.value, marked)
    raised = Line(f"raises {one_line(response.type)}", bool(marked.differing))
    return [raised, *([_barred(response.message)] if response.message else [])]


def _result_lines(explained: Explanation, result: Result) -> list[Line]:
    wanted = explained.case.expected
    match result.response:
        case Answered(value):
            _, marked = marks(explained.edits(result))
            alike = wanted.value if isinstance(wanted, Answered) else value
            return value_lines(in_order_of(alike, value), marked)
        case Raised() as raised:
            differs = result.verdict not in EXPECTED
            return _response_lines(raised, Marks(frozenset({"$"} if differs else ())))
    reason = _barred(outcome_text(result.outcome))
    return [reason, Line("standard error:"), _barred(result.stderr[-MAX_NAME:])] if result.stderr else [reason]


def _barred(text: str) -> Line:
    """Foreign text behind a bar, so that a CI log takes none of its lines for a command."""
    return Line(one_line(text.strip(), MAX_TEXT), barred=True)


# Differences, engine, requirements, ruling


def _differences(explained: Explanation, width: int) -> Iterator[str]:
    """How each answer differs from the expected one."""
    for result in explained.results:
        if not result.differences:
            continue
        stage = f", {stage_text(result.stage, result.recovered)}" if result.stage else ""
        yield f"{result.implementation}, {_shown_verdict(explained, result)}{stage}:"
        edits = explained.edits(result)
        yield from (f"  {line}" for edit in edits[:_MAX_LISTED] for line in describe_edit(edit, width - 2))
        is_least = len(result.differences) >= MAX_DIFFERENCES
        if more := and_more(len(edits) - _MAX_LISTED, "difference", is_least=is_least):
            yield f"  … {more}"
        if explanation := explained_by_text(result, explained.rulings):
            yield f"  {explanation}"
        if result.charged:
            yield f"  {'breaks' if result.by_cause else 'candidates'}: {one_line(', '.join(result.charged))}"


def _known(explained: Explanation) -> Iterator[Block]:
    """The reason for each failure that the implementation's known-divergence file explains, or lists otherwise."""
    for name, divergence in explained.known.items():
        place = f" ({place_text(source_place(divergence.place))})" if divergence.place else ""
        yield Item(f"{name}: {divergence.reason.strip()}{place}")
        yield from documented_items(divergence.documented, 1)
    for name, divergence in explained.known_otherwise.items():
        yield Item(f"{name}: listed with another signature: {divergence.reason}")


def _unobservable(explained: Explanation, result: Result) -> Sequence[str]:
    """The JSON Pointers of the operation's answer that an implementation cannot report."""
    implementation = explained.implementations.get(result.implementation)
    return implementation.unobservable.get(explained.operation.name, ()) if implementation else ()


def _engine(explained: Explanation) -> Iterator[Block]:
    """The expressions that a real engine rejects, with its message, each once."""
    refusals = [(result.implementation, refusal) for result in explained.results for refusal in result.engine]
    lines = (
        f"{refusal.engine} rejects {quoted(refusal.match)} at {refusal.path}, "
        f"{'expected' if refusal.side == 'wanted' else f'answered by {name}'}: {one_line(refusal.message)}"
        for name, refusal in refusals
    )
    yield from map(Item, dict.fromkeys(lines))


def _stacks(explained: Explanation) -> Iterator[Block]:
    """The stack trace of each raised error that fails the case."""
    for result in explained.results:
        if lines := stack_lines(result.stack):
            yield Item(f"{result.implementation}:")
            yield LaidOut([Lines([Line(one_line(line.replace("\t", "    ")), barred=True) for line in lines])])


def _ruling(explained: Explanation) -> Iterator[Block]:
    ruling = explained.ruling
    if ruling is None:
        return
    yield Item(ruling_title(ruling))
    yield Item(ruling.question)
    for reading in ruling.readings:
        yield Item(f"reading {reading_line(ruling, reading)}", 1)
        followed = [
            result.implementation for result in explained.results if (ruling.id, reading) in followed_readings(result)
        ]
        yield Item(f"followed by: {', '.join(followed) or 'none'}", 2, "dim")
    for result in explained.results:
        if result.verdict is Verdict.FAIL:
            unobservable = _unobservable(explained, result)
            yield Item(adherence_text(explained.case, explained.operation, result, unobservable), 1)
    yield Item(f"Basis ({ruling.basis}): {ruling.why}")
    yield from documented_items(ruling.documented, 1)


def _citing_rulings(explained: Explanation) -> Iterator[Block]:
    """Rulings that cite the case as evidence although it has one answer."""
    for ruling in explained.cited_by_rulings:
        yield Item(ruling_title(ruling))
        yield Item(f"adopted: {ruling.readings[ruling.adopted]}", 1)
        yield Item(f"basis ({ruling.basis}): {ruling.why}", 1)
        yield from documented_items(ruling.documented, 1)


def _followed(explained: Explanation) -> Iterator[Block]:
    """The readings that answers follow in place of the adopted ones, each beside the adopted reading."""
    followed = [pair for result in explained.results for pair in followed_readings(result)]
    for id_, reading in dict.fromkeys(followed):
        ruling = explained.rulings.get(id_)
        if ruling is None or id_ == explained.case.ruling or reading == ruling.adopted:
            continue
        yield Item(ruling_title(ruling))
        yield from (Item(f"reading {reading_line(ruling, name)}", 1) for name in (ruling.adopted, reading))


def _steps(explained: Explanation) -> Iterator[str]:
    """The steps that each implementation reports, by section of the specification."""
    for name, steps in explained.steps.items():
        if steps:
            yield f"{name}:"
        for section, of_section in groupby(steps, key=lambda step: step.get("section")):
            yield f"  {one_line(str(section))}"
            for step in of_section:
                yield f"    {one_line(str(step.get('step')))}: {quoted(step.get('value', ABSENT), MAX_STATEMENT)}"


def _repeat(explained: Explanation) -> Iterator[Block]:
    command = repeat_command(explained.options, explained.case.name)
    if explained.record:
        command = shlex.join(
            ["parity", "explain", explained.case.name, "--record", explained.record, *explained.options]
        )
    yield from map(literal, [*(explained.repeat or command).splitlines(), *explained.repro])
