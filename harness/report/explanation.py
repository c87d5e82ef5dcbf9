"""One case and what implementations made of it → the page that `parity explain` prints."""

from __future__ import annotations

import io
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.text import Text

from harness.compare.canonical import canonical_text
from harness.compare.unobservable import drop_paths
from harness.errors import one_line, printable
from harness.model import (
    ABSENT,
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
from harness.report.difference_text import sentences
from harness.report.error_text import outcome_text
from harness.report.ruling_adherence import adherence_text
from harness.report.side_by_side import Column, Line, Lines, Marks, marks, show, value_lines
from harness.report.text import describe_incidents, quoted

_INDENT = 2
_STDERR = 400
_LONGEST_TEXT = 600


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """All that is known of one case. `left_out` maps an adapter to why it was not asked; `steps` an implementation to
    what it told of its way (each `{section, step, value}`). `cited_by_rulings` are the rulings that cite the case
    as evidence,
    `options` those with which `parity run` asks the same."""

    case: Case
    operation: Operation
    requirements: Sequence[Requirement]
    ruling: Ruling | None
    results: Sequence[Result]
    implementations: Mapping[str, Implementation] = field(default_factory=dict)
    incidents: Sequence[Incident] = ()
    left_out: Mapping[str, str] = field(default_factory=dict)
    steps: Mapping[str, Sequence[JsonObject]] = field(default_factory=dict)
    cited_by_rulings: Sequence[Ruling] = ()
    options: Sequence[str] = ()


def render(explained: Explanation, *, color: bool, width: int) -> str:
    """The whole page, for a terminal of `width` columns."""
    file = io.StringIO()
    out = Console(file=file, force_terminal=color, no_color=not color, highlight=False, width=width)
    sections = {
        "": _head(explained.case),
        "request": _body(explained.case.request),
        "answers": _answers(explained, width - _INDENT),
        "in words": _words(explained),
        "the engine": _engine(explained),
        "requirements": _requirements(explained.requirements),
        "ruling": _ruling(explained),
        "cited_by_rulings in": _discussed(explained),
        "steps": _steps(explained),
        "again": _again(explained),
    }
    for heading, section in sections.items():
        lines = list(section)
        if not lines:
            continue
        if heading:
            out.print()
            out.print(Text(heading, style="bold cyan"))
        for line in lines:
            if isinstance(line, Text) and line.no_wrap:  # a command, which is pasted whole
                out.print(Text(" " * (_INDENT if heading else 0)) + line, soft_wrap=True)
                continue
            out.print(Padding(line, (0, 0, 0, _INDENT if heading else 0), expand=False))
    return "".join(f"{line.rstrip()}\n" for line in file.getvalue().splitlines())


def _head(case: Case) -> Iterator[Text]:
    yield Text(case.name, style="bold")
    facts = [case.at, case.operation, f"origin {case.origin}", f"revision {case.revision}"]
    facts += ["a negative case"] if case.negative else []
    facts += [f"{name}={value}" for name, value in case.environment]
    yield Text(one_line("  ·  ".join([*facts, *case.tags]), 400))
    if case.note:
        yield Text(printable(f"note: {case.note.strip()}"))
    if case.evidence:
        yield Text(printable(f"evidence: {case.evidence.strip()}"), no_wrap=True)


def _body(value: JsonObject) -> Iterator[Text]:
    yield from (Text(line.text) for line in value_lines(value))


# Answers


def _answers(explained: Explanation, width: int) -> Iterator[RenderableType]:
    yield from show(list(_columns(explained)), width)
    for told in describe_incidents(explained.incidents):
        yield Lines([_barred(told)], "bold red")
    for name, reason in explained.left_out.items():
        yield Text(f"{one_line(name)} was not asked: {one_line(reason, 400)}")


def _columns(explained: Explanation) -> Iterator[Column]:
    """What was wanted, then each answer that was given, once, with all who gave it."""
    groups: dict[str, list[Result]] = {}
    for result in explained.results:
        groups.setdefault(_said(result), []).append(result)
    wanted = explained.case.expected
    same = groups.pop(_text(wanted), [])
    parts = [part for result in explained.results for part in result.differences]
    marked = marks(
        [part.path for part in parts if part.wanted != ABSENT], [part.path for part in parts if part.wanted == ABSENT]
    )
    adopted = f" (reading {explained.case.adopted})" if explained.case.adopted else ""
    yield Column([f"wanted{adopted}", *_verdicts(same)], _outcome_lines(wanted, marked))
    for results in groups.values():
        yield Column([*_verdicts(results), *_untold(explained, results)], _result_lines(results[0]))


def _said(result: Result) -> str:
    if result.response:
        return _text(result.response)
    return f"{result.verdict} {result.kind} {outcome_text(result.outcome)}"


def _text(outcome: Response) -> str:
    return canonical_text(outcome.value) if isinstance(outcome, Answered) else f"raised {outcome.type}"


def _verdicts(results: Sequence[Result]) -> list[str]:
    return [f"{result.implementation}: {verdict_words(result)}" for result in results]


def _untold(explained: Explanation, results: Sequence[Result]) -> Iterator[str]:
    """What of the answer these implementations do not tell."""
    pointers = sorted({pointer for one in results for pointer in _untold_by(explained, one)})
    if pointers and results[0].response:
        yield f"(not told: {', '.join(pointers)})"


def verdict_words(result: Result) -> str:
    """`pass`, `variant, reading b`, `error/crash`."""
    if result.verdict is Verdict.VARIANT:
        return f"variant, reading {result.reading}"
    return f"{result.verdict}/{result.kind}" if result.kind else result.verdict.value


def _outcome_lines(outcome: Response, marked: Marks) -> list[Line]:
    if isinstance(outcome, Answered):
        return value_lines(outcome.value, marked)
    raised = Line(f"raises {one_line(outcome.type)}", bool(marked.differing))
    return [raised, *([_barred(outcome.message)] if outcome.message else [])]


def _result_lines(result: Result) -> list[Line]:
    if result.response is not None:
        parts = result.differences
        present = [part.path for part in parts if part.got != ABSENT]
        if isinstance(result.response, Raised) and result.verdict is not Verdict.PASS:
            present.append("$")
        return _outcome_lines(result.response, marks(present, [part.path for part in parts if part.got == ABSENT]))
    reason = _barred(outcome_text(result.outcome))
    return [reason, Line("standard error:"), _barred(result.stderr[-_STDERR:])] if result.stderr else [reason]


def _barred(text: str) -> Line:
    """A text of somebody else's, behind a bar: none of its lines is taken for a command by a CI log."""
    return Line(one_line(text.strip(), _LONGEST_TEXT), barred=True)


# What follows


def _words(explained: Explanation) -> Iterator[Text]:
    """How each answer differs from the one wanted."""
    for result in explained.results:
        if not result.differences:
            continue
        yield Text(f"{result.implementation}, {verdict_words(result)}{_stage(explained, result)}:")
        yield from (Text(f"  {sentence}") for sentence in _differences(explained, result))


def _stage(explained: Explanation, result: Result) -> str:
    last = explained.operation.stages[-1] if result.recovered else ""
    recovered = f"; {one_line(last)}, the last, is right all the same" if last else ""
    return f", parts first at {one_line(result.stage)}{recovered}" if result.stage else ""


def _differences(explained: Explanation, result: Result) -> list[str]:
    wanted, got = explained.case.expected, result.response
    if isinstance(wanted, Answered) and isinstance(got, Answered):
        return sentences(drop_paths(wanted.value, _untold_by(explained, result)), got.value, explained.operation.rules)
    return [f"It {_did(got)} where it was wanted that it {_did(wanted)}."]


def _untold_by(explained: Explanation, result: Result) -> Sequence[str]:
    """What of the operation's answers an implementation does not tell."""
    said = explained.implementations.get(result.implementation)
    return said.unobservable.get(explained.operation.name, ()) if said else ()


def _did(outcome: Response | None) -> str:
    return f"raises {one_line(outcome.type)}" if isinstance(outcome, Raised) else "answers"


def _engine(explained: Explanation) -> Iterator[Text]:
    """What a real engine refuses of the expressions wanted and given."""
    told: set[str] = set()
    for result in explained.results:
        for refusal in result.engine:
            whose = "what was wanted" if refusal.side == "wanted" else f"the answer of {result.implementation}"
            line = (
                f"{refusal.engine} refuses {quoted(refusal.match)} at {refusal.path}, {whose}: "
                f"{one_line(refusal.message)}"
            )
            if line not in told:
                told.add(line)
                yield Text(line)


def _requirements(requirements: Sequence[Requirement]) -> Iterator[Text]:
    for one in requirements:
        yield Text(printable(f"{one.id}  {one.level}  {one.statement.strip()}"))
        yield Text(one_line(f"    {one.document}, {one.section}"), style="dim")


def _ruling(explained: Explanation) -> Iterator[Text]:
    ruling = explained.ruling
    if ruling is None:
        return
    yield Text(one_line(f"{ruling.id}  {ruling.title} (severity {ruling.severity})", 300))
    yield Text(printable(ruling.question.strip()))
    for reading, words in ruling.readings.items():
        adopted = ", adopted" if reading == ruling.adopted else ""
        yield Text(printable(f"  reading {reading}{adopted}: {words.strip()}"))
        yield Text(f"    followed by: {_followers(explained, reading)}", style="dim")
    for result in explained.results:
        if result.verdict is Verdict.FAIL:
            unobservable = _untold_by(explained, result)
            yield Text(f"  {adherence_text(explained.case, explained.operation, result, unobservable)}")
    yield Text(printable(f"Adopted by its {ruling.basis}: {ruling.why.strip()}"))


def _discussed(explained: Explanation) -> Iterator[Text]:
    """Rulings that cite the case although it has one answer: the text is plain enough, and this says why."""
    for ruling in explained.cited_by_rulings:
        yield Text(one_line(f"{ruling.id}  {ruling.title} (severity {ruling.severity})", 300))
        yield Text(printable(f"  adopted: {ruling.readings[ruling.adopted].strip()}"))
        yield Text(printable(f"  by its {ruling.basis}: {ruling.why.strip()}"))


def _followers(explained: Explanation, reading: str) -> str:
    following = (Verdict.PASS, Verdict.VARIANT)
    names = [
        result.implementation
        for result in explained.results
        if result.verdict in following and result.reading == reading
    ]
    return ", ".join(names) or "nobody who was asked"


def _steps(explained: Explanation) -> Iterator[Text]:
    """How those that can tell came to their answer, by section of the specification."""
    for name, steps in explained.steps.items():
        if not steps:
            continue
        yield Text(f"{name} tells:")
        section = None
        for step in steps:
            if step.get("section") != section:
                section = step.get("section")
                yield Text(f"  {one_line(str(section))}")
            yield Text(f"    {one_line(str(step.get('step')))}: {quoted(step.get('value', ABSENT), 300)}")


def _again(explained: Explanation) -> Iterator[Text]:
    words = ["parity", "run", *explained.options, "--select", explained.case.name]
    yield Text(printable(shlex.join(words)), no_wrap=True)
