"""The review's findings beside the decisions: refused expressions, broken requirements, unobservable requirements."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ...model import REFERENCE, RecordedResult, Requirement, RunRecord
from ..document import Block, Code, Heading, Item, Paragraph, Span, Spans, Strong, Table, prose
from ..documented import documented_places, documented_text, notes_of
from ..failure_spans import failure_spans
from ..requirement_failures import BrokenRequirement, broken_requirements
from ..run_summary import not_started
from .review_descriptions import MAX_LINKS, Target, case_link, number_spans, ruling_spans

_REJECTED = (
    "MATCH strings that a real SQLite rejects. Every SDK that follows the text compiles the strings that the text "
    "requires."
)
_OTHER_DOCUMENT = (
    "The cases follow the documentation pages. For each of these places, another document of the project describes a "
    "different behaviour. Numbers count failing cases."
)

_COUNTED = (
    "A failing answer charges the requirements that its causes break, or candidates for them. “2 of 9” are the charging "
    "answers among those to cases of the requirement. “·” is an SDK that meets it, “–” one that was not tested on it."
)
_NOT_TESTED = "–"


def finding_blocks(record: RunRecord, target: Target) -> Iterator[Block]:
    """The findings beside the decisions."""
    sdks = [name for name in record.implementations if name != REFERENCE and name not in not_started(record)]
    yield from _refused(record, target)
    yield from _broken(record, sdks, target)
    yield from _documented(record, sdks, target)
    yield from _unobservable(record)


def _refused(record: RunRecord, target: Target) -> Iterator[Block]:
    """Expressions that the engine rejects, by its message, with their sources."""
    found: dict[str, dict[str, RecordedResult]] = {}
    sources: dict[str, set[str]] = {}
    ruled: dict[str, set[str]] = {}
    for result in record.results:
        for refusal in result.engine:
            message = refusal.message
            found.setdefault(message, {}).setdefault(refusal.match, result)
            source = "the text" if refusal.side == "wanted" else result.implementation
            sources.setdefault(message, set()).add(source)
            ruled.setdefault(message, set()).update({result.ruling, *result.cited_by_rulings} - {""})
    if not found:
        return
    yield Heading(2, "Expressions that the engine rejects")
    yield Paragraph(_REJECTED)
    rows: list[Sequence[Spans]] = [
        [
            [Code(message)],
            ", ".join(sorted(sources[message])),
            _examples(matches, target),
            ruling_spans(sorted(ruled[message])) or ["·"],
            number_spans(list(matches.values()), target),
        ]
        for message, matches in found.items()
    ]
    yield Table(["engine message", "source", "example", "decision", "expressions"], rows, numbers=1)


def _examples(matches: Mapping[str, RecordedResult], target: Target) -> Spans:
    """The shortest expressions, each with a case."""
    shortest = sorted(matches, key=lambda match: (len(match), match))[:MAX_LINKS]
    spans: list[Span] = []
    for match in shortest:
        spans += ["; " if spans else "", Code(match), " in ", case_link(matches[match].case, matches[match].at, target)]
    return spans


def _broken(record: RunRecord, sdks: Sequence[str], target: Target) -> Iterator[Block]:
    """The charged requirements: those that every tested SDK breaks, those that some break, and those that only one SDK was
    tested on."""
    found = broken_requirements(record, sdks)
    of_all = [broken for broken in found if broken.by_all and len(broken.shares) > 1]
    alone = [broken for broken in found if len(broken.shares) == 1]
    tables = (
        ("that every tested SDK breaks", "The text may be wrong.", of_all),
        (
            "on which implementations split",
            "Some SDKs meet them.",
            [broken for broken in found if not broken.by_all],
        ),
        (
            f"that {sdks[0]} breaks" if len(sdks) == 1 else "that the only tested SDK breaks",
            "Only one SDK was tested on them, so its failures are no evidence against the text.",
            alone,
        ),
    )
    for title, meaning, rows in tables:
        if rows:
            yield Heading(2, f"Requirements {title}")
            yield Paragraph([f"{meaning} {_COUNTED}"])
            head: list[Spans] = ["requirement", "example", *([Code(name)] for name in sdks)]
            yield Table(head, [_row(broken, record, sdks, target) for broken in rows], numbers=len(sdks))


def _row(broken: BrokenRequirement, record: RunRecord, sdks: Sequence[str], target: Target) -> Sequence[Spans]:
    metadata = record.metadata
    about = [id_ for id_, ruling in metadata.rulings.items() if broken.requirement in ruling.requirements]
    see: list[Span] = [" See ", *ruling_spans(about), "."] if about else []
    example = broken.example
    every = [result for results in broken.charging.values() for result in results]
    return [
        [*_statement(broken.requirement, metadata.requirements), *see],
        [
            case_link(example.case, example.at, target),
            ": ",
            *failure_spans(example, record),
            *(span for note in notes_of(every, record) for span in ("; ", *prose(note))),
        ],
        *(_share(broken, name, target) for name in sdks),
    ]


def _share(broken: BrokenRequirement, name: str, target: Target) -> Spans:
    """`36 of 37`, `2 of 9, candidate`: the answers that charge a requirement, linked to the first one."""
    share = broken.shares.get(name)
    if share is None:
        return [_NOT_TESTED]
    charging = broken.charging.get(name, ())
    candidate = "" if not charging or any(result.by_cause for result in charging) else ", candidate"
    return [*number_spans(charging, target), f" of {share.ran:,}{candidate}"] if charging else ["·"]


def _statement(id_: str, texts: Mapping[str, Requirement]) -> list[Span]:
    found = texts.get(id_)
    return [Strong(id_), f" ({found.level}) ", *prose(found.statement)] if found else [Strong(id_), " "]


def _documented(record: RunRecord, sdks: Sequence[str], target: Target) -> Iterator[Block]:
    """Behaviour that another document of the same project describes, with the failures of the SDKs there."""
    found = documented_places(record)
    if not found:
        return
    yield Heading(2, "The documentation pages and the repository's specification folder differ here")
    yield Paragraph(_OTHER_DOCUMENT)
    rows: list[Sequence[Spans]] = []
    for place in found:
        of_sdks = [result for result in place.results if result.implementation in sdks]
        example = [case_link(of_sdks[0].case, of_sdks[0].at, target)] if of_sdks else ["·"]
        about = [*ruling_spans(place.rulings), *(span for text in place.reasons for span in ("; ", *prose(text)))]
        counts = [
            number_spans([result for result in of_sdks if result.implementation == name], target) for name in sdks
        ]
        described = [*prose(documented_text(place.documented)), "."]
        rows.append([described, about[not place.rulings :], example, *counts])
    head: list[Spans] = ["other document", "decision or known divergence", "example", *([Code(name)] for name in sdks)]
    yield Table(head, rows, numbers=len(sdks))


def _unobservable(record: RunRecord) -> Iterator[Block]:
    """Requirements that no case can show."""
    found = {id_: text for id_, text in record.metadata.requirements.items() if text.unobservable}
    if found:
        yield Heading(2, "Requirements that cannot be observed")
        yield from (Item([Strong(id_), f" {text.statement} {text.unobservable}"]) for id_, text in found.items())
