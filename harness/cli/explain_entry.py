"""The pages of `parity explain` about a ruling and about a requirement. They run nothing: a run record has the answers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ..corpus.loader import Corpus
from ..corpus.paths import default_record
from ..model import RunRecord
from ..records import read_record
from ..report import requirement_page, ruling_page
from ..report.requirement_page import RequirementPage
from ..report.ruling_page import RulingPage


def entry_page(
    id_: str, corpus: Corpus, record: Path | None, names: Sequence[str], *, color: bool, width: int
) -> str | None:
    """The page about the ruling or the requirement of this id; None if the corpus has none.

    `record` is the file of a run; without one, the default record is read if it exists. `names` limits the page to these
    implementations. Raises `RecordError`.
    """
    if id_ in corpus.rulings:
        found = _record(record)
        ruling = corpus.rulings[id_]
        return ruling_page.render(
            RulingPage(
                ruling=ruling,
                requirements=[corpus.requirements[one] for one in ruling.requirements],
                disputed=corpus.pick(case for case in corpus.heads if case.ruling == id_),
                cited=corpus.pick(case for case in corpus.heads if id_ in case.cited_by_rulings),
                rulings=corpus.rulings,
                record=found,
                names=names,
                is_same_corpus=_is_same_corpus(found, corpus),
            ),
            color=color,
            width=width,
        )
    if id_ in corpus.requirements:
        found = _record(record)
        return requirement_page.render(
            RequirementPage(
                requirement=corpus.requirements[id_],
                about=[one for one in corpus.rulings.values() if id_ in one.requirements],
                cases=corpus.pick(case for case in corpus.heads if id_ in case.requirements),
                rulings=corpus.rulings,
                record=found,
                names=names,
                is_same_corpus=_is_same_corpus(found, corpus),
            ),
            color=color,
            width=width,
        )
    return None


def _record(path: Path | None) -> RunRecord | None:
    """The record at `path`, else the default record; None if there is none."""
    if path is not None:
        return read_record(path)
    return read_record(default_record()) if default_record().exists() else None


def _is_same_corpus(record: RunRecord | None, corpus: Corpus) -> bool:
    return record is None or record.metadata.corpus_digest == corpus.digest
