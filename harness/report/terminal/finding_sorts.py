"""The sorts of findings in the text of a gate, in its order, and the heading of each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ...errors import plural
from ...gate.findings import GateFinding
from ...model import Status
from .finding_text import rows_to_delete
from .known_file_text import KnownFile


class FindingSort(NamedTuple):
    """Findings with one heading. `counted` names the count in it; `off_model`: models that predict too many failures;
    `is_line`: lines of the file, which are not to be changed in a shipped one."""

    status: Status
    lead: str
    counted: str
    text: str
    is_line: bool = True
    is_path: bool = False
    is_unsupported: bool = False
    off_model: bool = False
    remedy: str = ""

    def of(self, findings: Sequence[GateFinding]) -> list[GateFinding]:
        """The findings of this sort."""
        wanted = (self.status, self.is_path, self.is_unsupported, self.off_model)

        def sort(finding: GateFinding) -> tuple[Status, bool, bool, bool]:
            return finding.status, finding.is_path, finding.is_unsupported, bool(finding.off_model)

        return [finding for finding in findings if sort(finding) == wanted]

    def heading(self, group: Sequence[GateFinding], file: KnownFile) -> str:
        """`Delete 2 lines: the divergence no longer occurs (stale)`."""
        count = rows_to_delete(group) if self.counted == "rows" else plural(len(group), self.counted)
        lead = "{} of the shipped file" if file.rerun_command and self.is_line else self.lead
        text = _WORSE if file.base else self.text if file.path else _NO_FILE
        if self.status is Status.STALE and not self.is_path:
            stale = sum(finding.stale for finding in group)
            text += f" ({plural(stale, 'stale case') if stale else 'stale: its cases fail, see above'})"
        return f"{lead.format(count)}: {text}{self.remedy}"


_NO_FILE = "there is no known-divergence file (new)"
_WORSE = "worse than at the base (new)"
_NO_ENTRY = "the known-divergence file has no matching entry (new)"
_NOT_COMPARED = "the known-divergence file does not list what is not compared (new)"
_OFF_MODEL = "a deviation or reading predicts a failure that does not occur"
_OF_OFF_MODEL = (
    ". Name a narrower one; or list the cases that still fail below `cases:` in its place, as `--write-known` does after a "
    "whole run; or delete the entry if a whole run shows none of its failures"
)
SORTS = (
    FindingSort(Status.NEW, "Fix or explain {}", "case", _NO_ENTRY, is_line=False),
    FindingSort(
        Status.UNMATCHED, "Correct or delete {}", "line", "the corpus has no such case or operation (unmatched)"
    ),
    FindingSort(Status.STALE, "Correct {}", "model", _OFF_MODEL, is_line=False, off_model=True, remedy=_OF_OFF_MODEL),
    FindingSort(Status.STALE, "Delete {}", "rows", "the divergence no longer occurs"),
    FindingSort(
        Status.STALE,
        "Delete {}",
        "rows",
        "the implementation answers what the file lists as unsupported",
        is_unsupported=True,
    ),
    FindingSort(
        Status.MASKED,
        "Keep {} for now",
        "rows",
        "the divergence does not show, and new failures of its operation can hide it (masked)",
    ),
    FindingSort(
        Status.MASKED,
        "Keep {} for now",
        "model",
        "some of its failures do not show, and new failures of their operations can hide them (masked)",
        off_model=True,
    ),
    FindingSort(
        Status.EXPIRED,
        "Fix {}, or set a later date and give the reason",
        "case",
        "the expiry date has passed (expired)",
    ),
    FindingSort(
        Status.NEW, "Report {}, or give the reason", "unobservable path", _NOT_COMPARED, is_line=False, is_path=True
    ),
    FindingSort(
        Status.STALE,
        "Delete {}",
        "rows",
        "the implementation does not declare the path unobservable (stale)",
        is_path=True,
    ),
)
"""In the order of the text."""
