"""Building a shipped adapter in a cache folder that is keyed by all that goes into it; the source tree is never touched."""

from __future__ import annotations

import contextlib
import hashlib
import platform
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import Event, Thread
from typing import TypeVar

from filelock import FileLock, Timeout

from harness.errors import AdapterUnavailable, one_line, printable
from harness.transport.manifest import BuildPlan, Manifest, tool_version
from harness.transport.process_tree import kill_marked
from harness.transport.sandbox import Sandbox
from harness.transport.working_copy import WorkingCopy, copy_file

_T = TypeVar("_T")

_DONE = ".built"
_LOG_KEPT = 4000
_MOST_LACKING = 5

_MOST_OF_WORKING_COPIES = 8
"""Builds of working copies that are kept for each adapter, besides those that were used within the hour."""


def build(manifest: Manifest, cache: Path, sandbox: Sandbox, sdk: WorkingCopy | None = None) -> Path:
    """The folder in which the adapter can be started, built first if no build of the same inputs is there.

    With `sdk` the build holds this working copy in place of the release. Raises `AdapterUnavailable` with the end of the
    build's output.
    """
    plan = manifest.build
    if plan is None:
        return manifest.folder
    kind = f"{manifest.name}-sdk" if sdk else manifest.name
    keyed = cache / "builds" / f"{kind}-{_key(manifest, plan, sdk)[:16]}"
    try:
        keyed.mkdir(parents=True, exist_ok=True)
        with FileLock(f"{keyed}.lock"):
            folder = _built(keyed) or _Build(manifest, plan, _fresh(keyed), cache, sandbox, sdk).carry_out()
            (keyed / _DONE).write_text(folder.name, "utf-8")
    except OSError as error:
        reason = (
            f"The build in {cache} failed: {error.strerror or error}. "
            "Make the folder writable, or set XDG_CACHE_HOME to one that is."
        )
        raise AdapterUnavailable(reason, adapter=manifest.name) from None
    if sdk:
        _forget(keyed.parent.glob(f"{kind}-*/{_DONE}"))
    return folder


def _built(keyed: Path) -> Path | None:
    """The finished build, which is the one that the mark names."""
    mark = keyed / _DONE
    name = mark.read_text("utf-8") if mark.exists() else ""
    return keyed / name if name and (keyed / name).is_dir() else None


def _fresh(keyed: Path) -> Path:
    """A folder of its own for each attempt, since what a killed build left running may still write into its folder."""
    for left in keyed.iterdir():
        shutil.rmtree(left, ignore_errors=True)
    return Path(tempfile.mkdtemp(prefix="build-", dir=keyed))


def _key(manifest: Manifest, plan: BuildPlan, sdk: WorkingCopy | None) -> str:
    """SHA-256 over the manifest, the inputs' names and bytes, the versions of the tools, and the working copy."""
    total = hashlib.sha256()
    for path in [manifest.folder / "adapter.toml", *_input_files(manifest, _inputs(manifest, plan, sdk))]:
        content = path.read_bytes()
        total.update(f"{path.relative_to(manifest.folder).as_posix()}\n{len(content)}\n".encode())
        total.update(content)
    for tool in manifest.tools:
        total.update(f"{tool.command} {tool_version(tool)}\n".encode())
    if any("{python}" in word for step in _steps(manifest, plan, sdk) for word in step):
        total.update(f"{sys.executable} {platform.python_version()}\n".encode())
    if sdk:
        total.update(f"{sdk.digest} {sdk.folder.relative_to(sdk.root).as_posix()}\n".encode())
    return total.hexdigest()


def _inputs(manifest: Manifest, plan: BuildPlan, sdk: WorkingCopy | None) -> tuple[str, ...]:
    return (*plan.inputs, *manifest.sdk.inputs) if sdk and manifest.sdk else plan.inputs


def _steps(manifest: Manifest, plan: BuildPlan, sdk: WorkingCopy | None) -> tuple[tuple[str, ...], ...]:
    return manifest.sdk.steps if sdk and manifest.sdk else plan.steps


def _input_files(manifest: Manifest, inputs: Iterable[str]) -> list[Path]:
    files: list[Path] = []
    for name in inputs:
        path = manifest.folder / name
        if not path.exists():
            raise AdapterUnavailable(
                f"{manifest.folder / 'adapter.toml'}: the input {name} does not exist. Correct inputs."
            )
        files += sorted(below for below in path.rglob("*") if below.is_file()) if path.is_dir() else [path]
    return files


def _forget(marks: Iterable[Path]) -> None:
    """Removes builds of working copies that were not used for long, as long as nobody is at them."""
    try:
        by_use = sorted(((mark.stat().st_mtime, mark.parent) for mark in marks), reverse=True)
    except OSError:  # another run is at it
        return
    for used, folder in by_use[_MOST_OF_WORKING_COPIES:]:
        if time.time() - used > 3600:
            with contextlib.suppress(Timeout), FileLock(f"{folder}.lock", timeout=0):
                (folder / _DONE).unlink(missing_ok=True)
                shutil.rmtree(folder, ignore_errors=True)


@dataclass(frozen=True, slots=True)
class _Build:
    """One build, carried out in the folder where it will be used."""

    manifest: Manifest
    plan: BuildPlan
    folder: Path
    cache: Path
    sandbox: Sandbox
    sdk: WorkingCopy | None

    def carry_out(self) -> Path:
        for path in _input_files(self.manifest, _inputs(self.manifest, self.plan, self.sdk)):
            copy_file(path, self.folder / path.relative_to(self.manifest.folder))
        copied = self.sdk.copy(self.folder / "sdk").relative_to(self.folder).as_posix() if self.sdk else ""
        words = {"{python}": sys.executable, "{sdk}": f"./{copied}", "{cache}": str(self.cache / "tools")}
        fixed = {name: _filled(value, words) for name, value in self.plan.fixed.items()}
        environment = self.sandbox.variables(self.plan.environment, fixed)
        for step in _steps(self.manifest, self.plan, self.sdk):
            self._step([_filled(word, words) for word in step], environment)
        return self.folder

    def _step(self, step: list[str], environment: dict[str, str]) -> None:
        import subprocess_tee  # loads asyncio, which only a build needs

        print(printable(f"building {self.manifest.name}: {' '.join(step)}"), file=sys.stderr)
        run = partial(subprocess_tee.run, step, cwd=self.folder, env=environment, stdout=_Output(), stderr=_Output())
        try:
            done = _in_a_thread(run, lambda: kill_marked(f"TMPDIR={environment['TMPDIR']}"))
        except OSError as error:
            reason = f"{step[0]} cannot be started: {error.strerror}."
            raise AdapterUnavailable(reason, adapter=self.manifest.name) from None
        if done.returncode:
            self._failed(step, done.returncode, printable((done.stdout or "") + (done.stderr or "")))

    def _failed(self, step: list[str], status: int, said: str) -> None:
        """Raises what a step's failure is; of a working copy with the names that it lacks, where the output tells them."""
        sdk = self.manifest.sdk
        what = f"the working copy {self.sdk.folder} does not build: " if self.sdk else ""
        found = sdk.missing_symbol.findall(said) if self.sdk and sdk and sdk.missing_symbol else []
        lacking = one_line("; ".join(list(dict.fromkeys(found))[:_MOST_LACKING]), 400)
        why = f"{lacking.rstrip('.')}. " if lacking else ""
        command = one_line(" ".join(step))
        reason = f"{what}{why}`{command}` failed with status {status}."
        raise AdapterUnavailable(reason, adapter=self.manifest.name, log=said[-_LOG_KEPT:])


def _in_a_thread(run: Callable[[], _T], end: Callable[[], None]) -> _T:
    """What `run` returns or raises. It has a thread of its own, so that an interruption reaches this one at once; the
    thread is then ended by `end`, again and again, since what it kills may only just be starting."""
    outcome: Future[_T] = Future()
    given_up = Event()

    def carry_out() -> None:
        if given_up.is_set():
            return
        try:
            outcome.set_result(run())
        except BaseException as error:
            outcome.set_exception(error)

    thread = Thread(target=carry_out)
    try:
        thread.start()
        return outcome.result()
    except BaseException:
        given_up.set()
        while thread.is_alive():
            end()
            thread.join(0.05)
        raise


def _filled(text: str, words: dict[str, str]) -> str:
    for word, value in words.items():
        text = text.replace(word, value)
    return text


class _Output:
    """Where a build's output goes while it runs: to our standard error, with nothing that could steer a terminal."""

    def write(self, text: str) -> int:
        return sys.stderr.write(printable(text.expandtabs(4)))

    def flush(self) -> None:
        sys.stderr.flush()
