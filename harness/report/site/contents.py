"""Run records and a corpus → the contents of a site: implementations by version, and cases with their results. Pure."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct, field
from packaging.version import Version

from ...compare.canonical import equality_text
from ...corpus.specification_text import Quotation, SpecificationText
from ...model import (
    FAILING,
    REFERENCE,
    Case,
    RecordedImplementation,
    RecordedResult,
    Requirement,
    Ruling,
    RunRecord,
    Verdict,
    replace,
)
from ..conformance import AnsweredShare, Conformance
from ..description import Description, descriptions
from ..result_text import rerun_commands, response_json
from ..run_summary import RunSummary, VerdictCounts, summarise
from ..suite_counts import system_of
from ..versions import ZERO, number_of, version_text
from .site_paths import Linked, case_address, case_path, file_name


class OperationText(Struct, frozen=True):
    """An operation in the words of its schema: `title`, `description`, and `shape`, the types of its request and answer."""

    title: str = ""
    description: str = ""
    shape: str = ""


class SiteInput(Struct, frozen=True, kw_only=True):
    """The input of a site. `cases` and catalogues are those of the corpus; `operations` the texts of its operations.
    `text` has the words of the specification; None without them."""

    records: Sequence[RunRecord]
    cases: Iterable[Case] = ()
    requirements: Mapping[str, Requirement] = field(default_factory=dict)
    rulings: Mapping[str, Ruling] = field(default_factory=dict)
    operations: Mapping[str, OperationText] = field(default_factory=dict)
    corpus_digest: str = ""
    text: SpecificationText | None = None


class Column(Struct, frozen=True, eq=False):
    """One version of an implementation, from one record. `name` is its name in the record, `family` the part before `@`,
    which all versions share. `label` is unique on the site, `folder` is its part of paths. `commands` repeat a case
    and print a test of it, up to the name of the case."""

    name: str
    family: str
    version: str
    label: str
    folder: str
    entry: RecordedImplementation
    summary: RunSummary
    commands: Sequence[str]

    @property
    def path(self) -> str:
        """The path of its page."""
        return f"{self.folder}.html"

    @property
    def record(self) -> RunRecord:
        """The record of this version."""
        return self.summary.record

    @property
    def date(self) -> str:
        """The day of its run."""
        return self.record.metadata.started_at[:10]

    @property
    def released(self) -> str:
        """The day of the commit that a working copy is at; empty if it is not known."""
        return self.entry.sdk.date if self.entry.sdk else ""

    @property
    def conformance(self) -> Conformance | None:
        """How much it answered, and its profiles; None for generated cases."""
        return self.summary.conformance.get(self.name)

    @property
    def share(self) -> AnsweredShare | None:
        """What it answered of the cases of its systems; None if it answered nothing."""
        return self.conformance.share if self.conformance and self.conformance.systems else None

    def covers(self, name: str) -> bool:
        """Whether a case or a suite is of its systems, those of which it answers a case; if there are none, all are."""
        return self.share is None or (self.conformance is not None and system_of(name) in self.conformance.systems)

    @property
    def counts(self) -> VerdictCounts:
        """The number of each verdict on the cases of its systems."""
        counts: VerdictCounts = Counter()
        for suite, row in self.summary.suites.items():
            if self.covers(suite):
                counts.update(row.get(self.name, ()))
        return counts

    @property
    def cases(self) -> int:
        """The number of cases of its systems: the denominator of its answered share, and of its bar."""
        return self.share.cases if self.share else self.counts.total()


class SiteCase(Struct):
    """A case of the corpus or of a record. `results` are by number of column.
    `has_forms` is true if the corpus and the runs do not all have the same request and expected answer."""

    name: str
    facts: RecordedResult | Case
    head: Case | None = None
    results: dict[int, RecordedResult] = field(default_factory=dict)
    has_forms: bool = False

    @property
    def has_page(self) -> bool:
        """Whether it has a page of its own, because an answer is not the expected one, or is not stable."""
        outcomes = self.results.values()
        return self.has_forms or any(
            outcome.verdict in FAILING or outcome.verdict is Verdict.VARIANT or outcome.is_flaky for outcome in outcomes
        )

    @property
    def path(self) -> str:
        """The path of its own page, else its place on the page of its suite."""
        return case_path(self.name) if self.has_page else case_address(self.name)

    @property
    def id(self) -> str:
        """Its name in its suite."""
        return self.name.rpartition("/")[2]

    @property
    def suite(self) -> str:
        """Its suite."""
        return self.name.rpartition("/")[0]

    @property
    def note(self) -> str:
        """The note of the corpus, or empty."""
        return self.head.note.strip() if self.head else ""

    @property
    def urgency(self) -> int:
        """The sort key of lists: failing cases, then variants, then the others."""
        verdicts = {outcome.verdict for outcome in self.results.values()}
        return 0 if verdicts & FAILING else 1 if Verdict.VARIANT in verdicts else 2


class Site:
    """The contents of a site. `columns` are the implementations that started, by name, each with its newest version first:
    the one with the highest number, or of the latest run if versions are no numbers.

    `not_started` has the name and the reason of each other one that should have run, `not_tested` those that no record
    tested. `by_suite`, `by_operation`, `by_requirement` and
    `by_ruling` have the names of cases; a ruling has its disputed cases and its evidence.
    """

    def __init__(self, given: SiteInput, made: Sequence[RunSummary] = ()) -> None:
        """`made` are the summaries of the records, if there are any."""
        self.given = given
        summaries = made or [summarise(record) for record in given.records]
        self.columns = _columns(summaries)
        self.not_started = [(name, reason) for summary in summaries for name, reason in summary.not_started.items()]
        tested = {name for record in given.records for name in record.implementations}
        skipped = {entry.name: entry for record in given.records for entry in record.skipped}
        self.not_tested = [entry for name, entry in skipped.items() if name not in tested]
        headers = [record.metadata for record in sorted(given.records, key=lambda record: record.metadata.started_at)]
        recorded = {id_: requirement for header in headers for id_, requirement in header.requirements.items()}
        self.requirements = {**given.requirements, **recorded, **given.requirements}  # in the order of the corpus
        self.rulings = {id_: ruling for header in headers for id_, ruling in header.rulings.items()} | dict(
            given.rulings
        )
        self.fixtures = {digest: fixture for header in headers for digest, fixture in header.fixtures.items()}
        self.cases = self._cases()
        self._words: dict[str, str] = {}
        self._described: dict[int, dict[str, Description]] = {}
        self.by_suite: dict[str, list[str]] = defaultdict(list)
        self.by_operation: dict[str, list[str]] = defaultdict(list)
        self.by_requirement: dict[str, list[str]] = defaultdict(list)
        self.by_ruling: dict[str, list[str]] = defaultdict(list)
        for case in self.cases.values():
            self.by_suite[case.suite].append(case.name)
            self.by_operation[case.facts.operation].append(case.name)
            for id_ in case.facts.requirements:
                self.by_requirement[id_].append(case.name)
            for id_ in dict.fromkeys((case.facts.ruling, *case.facts.cited_by_rulings)):
                if id_:
                    self.by_ruling[id_].append(case.name)

    def quoted(self, id_: str) -> str:
        """The words of the text behind a requirement in quotation marks, with a blank before them; empty without them."""
        if id_ not in self._words:
            found = self.requirements.get(id_)
            words = self.given.text.words(found) if self.given.text and found else ""
            self._words[id_] = f" “{words}”" if words else ""
        return self._words[id_]

    @property
    def names(self) -> Sequence[str]:
        """The names of the implementations, without their versions."""
        return list(dict.fromkeys(column.family for column in self.columns))

    def versions(self, name: str) -> Sequence[Column]:
        """The versions of an implementation, the newest first."""
        return [column for column in self.columns if column.family == name]

    @property
    def families(self) -> Sequence[Sequence[Column]]:
        """The versions of each implementation, the newest first."""
        return [self.versions(name) for name in self.names]

    @property
    def newest(self) -> Sequence[int]:
        """The numbers of the columns that have the newest version of each implementation except the reference."""
        newest = [self.versions(name)[0] for name in self.names if name != REFERENCE]
        return [number for number, column in enumerate(self.columns) if column in newest]

    def by_age(self, numbers: Iterable[int]) -> Iterator[tuple[str, Sequence[int]]]:
        """These columns in two parts: without a title the newest version of each implementation, then the older ones.
        Without a newest one, all stand in the first part."""
        newest = {self.columns.index(versions[0]) for versions in self.families}
        found = [*numbers]
        first = [number for number in found if number in newest] or found
        older = [number for number in found if number not in first]
        yield from ((title, part) for title, part in (("", first), ("Older versions", older)) if part)

    @property
    def newest_names(self) -> Sequence[str]:
        """The names of these implementations."""
        return [self.columns[number].family for number in self.newest]

    def quotation(self, requirement: Requirement) -> Quotation | None:
        """The words of the specification behind a requirement, if its text is there."""
        return self.given.text.quotation(requirement) if self.given.text else None

    def description(self, column: Column) -> Description | None:
        """The readings and the causes of failures of a version; None for the reference."""
        made = self._described.setdefault(id(column.record), {})
        if not made:
            made |= {description.implementation: description for description in descriptions(column.record)}
        return made.get(column.name)

    def result(self, case: SiteCase, column: int) -> RecordedResult:
        """One result, read from its record."""
        return case.results[column].line

    def link(self, name: str, more: str = "") -> Linked:
        """A link to a case; to its own page, if it has one."""
        return Linked(name, self.cases[name].path, more)

    def form(self, case: SiteCase, column: int) -> str:
        """The request and the expected answer of a case in the record of a column."""
        return form_of(self.result(case, column))

    def counts(self, names: Iterable[str]) -> Sequence[VerdictCounts]:
        """The number of each verdict on these cases, by column."""
        found: list[VerdictCounts] = [Counter() for _ in self.columns]
        for name in names:
            for column, outcome in self.cases[name].results.items():
                found[column][outcome.verdict] += 1
        return found

    def _cases(self) -> dict[str, SiteCase]:
        """Every case in the order of suites, cases of the corpus in its order and before others."""
        found = {case.name: SiteCase(case.name, case, case) for case in self.given.cases}
        numbers = {(id(column.record), column.name): number for number, column in enumerate(self.columns)}
        for record in {id(column.record): column.record for column in self.columns}.values():
            for result in record.results:
                number = numbers.get((id(record), result.implementation))
                if number is None:
                    continue
                case = found.get(result.case)
                if case is None:
                    case = found[result.case] = SiteCase(result.case, result)
                case.results[number] = result
        self._mark_forms(found.values())
        return dict(sorted(found.items(), key=lambda item: item[1].suite))

    def _mark_forms(self, cases: Iterable[SiteCase]) -> None:
        """Marks the cases that changed between the corpora of the runs and of the site."""
        digests = [column.record.metadata.corpus_digest for column in self.columns]
        if len({*digests, self.given.corpus_digest} - {""}) < 2:
            return
        for case in cases:
            known = {digests[number]: number for number in case.results}
            forms = {self.form(case, number) for digest, number in known.items() if digest != self.given.corpus_digest}
            if case.head:
                forms.add(equality_text([case.head.recorded_request, response_json(case.head.expected)]))
            case.has_forms = len(forms) > 1


def form_of(result: RecordedResult) -> str:
    """The request and the expected answer of a result; a record has members in another order than a corpus."""
    return equality_text([result.request, response_json(result.expected)])


def _columns(summaries: Sequence[RunSummary]) -> list[Column]:
    """The implementations that started. Of two records of one version, the newer one counts; a second name of a version in
    one record is a version of its own."""
    found: dict[tuple[str, str], Column] = {}
    for summary in sorted(summaries, key=lambda one: one.record.metadata.started_at, reverse=True):
        for entry in summary.record.metadata.implementations:
            if entry.identity is not None:
                family, version = entry.name.partition("@")[0], version_text(entry)
                if (family, version) in found and found[family, version].summary is summary:
                    version = entry.name
                column = Column(
                    entry.name, family, version, family, "", entry, summary, _commands(summary.record, entry)
                )
                found.setdefault((family, version), column)
    several = Counter(column.family for column in found.values())
    return [
        replace(
            column,
            label=f"{column.family} {column.version}" if several[column.family] > 1 else column.family,
            folder=f"implementations/{file_name(column.family)}/{file_name(column.version)}",
        )
        for family in sorted(several)
        for column in _newest_first([column for column in found.values() if column.family == family])
    ]


def _newest_first(versions: Sequence[Column]) -> Sequence[Column]:
    """By version number, if all versions are numbers; else by the time of the run. In one run, a version without a number
    is the newest, since it is a working copy."""
    numbers = [number_of(column.version) for column in versions]
    if None not in numbers:
        return sorted(versions, key=lambda one: number_of(one.version) or ZERO, reverse=True)

    def key(one: Column) -> tuple[str, bool, Version]:
        number = number_of(one.version)
        return one.record.metadata.started_at, number is None, number or ZERO

    return sorted(versions, key=key, reverse=True)


def _commands(record: RunRecord, entry: RecordedImplementation) -> Sequence[str]:
    """The commands for a case, up to its name; a reader has the working copy in another folder."""
    first = next((result for result in record.results if result.implementation == entry.name), None)
    if first is None:
        return ()
    options = replace(record.metadata.options, sdk="", corpus="")
    entries = tuple(
        replace(entry, adapter=f"{entry.name}=DIR") if entry.sdk and "=" in entry.adapter else entry
        for entry in record.metadata.implementations
    )
    shown = replace(record, metadata=replace(record.metadata, options=options, implementations=entries))
    return [command.removesuffix(first.case) for command in rerun_commands(shown, first).values()]
