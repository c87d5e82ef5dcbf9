"""Building a shipped adapter in a cache folder that is keyed by all that goes into it; the source tree is never touched."""

from __future__ import annotations

import hashlib
import shutil
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from filelock import FileLock

from harness.connections.environment import Surroundings
from harness.connections.manifest import BuildPlan, Manifest, tool_version
from harness.connections.offspring import end_marked
from harness.errors import AdapterUnavailable, one_line, printable

_DONE = ".built"
_LOG_KEPT = 4000


def build(manifest: Manifest, cache: Path, surroundings: Surroundings) -> Path:
    """The folder in which the adapter can be started, built first if no build of the same inputs is there.

    Raises `AdapterUnavailable` with the end of the build's output.
    """
    plan = manifest.build
    if plan is None:
        return manifest.folder
    folder = cache / "builds" / f"{manifest.name}-{_key(manifest, plan)[:16]}"
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(f"{folder}.lock"):
            if not (folder / _DONE).exists():
                _build(manifest, plan, folder, cache, surroundings)
    except OSError as error:
        raise AdapterUnavailable(
            f"{manifest.name} cannot be built in {cache}: {error.strerror or error}. "
            "Make the folder writable, or set XDG_CACHE_HOME to one that is."
        ) from None
    return folder


def _key(manifest: Manifest, plan: BuildPlan) -> str:
    """SHA-256 over the manifest, the inputs' names and bytes, and the versions of the tools."""
    total = hashlib.sha256()
    for path in [manifest.folder / "adapter.toml", *_input_files(manifest, plan)]:
        content = path.read_bytes()
        total.update(f"{path.relative_to(manifest.folder).as_posix()}\n{len(content)}\n".encode())
        total.update(content)
    for tool in manifest.tools:
        total.update(f"{tool.command} {tool_version(tool)}\n".encode())
    return total.hexdigest()


def _input_files(manifest: Manifest, plan: BuildPlan) -> list[Path]:
    files: list[Path] = []
    for name in plan.inputs:
        path = manifest.folder / name
        if not path.exists():
            raise AdapterUnavailable(
                f"{manifest.folder / 'adapter.toml'}: the input {name} does not exist. Correct inputs."
            )
        files += sorted(below for below in path.rglob("*") if below.is_file()) if path.is_dir() else [path]
    return files


def _build(manifest: Manifest, plan: BuildPlan, folder: Path, cache: Path, surroundings: Surroundings) -> None:
    """Builds beside the final place and moves the result there, so that a build that broke off is never used."""
    beside = folder.with_name(f"{folder.name}.building")
    shutil.rmtree(beside, ignore_errors=True)
    shutil.rmtree(folder, ignore_errors=True)
    for path in _input_files(manifest, plan):
        target = beside / path.relative_to(manifest.folder)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, target)
    tools = cache / "tools"
    fixed = {name: value.replace("{cache}", str(tools)) for name, value in plan.fixed.items()}
    environment = surroundings.variables(plan.environment, fixed)
    for step in plan.steps:
        _step(manifest, step, beside, environment)
    (beside / _DONE).touch()
    beside.rename(folder)


class _Output:
    """Where a build's output goes while it runs: to our standard error, with nothing that could steer a terminal."""

    def write(self, text: str) -> int:
        return sys.stderr.write(printable(text.expandtabs(4)))

    def flush(self) -> None:
        sys.stderr.flush()


def _step(manifest: Manifest, step: tuple[str, ...], folder: Path, environment: dict[str, str]) -> None:
    import subprocess_tee  # loads asyncio, which only a build needs

    print(f"building {manifest.name}: {' '.join(step)}", file=sys.stderr)
    # In a thread, so that an interruption reaches this one at once; the thread ends with the processes.
    with ThreadPoolExecutor(1) as thread:
        running = thread.submit(
            subprocess_tee.run, list(step), cwd=folder, env=environment, stdout=_Output(), stderr=_Output()
        )
        try:
            done = running.result()
        except OSError as error:
            raise AdapterUnavailable(f"{manifest.name}: {step[0]} cannot be started: {error.strerror}.") from None
        except BaseException:
            end_marked(f"TMPDIR={environment['TMPDIR']}")
            raise
    if done.returncode:
        said = printable(((done.stdout or "") + (done.stderr or "")).expandtabs(4))[-_LOG_KEPT:]
        command = one_line(" ".join(step))
        raise AdapterUnavailable(f"{manifest.name}: `{command}` failed with status {done.returncode}.\n{said}")
