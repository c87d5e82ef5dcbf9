"""The words of a specification behind a requirement → blocks of a page."""

from __future__ import annotations

from collections.abc import Iterator

from ..base.text_limits import MAX_NAME
from ..corpus.specification_text import Passage, Quotation, SpecificationText
from ..errors import one_line, plural
from ..model import Requirement
from .document import Block, Code, Item, laid_out
from .phrases import verb


def quotation_items(text: SpecificationText | None, requirement: Requirement, depth: int = 2) -> Iterator[Block]:
    """The passages that state a requirement, each with its place, and the number of those that the text does not have."""
    quotation = text.quotation(requirement) if text else None
    if quotation is None:
        if text and requirement.unanchored:
            yield Item(NO_PASSAGE[requirement.unanchored], depth, "dim")
        return
    for passage in quotation.passages:
        yield from _passage(passage, depth)
    if quotation.gone:
        yield Item(f"{gone_text(quotation)}; parity coverage --text DIR names the nearest one", depth, "yellow")


def gone_text(quotation: Quotation) -> str:
    """`1 passage of 3 is changed or gone in this text`."""
    gone = len(quotation.gone)
    whole = gone + len(quotation.passages)
    return f"{plural(gone, 'passage')} of {whole} {verb(gone, 'is', 'are')} changed or gone in this text"


NO_PASSAGE = {"consequence": "no passage of the text states this alone: it follows from several"}
"""The text of each reason why a requirement has no anchor."""


def _passage(passage: Passage, depth: int) -> Iterator[Block]:
    if passage.is_lines:
        yield Item([Code(passage.place, MAX_NAME)], depth)
        yield from laid_out([one_line(line) for line in passage.words.split("\n")], depth + 1)
    else:
        yield Item(f"{passage.place}  {passage.words}", depth)
