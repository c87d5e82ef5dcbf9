"""Workers of a campaign on a Dask cluster: the files that they need, by digest, and one unit at a time in each process.

A worker needs the same parity, Hypothesis and tools as this machine. It gets the corpus of `--corpus` and the working copy
of `--sdk` once, unpacks them into its cache folder, and builds the adapter once.
"""

from __future__ import annotations

import atexit
import hashlib
import io
import os
import platform
import shutil
import tarfile
import tempfile
import threading
import uuid
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from concurrent.futures import CancelledError, Future
from contextlib import ExitStack, contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

from msgspec import Struct

from .. import VERSION
from ..base.files import locked
from ..corpus.paths import cache, shipped
from ..errors import ParityError, UsageError, one_line
from ..model import RunOptions, replace
from ..plan.setup import RunSetup, prepare
from ..transport.working_copy import WorkingCopy
from .campaign_report import Report
from .exchange import introduce
from .units import Unit
from .worker import CampaignPlan, connect_reference, run_unit

_CONNECT_SECONDS = 20
_WORKER_SECONDS = 60
_CORPUS_FOLDERS = ("cases", "schemas", "strategies")
_SHIPPED_FOLDERS = ("harness", "adapters", "reference_impl", *_CORPUS_FOLDERS)
_IGNORED = frozenset({"__pycache__", "node_modules"})

_MTIME = 1_000_000_000
"""The time of all files, in the year 2001: a wheel holds none before 1980."""

_MAX_BUNDLES = 4
"""Unpacked bundles that a worker keeps in its cache folder."""


class _Job(Struct, frozen=True):
    """What every unit of a campaign has in common for a worker: `digest` names the bundle, `copies` the working copies in
    it, with relative folders, and `parity` the files and libraries on which requests and answers depend. `notify` is a
    function of a module, which gets each line for the user."""

    name: str
    options: RunOptions
    notify: Callable[[str], None]
    plan: CampaignPlan
    digest: str
    copies: Mapping[str, WorkingCopy]
    parity: str


class ClusterPool:
    """The workers of a Dask scheduler. Dask runs the units of a lost worker on another one."""

    lost: tuple[type[Exception], ...]

    def __init__(self, client: Any, job: _Job, bundle: bytes) -> None:
        self.lost = (_distributed().KilledWorker, CancelledError)
        self._client = client
        self._job = job
        self._executor = client.get_executor(pure=False)
        self._bundle = client.submit(bytes, bundle, key=f"parity-bundle-{job.digest}")  # a lost one is made again

    @property
    def width(self) -> int:
        """Threads of all workers; 0 once the scheduler is gone."""
        try:
            return max(1, sum(self._client.nthreads().values())) if self._client.status == "running" else 0
        except OSError:
            return 0

    def submit(self, unit: Unit) -> Future[Report]:
        future: Future[Report] = self._executor.submit(run_on_worker, self._bundle, self._job, unit)
        return future

    def stop(self, running: Collection[Future[Report]]) -> None:
        for future in running:
            future.cancel()


def _distributed() -> Any:
    """Dask's package; no type checker needs to know it, because few installations have it."""
    return import_module("distributed")


@contextmanager
def cluster_pool(setup: RunSetup, scheduler: str, plan: CampaignPlan) -> Iterator[ClusterPool]:
    """The pool of the scheduler at this address. Raises `UsageError` if it has no workers or does not reply."""
    distributed = _distributed()
    try:
        client = distributed.Client(scheduler, timeout=_CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError) as error:
        reason = one_line(str(error) or type(error).__name__)
        raise UsageError(f"--scheduler {one_line(scheduler)}: no reply: {reason}. Start it.") from None
    with client:
        try:
            client.wait_for_workers(1, timeout=_WORKER_SECONDS)
        except TimeoutError:
            raise UsageError(f"--scheduler {scheduler}: it has no workers. Start `dask worker`.") from None
        bundle = _bundle(setup.corpus.root if setup.options.corpus else None, setup.sdks)
        digest = hashlib.sha256(bundle).hexdigest()
        copies = {name: _relative(name, copy) for name, copy in setup.sdks.items()}
        name, parity = uuid.uuid4().hex, _parity_digest()
        yield ClusterPool(client, _Job(name, setup.options, setup.notify, plan, digest, copies, parity), bundle)
        if client.status != "running":
            setup.notify("parity: the scheduler has ended; the findings of the finished rounds are kept.")


# The files of a campaign


def _bundle(corpus: Path | None, copies: Mapping[str, WorkingCopy]) -> bytes:
    """An archive, the same bytes for the same files: `corpus/` and `sdk/NAME/`. A link to a file becomes the file."""
    found: list[tuple[str, Path]] = []
    if corpus is not None:
        found += [(f"corpus/{name}", path) for name, path in _files(corpus, _CORPUS_FOLDERS)]
    for name, copy in sorted(copies.items()):
        found += [(f"sdk/{name}/{file.as_posix()}", copy.root / file) for file in copy.files]
    output = io.BytesIO()
    with tarfile.open(fileobj=output, mode="w") as archive:
        for name, path in found:
            archive.add(path if path.is_dir() else path.resolve(), name, recursive=False, filter=_anonymous)
    return output.getvalue()


def _anonymous(member: tarfile.TarInfo) -> tarfile.TarInfo:
    """The member without its owner and its time."""
    member.mtime, member.uid, member.gid = _MTIME, 0, 0
    member.uname = member.gname = ""
    return member


def _files(root: Path, folders: Iterable[str]) -> Iterator[tuple[str, Path]]:
    """The files below these folders, by relative name."""
    for folder in folders:
        for here, below, names in sorted(os.walk(root / folder)):
            below[:] = [name for name in below if name not in _IGNORED]
            if _IGNORED.isdisjoint(Path(here).relative_to(root).parts):
                for path in (Path(here, name) for name in sorted(names)):
                    yield path.relative_to(root).as_posix(), path


def _relative(name: str, copy: WorkingCopy) -> WorkingCopy:
    return replace(copy, root=Path("sdk", name), folder=Path("sdk", name, copy.folder.relative_to(copy.root)))


def _parity_digest() -> str:
    """SHA-256 over parity's own files, and the versions of Python and Hypothesis."""
    from importlib.metadata import version

    total = hashlib.sha256(f"{VERSION} {platform.python_version()} {version('hypothesis')}\n".encode())
    for name, path in _files(shipped(), _SHIPPED_FOLDERS):
        content = path.read_bytes()
        total.update(f"{name}\n{len(content)}\n".encode() + content)
    return total.hexdigest()


# On a worker


_lock = threading.Lock()
"""Makes the units of several threads wait for each other."""

_prepared: dict[str, RunSetup] = {}
"""The campaign that this process has prepared, by its name."""

_cleanup = ExitStack()
"""Ends what this process has prepared."""

atexit.register(_cleanup.close)


def run_on_worker(bundle: bytes, job: _Job, unit: Unit) -> Report:
    """Runs a unit in the process of a worker. Raises `ParityError` if this machine cannot run the campaign."""
    try:
        with _lock:
            if job.name not in _prepared:
                _prepared.clear()
                _cleanup.close()
                _prepared[job.name] = _prepare(bundle, job)
            return run_unit(_prepared[job.name], job.plan, unit, lambda _: None, with_stored=False)
    except ParityError as error:  # some of its classes cannot be pickled
        raise ParityError(f"worker on {platform.node()}: {error}") from None


def _prepare(bundle: bytes, job: _Job) -> RunSetup:
    from hypothesis.configuration import set_hypothesis_home_dir

    if _parity_digest() != job.parity:
        raise ParityError("another parity, Python or Hypothesis is installed here. Install the same versions.")
    set_hypothesis_home_dir(cache() / "hypothesis")
    root = _unpacked(bundle, job.digest)
    options = replace(job.options, corpus=str(root / "corpus") if job.options.corpus else "")
    copies = {
        name: replace(copy, root=root / copy.root, folder=root / copy.folder) for name, copy in job.copies.items()
    }
    with ExitStack() as stack:
        setup = stack.enter_context(prepare(options, job.notify, copies))
        connect_reference(setup)
        _check_implementations(setup, job.plan)
        _cleanup.push(stack.pop_all())
    return setup


def _check_implementations(setup: RunSetup, plan: CampaignPlan) -> None:
    """Raises `ParityError` unless the implementations of the campaign start here, in the same versions."""
    here, _ = introduce(setup.connections, setup.timeouts)
    for name, wanted in plan.implementations.items():
        if name not in here:
            raise ParityError(f"{name} does not start here. Install its tools.")
        if here[name] != wanted:
            raise ParityError(f"{name} has another version or runtime here. Install the same tools.")


def _unpacked(bundle: bytes, digest: str) -> Path:
    """The folder with the files of a bundle, unpacked once in the cache folder."""
    folders = cache() / "bundles"
    folder = folders / digest[:16]
    folders.mkdir(parents=True, exist_ok=True)
    with locked(folders):
        if folder.is_dir():
            folder.touch()
            return folder
        for old in sorted(folders.iterdir(), key=lambda path: path.stat().st_mtime, reverse=True)[_MAX_BUNDLES - 1 :]:
            shutil.rmtree(old, ignore_errors=True)
        fresh = Path(tempfile.mkdtemp(prefix="new-", dir=folders))
        with tarfile.open(fileobj=io.BytesIO(bundle)) as archive:
            archive.extractall(fresh, filter="data")
        return fresh.rename(folder)
