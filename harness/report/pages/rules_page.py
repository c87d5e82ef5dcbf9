"""An operation with its rules → the page of `parity schema --rules`: types, requirements, rulings, traps, two cases."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from ...base.text_limits import MAX_TEXT
from ...compare.canonical import compact
from ...corpus.specification_text import SpecificationText
from ...model import Answered, Case, Requirement, Ruling
from ..document import Block, Code, Item, literal, sections
from ..document_terminal import Medium, render_document
from ..documented import documented_text
from .ruling_page import TEXT, reading_line, requirement_items, ruling_title
from .schema_page import OperationPage, operation_parts


class Rules(Struct, frozen=True, kw_only=True):
    """What an implementer of an operation has to know beside its types. `rulings` are those that its cases separate or are
    evidence for, `traps` the languages with a trap by the trap's id, `examples` a few of its cases."""

    requirements: Sequence[Requirement]
    rulings: Sequence[Ruling]
    traps: Mapping[str, Sequence[str]]
    examples: Sequence[Case]
    text: SpecificationText | None = None


def render_rules(page: OperationPage, rules: Rules, medium: Medium) -> str:
    """The whole page."""
    titled: list[tuple[str, Iterable[Block]]] = [
        *operation_parts(page, medium),
        ("requirements", requirement_items(rules.requirements, rules.text)),
        ("rulings", _rulings(rules.rulings)),
        ("traps, by language", (Item(f"{id_}: {', '.join(languages)}") for id_, languages in rules.traps.items())),
        ("examples", _examples(rules.examples)),
        ("next", map(literal, page.commands)),
    ]
    return render_document(sections(titled), medium)


def _rulings(rulings: Iterable[Ruling]) -> Iterator[Block]:
    """Each ruling with its adopted reading, then the others."""
    for ruling in rulings:
        yield Item(ruling_title(ruling))
        yield Item(ruling.question, 2)
        for name in sorted(ruling.readings, key=lambda name: name != ruling.adopted):
            yield Item(reading_line(ruling, name), 2, "" if name == ruling.adopted else "dim")
        yield Item(TEXT[ruling.text], 2, "dim")
        if ruling.documented:
            yield Item(documented_text(ruling.documented), 2, "dim")


def _examples(cases: Iterable[Case]) -> Iterator[Block]:
    for case in cases:
        expected = case.expected
        shown = compact(expected.value) if isinstance(expected, Answered) else f"error {expected.type}"
        yield literal(case.name)
        yield Item(["request  ", Code(compact(case.request), MAX_TEXT)], 1)
        yield Item(["answer   ", Code(shown, MAX_TEXT)], 1)
