"""Reading `adapter.toml`: what a working copy's part holds, and every mistake with its file."""

from __future__ import annotations

from pathlib import Path

import pytest
from made_up import MANIFEST

from harness.errors import AdapterUnavailable, UsageError
from harness.model import NotTestedCode
from harness.transport.manifest import check_requirements, read_manifest


def written(folder: Path, text: str) -> Path:
    path = folder / "mine" / "adapter.toml"
    path.parent.mkdir()
    path.write_text(text, "utf-8")
    return path


def test_the_part_about_working_copies(tmp_path: Path) -> None:
    """`[sdk]` has the SDK's marker, the excluded folders and the steps."""
    sdk = read_manifest(written(tmp_path, MANIFEST)).sdk
    assert sdk
    assert (sdk.name, sdk.marker, sdk.checkout, sdk.unreleased_reason, sdk.inputs) == (
        "echo-sdk",
        "sdk.json",
        False,
        "",
        (),
    )
    assert sdk.excluded == {".git", "node_modules"}
    assert sdk.match.search('{"name": "echo-sdk"}')
    assert sdk.missing_symbol and sdk.missing_symbol.findall("a\nlacks: b\n") == ["b"]


def test_an_adapter_without_that_part(tmp_path: Path) -> None:
    """`[sdk]` may be left out."""
    text = MANIFEST.partition("[sdk]")[0] + "[run]" + MANIFEST.partition("[run]")[2]
    assert read_manifest(written(tmp_path, text)).sdk is None


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('marker = "sdk.json"\n', "", "missing required field `marker` - at `$.sdk`"),
        ("match = '", "match = '(", "not a regular expression: missing ), unterminated subpattern - at `$.sdk.match`"),
        ("[run]", "[running]", "missing required field `run`"),
        ('name = "mine"', 'name = "other"', "name: expected mine, the name of its folder"),
        ('name = "mine"', "name = 5", "got `int` - at `$.name`"),
        ('command = ["{python}", "adapter.py"]', 'command = "{python} adapter.py"', "got `str` - at `$.run.command`"),
        ('command = ["{python}", "adapter.py"]', "command = []", "at `$.run.command`"),
        (
            'steps = [["sh", "-c", "cp release.py sdk.py && echo release >> $BUILDS"]]',
            'steps = ["make"]',
            "got `str` - at `$.build.steps[0]`",
        ),
    ],
)
def test_a_mistake_names_its_file_and_key(tmp_path: Path, old: str, new: str, words: str) -> None:
    """A missing key and a value of the wrong type are errors that name the file and the key."""
    path = written(tmp_path, MANIFEST.replace(old, new, 1))
    with pytest.raises(UsageError) as raised:
        read_manifest(path)
    assert str(raised.value).startswith(f"{path}: ")
    assert words in str(raised.value)


def test_what_is_missing(tmp_path: Path) -> None:
    """An adapter without a release needs a working copy, whatever tools are on PATH."""
    manifest = read_manifest(
        written(
            tmp_path, MANIFEST.replace("missing_symbol =", 'unreleased_reason = "No release."\nmissing_symbol =', 1)
        )
    )
    with pytest.raises(AdapterUnavailable) as raised:
        check_requirements(manifest)
    assert (raised.value.reason, raised.value.code) == ("No release.", NotTestedCode.NO_RELEASE)
    check_requirements(manifest, with_sdk=True)
