"""`parity run --sdk`: the working copy is judged and recorded; every wrong use is an error."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
from made_up import MANIFEST, Installation, git

pytestmark = pytest.mark.slow


@pytest.fixture
def installation(tmp_path: Path) -> Installation:
    return Installation(tmp_path)


def snapshot(folder: Path) -> dict[str, tuple[int, int, bytes]]:
    """Everything below a folder: rights, times and bytes."""
    return {
        str(path.relative_to(folder)): (
            path.lstat().st_mode,
            path.lstat().st_mtime_ns,
            path.read_bytes() if path.is_file() else b"",
        )
        for path in [folder, *folder.rglob("*")]
    }


def test_the_working_copy_is_judged_in_place_of_the_release(installation: Installation) -> None:
    """The release answers `hello!`; the working copy does not, and the record identifies each."""
    released = installation.run("run", "--adapter", "mine", "--record", installation.record)
    assert released.returncode == 1
    assert installation.verdicts()["echo/say/word"] == "fail"
    assert "sdk" not in installation.entry()
    folder = installation.working_copy()
    done = installation.run("run", "--adapter", "mine", "--sdk", folder, "--record", installation.record)
    assert done.returncode == 0, done.stderr
    assert set(installation.verdicts().values()) == {"pass"}
    assert installation.entry()["version"] == "2.0"
    assert set(installation.entry()["sdk"]) == {"digest", "manifest"}
    assert installation.lines()[0]["options"]["sdk"] == str(folder)
    assert f"a working copy: {folder} (files " in done.stdout


def test_the_command_that_asks_again_names_the_working_copy(installation: Installation) -> None:
    """The rerun command of a failure judges the same folder."""
    folder = installation.working_copy(flaw=" + '?'")
    done = installation.run("run", "--adapter", "mine", "--sdk", folder, "--record", installation.record)
    assert f"repeat:  parity run --adapter mine --sdk {folder} --record repeat.jsonl --select echo/say/" in done.stdout


def test_one_case_is_explained_with_the_working_copy(installation: Installation) -> None:
    """`explain --sdk` shows the answer of the working copy, and the command of a run with it."""
    released = installation.run("explain", "echo/say/word", "--adapter", "mine")
    folder = installation.working_copy(flaw=" + '?'")
    done = installation.run("explain", "echo/say/word", "--adapter", "mine", "--sdk", folder)
    assert "hello!" in released.stdout
    assert "hello!" not in done.stdout
    assert "hello?" in done.stdout
    command = f"parity run --adapter mine --sdk {folder} --record repeat.jsonl --select echo/say/word"
    assert command in " ".join(done.stdout.split())
    nowhere = installation.run("explain", "echo/say/word", "--adapter", "mine", "--sdk", folder / "nowhere")
    assert (nowhere.returncode, nowhere.stdout) == (3, "")
    assert "the folder does not exist" in nowhere.stderr


def test_a_build_is_used_again_while_nothing_changes(installation: Installation) -> None:
    """The same bytes are built once, wherever they lie; other bytes are another build."""
    folder = installation.working_copy()
    again = installation.working_copy("elsewhere")
    for one in (folder, folder, again):
        assert installation.run("run", "--adapter", "mine", "--sdk", one).returncode == 0
    assert installation.builds() == ["begun", "built"]
    (folder / "sdk.py").write_text((again / "sdk.py").read_text("utf-8") + "# changed\n", "utf-8")
    assert installation.run("run", "--adapter", "mine", "--sdk", folder).returncode == 0
    assert installation.builds() == ["begun", "built"] * 2
    assert installation.run("run", "--adapter", "mine").returncode == 1
    assert installation.builds()[4:] == ["release"]


def test_the_adapters_own_change_is_another_build(installation: Installation) -> None:
    """A build is keyed by the adapter's files as well."""
    folder = installation.working_copy()
    installation.run("run", "--adapter", "mine", "--sdk", folder)
    (installation.adapter / "adapter.py").write_text(
        (installation.adapter / "adapter.py").read_text("utf-8") + "# changed\n", "utf-8"
    )
    installation.run("run", "--adapter", "mine", "--sdk", folder)
    assert installation.builds() == ["begun", "built"] * 2


def test_a_read_only_checkout_is_judged_and_stays_as_it_was(installation: Installation) -> None:
    """Nothing in the folder changes, not even a time, and the copy can be written to."""
    folder = installation.working_copy()
    git(folder, "init", "-q")
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "first")
    for path in [*folder.rglob("*"), folder]:
        if ".git" not in path.parts:
            path.chmod(path.stat().st_mode & ~0o222)
    before = snapshot(folder)
    done = installation.run("run", "--adapter", "mine", "--sdk", folder)
    after = snapshot(folder)
    folder.chmod(0o755)
    assert done.returncode == 0, done.stderr
    assert after == before
    (copied,) = (installation.folder / "cache").glob("parity/builds/mine-sdk-*/build-*/sdk/sdk.py")
    assert copied.stat().st_mode & stat.S_IWUSR
    assert not (copied.parent / ".git").exists()


def test_a_read_only_installation_stays_as_it_was(installation: Installation) -> None:
    """The adapter's own folder and the corpus are only read as well, and what is built of them can be written to."""
    folders = [installation.root / name for name in ("adapters", "cases", "schemas")]
    for path in [path for folder in folders for path in (folder, *folder.rglob("*"))]:
        path.chmod(path.stat().st_mode & ~0o222)
    before = [snapshot(folder) for folder in folders]
    done = installation.run("run", "--adapter", "mine", "--sdk", installation.working_copy())
    assert done.returncode == 0, done.stderr
    assert [snapshot(folder) for folder in folders] == before
    (copied,) = (installation.folder / "cache").glob("parity/builds/mine-sdk-*/build-*/adapter.py")
    assert copied.stat().st_mode & stat.S_IWUSR


def test_the_record_has_the_revision(installation: Installation) -> None:
    """The commit stands in the record, and whether anything is not in it; in git's index nothing is touched."""
    folder = installation.working_copy()
    git(folder, "init", "-q")
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "first")
    index = (folder / ".git" / "index").read_bytes()
    os.utime(folder / "sdk.py")  # which makes a plain `git status` write the index anew
    installation.run("run", "--adapter", "mine", "--sdk", folder, "--record", installation.record)
    head = git(folder, "rev-parse", "HEAD")
    assert installation.entry()["sdk"]["revision"] == head
    assert installation.entry()["sdk"]["changed"] is False
    assert (folder / ".git" / "index").read_bytes() == index
    (folder / "new.txt").write_text("not added", "utf-8")
    done = installation.run("run", "--adapter", "mine", "--sdk", folder, "--record", installation.record)
    assert installation.entry()["sdk"]["changed"] is True
    assert f"revision {head[:12]} with changes" in done.stdout


def test_the_revision_of_a_repository_that_does_not_hold_the_sdk(installation: Installation) -> None:
    """A package unpacked inside some repository, which ignores it, has no revision."""
    git(installation.folder, "init", "-q")
    (installation.folder / ".gitignore").write_text("*", "utf-8")
    git(installation.folder, "add", "-f", ".gitignore")
    git(installation.folder, "commit", "-q", "-m", "first")
    folder = installation.working_copy()
    installation.run("run", "--adapter", "mine", "--sdk", folder, "--record", installation.record)
    assert set(installation.entry()["sdk"]) == {"digest", "manifest"}


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        ("nowhere", "the folder does not exist. Name the folder of echo-sdk that holds its sdk.json."),
        ("checkout/sdk.py", "this is not a folder."),
        ("empty", "this is not echo-sdk: it has no sdk.json."),
        ("other", "this is not echo-sdk: its sdk.json does not match."),
        ("above", "this is not echo-sdk: it has no sdk.json. Did you mean "),
    ],
)
def test_a_path_that_is_not_the_sdk(installation: Installation, path: str, sentence: str) -> None:
    """A wrong path is an error with status 3, and no record is started."""
    installation.working_copy()
    installation.working_copy("above/packages/echo")
    (installation.folder / "empty").mkdir()
    (installation.working_copy("other") / "sdk.json").write_text('{"name": "another"}', "utf-8")
    wrong = installation.folder / path
    done = installation.run("run", "--adapter", "mine", "--sdk", wrong, "--record", installation.record)
    assert done.returncode == 3
    assert done.stderr.startswith(f"parity: --sdk {wrong}: {sentence}")
    assert not installation.record.exists()
    if wrong.is_dir():
        done = installation.run("run", "--adapter", f"mine={wrong}", "--record", installation.record)
        assert done.stderr.startswith(f"parity: --adapter mine={wrong}: {sentence}")


@pytest.mark.parametrize("adapters", [[], ["python3 x.py"], ["mine", "twin"]])
def test_sdk_needs_one_shipped_adapter(installation: Installation, adapters: list[str]) -> None:
    """With no shipped adapter, or two, it is not plain what the working copy is to be judged with."""
    twin = installation.root / "adapters" / "twin"
    twin.mkdir()
    (twin / "adapter.toml").write_text(MANIFEST.replace('name = "mine"', 'name = "twin"', 1), "utf-8")
    given = [word for adapter in adapters for word in ("--adapter", adapter)]
    done = installation.run("run", *given, "--sdk", installation.working_copy())
    assert done.returncode == 2
    assert "--sdk: expected exactly one shipped --adapter" in done.stderr


def test_an_adapter_that_judges_no_working_copies(installation: Installation) -> None:
    """Without [sdk] in its manifest an adapter refuses a working copy, with the reason."""
    (installation.adapter / "adapter.toml").write_text(
        MANIFEST.partition("[sdk]")[0] + "[run]" + MANIFEST.partition("[run]")[2], "utf-8"
    )
    done = installation.run("run", "--adapter", "mine", "--sdk", installation.working_copy())
    assert done.returncode == 2
    assert "checkout: the adapter mine cannot judge a working copy" in done.stderr


def test_a_working_copy_that_does_not_build(installation: Installation) -> None:
    """The sentence names what it lacks, the output is shown as it comes, no case runs, and the status is 3."""
    folder = installation.working_copy()
    (folder / "broken").touch()
    done = installation.run("run", "--adapter", "mine", "--sdk", folder, "--record", installation.record)
    assert done.returncode == 3
    assert "looking at the copy\nbuilding mine: sh" in done.stderr
    assert f"the working copy {folder} does not build: say. `sh" in done.stderr
    assert not installation.record.exists()


def test_a_missing_tool(installation: Installation) -> None:
    """Without the toolchain nothing is built, and the error names the tool to install."""
    tool = (
        '[[toolchain]]\ncommand = "no-such-tool"\nversion = ["no-such-tool"]\nminimum = "1"\ninstall = "Get one."\n\n'
    )
    (installation.adapter / "adapter.toml").write_text(MANIFEST.replace("[build]", f"{tool}[build]", 1), "utf-8")
    done = installation.run("run", "--adapter", "mine", "--sdk", installation.working_copy())
    assert done.returncode == 3
    assert "no-such-tool is not on PATH. Get one." in done.stderr
    assert installation.builds() == []


def test_a_name_that_is_gone(installation: Installation) -> None:
    """What rests on it is unsupported with that reason; the rest is judged."""
    folder = installation.working_copy()
    (folder / "sdk.py").write_text((folder / "sdk.py").read_text("utf-8").partition("def shout")[0], "utf-8")
    done = installation.run("run", "--adapter", "mine", "--sdk", folder, "--record", installation.record)
    assert done.returncode == 0
    assert installation.verdicts()["echo/say/word"] == "pass"
    assert installation.verdicts()["echo/shout/word"] == "unsupported"
    assert "the SDK has no echo.shout" in done.stdout


def test_an_adapter_without_a_release(installation: Installation) -> None:
    """A run that does not name it gives the reason; named without --sdk, it is a mistake of the command line."""
    only = MANIFEST.replace(
        "missing_symbol =", 'unreleased_reason = "echo has no release. Use --sdk."\nmissing_symbol =', 1
    )
    (installation.adapter / "adapter.toml").write_text(only, "utf-8")
    other = installation.root / "adapters" / "other"
    other.mkdir()
    for name in ("adapter.py", "release.py"):
        (other / name).write_bytes((installation.adapter / name).read_bytes())
    (other / "adapter.toml").write_text(MANIFEST.replace('name = "mine"', 'name = "other"', 1), "utf-8")
    default = installation.run("run")
    assert "mine is not tested: echo has no release. Use --sdk." in default.stdout
    assert default.returncode == 1
    assert installation.run("run", "--adapter", "mine").returncode == 2
    assert installation.run("run", "--adapter", "mine", "--sdk", installation.working_copy()).returncode == 0


def test_a_gate_judges_a_working_copy(installation: Installation) -> None:
    """`parity gate` takes --sdk as `parity run` does."""
    done = installation.run("gate", "--adapter", "mine", "--sdk", installation.working_copy())
    assert done.returncode == 0, done.stdout + done.stderr


def test_resuming_with_another_state_of_the_working_copy_is_refused(installation: Installation) -> None:
    """A record goes on with the folder that it was begun with, and only if that is as it was."""
    folder = installation.working_copy()
    installation.run("run", "--adapter", "mine", "--sdk", folder, "--record", installation.record)
    whole = installation.record.read_bytes().splitlines(keepends=True)
    installation.record.write_bytes(b"".join(whole[:2]))
    resumed = installation.run("run", "--resume", installation.record)
    assert resumed.returncode == 0, resumed.stderr
    installation.record.write_bytes(b"".join(whole[:2]))
    (folder / "sdk.py").write_text((folder / "sdk.py").read_text("utf-8") + "# changed\n", "utf-8")
    refused = installation.run("run", "--resume", installation.record)
    assert refused.returncode == 2
    assert "mine is no longer the implementation that this record was begun with. Its sdk was " in refused.stderr
