"""Builds of shipped adapters, in a cache folder that is keyed by every input; the source tree is never written to."""

from __future__ import annotations

import contextlib
import hashlib
import platform
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec import Struct

from ..base.files import locked
from ..corpus.paths import cache_limit
from ..errors import AdapterUnavailable, one_line, printable
from ..model import NotTestedCode
from .build_cache import finish, finished, fresh, remove_old, use
from .manifest import FILE_NAME, BuildPlan, Manifest, tool_version
from .process_tree import kill_marked
from .sandbox import Sandbox
from .working_copy import WorkingCopy, copy_file

_LOG_KEPT = 4000
"""Characters of a failed step's output that the error holds: the last ones."""

_PLACE = re.compile(r"^\S+?:\d+:\d+: ")
"""`file:line:column: ` at the start of a compiler's message."""

_MAX_MISSING_SYMBOLS = 5


def build(manifest: Manifest, cache: Path, sandbox: Sandbox, sdk: WorkingCopy | None = None, version: str = "") -> Path:
    """The folder that the adapter starts in; builds it unless the cache holds a build of the same inputs.

    With `sdk` the build holds this working copy in place of the release, with `version` this release. Raises
    `AdapterUnavailable` with the end of the build's output.
    """
    if manifest.build is None:
        return manifest.folder
    builds = cache / "builds"
    try:
        if sdk is None:
            source = _release(manifest, manifest.build, version)
            return _built(manifest, builds / f"{manifest.name}-{_key(manifest, source)}", source, sandbox)
        limit = cache_limit()
        source = _copy(manifest, manifest.build, builds, sandbox, sdk)
        folder = _built(manifest, builds / f"{manifest.name}-sdk-{_key(manifest, source)}", source, sandbox)
        remove_old(builds, limit)
        return folder
    except OSError as error:
        reason = (
            f"{cache} cannot hold a build: {error.strerror or error}. "
            "Make the folder writable, or set XDG_CACHE_HOME to a writable folder."
        )
        raise AdapterUnavailable(reason, adapter=manifest.name) from None


def _built(manifest: Manifest, keyed: Path, source: _Source, sandbox: Sandbox) -> Path:
    """The finished build of this key; one that is missing is built. Two runs build it once."""
    if source.sdk is None and (done := finished(keyed)):  # only builds of working copies are removed
        return done
    keyed.mkdir(parents=True, exist_ok=True)
    with locked(keyed):
        folder = finished(keyed)
        if folder is None:
            folder = _Build(manifest, fresh(keyed), sandbox, source).run()
            finish(folder, removable=source.sdk is not None, base=source.base)
        use(folder)
    return folder


class _Source(Struct, frozen=True):
    """The code that a build holds: the pinned release, the working copy `sdk`, or the release `version`; with the names of
    the input files, the steps for it, and those that fetch the pinned release. `identity` has what else decides the
    build."""

    inputs: tuple[str, ...]
    steps: tuple[tuple[str, ...], ...]
    fetch: tuple[tuple[str, ...], ...] = ()
    identity: str = ""
    sdk: WorkingCopy | None = None
    base: Path | None = None
    version: str = ""


def _release(manifest: Manifest, plan: BuildPlan, version: str) -> _Source:
    if not version:
        return _Source(plan.inputs, plan.steps, plan.fetch)
    assert manifest.release is not None
    inputs = (*plan.inputs, *manifest.release.inputs)
    return _Source(inputs, manifest.release.steps, identity=f"release {version}\n", version=version)


def _copy(manifest: Manifest, plan: BuildPlan, builds: Path, sandbox: Sandbox, sdk: WorkingCopy) -> _Source:
    """The source of a build with the working copy; its base is built first."""
    assert manifest.sdk is not None
    inputs, place = (*plan.inputs, *manifest.sdk.inputs), sdk.folder.relative_to(sdk.root).as_posix()
    base = None
    if manifest.sdk.base:
        identity = f"base {sdk.digest_of(manifest.sdk.base.files)} {place}\n"
        below = _Source(manifest.sdk.inputs, manifest.sdk.base.steps, identity=identity, sdk=sdk)
        base = _built(manifest, builds / f"{manifest.name}-base-{_key(manifest, below)}", below, sandbox)
    return _Source(inputs, manifest.sdk.steps, identity=f"{sdk.digest} {place}\n", sdk=sdk, base=base)


def _key(manifest: Manifest, source: _Source) -> str:
    """16 hexadecimal digits of SHA-256 over the manifest, the inputs' names and bytes, the versions of the tools, and the
    source."""
    total = hashlib.sha256()
    for path in [manifest.folder / FILE_NAME, *_input_files(manifest, source.inputs)]:
        content = path.read_bytes()
        total.update(f"{path.relative_to(manifest.folder).as_posix()}\n{len(content)}\n".encode())
        total.update(content)
    for tool in manifest.tools:
        total.update(f"{tool.command} {tool_version(tool)}\n".encode())
    if any("{python}" in word for step in source.steps for word in step):
        total.update(f"{sys.executable} {platform.python_version()}\n".encode())
    total.update(source.identity.encode())
    return total.hexdigest()[:16]


def _input_files(manifest: Manifest, inputs: Iterable[str]) -> list[Path]:
    files: list[Path] = []
    for name in inputs:
        path = manifest.folder / name
        if not path.exists():
            raise AdapterUnavailable(f"{manifest.folder / FILE_NAME}: inputs: {name} does not exist. Correct the list.")
        files += sorted(below for below in path.rglob("*") if below.is_file()) if path.is_dir() else [path]
    return files


class _Build(Struct, frozen=True):
    """One build, in the folder that the adapter will start in."""

    manifest: Manifest
    folder: Path
    sandbox: Sandbox
    source: _Source

    def run(self) -> Path:
        for path in _input_files(self.manifest, self.source.inputs):
            copy_file(path, self.folder / path.relative_to(self.manifest.folder))
        sdk = self.source.sdk
        copied = sdk.copy(self.folder / "sdk").relative_to(self.folder).as_posix() if sdk else ""
        words = {
            "{python}": sys.executable,
            "{sdk}": f"./{copied}",
            "{base}": str(self.source.base),
            "{cache}": str(self.folder.parents[2] / "tools"),
            "{version}": self.source.version,
        }
        plan = self.manifest.build
        assert plan is not None
        fixed = {name: _filled(value, words) for name, value in plan.fixed.items()}
        environment = self.sandbox.variables(plan.environment, fixed)
        for step in (*self.source.fetch, *self.source.steps):
            self._step([_filled(word, words) for word in step], environment, fetches=step in self.source.fetch)
        return self.folder

    def _step(self, step: list[str], environment: dict[str, str], *, fetches: bool) -> None:
        _show(printable(f"building {self.manifest.name}: {' '.join(step)}\n"))
        try:
            status, output = _run_step(step, self.folder, environment)
        except OSError as error:
            reason = f"{step[0]} cannot be started: {error.strerror}. Install it."
            raise AdapterUnavailable(reason, adapter=self.manifest.name) from None
        if status:
            self._failed(step, status, output, fetches=fetches)

    def _failed(self, step: list[str], status: int, output: str, *, fetches: bool) -> None:
        """Raises the failure of a step; for a working copy with its missing symbols, where the output names them."""
        sdk, copy, version = self.manifest.sdk, self.source.sdk, self.source.version
        subject = f"the working copy {copy.folder} does not build: " if copy else ""
        subject = f"the release {version} does not build: " if version else subject
        subject = f"{self.manifest.implementation} cannot be fetched: " if fetches else subject
        found = sdk.missing_symbol.findall(output) if copy and sdk and sdk.missing_symbol else []
        symbols = one_line("; ".join(list(dict.fromkeys(found))[:_MAX_MISSING_SYMBOLS]), 400)
        missing = f"{symbols.rstrip('.')}. " if symbols else ""
        command = one_line(" ".join(step))
        reason = f"{subject}{missing}`{command}` failed with status {status}."
        code = NotTestedCode.NOT_FETCHED if fetches else NotTestedCode.NOT_BUILT
        raise AdapterUnavailable(reason, adapter=self.manifest.name, log=output[-_LOG_KEPT:], code=code)


def _run_step(step: list[str], folder: Path, environment: dict[str, str]) -> tuple[int, str]:
    """Runs one build step; returns its exit status and its printable output, which also goes to standard error at once.

    An interruption ends the step and every process that it started. Measured against subprocess-tee 0.4.2 on 2026-11-22:
    that decodes strictly, so one byte that is not UTF-8 loses the rest of the output and prints a traceback; it loads
    asyncio (80 ms); and only a thread of its own makes it interruptible.
    """
    output: list[str] = []
    try:
        process = subprocess.Popen(
            step,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
        )
        assert process.stdout is not None
        with process.stdout as lines:
            for line in _distinct(lines):
                output.append(printable(line.expandtabs(4)))
                _show(output[-1])
        return process.wait(), "".join(output)
    except BaseException:
        kill_marked(environment["TMPDIR"])
        raise


def _distinct(lines: Iterable[str]) -> Iterator[str]:
    """The lines without repetitions; two lines are the same if only the place in a source file differs."""
    seen: set[str] = set()
    for line in lines:
        text = _PLACE.sub("", line.rstrip(), count=1)
        if not text or text not in seen:
            seen.add(text)
            yield line


def _show(text: str) -> None:
    """Writes to standard error; a full or closed one does not end a build."""
    with contextlib.suppress(OSError):
        sys.stderr.write(text)


def _filled(text: str, words: dict[str, str]) -> str:
    for word, value in words.items():
        text = text.replace(word, value)
    return text
