"""What it takes to adopt readings → the page that `parity adopt` prints: what is written, and what is left to a person."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from ...base.text_limits import MAX_STATEMENT
from ...corpus.adopted_files import UNCONFIRMED, ComputedAnswer
from ...corpus.adoption import Adoption, Mention, UnlistedCase, file_of
from ...errors import Problem, plural
from ...model import Case, Difference, Requirement, Ruling
from ..document import Block, Code, Heading, Item, Table, literal, sections
from ..document_terminal import Medium, render_document
from ..phrases import and_more, first_and_more
from .impact_page import answer_items, corpus_words, wording_items
from .ruling_page import MAX_CASES, MAX_LISTED, state_of


class AdoptionPage(Struct, frozen=True, kw_only=True):
    """An adoption, with the texts that it names. `is_written`: the files have it, and `problems` are those of the corpus
    since. It lies in `folder`; `corpus` is this folder as the command line names it, empty for the shipped corpus."""

    adoption: Adoption
    rulings: Mapping[str, Ruling]
    requirements: Mapping[str, Requirement]
    mentions: Sequence[Mention]
    folder: str
    corpus: str = ""
    is_written: bool = False
    problems: Sequence[Problem] = ()


def render(page: AdoptionPage, medium: Medium) -> str:
    """The whole page."""
    adoption = page.adoption
    names = [f"{ruling}={reading}" for ruling, reading in adoption.readings]
    titled = {
        "": _files(page, names),
        "cases without an answer by the reading": _unlisted(adoption.unlisted),
        "answers to derive from the text": _computed([each for each in adoption.computed if not each.why]),
        "answers that stay as they are": _not_written([each for each in adoption.computed if each.why]),
        "requirements to read again": _requirements(page),
        "rulings to write again": _rulings(page),
        "notes and evidence to read again": _remarks(adoption),
        "other places that name the rulings": _mentions(page.mentions),
        "problems of the corpus": [block for problem in page.problems for block in _problem(problem)],
        "check": _checks(page),
    }
    return render_document(sections(titled.items()), medium)


def _files(page: AdoptionPage, names: Sequence[str]) -> Iterator[Block]:
    """The files with their numbers of edits."""
    adoption = page.adoption
    yield Heading(2, f"{'Adopted' if page.is_written else 'To adopt'}: {', '.join(names)}")
    letters = Counter(file_of(case) for case in adoption.switched)
    letters.update(_file(page.rulings[ruling].at) for ruling, _ in adoption.readings)
    answers = Counter(file_of(each.change.case) for each in adoption.computed if not each.why)
    rows = [[name, f"{letters[name] or '·'}", f"{answers[name] or '·'}"] for name in adoption.texts]
    yield Item(["in ", Code(page.folder, MAX_STATEMENT)])
    yield Table(["file", "adopted letters", "computed answers"], rows, numbers=2)
    if not page.is_written:
        yield Item("Nothing is written yet. To write it:")
        yield literal(shlex.join(["parity", "adopt", *names, *corpus_words(page.corpus), "--write"]), 1)


def _unlisted(unlisted: Sequence[UnlistedCase]) -> Iterator[Block]:
    """The disputed cases whose letter stays, and which of their answers the reading gives."""
    if unlisted:
        yield Item("Their letter stays, so the corpus cannot be loaded. Add the reading, or make the case a plain one.")
    for each in unlisted[:MAX_LISTED]:
        answer = f"the reading gives the answer of {each.alike}" if each.alike else "the reading gives a further answer"
        yield literal(f"{each.case.at}  {each.case.name}", 1)
        yield Item(answer, 3, "dim")
    if more := and_more(len(unlisted) - MAX_LISTED, "case"):
        yield Item(f"… {more}", 1)


def _file(at: str) -> str:
    return at.rpartition(":")[0]


def _computed(answers: Sequence[ComputedAnswer]) -> Iterator[Block]:
    """The computed answers, each with its first change."""
    if not answers:
        return
    yield Item(
        f"The reference gives {plural(len(answers), 'answer')} that no case records. Each line is marked `# {UNCONFIRMED}`: "
        "derive the answer by hand, then delete the mark. A test refuses marks."
    )
    yield from answer_items(list(map(_named, answers)), 1)


def _not_written(answers: Sequence[ComputedAnswer]) -> Iterator[Block]:
    for each in answers:
        yield from answer_items([_named(each)])
        yield Item(f"not written: {each.why}", 2, "dim")


def _named(each: ComputedAnswer) -> tuple[str, Difference]:
    """The place and the name of a computed answer, with its first difference."""
    reading = f" (reading {each.steps[-2]})" if len(each.steps) > 1 else ""
    return f"{each.change.case.at}  {each.change.case.name}{reading}", each.change.first


def _requirements(page: AdoptionPage) -> Iterator[Block]:
    for id_ in dict.fromkeys(id_ for ruling, _ in page.adoption.readings for id_ in page.rulings[ruling].requirements):
        requirement = page.requirements[id_]
        yield Item(f"{requirement.at}  {id_}")
        yield Item(requirement.statement, 2, "dim")


def _rulings(page: AdoptionPage) -> Iterator[Block]:
    for id_, reading in page.adoption.readings:
        ruling = page.rulings[id_]
        yield Item(f"{ruling.at}  {id_}: text, basis, why, wording and excludes argue for reading {ruling.adopted}")
        yield Item(f"{reading}: {ruling.readings[reading]}", 2, "dim")
        yield Item(f"state: {state_of(ruling)}", 2, "dim")
        yield from wording_items(ruling)


def _remarks(adoption: Adoption) -> Iterator[Block]:
    """The changed cases with a note or a command that computes the answer."""
    cases = dict.fromkeys([*adoption.switched, *(each.change.case for each in adoption.computed)])
    yield from _listed("with a note", [case for case in cases if case.note])
    yield from _listed("with a command that computes the answer", [case for case in cases if case.evidence])


def _listed(title: str, cases: Sequence[Case]) -> Iterator[Block]:
    if cases:
        yield Item(f"{title}: {plural(len(cases), 'case')}")
        yield from (literal(line, 1) for line in first_and_more([case.at for case in cases], MAX_CASES))


def _mentions(found: Sequence[Mention]) -> Iterator[Block]:
    """The reference's decision, its other reading, the causes of SDKs, the pages."""
    for mention in found[:MAX_LISTED]:
        yield Item([Code(f"{mention.place}  {mention.text}", MAX_STATEMENT)])
    if more := and_more(len(found) - MAX_LISTED, "line"):
        yield Item(f"… {more}")


def _problem(problem: Problem) -> Iterator[Block]:
    yield literal(f"{problem.place}  {problem.case}".rstrip())
    yield Item(f"{problem.message} {problem.remedy}", 2, "dim")


def _checks(page: AdoptionPage) -> Iterator[Block]:
    """The reference and the oracle agree with the corpus when both have the reading."""
    adoption = page.adoption
    names = sorted({each.change.case.suite for each in adoption.computed} | {case.suite for case in adoption.switched})
    words = [word for name in names for word in ("--select", name)]
    yield literal(shlex.join(["git", *(["-C", page.corpus] if page.corpus else []), "diff", "cases"]))
    yield Item("The reference and the oracle fail the changed cases until both state the reading:")
    both = ["--adapter", "reference", "--adapter", "node oracles/adapter.mjs"]
    yield literal(shlex.join(["parity", "run", *both, *corpus_words(page.corpus), *words]))
