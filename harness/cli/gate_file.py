"""The known-divergence file of a gate: which one, and the command that updates it."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path

from ..corpus.loader import Corpus
from ..corpus.paths import shipped
from ..errors import ParityError, UsageError, one_line
from ..gate.known_divergences import KnownDivergences
from ..gate.known_reader import FILE_NAME, file_exists, files_in, load_known
from ..model import Implementation, RunOptions, option_words, path_word, replace
from ..report.terminal.known_file_text import KnownFile
from ..transport.adapter_spec import adapter_of
from ..transport.manifest import shipped_manifests


def known_files(options: RunOptions, writing: Path | None) -> list[KnownDivergences]:
    """The content of `--known`, else of an existing `--write-known`, else of the shipped adapter's own files."""
    if options.known:
        given = Path(options.known)
        if not file_exists(given):
            made = gate_command(replace(options, known=""), writing or given)
            raise ParityError(f"{given}: no such file. To create it: {made}")
        files = files_in(given) if given.is_dir() else [given]
        if not files:
            raise ParityError(f"{given}: the folder has no {FILE_NAME}. Name a file, or another folder.")
        return [load_known(file, allow_todo=writing is not None) for file in files]
    if writing is not None and file_exists(writing):
        return [load_known(writing, allow_todo=True)]
    manifest = shipped_manifests(shipped()).get(adapter_of(options.adapters[0].partition("=")[0]))
    return [load_known(file) for file in files_in(manifest.folder)] if manifest else []


def for_version(files: Sequence[KnownDivergences], introduced: Implementation | None) -> KnownDivergences:
    """The file for the version that the implementation reports; one with `versions` comes before one without. Without a
    file at all, an empty one. Raises `UsageError` if no file is for this version."""
    if not files or introduced is None:
        return files[0] if files else KnownDivergences()
    fitting = [known for known in files if known.holds_for(introduced.version)]
    if not fitting:
        ranges = "; ".join(f"{known.shown} is for {one_line(known.versions)}" for known in files)
        raise UsageError(
            f"No known-divergence file is for version {one_line(introduced.version)}: {ranges}. "
            "Name a file for it with --known, or change `versions` in one of these."
        )
    return next((known for known in fitting if known.versions), fitting[0])


def with_newer_corpus(known: KnownDivergences, corpus: Corpus, *, strict: bool) -> KnownDivergences:
    """The file with the cases of the corpus, if it was written for another one; `strict`: as if it were for this one."""
    if known.corpus is None or strict or known.corpus.is_of(corpus):
        return known
    return replace(known, newer={case.name: case for case in corpus.cases})


def is_shipped_file(path: Path) -> bool:
    """Whether a file lies beside a shipped adapter: it is for the corpus beside it."""
    return path.resolve().is_relative_to(shipped() / "adapters")


def gate_command(options: RunOptions, writing: Path | str = "", how: str = "--write-known") -> str:
    """The `parity gate` command with these options, for a shell; it judges all cases, in one process, and has the record at
    its default place."""
    words = option_words(replace(options, max_failures=0, jobs=1, since="", record=""))
    return shlex.join(["parity", "gate", *words, *([how, path_word(str(writing))] if writing else [])])


def described_file(options: RunOptions, known: KnownDivergences, writing: Path | None) -> KnownFile:
    """The file of a gate and the command that updates it; a shipped file outside its checkout is copied instead."""
    root, shown = shipped(), str(writing or known.shown)
    is_shipped = bool(shown) and Path(shown).resolve().is_relative_to(root)
    shared = KnownFile(
        shown,
        is_shipped,
        "",
        lists_readings=known.lists_readings or bool(writing),
        corpus=known.corpus,
        old_keys=known.old_keys,
    )
    is_ours = Path.cwd().is_relative_to(root)  # the command runs inside the checkout
    if is_shipped and not is_ours:
        return replace(
            shared,
            update_command=gate_command(options, FILE_NAME),
            fix_command=gate_command(options, FILE_NAME, "--fix-known"),
            rerun_command=gate_command(replace(options, known=FILE_NAME)),
            writes_copy=True,
        )
    target = writing or options.known or FILE_NAME
    return replace(
        shared,
        update_command=gate_command(options, target),
        fix_command=gate_command(options, target, "--fix-known"),
        writes_copy=bool(shown) and target == FILE_NAME,
    )
