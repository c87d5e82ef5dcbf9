"""Case files and cases as pytest's collection tree has them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from ..compare.error_text import outcome_text
from ..corpus.traps import PREFIX
from ..errors import CorpusError, ParityError, printable
from ..model import FAILING, UNTESTED, Case, Result, Verdict
from ..report.choice_text import readings_text
from . import NEXT_ITEMS, SESSION, VERDICT_ATTRIBUTE
from .session import CorpusFiles, ParitySession


class CaseFile(pytest.File):
    """A case file; `root` is the folder of its corpus."""

    def __init__(self, *, root: Path, **rest: Any) -> None:
        super().__init__(**rest)
        self.root = root

    def collect(self) -> Iterator[CaseItem]:
        """One item for each case and implementation. A broken file is one error, and the other files still run; broken
        schemas or catalogues are reported once a session."""
        session = self.config.stash.get(SESSION, None)
        if session is None:
            session = self.config.stash[SESSION] = ParitySession(self.config)
        try:
            checked = session.corpus(self.root)
        except ParityError as error:
            raise self.CollectError(printable(str(error))) from None
        if checked is None:
            return
        for case in self._cases(checked):
            if checked.operations is not None and case.operation not in checked.operations:
                continue
            for name in session.names:
                yield self._item(session, checked, case, name)

    def _cases(self, checked: CorpusFiles) -> Sequence[Case]:
        try:
            return checked.corpus.read(self.path)
        except CorpusError as error:
            self.config.option.continue_on_collection_errors = True
            problems = "\n\n".join(str(problem) for problem in error.problems)
            raise self.CollectError(printable(f"{problems}\n\nNo case of this file runs.")) from None

    def _item(self, session: ParitySession, checked: CorpusFiles, case: Case, name: str) -> CaseItem:
        short = f"{case.name.rsplit('/', 1)[1]}[{name}]"
        return CaseItem.from_parent(
            self,
            name=short,
            nodeid=f"{self.nodeid}::{short}",  # as a text, since only so pytest reads the bracket as it reads its cache
            parity=session,
            checked=checked,
            case=case,
            implementation=name,
        )


class CaseItem(pytest.Item):
    """One case and implementation. `-k` matches its name, its operation, its tags and the requirements that it cites."""

    def __init__(
        self, *, parity: ParitySession, checked: CorpusFiles, case: Case, implementation: str, **rest: Any
    ) -> None:
        super().__init__(**rest)
        self.parity = parity
        self.checked = checked
        self.case = case
        self.implementation = implementation
        self.parity_environment = case.environment
        self.result: Result | None = None
        self.line = int(case.at.rsplit(":", 1)[1])
        is_about_traps = PREFIX in self.config.option.keyword
        tags = checked.corpus.tags(case) if is_about_traps else case.tags
        self.extra_keyword_matches.update((case.operation, *case.requirements, *tags))

    def runtest(self) -> None:
        """Runs the case; the outcome is the verdict. Only the first item shows why an implementation does not start. Of one
        that could not be built, the first item fails, and the others are skipped: it has no verdict."""
        if why := self.parity.why_not_tested(self.implementation):
            text = printable(f"{self.implementation} is not tested: {why}")
            if self.parity.is_told(self.implementation):
                pytest.skip(text)
            pytest.fail(text, pytrace=False)
        start_failure_shown = self.parity.failed_to_start(self.checked, self.implementation)
        self.result = self.parity.execute(self.checked, self.case, self.implementation, self._upcoming)
        if self.result.verdict in UNTESTED:
            pytest.skip(f"{self.implementation}: {outcome_text(self.result.outcome)}")
        if self.result.verdict in FAILING:
            from .failure_text import in_one_line

            text = in_one_line(self.result) if start_failure_shown else self._description(self.result)
            pytest.fail(text, pytrace=False)

    def _upcoming(self) -> Iterator[Case]:
        """The cases of the next items of the same implementation and corpus. An xdist worker knows only one next item."""
        for item in self.config.stash[NEXT_ITEMS].after(self):
            if (
                isinstance(item, CaseItem)
                and item.implementation == self.implementation
                and item.checked is self.checked
            ):
                yield item.case

    def _description(self, result: Result) -> str:
        node = f"{os.path.relpath(self.path, self.config.invocation_params.dir)}::{self.name}"
        again = self.parity.rerun_commands(self.checked.corpus.root, self.case, node, self.implementation)
        probe = self.parity.probe_command(self.checked.corpus.root, self.implementation)
        from .failure_text import describe

        return describe(result, self.checked.corpus, again, probe, self._unobservable())

    def _unobservable(self) -> Sequence[str]:
        return self.parity.unobservable(self.checked, self.case, self.implementation)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The text alone, with the case's place and its first difference for summaries and JUnit."""
        representation = super().repr_failure(excinfo, style)
        crash = getattr(representation, "reprcrash", None)
        if crash is not None and self.result is not None and isinstance(excinfo.value, pytest.fail.Exception):
            from .failure_text import in_one_line

            crash.path, crash.lineno = str(self.path), self.line
            crash.message = in_one_line(self.result, self._unobservable())
        return representation

    def reportinfo(self) -> tuple[Path, int, str]:
        """The case's full name as the headline, since short names repeat between suites; the node id keeps the short name,
        because pytest reads a dot in it as `::`."""
        return self.path, self.line - 1, f"{self.case.name}[{self.implementation}]"

    def attach_verdict(self, report: pytest.TestReport) -> None:
        """Attaches the verdict to the report; the session's tally reads it there."""
        if self.result is None:
            return
        variant, unsupported = (self.result.verdict is verdict for verdict in (Verdict.VARIANT, Verdict.UNSUPPORTED))
        reading = readings_text(self.result.readings) if variant else ""
        attached = {
            "implementation": self.implementation,
            "verdict": self.result.verdict.value,
            "kind": self.result.kind.value if self.result.kind else "",
            "reading": reading,
            "unsupported": outcome_text(self.result.outcome) if unsupported else "",
            "misspelt": "\n".join(self.parity.misspelt(self.checked, self.implementation)),
        }
        setattr(report, VERDICT_ATTRIBUTE, attached)
        if variant:
            report.sections.append(
                ("variant", f"{self.implementation} follows {reading}, which the specification leaves open.")
            )
        if report.skipped:  # at the file and not at a line, so that pytest folds the same reasons into one
            report.longrepr = (
                str(self.path),
                1,
                f"Skipped: {self.implementation}: {outcome_text(self.result.outcome)}",
            )
