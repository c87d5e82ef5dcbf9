"""Looking at a working copy and copying it: which files, which state, and nothing written where it lies."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest
from made_up import MANIFEST, git

from harness.errors import AdapterUnavailable
from harness.model import ChangedFile, replace
from harness.transport import working_copy
from harness.transport.change import path_in_repository
from harness.transport.manifest import Manifest, read_manifest
from harness.transport.operation_support import OperationSupport, State
from harness.transport.working_copy import inspect_working_copy


@pytest.fixture
def manifest(tmp_path: Path) -> Manifest:
    folder = tmp_path / "adapters" / "mine"
    folder.mkdir(parents=True)
    (folder / "adapter.toml").write_text(MANIFEST, "utf-8")
    return read_manifest(folder / "adapter.toml")


def with_checkout(manifest: Manifest) -> Manifest:
    assert manifest.sdk
    return replace(manifest, sdk=replace(manifest.sdk, checkout=True))


def sdk_folder(folder: Path) -> Path:
    folder.mkdir(parents=True)
    (folder / "sdk.json").write_text('{"name": "echo-sdk"}', "utf-8")
    return folder


def copied(target: Path) -> set[str]:
    return {path.relative_to(target).as_posix() for path in target.rglob("*") if not path.is_dir() or path.is_symlink()}


def test_everything_but_what_is_left_out_is_copied(manifest: Manifest, tmp_path: Path) -> None:
    """Folders that the manifest leaves, and .git, stay behind at every depth; whether a file is a program is kept."""
    folder = sdk_folder(tmp_path / "sdk")
    for name in ("src/main.py", "node_modules/x.js", "src/node_modules/y.js", "build.sh", ".hidden", ".git"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(name, "utf-8")
    (folder / "build.sh").chmod(0o555)
    inside = inspect_working_copy(manifest, folder).copy(tmp_path / "copy")
    assert inside == tmp_path / "copy"
    assert copied(inside) == {"sdk.json", "src/main.py", "build.sh", ".hidden"}
    assert (inside / "build.sh").stat().st_mode & 0o777 == 0o755
    assert (inside / "src/main.py").stat().st_mode & 0o777 == 0o644


def test_the_search_for_a_near_folder_is_bounded(manifest: Manifest, tmp_path: Path) -> None:
    """A folder that is not the SDK is refused at once: of many folders few are looked at, and a file that cannot be read, a
    FIFO and a link are passed over."""
    wide = tmp_path / "wide"
    for name in ("a", "b"):
        for number in range(1200):
            (wide / name / f"{number:04}").mkdir(parents=True)
    os.mkfifo(wide / "a" / "0000" / "sdk.json")
    (wide / "b" / "1199" / "sdk").symlink_to(sdk_folder(tmp_path / "elsewhere"))
    with pytest.raises(AdapterUnavailable, match=r"wide: this is not echo-sdk: it has no sdk\.json\. Name the folder"):
        inspect_working_copy(manifest, wide)
    near = sdk_folder(tmp_path / "narrow" / "packages" / "echo")
    with pytest.raises(AdapterUnavailable, match=f"Did you mean {re.escape(str(near))}"):
        inspect_working_copy(manifest, tmp_path / "narrow")


def test_links(manifest: Manifest, tmp_path: Path) -> None:
    """A link to a file is that file; one to a folder inside stays a link; one that leads out, or nowhere, is left out."""
    folder = sdk_folder(tmp_path / "sdk")
    (folder / "real").mkdir()
    (folder / "real" / "a").write_text("a", "utf-8")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "licence").write_text("licence", "utf-8")
    (folder / "inside-link").symlink_to("real")
    (folder / "absolute-link").symlink_to(folder / "real")
    (folder / "outside-link").symlink_to("../outside")
    (folder / "licence").symlink_to("../outside/licence")
    (folder / "dangling").symlink_to("nowhere")
    (folder / "itself").symlink_to("itself")
    inside = inspect_working_copy(manifest, folder).copy(tmp_path / "copy")
    assert copied(inside) == {"sdk.json", "real/a", "inside-link", "licence"}
    assert (inside / "inside-link").is_symlink()
    assert (inside / "inside-link" / "a").read_text("utf-8") == "a"
    assert not (inside / "licence").is_symlink()


def test_the_checkout_around_it(manifest: Manifest, tmp_path: Path) -> None:
    """With the checkout go the files that git lists, and what is built in the SDK's own folder though git ignores it."""
    root = tmp_path / "repository"
    folder = sdk_folder(root / "sdks" / "echo")
    for name in ("base.json", "ignored.txt", "new.txt", "sdks/echo/dist/out.js", "sdks/echo/node_modules/x.js", "gone"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(name, "utf-8")
    (root / ".gitignore").write_text("ignored.txt\ndist\nnode_modules\n", "utf-8")
    git(root, "init", "-q")
    git(root, "add", "--", ".gitignore", "base.json", "sdks", "gone")
    git(root, "commit", "-q", "-m", "first")
    (root / "gone").unlink()
    sdk = inspect_working_copy(with_checkout(manifest), folder)
    inside = sdk.copy(tmp_path / "copy")
    assert inside == tmp_path / "copy" / "sdks" / "echo"
    assert copied(tmp_path / "copy") == {
        ".gitignore",
        "base.json",
        "new.txt",
        "sdks/echo/sdk.json",
        "sdks/echo/dist/out.js",
    }
    assert f"{sdk.revision} {sdk.date}" == git(root, "log", "-1", "--format=%H %as")
    assert sdk.manifest == "sdks/echo/sdk.json"
    assert sdk.changed
    assert copied(inspect_working_copy(manifest, folder).copy(tmp_path / "alone")) == {"sdk.json", "dist/out.js"}


def test_the_digest_is_of_names_and_bytes(manifest: Manifest, tmp_path: Path) -> None:
    """The same files elsewhere have the same digest; another name, byte or right has another."""
    first, second = sdk_folder(tmp_path / "one"), sdk_folder(tmp_path / "two")
    for folder in (first, second):
        (folder / "a").write_text("a", "utf-8")
    before = inspect_working_copy(manifest, first).digest
    assert inspect_working_copy(manifest, second).digest == before
    (second / "a").chmod(0o755)
    changed = {inspect_working_copy(manifest, second).digest}
    (second / "a").write_text("b", "utf-8")
    changed.add(inspect_working_copy(manifest, second).digest)
    (second / "a").rename(second / "b")
    changed.add(inspect_working_copy(manifest, second).digest)
    assert len(changed | {before}) == 4


@pytest.mark.parametrize("is_checkout", [True, False])
def test_what_parity_has_beside_an_sdk_is_no_part_of_it(manifest: Manifest, tmp_path: Path, is_checkout: bool) -> None:
    """A record in the folder of the SDK, and parity's own checkout or copy, change neither its digest nor whether it has
    changes."""
    folder = sdk_folder(tmp_path / "sdk")
    for arguments in (("init", "-q"), ("add", "."), ("commit", "-qm", "The SDK.")):
        git(folder, *arguments)
    before = inspect_working_copy(manifest, folder).state()
    (folder / "parity-run.jsonl").write_text("{}\n", "utf-8")
    (folder / ".parity").mkdir()
    (folder / ".parity" / "action.yml").touch()
    if is_checkout:
        git(folder / ".parity", "init", "-q")
    assert inspect_working_copy(manifest, folder).state() == before
    (folder / "notes.txt").touch()
    assert inspect_working_copy(manifest, folder).state() != before


def committed(root: Path) -> str:
    """The first commit of everything in a new repository."""
    for arguments in (("init", "-q", "-b", "main"), ("add", "."), ("commit", "-qm", "The SDK.")):
        git(root, *arguments)
    return git(root, "rev-parse", "HEAD")


def test_parity_in_the_checkout_is_no_part_of_it(
    manifest: Manifest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A clone of parity in the SDK's repository changes neither the digest nor whether it has changes; a folder beside it
    does."""
    root = tmp_path / "repository"
    folder = sdk_folder(root / "sdks" / "echo")
    committed(root)
    before = inspect_working_copy(with_checkout(manifest), folder).state()
    for name in ("third_party/parity", "sdks/echo/parity"):
        (root / name / "cases").mkdir(parents=True)
        (root / name / "cases" / "said.yaml").touch()
        monkeypatch.setattr(working_copy, "shipped", lambda name=name: root / name)
        assert inspect_working_copy(with_checkout(manifest), folder).state() == before
        monkeypatch.setattr(working_copy, "shipped", lambda: tmp_path)
        assert inspect_working_copy(with_checkout(manifest), folder).state().changed
        shutil.rmtree(root / name)


def test_the_change_is_what_git_says_since_the_base(
    manifest: Manifest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The changed lines of tracked files of the copy, since the branch left the base of the pull request; without one, those
    that are not committed. A removed line is told by the line before it."""
    root = tmp_path / "repository"
    folder = sdk_folder(root / "sdks" / "echo")
    numbered = [f"{number}\n" for number in range(1, 10)]
    for name in ("a.go", "b.go", "gone.go", "same.go"):
        (folder / name).write_text("".join(numbered), "utf-8")
    base = committed(root)
    git(root, "checkout", "-q", "-b", "change")
    (folder / "a.go").write_text("".join(["++ b/x\n", *numbered[1:4], "new\n", "new\n", *numbered[4:]]), "utf-8")
    (folder / "gone.go").unlink()
    (folder / "with blank.go").write_text("1\n2", "utf-8")
    (root / "README.md").touch()
    git(root, "add", "--all")
    git(root, "commit", "-qm", "A change.")
    (folder / "b.go").write_text("".join(numbered[:5] + numbered[6:]), "utf-8")
    (folder / "untracked.go").touch()
    uncommitted = ChangedFile("sdks/echo/b.go", ((5, 5),))
    state = inspect_working_copy(manifest, folder).state()
    assert (state.base, state.changes) == (state.revision, (uncommitted,))
    monkeypatch.setenv("GITHUB_BASE_REF", "main")
    declared = {
        "echo.say": OperationSupport(State.DIRECT, "", files=("b.go", "*.go", "a.go")),
        "echo.shout": OperationSupport(State.DIRECT, "", files=("same.go",)),
    }
    state = inspect_working_copy(manifest, folder).state(declared)
    assert (state.base, state.changes) == (
        base,
        (
            ChangedFile("sdks/echo/a.go", ((1, 1), (5, 6))),
            uncommitted,
            ChangedFile("sdks/echo/with blank.go", ((1, 2),)),
        ),
    )
    assert state.reached == {"echo.say": ("sdks/echo/b.go", "sdks/echo/a.go", "sdks/echo/with blank.go")}


def test_the_path_of_a_tracked_file(tmp_path: Path) -> None:
    """Only of a file that git tracks in the repository around the folder."""
    folder = sdk_folder(tmp_path / "repository" / "sdks" / "echo")
    committed(tmp_path / "repository")
    (folder / "new").touch()
    (tmp_path / "sdk.json").touch()
    files = (folder / "sdk.json", folder / "new", tmp_path / "sdk.json")
    assert [path_in_repository(file, folder) for file in files] == ["sdks/echo/sdk.json", "", ""]
    assert path_in_repository(folder / "sdk.json", tmp_path) == ""


def test_a_change_while_it_is_copied_is_noticed(manifest: Manifest, tmp_path: Path) -> None:
    """What is built is what was hashed, or nothing."""
    folder = sdk_folder(tmp_path / "sdk")
    sdk = inspect_working_copy(manifest, folder)
    (folder / "sdk.json").write_text('{"name": "echo-sdk", "later": true}', "utf-8")
    with pytest.raises(AdapterUnavailable, match="a file changed during the copy"):
        sdk.copy(tmp_path / "copy")


def test_a_folder_whose_git_is_broken(manifest: Manifest, tmp_path: Path) -> None:
    """Where git fails there is no revision, and the files are judged all the same."""
    folder = sdk_folder(tmp_path / "sdk")
    (folder / ".git").write_text("gitdir: /nowhere", "utf-8")
    sdk = inspect_working_copy(with_checkout(manifest), folder)
    assert (sdk.revision, sdk.changed, [str(file) for file in sdk.files]) == ("", False, ["sdk.json"])


def test_what_lies_beside_an_unpacked_package(manifest: Manifest, tmp_path: Path) -> None:
    """Without git the folders named are taken along from the nearest folder above that has them, and nothing else."""
    assert manifest.sdk
    plan = replace(manifest, sdk=replace(manifest.sdk, checkout=True, include_siblings=("spec/lists",)))
    root = tmp_path / "archive"
    folder = sdk_folder(root / "sdks" / "mine")
    assert copied(inspect_working_copy(plan, folder).copy(tmp_path / "alone")) == {"sdk.json"}
    for name in ("spec/lists/en.json", "spec/other.md", "README.md"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(name, "utf-8")
    inside = inspect_working_copy(plan, folder).copy(tmp_path / "copy")
    assert inside == tmp_path / "copy" / "sdks" / "mine"
    assert copied(tmp_path / "copy") == {"sdks/mine/sdk.json", "spec/lists/en.json"}
