"""The pages of `parity explain` about a ruling, a requirement and a failure group. They run nothing: a run record has the
answers."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path

from ..corpus.loader import Corpus
from ..corpus.paths import default_record
from ..errors import UsageError, one_line
from ..model import RunRecord
from ..records import read_record
from ..report import group_page, requirement_page, ruling_page
from ..report.group_page import GroupPage, groups_of
from ..report.requirement_page import RequirementPage
from ..report.ruling_page import RulingPage

MAX_GROUPS = 12
"""Failure groups that a message lists."""


def entry_page(
    id_: str, corpus: Corpus, record: Path | None, names: Sequence[str], *, color: bool, width: int
) -> str | None:
    """The page about the ruling or the requirement of this id, or about the failure group of this name; None if it is none
    of them.

    `record` is the file of a run; without one, the default record is read if it exists. `names` limits the page to these
    implementations. Raises `RecordError`, and `UsageError` for a failure group that the record does not have.
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
    if id_.partition(" ")[0] in corpus.operations:
        return _group_page(id_, corpus, record, names, color=color, width=width)
    return None


def _group_page(name: str, corpus: Corpus, path: Path | None, names: Sequence[str], *, color: bool, width: int) -> str:
    """The page about the failure group of this name."""
    operation = name.partition(" ")[0]
    record = _record(path)
    if record is None:
        raise UsageError(
            f"{one_line(name)}: a failure group needs a run record. Run `parity run`, or name it: --record FILE."
        )
    groups = groups_of(record, names)
    found = [one for one in groups if one.name == name]
    if not found:
        same = list(dict.fromkeys(one.name for one in groups if one.operation == operation))
        listed = "".join(f"\n  parity explain {shlex.quote(one)}" for one in same[:MAX_GROUPS])
        nothing = f"The record has no failure group {one_line(name)}."
        raise UsageError(f"{nothing} Its groups:{listed}" if same else f"{nothing} No case of {operation} fails there.")
    page = GroupPage(name=name, groups=found, record=record, is_same_corpus=_is_same_corpus(record, corpus))
    return group_page.render(page, color=color, width=width)


def _record(path: Path | None) -> RunRecord | None:
    """The record at `path`, else the default record; None if there is none."""
    if path is not None:
        return read_record(path)
    return read_record(default_record()) if default_record().exists() else None


def _is_same_corpus(record: RunRecord | None, corpus: Corpus) -> bool:
    return record is None or record.metadata.corpus_digest == corpus.digest
