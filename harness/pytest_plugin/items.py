"""Case files and cases as pytest's collection tree has them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from harness.errors import CorpusError, ParityError, printable
from harness.model import FAILING, Case, Result, Verdict
from harness.pytest_plugin import ASKING, VERDICT_ATTRIBUTE
from harness.pytest_plugin.failure_text import describe, in_one_line, reading_of
from harness.pytest_plugin.session import Asking, CheckedCorpus


class CaseFile(pytest.File):
    """A case file; `root` is the folder of its corpus."""

    def __init__(self, *, root: Path, **rest: Any) -> None:
        super().__init__(**rest)
        self.root = root

    def collect(self) -> Iterator[CaseItem]:
        """One item a case and implementation. Mistakes of this file are its own, and the others are asked all the same;
        those of what all files rest on are told once a session."""
        asking = self.config.stash.get(ASKING, None)
        if asking is None:
            asking = self.config.stash[ASKING] = Asking(self.config)
        try:
            checked = asking.corpus(self.root)
        except ParityError as error:
            raise self.CollectError(printable(str(error))) from None
        if checked is None:
            return
        for case in self._cases(checked):
            for name in asking.names:
                yield self._item(asking, checked, case, name)

    def _cases(self, checked: CheckedCorpus) -> tuple[Case, ...]:
        try:
            return checked.cases(self.path)
        except CorpusError as error:
            self.config.option.continue_on_collection_errors = True
            told = "\n\n".join(str(problem) for problem in error.problems)
            raise self.CollectError(printable(f"{told}\n\nNone of this file's cases is asked.")) from None

    def _item(self, asking: Asking, checked: CheckedCorpus, case: Case, name: str) -> CaseItem:
        short = f"{case.name.rsplit('/', 1)[1]}[{name}]"
        return CaseItem.from_parent(
            self,
            name=short,
            nodeid=f"{self.nodeid}::{short}",  # as a text, since only so pytest reads the bracket as it reads its cache
            asking=asking,
            checked=checked,
            case=case,
            implementation=name,
        )


class CaseItem(pytest.Item):
    """One case put to one implementation. `-k` knows it by its name, its operation and the requirements that it cites."""

    def __init__(self, *, asking: Asking, checked: CheckedCorpus, case: Case, implementation: str, **rest: Any) -> None:
        super().__init__(**rest)
        self.asking = asking
        self.checked = checked
        self.case = case
        self.implementation = implementation
        self.result: Result | None = None
        self.line = int(case.at.rsplit(":", 1)[1])
        self.extra_keyword_matches.update((case.operation, *case.requirements))

    def runtest(self) -> None:
        """Asks, and ends as the verdict says; why an implementation cannot be started is told of its first case alone."""
        is_told = self.asking.is_gone(self.checked, self.implementation)
        self.result = self.asking.ask(self.checked, self.case, self.implementation)
        judgement = self.result.judgement
        if judgement.verdict is Verdict.UNSUPPORTED:
            pytest.skip(f"{self.implementation}: {judgement.reason}")
        if judgement.verdict in FAILING:
            pytest.fail(in_one_line(self.result) if is_told else self._description(self.result), pytrace=False)

    def _description(self, result: Result) -> str:
        node = f"{os.path.relpath(self.path, self.config.invocation_params.dir)}::{self.name}"
        again = self.asking.again(self.checked.corpus.root, self.case, node, self.implementation)
        probe = self.asking.probe(self.checked.corpus.root, self.implementation)
        unobservable = self.asking.unobservable(self.checked, self.case, self.implementation)
        return describe(result, self.checked.corpus.requirements, again, probe, unobservable)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The text alone, with the case's place and its first difference for summaries and JUnit."""
        representation = super().repr_failure(excinfo, style)
        crash = getattr(representation, "reprcrash", None)
        if crash is not None and self.result is not None and isinstance(excinfo.value, pytest.fail.Exception):
            crash.path, crash.lineno = str(self.path), self.line
            unobservable = self.asking.unobservable(self.checked, self.case, self.implementation)
            crash.message = in_one_line(self.result, unobservable)
        return representation

    def reportinfo(self) -> tuple[Path, int, str]:
        """The case's full name as a headline, for a suite's own cases are called alike; it is not the end of the node id,
        in which pytest would take the dot before a row's name for its own `::`."""
        return self.path, self.line - 1, f"{self.case.name}[{self.implementation}]"

    def attach_verdict(self, report: pytest.TestReport) -> None:
        """Notes the verdict on the report, from which the session's tally is made."""
        if self.result is None:
            return
        judgement = self.result.judgement
        variant = judgement.verdict is Verdict.VARIANT
        reading = reading_of(self.result) if variant else ""
        told = {
            "implementation": self.implementation,
            "verdict": judgement.verdict.value,
            "reading": reading,
            "slips": "\n".join(self.asking.slips(self.checked, self.implementation)),
        }
        setattr(report, VERDICT_ATTRIBUTE, told)
        if variant:
            report.sections.append(
                ("variant", f"{self.implementation} answers by {reading}; {self.case.adopted} is adopted.")
            )
        if report.skipped:  # at the file and not at a line, so that pytest folds the same reasons into one
            report.longrepr = (str(self.path), 1, f"Skipped: {self.implementation}: {judgement.reason}")
