"""Builds of shipped adapters, in a cache folder that is keyed by every input; the source tree is never written to."""

from __future__ import annotations

import contextlib
import hashlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ..errors import AdapterUnavailable, one_line, printable
from .manifest import BuildPlan, Manifest, tool_version
from .process_tree import kill_marked
from .sandbox import Sandbox
from .working_copy import WorkingCopy, copy_file

_DONE = ".built"
_LOG_KEPT = 4000
_PLACE = re.compile(r"^\S+?:\d+:\d+: ")
"""`file:line:column: ` at the start of a compiler's message."""
"""Characters of a failed step's output that the error holds: the last ones."""

_MAX_MISSING_SYMBOLS = 5

_MAX_SDK_BUILDS = 8
"""Builds of working copies that are kept for each adapter; a build used within the hour is always kept."""


def build(manifest: Manifest, cache: Path, sandbox: Sandbox, sdk: WorkingCopy | None = None, version: str = "") -> Path:
    """The folder that the adapter starts in; builds it unless the cache holds a build of the same inputs.

    With `sdk` the build holds this working copy in place of the release, with `version` this release. Raises
    `AdapterUnavailable` with the end of the build's output.
    """
    plan = manifest.build
    if plan is None:
        return manifest.folder
    source = _source(manifest, plan, sdk, version)
    kind = f"{manifest.name}-sdk" if sdk else manifest.name
    keyed = cache / "builds" / f"{kind}-{_key(manifest, source)[:16]}"
    try:
        if sdk is None and (done := _finished(keyed)):  # only builds of working copies are removed
            return done
        from filelock import FileLock  # takes 50 ms

        keyed.mkdir(parents=True, exist_ok=True)
        with FileLock(f"{keyed}.lock"):
            folder = _finished(keyed) or _Build(manifest, plan, _fresh(keyed), cache, sandbox, source).run()
            (keyed / _DONE).write_text(folder.name, "utf-8")
    except OSError as error:
        reason = (
            f"{cache} cannot hold a build: {error.strerror or error}. "
            "Make the folder writable, or set XDG_CACHE_HOME to a writable folder."
        )
        raise AdapterUnavailable(reason, adapter=manifest.name) from None
    if sdk:
        _prune(keyed.parent.glob(f"{kind}-*/{_DONE}"))
    return folder


def _finished(keyed: Path) -> Path | None:
    """The finished build below `keyed`, named by the mark file."""
    mark = keyed / _DONE
    name = mark.read_text("utf-8") if mark.exists() else ""
    return keyed / name if name and (keyed / name).is_dir() else None


def _fresh(keyed: Path) -> Path:
    """A new folder for each attempt: a process that a killed build left running can still write into the old one."""
    for left in keyed.iterdir():
        shutil.rmtree(left, ignore_errors=True)
    return Path(tempfile.mkdtemp(prefix="build-", dir=keyed))


@dataclass(frozen=True, slots=True)
class _Source:
    """The code that a build holds: the pinned release, the working copy `sdk`, or the release `version`; with the names of
    the input files and the steps for it."""

    inputs: tuple[str, ...]
    steps: tuple[tuple[str, ...], ...]
    sdk: WorkingCopy | None = None
    version: str = ""


def _source(manifest: Manifest, plan: BuildPlan, sdk: WorkingCopy | None, version: str) -> _Source:
    if sdk and manifest.sdk:
        return _Source((*plan.inputs, *manifest.sdk.inputs), manifest.sdk.steps, sdk)
    if not version:
        return _Source(plan.inputs, plan.steps)
    assert manifest.release is not None
    return _Source((*plan.inputs, *manifest.release.inputs), manifest.release.steps, version=version)


def _key(manifest: Manifest, source: _Source) -> str:
    """SHA-256 over the manifest, the inputs' names and bytes, the versions of the tools, and the source."""
    total = hashlib.sha256()
    for path in [manifest.folder / "adapter.toml", *_input_files(manifest, source.inputs)]:
        content = path.read_bytes()
        total.update(f"{path.relative_to(manifest.folder).as_posix()}\n{len(content)}\n".encode())
        total.update(content)
    for tool in manifest.tools:
        total.update(f"{tool.command} {tool_version(tool)}\n".encode())
    if any("{python}" in word for step in source.steps for word in step):
        total.update(f"{sys.executable} {platform.python_version()}\n".encode())
    if sdk := source.sdk:
        total.update(f"{sdk.digest} {sdk.folder.relative_to(sdk.root).as_posix()}\n".encode())
    if source.version:
        total.update(f"release {source.version}\n".encode())
    return total.hexdigest()


def _input_files(manifest: Manifest, inputs: Iterable[str]) -> list[Path]:
    files: list[Path] = []
    for name in inputs:
        path = manifest.folder / name
        if not path.exists():
            raise AdapterUnavailable(
                f"{manifest.folder / 'adapter.toml'}: inputs: {name} does not exist. Correct the list."
            )
        files += sorted(below for below in path.rglob("*") if below.is_file()) if path.is_dir() else [path]
    return files


def _prune(marks: Iterable[Path]) -> None:
    """Removes the builds of working copies that were not used for an hour, except the last ones and those in use."""
    from filelock import FileLock, Timeout

    try:
        by_use = sorted(((mark.stat().st_mtime, mark.parent) for mark in marks), reverse=True)
    except OSError:  # another run removes a build at the same time
        return
    for used, folder in by_use[_MAX_SDK_BUILDS:]:
        if time.time() - used > 3600:
            with contextlib.suppress(Timeout), FileLock(f"{folder}.lock", timeout=0):
                (folder / _DONE).unlink(missing_ok=True)
                shutil.rmtree(folder, ignore_errors=True)


@dataclass(frozen=True, slots=True)
class _Build:
    """One build, in the folder that the adapter will start in."""

    manifest: Manifest
    plan: BuildPlan
    folder: Path
    cache: Path
    sandbox: Sandbox
    source: _Source

    def run(self) -> Path:
        for path in _input_files(self.manifest, self.source.inputs):
            copy_file(path, self.folder / path.relative_to(self.manifest.folder))
        sdk = self.source.sdk
        copied = sdk.copy(self.folder / "sdk").relative_to(self.folder).as_posix() if sdk else ""
        words = {"{python}": sys.executable, "{sdk}": f"./{copied}", "{cache}": str(self.cache / "tools")}
        words["{version}"] = self.source.version
        fixed = {name: _filled(value, words) for name, value in self.plan.fixed.items()}
        environment = self.sandbox.variables(self.plan.environment, fixed)
        for step in self.source.steps:
            self._step([_filled(word, words) for word in step], environment)
        return self.folder

    def _step(self, step: list[str], environment: dict[str, str]) -> None:
        _show(printable(f"building {self.manifest.name}: {' '.join(step)}\n"))
        try:
            status, output = _run_step(step, self.folder, environment)
        except OSError as error:
            reason = f"{step[0]} cannot be started: {error.strerror}. Install it."
            raise AdapterUnavailable(reason, adapter=self.manifest.name) from None
        if status:
            self._failed(step, status, output)

    def _failed(self, step: list[str], status: int, output: str) -> None:
        """Raises the failure of a step; for a working copy with its missing symbols, where the output names them."""
        sdk, copy, version = self.manifest.sdk, self.source.sdk, self.source.version
        subject = f"the working copy {copy.folder} does not build: " if copy else ""
        subject = f"the release {version} does not build: " if version else subject
        found = sdk.missing_symbol.findall(output) if copy and sdk and sdk.missing_symbol else []
        symbols = one_line("; ".join(list(dict.fromkeys(found))[:_MAX_MISSING_SYMBOLS]), 400)
        missing = f"{symbols.rstrip('.')}. " if symbols else ""
        command = one_line(" ".join(step))
        reason = f"{subject}{missing}`{command}` failed with status {status}."
        raise AdapterUnavailable(reason, adapter=self.manifest.name, log=output[-_LOG_KEPT:])


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
