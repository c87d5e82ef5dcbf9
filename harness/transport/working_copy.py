"""Working copies of an SDK on this machine: the check that a folder is the SDK, its state, and a copy of it.

The folder is only read. A build uses a copy, so neither can change the other.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from fnmatch import fnmatchcase
from itertools import islice
from pathlib import Path
from types import MappingProxyType

from msgspec import Struct

from ..corpus.paths import OWN_FILES, shipped
from ..errors import AdapterUnavailable, UsageError
from ..model import ChangedFile, SdkState, replace
from .change import base_of, changed_files
from .manifest import Manifest, SdkPlan
from .operation_support import OperationSupport
from .repository import git_text

_HINT_DEPTH = 3
_HINT_FOLDERS = 1000


class WorkingCopy(Struct, frozen=True):
    """The state of an SDK's `folder` at the time of its inspection.

    `root` is copied: the folder itself, or the git checkout or the workspace around it; `files` lie below it. `digest` is
    SHA-256 over their names and bytes. `revision` is the commit that git has checked out, empty where git does not track
    the folder, `date` its day, `tag` a tag of it; `changed` means that the folder differs from that commit.
    `manifest` is the path of its marker file in that checkout, `given` the option that names the folder. `changes` are its
    changed files since the commit `base`.
    """

    folder: Path
    root: Path
    files: tuple[Path, ...]
    digest: str
    revision: str = ""
    changed: bool = False
    tag: str = ""
    manifest: str = ""
    given: str = ""
    date: str = ""
    base: str = ""
    changes: tuple[ChangedFile, ...] = ()

    def copy(self, target: Path) -> Path:
        """Copies the files into `target` and returns the SDK's folder there. Raises `AdapterUnavailable`."""
        for file in self.files:
            copy_file(self.root / file, target / file)
        if _digest(target, self.files) != self.digest:
            raise AdapterUnavailable(f"{self.given}: a file changed during the copy. Run again.")
        return target / self.folder.relative_to(self.root)

    def digest_of(self, names: Iterable[str]) -> str:
        """SHA-256 over the files of the SDK's folder with these names, by name; some may be missing."""
        below = {file for file in self.files if (self.root / file).parent == self.folder and file.name in names}
        return _digest(self.root, sorted(below))

    def text_of(self, name: str) -> str | None:
        """The text of a file of the SDK's folder; None if the copy does not have it."""
        path = self.folder / name
        if not path.is_relative_to(self.root) or path.relative_to(self.root) not in self.files:
            return None
        return path.read_text("utf-8", "replace")

    def since(self, base: str) -> WorkingCopy:
        """The same working copy with its change since another commit."""
        return replace(self, base=base, changes=changed_files(self.root, base))

    def state(self, declared: Mapping[str, OperationSupport] = MappingProxyType({})) -> SdkState:
        """Its state for a run record, the same on every machine with the same working copy. `declared` is the support of
        operations."""
        folder = self.manifest.rpartition("/")[0]
        changed = {file.path.removeprefix(f"{folder}/" if folder else ""): file.path for file in self.changes}
        reached = {
            name: tuple(changed[file] for file in support.reached(changed)) for name, support in declared.items()
        }
        return SdkState(
            digest=self.digest,
            revision=self.revision,
            changed=bool(self.revision) and self.changed,
            tag=self.tag,
            manifest=self.manifest,
            date=self.date,
            base=self.base,
            changes=self.changes,
            reached={name: files for name, files in reached.items() if files},
        )


def inspect_working_copy(manifest: Manifest, path: Path, given: str = "") -> WorkingCopy:
    """The working copy at `path` of the adapter's SDK, which the option `given` names. Raises `AdapterUnavailable` for
    another folder, and `UsageError` if the manifest has no [sdk]."""
    given = given or f"--sdk {path}"
    plan = manifest.sdk
    if plan is None:
        raise UsageError(
            f"{given}: the adapter {manifest.name} cannot judge a working copy: its manifest has no [sdk]. Name none."
        )
    try:
        _check_is_sdk(plan, path, given)
        return replace(_read(plan, path.resolve()), given=given)
    except OSError as error:
        where = error.filename if isinstance(error.filename, str) else path
        raise AdapterUnavailable(
            f"{given}: {where} cannot be read: {error.strerror}. Make it readable, or name another folder."
        ) from None


def _check_is_sdk(plan: SdkPlan, path: Path, given: str) -> None:
    remedy = f"Name the folder of {plan.name} that holds its {plan.marker}."
    if not path.exists():
        raise AdapterUnavailable(f"{given}: the folder does not exist. {remedy}")
    if not path.is_dir():
        raise AdapterUnavailable(f"{given}: this is not a folder. {remedy}")
    if _matches(plan, path / plan.marker):
        return
    why = f"its {plan.marker} does not match" if (path / plan.marker).exists() else f"it has no {plan.marker}"
    near = next(_near(plan, path), None)
    raise AdapterUnavailable(f"{given}: this is not {plan.name}: {why}. {f'Did you mean {near}?' if near else remedy}")


def _matches(plan: SdkPlan, marker: Path) -> bool:
    return marker.is_file() and plan.match.search(marker.read_text("utf-8", "replace")) is not None


def _near(plan: SdkPlan, path: Path) -> Iterator[Path]:
    """Folders below `path` that are the SDK, among the first of each depth. What cannot be read is passed over."""
    level = [path]
    for _ in range(_HINT_DEPTH):
        below = (child for folder in level for child in _folders(folder) if child.name not in plan.excluded)
        level = [*islice(below, _HINT_FOLDERS)]
        for folder in level:
            with suppress(OSError):
                if _matches(plan, folder / plan.marker):
                    yield folder


def _folders(folder: Path) -> list[Path]:
    """The folders in `folder`, sorted; those among its first entries if it has very many, none if it cannot be read."""
    try:
        with os.scandir(folder) as entries:
            first = islice(entries, _HINT_FOLDERS)
            return sorted(Path(entry) for entry in first if entry.is_dir(follow_symlinks=False))
    except OSError:
        return []


def _read(plan: SdkPlan, folder: Path) -> WorkingCopy:
    exclude = plan.excluded | {*OWN_FILES}
    root, files = folder, set(_below(folder, exclude))
    revision, date, changed, tag, prefix, base = "", "", False, "", "", ""
    changes: tuple[ChangedFile, ...] = ()
    if git_text(folder, "ls-files", "--error-unmatch", "--", plan.marker) is not None:
        top = (git_text(folder, "rev-parse", "--show-toplevel") or "").removesuffix("\n")
        if plan.checkout and top:
            root = Path(top)
            files = {(folder / file).relative_to(root) for file in files} | set(_listed(root, exclude))
        prefix = (git_text(folder, "rev-parse", "--show-prefix") or "").removesuffix("\n")
        revision, _, date = (git_text(folder, "log", "-1", "--format=%H %as", "HEAD") or "").strip().partition(" ")
        tag = (git_text(folder, "describe", "--tags", "--exact-match", "HEAD") or "").strip()
        others = [f":(exclude,glob)**/{name}{below}" for name in OWN_FILES for below in ("", "/**")]
        if root in shipped().parents:
            others.append(f":(exclude,literal){shipped().relative_to(root).as_posix()}")
        changed = bool(git_text(root, "status", "--porcelain", "--untracked-files=all", "--", ".", *others))
        if base := base_of(folder) or revision:
            changes = changed_files(root, base)
    elif above := _above(plan, folder):
        root = above
        files = {(folder / file).relative_to(root) for file in files}
        files |= {Path(name, file) for name in plan.include_siblings for file in _below(root / name, exclude)}
    elif workspace := _workspace(plan, folder):
        root, files = workspace, set(_below(workspace, exclude))
    kept = tuple(sorted(files))
    digest = _digest(root, kept)
    marker = f"{prefix}{plan.marker}"
    return WorkingCopy(
        folder, root, kept, digest, revision, changed, tag, marker, date=date, base=base, changes=changes
    )


def _above(plan: SdkPlan, folder: Path) -> Path | None:
    """The root of an unpacked archive: the nearest folder above that has the SDK's siblings."""
    near = folder.parents[:_HINT_DEPTH] if plan.include_siblings else ()
    return next((above for above in near if all((above / name).is_dir() for name in plan.include_siblings)), None)


def _workspace(plan: SdkPlan, folder: Path) -> Path | None:
    """The root of the JavaScript workspace around the folder: the nearest folder above whose `package.json` has a pattern
    for the folder among its `workspaces`. Its lock file and its settings lie there."""
    near = folder.parents[:_HINT_DEPTH] if plan.checkout else ()
    for above in near:
        member = folder.relative_to(above).as_posix()
        if any(fnmatchcase(member, pattern) for pattern in _members(above / plan.marker)):
            return above
    return None


def _members(marker: Path) -> Iterator[str]:
    """The patterns of a workspace's members: a list, or an object with a list `packages`."""
    try:
        manifest = json.loads(marker.read_text("utf-8"))
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return
    listed = manifest.get("workspaces") if isinstance(manifest, dict) else None
    patterns = listed.get("packages") if isinstance(listed, dict) else listed
    for pattern in patterns if isinstance(patterns, list) else ():
        if isinstance(pattern, str):
            yield pattern.removeprefix("./").rstrip("/")


def _below(folder: Path, exclude: frozenset[str]) -> Iterator[Path]:
    """Every file below the folder but those of this parity, and every link to a folder inside it; relative paths."""
    for here, folders, names in os.walk(folder, onerror=_raise):
        folders[:] = [name for name in folders if name not in exclude and Path(here, name) != shipped()]
        found = [Path(here, name) for name in (*folders, *names) if name not in exclude]
        yield from (path.relative_to(folder) for path in found if _is_copied(path, folder))


def _raise(error: OSError) -> None:
    raise error


def _listed(root: Path, exclude: frozenset[str]) -> Iterator[Path]:
    """The files of the checkout that git tracks or does not ignore, but those of this parity."""
    own = shipped() if root in shipped().parents else None
    listed = git_text(root, "ls-files", "-z", "--cached", "--others", "--exclude-standard") or ""
    for name in filter(None, listed.split("\0")):
        is_own = own is not None and own in (root / name).parents
        if not is_own and not exclude.intersection(Path(name).parts) and _is_copied(root / name, root):
            yield Path(name)


def _is_copied(path: Path, root: Path) -> bool:
    """Whether the copy includes `path`: a file, a link to a file, or a link to a folder inside `root`."""
    if path.is_symlink() and path.is_dir():
        target = path.readlink()
        return not target.is_absolute() and path.resolve().is_relative_to(root.resolve())
    return path.is_file()


def _digest(root: Path, files: Iterable[Path]) -> str:
    total = hashlib.sha256()
    for file in files:
        path = root / file
        if path.is_dir():
            kind, content = "link", os.fsencode(path.readlink())
        else:
            kind, content = "program" if path.stat().st_mode & 0o100 else "file", path.read_bytes()
        total.update(os.fsencode(f"{file.as_posix()}\0{kind}\0{len(content)}\0") + content)
    return total.hexdigest()


def copy_file(source: Path, target: Path) -> None:
    """Copies a file with its time and its execute permission; the copy is always writable."""
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        target.symlink_to(source.readlink())
        return
    shutil.copyfile(source, target)
    state = source.stat()
    target.chmod(0o755 if state.st_mode & 0o100 else 0o644)
    os.utime(target, ns=(state.st_atime_ns, state.st_mtime_ns))
