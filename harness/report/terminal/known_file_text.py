"""The known-divergence file of a gate as text: which one it is, the commands that change it, and what they changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from shlex import quote

from msgspec import Struct

from ...errors import Problem, plural
from ...gate.known_corpus import KnownCorpus
from ...gate.update import RemovedLine
from ...model import RunMetadata, path_word
from ..document import Item, first_items, literal
from ..document_terminal import Medium, render_document
from ..phrases import corpus_text
from .finding_text import MAX_SHOWN


class KnownFile(Struct, frozen=True):
    """The known-divergence file of a gate. `path` is empty without one; `is_shipped` if it comes with parity.

    `update_command` brings the file up to date, `fix_command` deletes lines of it; with `writes_copy`, they write another
    one that begins with its entries. For a shipped file outside its checkout, `rerun_command` runs the gate with that copy;
    otherwise it is empty.
    `lists_readings`: the file says which readings the implementation follows. `base`: the gate compares with a commit, which
    this line describes, and has no file. `corpus` and `old_keys` are those of its content.
    """

    path: str
    is_shipped: bool
    update_command: str
    fix_command: str = ""
    rerun_command: str = ""
    writes_copy: bool = False
    lists_readings: bool = True
    base: str = ""
    corpus: KnownCorpus | None = None
    old_keys: Sequence[Problem] = ()

    def description(self, run: RunMetadata) -> Iterator[str]:
        """A line with its path, or about the base; one with its corpus, if it is not that of the run; the renamed keys."""
        if self.base:
            yield self.base
            return
        yield f"known-divergence file: {self.path or 'none'}{' (shipped with parity)' if self.is_shipped else ''}"
        if self.corpus and not run.corpus_digest.startswith(self.corpus.digest):
            written, now = self.corpus, corpus_text(run.corpus_date, run.corpus_digest)
            yield f"  written for {corpus_text(written.date, written.digest)}; this is {now}"
        elif self.path and not self.is_shipped and not self.corpus:
            yield "  written for no named corpus, so each case of a newer one can fail the gate; --write-known names it"
        yield from (f"{key.place}  {key.message} {key.remedy}" for key in self.old_keys)


def render_written(
    path: Path,
    shipped: str,
    changed: Sequence[str],
    removed: Sequence[RemovedLine] = (),
    unwritten: Sequence[Problem] = (),
) -> str:
    """The text after writing `path`: the `shipped` file that it starts from, the cases with a new signature, whose
    reasons are TODO, the `removed` lines with their reasons, and what is `unwritten`."""
    blocks = [literal(f"written: {path} (use it with --known {quote(path_word(str(path)))})")]
    if shipped:
        blocks.append(literal(f"It starts with the entries of the shipped file {shipped}"))
    if changed:
        blocks.append(Item(f"{plural(len(changed), 'case')} with a new signature; the reason is TODO:"))
        blocks += (literal(case, 1) for case in changed)
    blocks += _removed(removed)
    blocks += (literal(f"{problem.place}  {problem.message} {problem.remedy}") for problem in unwritten)
    return render_document(blocks, Medium())


def _removed(lines: Sequence[RemovedLine]) -> Iterator[Item]:
    """The removed lines below their reasons, and a warning where a new failure can have the same reason."""
    if not lines:
        return
    yield Item(f"{plural(len(lines), 'line')} removed, which this run does not confirm:")
    for reason, group in groupby(sorted(lines, key=lambda line: line.reason), key=lambda line: line.reason):
        yield literal(f"reason: {reason}", 1)
        yield from first_items([line.name for line in group], MAX_SHOWN, depth=2)
    for operation, count in sorted({(line.operation, line.new_failures) for line in lines if line.new_failures}):
        yield literal(
            f"Warning: {operation} has {plural(count, 'new failure')} in this run. If a removed reason still holds, write "
            "it in place of the TODO.",
            1,
        )
