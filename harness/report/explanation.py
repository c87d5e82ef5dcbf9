"""One case and its results → the page that `parity explain` prints."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from rich.console import Group, RenderableType
from rich.text import Text

from ..compare.alignment import result_edits
from ..compare.canonical import sorted_text
from ..compare.edits import Edit, Marks, in_order_of, marks
from ..compare.error_text import outcome_text
from ..compare.json_diff import MAX_DIFFERENCES
from ..errors import one_line, printable
from ..gate.known_divergences import Divergence
from ..model import (
    ABSENT,
    Answered,
    Case,
    Documented,
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
from .choice_text import explained_by_text, verdict_with_readings
from .difference_text import describe_edit, quoted
from .documented import documented_text
from .phrases import MAX_NAME, MAX_STATEMENT, MAX_TEXT, and_more
from .ruling_adherence import adherence_text, followed_readings
from .ruling_page import requirement_lines
from .side_by_side import Column, Line, Lines, show, value_lines
from .terminal import INDENT, Medium, render_sections
from .text import describe_incidents, repeat_command, stack_lines, stage_text

_MAX_LISTED = 50
_BESIDE_BASELINE = {"pass": "agrees", "fail": "differs"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """A case with its results. `skipped` maps an adapter to the reason why it did not run; `steps` an implementation to
    the steps it reports (each `{section, step, value}`). `cited_by_rulings` are the rulings that cite the case as
    evidence, `options` the command-line options that repeat the case; `record` is the record of a generated case, which no
    corpus has. `calls` maps an implementation to the public calls that its adapter declares for this request, `known` to
    the entry of its known-divergence file that explains its failure, and `known_otherwise` to the entry that lists the case
    with another signature. `run` names the run that has the results, if nothing is run. `rulings` are all of the corpus.
    `baseline` is for a request without a case: the implementation whose answer the others are compared with,
    and `repeat` the command that sends the request again."""

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
    calls: Mapping[str, Sequence[str]] = field(default_factory=dict)
    known: Mapping[str, Divergence] = field(default_factory=dict)
    known_otherwise: Mapping[str, Divergence] = field(default_factory=dict)
    rulings: Mapping[str, Ruling] = field(default_factory=dict)
    run: str = ""
    baseline: str = ""
    repeat: str = ""

    def edits(self, result: Result) -> Sequence[Edit]:
        """The edits of one of the results."""
        return result_edits(result, _unobservable(self, result))


def render(explained: Explanation, medium: Medium) -> str:
    """The whole page."""
    sections = {
        "": _asked_head(explained.case) if explained.baseline else _head(explained.case, explained.run),
        "request": _body(explained.case.request),
        "calls": _calls(explained.calls),
        "answers": _answers(explained, medium.width - INDENT),
        "differences": _laid_out(_differences(explained, medium.width - INDENT)),
        "stack": _stacks(explained),
        "known divergences": _known(explained),
        "the engine": _engine(explained),
        "requirements": requirement_lines(explained.requirements),
        "ruling": _ruling(explained),
        "cited by rulings": _citing_rulings(explained),
        "readings": _followed(explained) if explained.baseline else [],
        "steps": _laid_out(_steps(explained)),
        "repeat": _repeat(explained),
    }
    return render_sections(sections, medium)


def _laid_out(lines: Iterator[Text]) -> Iterator[RenderableType]:
    """The lines as one block, which Markdown shows as it stands."""
    if shown := list(lines):
        yield Group(*shown)


def _head(case: Case, run: str) -> Iterator[Text]:
    yield Text(case.name, style="bold")
    if run:
        yield Text(run, style="dim")
    details = [case.at, case.operation, f"origin {case.origin}", f"revision {case.revision}"]
    details += ["a negative case"] if case.negative else []
    details += [f"{name}={value}" for name, value in case.environment]
    yield Text(one_line("  ·  ".join([*details, *case.tags]), MAX_NAME))
    if case.note:
        yield Text(printable(f"note: {case.note.strip()}"))
    if case.evidence:
        yield Text(printable(f"evidence: {case.evidence.strip()}"), no_wrap=True)


def _asked_head(case: Case) -> Iterator[Text]:
    yield Text(
        one_line("  ·  ".join([case.operation, *(f"{name}={value}" for name, value in case.environment)]), MAX_NAME)
    )


def _body(value: JsonObject) -> Iterator[RenderableType]:
    yield Group(*(Text(line.text) for line in value_lines(value)))


def _calls(calls: Mapping[str, Sequence[str]]) -> Iterator[Text]:
    """The public calls of each implementation, with their arguments."""
    for name, made in calls.items():
        for call in made:
            yield Text(one_line(f"{name}: {call}", MAX_TEXT))


# Answers


def _answers(explained: Explanation, width: int) -> Iterator[RenderableType]:
    yield from show(list(_columns(explained)), width)
    for line in describe_incidents(explained.incidents):
        yield Lines([_barred(line)], "bold red")
    for name, reason in explained.skipped.items():
        yield Text(f"{one_line(name)} was left out: {one_line(reason, MAX_NAME)}", no_wrap=True)


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
    pointers = sorted({pointer for one in results for pointer in _unobservable(explained, one)})
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
            differs = result.verdict is not Verdict.PASS
            return _response_lines(raised, Marks(frozenset({"$"} if differs else ())))
    reason = _barred(outcome_text(result.outcome))
    return [reason, Line("standard error:"), _barred(result.stderr[-MAX_NAME:])] if result.stderr else [reason]


def _barred(text: str) -> Line:
    """Foreign text behind a bar, so that a CI log takes none of its lines for a command."""
    return Line(one_line(text.strip(), MAX_TEXT), barred=True)


# Differences, engine, requirements, ruling


def _differences(explained: Explanation, width: int) -> Iterator[Text]:
    """How each answer differs from the expected one."""
    for result in explained.results:
        if not result.differences:
            continue
        stage = f", {stage_text(result.stage, result.recovered)}" if result.stage else ""
        yield Text(f"{result.implementation}, {_shown_verdict(explained, result)}{stage}:")
        edits = explained.edits(result)
        lines = (line for edit in edits[:_MAX_LISTED] for line in describe_edit(edit, width - 2))
        yield from (Text(f"  {line}") for line in lines)
        is_least = len(result.differences) >= MAX_DIFFERENCES
        if more := and_more(len(edits) - _MAX_LISTED, "difference", is_least=is_least):
            yield Text(f"  … {more}")
        if explanation := explained_by_text(result, explained.rulings):
            yield Text(f"  {explanation}")


def _known(explained: Explanation) -> Iterator[Text]:
    """The reason for each failure that the implementation's known-divergence file explains, or lists otherwise."""
    for name, divergence in explained.known.items():
        place = f" ({divergence.place})" if divergence.place else ""
        yield Text(printable(f"{name}: {divergence.reason.strip()}{place}"))
        yield from _documented(divergence.documented)
    for name, divergence in explained.known_otherwise.items():
        yield Text(printable(f"{name}: listed with another signature: {divergence.reason.strip()}"))


def _documented(found: Documented | None) -> Iterator[Text]:
    """The note on another document of the same project."""
    if found:
        yield Text(f"  {documented_text(found)}")


def _unobservable(explained: Explanation, result: Result) -> Sequence[str]:
    """The JSON Pointers of the operation's answer that an implementation cannot report."""
    implementation = explained.implementations.get(result.implementation)
    return implementation.unobservable.get(explained.operation.name, ()) if implementation else ()


def _engine(explained: Explanation) -> Iterator[Text]:
    """The expressions that a real engine rejects, with its message, each once."""
    shown: set[str] = set()
    for result in explained.results:
        for refusal in result.engine:
            whose = "expected" if refusal.side == "wanted" else f"answered by {result.implementation}"
            line = (
                f"{refusal.engine} rejects {quoted(refusal.match)} at {refusal.path}, {whose}: "
                f"{one_line(refusal.message)}"
            )
            if line not in shown:
                shown.add(line)
                yield Text(line)


def _stacks(explained: Explanation) -> Iterator[RenderableType]:
    """The stack trace of each raised error that fails the case."""
    for result in explained.results:
        if lines := stack_lines(result.stack):
            yield Text(f"{result.implementation}:")
            yield Lines([Line(one_line(line.replace("\t", "    ")), barred=True) for line in lines])


def _ruling(explained: Explanation) -> Iterator[Text]:
    ruling = explained.ruling
    if ruling is None:
        return
    yield Text(one_line(f"{ruling.id}  {ruling.title} (severity {ruling.severity})", MAX_STATEMENT))
    yield Text(printable(ruling.question.strip()))
    for reading, words in ruling.readings.items():
        adopted = ", adopted" if reading == ruling.adopted else ""
        yield Text(printable(f"  reading {reading}{adopted}: {words.strip()}"))
        yield Text(f"    followed by: {_followers(explained, reading)}", style="dim")
    for result in explained.results:
        if result.verdict is Verdict.FAIL:
            unobservable = _unobservable(explained, result)
            yield Text(f"  {adherence_text(explained.case, explained.operation, result, unobservable)}")
    yield Text(printable(f"Basis ({ruling.basis}): {ruling.why.strip()}"))
    yield from _documented(ruling.documented)


def _citing_rulings(explained: Explanation) -> Iterator[Text]:
    """Rulings that cite the case as evidence although it has one answer."""
    for ruling in explained.cited_by_rulings:
        yield Text(one_line(f"{ruling.id}  {ruling.title} (severity {ruling.severity})", MAX_STATEMENT))
        yield Text(printable(f"  adopted: {ruling.readings[ruling.adopted].strip()}"))
        yield Text(printable(f"  basis ({ruling.basis}): {ruling.why.strip()}"))
        yield from _documented(ruling.documented)


def _followed(explained: Explanation) -> Iterator[Text]:
    """The readings that answers follow in place of the adopted ones, each beside the adopted reading."""
    followed = [one for result in explained.results for one in followed_readings(result)]
    for id_, reading in dict.fromkeys(followed):
        ruling = explained.rulings.get(id_)
        if ruling is None or id_ == explained.case.ruling or reading == ruling.adopted:
            continue
        yield Text(one_line(f"{id_}  {ruling.title} (severity {ruling.severity})", MAX_STATEMENT))
        for name in dict.fromkeys((ruling.adopted, reading)):
            adopted = ", adopted" if name == ruling.adopted else ""
            yield Text(printable(f"  reading {name}{adopted}: {ruling.readings.get(name, '').strip()}"))


def _followers(explained: Explanation, reading: str) -> str:
    names = [
        result.implementation
        for result in explained.results
        if (explained.case.ruling, reading) in followed_readings(result)
    ]
    return ", ".join(names) or "none"


def _steps(explained: Explanation) -> Iterator[Text]:
    """The steps that each implementation reports, by section of the specification."""
    for name, steps in explained.steps.items():
        if not steps:
            continue
        yield Text(f"{name}:")
        section = None
        for step in steps:
            if step.get("section") != section:
                section = step.get("section")
                yield Text(f"  {one_line(str(section))}")
            yield Text(f"    {one_line(str(step.get('step')))}: {quoted(step.get('value', ABSENT), MAX_STATEMENT)}")


def _repeat(explained: Explanation) -> Iterator[Text]:
    if explained.repeat:
        yield from (Text(printable(line), no_wrap=True) for line in explained.repeat.splitlines())
        return
    command = repeat_command(explained.options, explained.case.name)
    if explained.record:
        words = ["parity", "explain", explained.case.name, "--record", explained.record, *explained.options]
        command = printable(shlex.join(words))
    yield Text(command, no_wrap=True)
