"""The pages of `parity explain` about a ruling, a requirement, a failure group, and a case with recorded answers. They run
nothing: a run record has the answers."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from ..corpus.loader import Corpus
from ..corpus.paths import default_record
from ..corpus.specification_text import SpecificationText
from ..errors import UsageError, one_line
from ..model import Case, RecordedResult, Result, RunRecord, replace, where
from ..records import read_record
from ..report.document import as_markdown
from ..report.document_terminal import Medium
from ..report.pages import group_page, requirement_page, ruling_page
from ..report.pages.explanation import Explanation
from ..report.pages.group_page import GroupPage, groups_of
from ..report.pages.requirement_page import RequirementPage
from ..report.pages.ruling_issue import issue_blocks
from ..report.pages.ruling_page import RulingPage, record_note
from ..report.result_text import rerun_commands
from ..transport.adapter_spec import AdapterSpec, adapter_of
from ..transport.manifest import Manifest
from .single_case import Executed, explanation_of, known_files

TextOf = Callable[..., SpecificationText | None]
"""Gives the text of the specification, which the records named can lead to."""

MAX_GROUPS = 12
"""Failure groups that a message lists."""


def entry_page(
    id_: str,
    corpus: Corpus,
    record: Path | None,
    names: Sequence[str],
    medium: Medium,
    text: TextOf,
    site: str = "",
) -> str | None:
    """The page about the ruling or the requirement of this id, or about the failure group of this name; None if it is none
    of them.

    `record` is the file of a run; without one, the default record is read if it exists. `names` limits the page to these
    implementations; `site` is the address of a site. Raises `RecordError`, and `UsageError` for a failure group that the
    record does not have.
    """
    if id_.partition(" ")[0] in corpus.operations:
        return _group_page(id_, corpus, record, names, medium, text)
    if id_ in corpus.rulings:
        found = _record(record)
        ruling = corpus.rulings[id_]
        page = RulingPage(
            ruling=ruling,
            requirements=[corpus.requirements[requirement] for requirement in ruling.requirements],
            disputed=[case for case in corpus.cases if case.ruling == id_],
            cited=[case for case in corpus.cases if id_ in case.cited_by_rulings],
            rulings=corpus.rulings,
            record=found,
            names=names,
            text=text(*filter(None, [found])),
            site=site,
            is_same_corpus=_is_same_corpus(found, corpus),
        )
        return as_markdown(issue_blocks(page)) if medium.is_markdown else ruling_page.render(page, medium)
    if id_ in corpus.requirements:
        found = _record(record)
        return requirement_page.render(
            RequirementPage(
                requirement=corpus.requirements[id_],
                about=[ruling for ruling in corpus.rulings.values() if id_ in ruling.requirements],
                cases=[case for case in corpus.cases if id_ in case.requirements],
                rulings=corpus.rulings,
                record=found,
                names=names,
                text=text(*filter(None, [found])),
                is_same_corpus=_is_same_corpus(found, corpus),
            ),
            medium,
        )
    return None


def _group_page(
    name: str, corpus: Corpus, path: Path | None, names: Sequence[str], medium: Medium, text: TextOf
) -> str:
    """The page about the failure group of this name."""
    operation = name.partition(" ")[0]
    record = _record(path)
    if record is None:
        raise UsageError(
            f"{one_line(name)}: a failure group needs a run record. Run `parity run`, or name it: --record FILE."
        )
    groups = groups_of(record, names)
    found = [group for group in groups if group.name == name]
    if not found:
        same = list(dict.fromkeys(group.name for group in groups if group.operation == operation))
        listed = "".join(f"\n  parity explain {shlex.quote(other)}" for other in same[:MAX_GROUPS])
        nothing = f"The record has no failure group {one_line(name)}."
        raise UsageError(f"{nothing} Its groups:{listed}" if same else f"{nothing} No case of {operation} fails there.")
    page = GroupPage(
        name=name,
        groups=found,
        record=record,
        is_same_corpus=_is_same_corpus(record, corpus),
        requirements=corpus.requirements,
        text=text(record),
    )
    return group_page.render(page, medium)


def recorded_explanation(
    case: Case,
    corpus: Corpus,
    path: Path,
    names: Sequence[str],
    known: Path | None,
    manifests: Mapping[str, Manifest],
    text: TextOf,
) -> Explanation:
    """The values of the page about a case with the answers of a run record; `names` limits the implementations. The
    request and the expected answer are the recorded ones. Raises `UsageError` if the record has no result of the case."""
    record = read_record(path)
    found = where(record.results, lambda result: result.case == case.name, names or None)
    if not found:
        whose = f" of {', '.join(map(one_line, names))}" if names else ""
        raise UsageError(f"{path} has no result{whose} for {case.name}. Without --record the case runs anew.")
    case = _as_recorded(case, found[0])
    executed = Executed(
        results=[
            Result(case, result.implementation, result.outcome, result.ms, result.stderr, result.flaky)
            for result in found
        ],
        implementations={entry.name: entry.identity for entry in record.metadata.implementations if entry.identity},
        incidents=(),
        skipped={entry.name: entry.reason for entry in record.metadata.skipped},
    )
    names = [result.implementation for result in found]
    specs = [AdapterSpec(name, () if adapter_of(name) in manifests else (name,)) for name in names]
    files = known_files(known, specs, manifests, judges_one=len(found) == 1)
    return replace(
        explanation_of(case, corpus, executed, files, manifests),
        text=text(record),
        run=record_note(record, _is_same_corpus(record, corpus)),
        repeat="\n".join(command for result in found for command in rerun_commands(record, result).values()),
    )


def _as_recorded(case: Case, result: RecordedResult) -> Case:
    """The case of the corpus with the request and the expected answer of a record."""
    request = result.request if isinstance(result.request, dict) else case.recorded_request
    return case.with_body(expected=result.expected, recorded_request=request)


def _record(path: Path | None) -> RunRecord | None:
    """The record at `path`, else the default record; None if there is none."""
    if path is not None:
        return read_record(path)
    return read_record(default_record()) if default_record().exists() else None


def _is_same_corpus(record: RunRecord | None, corpus: Corpus) -> bool:
    return record is None or record.metadata.corpus_digest == corpus.digest
