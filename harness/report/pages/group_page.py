"""A failure group of a run → the page that `parity explain 'OPERATION PLACE'` prints."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from operator import attrgetter

from msgspec import Struct, field

from ...base.text_limits import MAX_NAME
from ...compare.causes import cause_name, count_by_cause
from ...corpus.specification_text import SpecificationText
from ...model import FAILING, RecordedResult, Requirement, RunRecord, in_corpus_order, where
from ..document import Block, Code, Heading, Item, Table, first_items, literal, sections
from ..document_terminal import Medium, render_document
from ..failure_groups import FailureGroup, failure_groups
from ..phrases import and_more
from ..quotation_text import quotation_items
from ..result_text import requirement_statement, rerun_commands, ruling_title
from ..terminal.group_text import group_blocks
from .ruling_page import MAX_LISTED, record_note


class GroupPage(Struct, frozen=True, kw_only=True):
    """The failures of one group, by implementation. `record` is their run; `requirements` are those of the corpus, `text`
    has their words."""

    name: str
    groups: Sequence[FailureGroup]
    record: RunRecord
    is_same_corpus: bool = True
    requirements: Mapping[str, Requirement] = field(default_factory=dict)
    text: SpecificationText | None = None

    @property
    def results(self) -> list[RecordedResult]:
        """The failures of all implementations."""
        return [result for group in self.groups for result in group.results]


def groups_of(record: RunRecord, names: Sequence[str]) -> list[FailureGroup]:
    """The failure groups of each implementation of a run, or of these implementations only."""
    ordered = in_corpus_order(record.results, record.implementations)
    failing = where(ordered, lambda outcome: outcome.verdict in FAILING)
    chosen = [name for name in record.implementations if not names or name in names]
    return [group for name in chosen for group in failure_groups(where(failing, names={name}), record.metadata)]


def render(page: GroupPage, medium: Medium) -> str:
    """The whole page."""
    examples = {group.results[0].implementation: _group(group, page.record, medium.width) for group in page.groups}
    titled = {
        "": _head(page),
        **examples,
        "causes": _causes(page),
        "requirements": _counted(
            (id_ for result in page.results for id_ in result.charged),
            "requirement",
            lambda id_: requirement_statement(page.record, id_),
        ),
        "the text": _quoted(page),
        "rulings": _counted(
            (id_ for result in page.results for id_ in (result.ruling, *result.cited_by_rulings) if id_),
            "ruling",
            lambda id_: ruling_title(page.record, id_),
        ),
        "cases": first_items(list(dict.fromkeys(result.case for result in page.results)), MAX_LISTED, "case"),
        "repeat": [
            literal(command)
            for group in page.groups
            for command in rerun_commands(page.record, group.results[0]).values()
        ],
    }
    return render_document(sections(titled.items()), medium)


def _head(page: GroupPage) -> Iterator[Block]:
    yield Heading(2, page.name)
    counts = ", ".join(f"{group.results[0].implementation} {len(group.results):,}" for group in page.groups)
    yield Item(f"failing cases: {counts}")
    yield Item(record_note(page.record, page.is_same_corpus), tone="dim")


def _group(group: FailureGroup, record: RunRecord, width: int) -> Iterator[Block]:
    """The example in full, the nearest passing case, and the requirements without a passing case."""
    names = attrgetter("case")
    blocks = group_blocks(group.results, record, lambda part: map(names, part), width, is_repeatable=False)
    next(blocks)  # the number of failures, which the head has
    yield from blocks


def _causes(page: GroupPage) -> Iterator[Block]:
    rulings = page.record.metadata.rulings
    examples = {cause_name(result, rulings): result.case for result in reversed(page.results)}
    counts = count_by_cause(page.results, rulings)
    yield Table(
        ["cause", "for example", "cases"],
        [[cause, [Code(examples[cause], MAX_NAME)], f"{count:,}"] for cause, count in counts.items()],
        numbers=1,
    )


def _quoted(page: GroupPage) -> Iterator[Block]:
    """The words of the text behind each requirement, the most frequent first."""
    counts = Counter(id_ for result in page.results for id_ in result.charged)
    for id_, _ in counts.most_common(MAX_LISTED):
        requirement = page.requirements.get(id_)
        if requirement and (quoted := list(quotation_items(page.text, requirement, 1))):
            yield Item(id_)
            yield from quoted


def _counted(ids: Iterable[str], what: str, text: Callable[[str], str]) -> Iterator[Block]:
    """Rulings or requirements with their texts and their numbers of cases, the most frequent first."""
    counts = Counter(ids).most_common()
    if counts:
        rows = [[id_, text(id_), f"{count:,}"] for id_, count in counts[:MAX_LISTED]]
        yield Table([what, "text", "cases"], rows, numbers=1)
    if more := and_more(len(counts) - MAX_LISTED, what):
        yield Item(f"… {more}")
