"""`parity export`: the corpus as plain JSON, and the check that a copy is up to date."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from commands import parity
from echo_corpus import write_corpus

ADAPTER = """\
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    params = message["params"]
    whose = {"name": "e", "version": "1", "language": "Python"}
    about = {"protocolVersion": 1, "implementation": whose, "operations": ["echo.say"]}
    reply = {"result": about if message["method"] == "initialize" else params.get("reply", {})}
    if "error" in params:
        reply = {"error": {"code": -32000, "message": "no", "data": {"type": params["error"]}}}
    if "unsupported" in params:
        reply = {"error": {"code": -32001, "message": "no", "data": {"reason": "out of reach"}}}
    print(json.dumps({"jsonrpc": "2.0", "id": message["id"], **reply}), flush=True)
    if message["method"] == "shutdown":
        break
"""


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    return write_corpus(tmp_path / "corpus")


def export(corpus: Path, folder: Path, *more: str) -> tuple[int, str, str]:
    done = parity("export", folder, "--corpus", corpus, *more, folder=corpus)
    return done.returncode, done.stdout, done.stderr


def test_every_file_is_listed_with_its_digest(corpus: Path, tmp_path: Path) -> None:
    """The manifest lists all files but itself; a suite has its cases with resolved values."""
    folder = tmp_path / "out"
    status, printed, _ = export(corpus, folder)
    assert status == 0
    assert printed == f"37 cases of echo in {folder}: 7 files, 7 changes\n"
    manifest = json.loads((folder / "corpus.json").read_text("utf-8"))
    listed = {one["file"] for one in manifest["files"]}
    assert listed | {"corpus.json"} == {path.relative_to(folder).as_posix() for path in folder.rglob("*.json")}
    assert manifest["operations"]["echo.say"]["rules"]["properties"]["score"] == {"tolerance": {"ulps": 2}}
    assert manifest["profiles"] == {"echo/all": ["echo.say"]}
    accepted = json.loads((folder / "suites/echo/accepted.json").read_text("utf-8"))
    (free,) = [case for case in accepted["cases"] if case["name"] == "echo/accepted/free"]
    assert free["expected"] == {"answer": {"any": "a"}}
    assert free["readings"]["b"] == {"answer": {"any": 1}, "free": ["/any"]}
    (parts,) = [case for case in accepted["cases"] if case["name"] == "echo/accepted/part-of-each-text"]
    assert parts["readings"]["b"]["answer"]["hits"][0] == {
        "id": 1,
        "text": {"$contains": ["b", "a zebra"], "$maxLength": 2 * len("a zebra\U0001f993" + "xy") + 120},
    }


def test_a_copy_is_checked(corpus: Path, tmp_path: Path) -> None:
    """--check writes nothing, names each file that an export would change, and ends with 1; an export then mends it."""
    folder = tmp_path / "out"
    export(corpus, folder)
    assert export(corpus, folder, "--check")[0] == 0
    (folder / "suites/echo/refused.json").write_text("{}", "utf-8")
    (folder / "suites/echo/old.json").write_text("{}", "utf-8")
    (folder / "suites/echo/mine.json").write_text("{}", "utf-8")
    manifest = folder / "corpus.json"
    text = manifest.read_text("utf-8")
    manifest.write_text(
        text.replace('"files": [', '"files": [{"file": "suites/echo/old.json"}, {"file": "suites/../x.json"},', 1)
    )
    (folder / "rulings.json").unlink()
    status, printed, _ = export(corpus, folder, "--check")
    assert status == 1
    assert [line.strip() for line in printed.splitlines() if line.startswith("  ")] == [
        "corpus.json: changed",
        "rulings.json: missing",
        "suites/echo/old.json: surplus",
        "suites/echo/refused.json: changed",
    ]
    assert export(corpus, folder)[0] == 0
    assert export(corpus, folder, "--check")[0] == 0
    assert not (folder / "suites/echo/old.json").exists()
    assert (folder / "suites/echo/mine.json").exists()


def test_a_folder_with_other_files_is_refused(corpus: Path, tmp_path: Path) -> None:
    """A folder that is not an export stays as it is."""
    (tmp_path / "mine.txt").write_text("x", "utf-8")
    (tmp_path / "corpus.json").write_text('{"files": []}', "utf-8")
    status, _, error = export(corpus, tmp_path)
    assert status == 2
    assert "the folder has files, but no corpus.json of an export. Name an empty folder." in error
    assert sorted(path.name for path in tmp_path.iterdir()) == ["corpus", "corpus.json", "mine.txt"]


@pytest.mark.parametrize("link", ["suites", "suites/echo/refused.json"])
def test_an_export_over_its_own_folder_follows_no_link(corpus: Path, tmp_path: Path, link: str) -> None:
    """A link in place of a folder or a file is named, and what it leads to stays as it is."""
    folder, elsewhere = tmp_path / "out", tmp_path / "elsewhere"
    export(corpus, folder)
    (folder / link).rename(elsewhere)
    (folder / link).symlink_to(elsewhere)
    changed = elsewhere if elsewhere.is_file() else elsewhere / "echo" / "refused.json"
    changed.write_text("{}", "utf-8")
    status, _, error = export(corpus, folder)
    assert (status, f"{folder / link}: this is a symbolic link" in error) == (2, True)
    assert changed.read_text("utf-8") == "{}"


@pytest.mark.slow
def test_parity_judges_the_made_corpus_as_its_names_demand(corpus: Path, tmp_path: Path) -> None:
    """The cases with which the runners are tested have these verdicts in `parity run`."""
    (tmp_path / "adapter.py").write_text(ADAPTER, "utf-8")
    record = tmp_path / "run.jsonl"
    command = f"python {tmp_path / 'adapter.py'}"
    parity("run", "--corpus", corpus, "--adapter", f"mine={command}", "--record", record, folder=tmp_path)
    results = [line for line in map(json.loads, record.read_text("utf-8").splitlines()) if line["type"] == "result"]
    verdicts = {
        (line["case"].split("/")[1], line["verdict"]) for line in results if line["case"] != "echo/skipped/elsewhere"
    }
    assert verdicts == {
        ("accepted", "pass"),
        ("accepted", "variant"),
        ("refused", "fail"),
        ("refused", "error"),
        ("skipped", "unsupported"),
    }
