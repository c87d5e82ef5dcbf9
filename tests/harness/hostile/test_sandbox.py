"""What an adapter sees of the caller's environment."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

SECRET = "s3cret-b8c1f0"


def run_and_read(
    echo_corpus: Path, run_parity: Callable, command: str, *options: str, **variables: str
) -> tuple[dict, str]:
    """The environment that an adapter reports, and all that the run left: its record and its output."""
    record = echo_corpus.parent / "run.jsonl"
    arguments = ["run", "--corpus", echo_corpus, "--adapter", f"fake={command}", "--record", record, *options]
    done = run_parity(*arguments, env=variables)
    left = record.read_text("ascii")
    header = json.loads(left.partition("\n")[0])
    return header["implementations"][0]["versions"], left + done.stdout + done.stderr


def test_a_secret_of_the_caller_reaches_no_adapter_and_no_record(
    echo_corpus: Path, run_parity: Callable, adapter_command: Callable
) -> None:
    """Variables that were not passed by name are neither seen nor written anywhere."""
    command = adapter_command("tells.py", "environment")
    seen, left = run_and_read(
        echo_corpus, run_parity, command, API_TOKEN=SECRET, HOME=f"/{SECRET}", LD_LIBRARY_PATH=SECRET
    )
    assert SECRET not in json.dumps(seen)
    assert SECRET not in left
    assert set(seen) - {"LC_CTYPE"} == {"PATH", "HOME", "TMPDIR", "LANG", "TZ"}
    assert (seen["LANG"], seen["TZ"]) == ("C.UTF-8", "UTC")


def test_a_variable_that_is_named_is_passed(echo_corpus: Path, run_parity: Callable, adapter_command: Callable) -> None:
    """`--pass-env NAME` lets the adapter see that variable, and no other."""
    command = adapter_command("tells.py", "environment")
    seen, _ = run_and_read(echo_corpus, run_parity, command, "--pass-env", "WANTED", WANTED="yes", OTHER="no")
    assert seen["WANTED"] == "yes"
    assert "OTHER" not in seen


def test_the_folders_of_an_adapter_are_its_own_and_do_not_stay(
    echo_corpus: Path, run_parity: Callable, adapter_command: Callable
) -> None:
    """Home and temporary folder are made for the run and gone after it."""
    seen, _ = run_and_read(echo_corpus, run_parity, adapter_command("tells.py", "environment"))
    assert seen["HOME"] != seen["TMPDIR"]
    assert not Path(seen["HOME"]).exists()
    assert not Path(seen["TMPDIR"]).exists()


def test_a_case_s_time_zone_goes_to_a_process_of_its_own(ask: Callable, echo_corpus: Path) -> None:
    """A case with `environment: {TZ: …}` is answered by a process that has it, all others by one in UTC."""
    cases = echo_corpus / "cases" / "echo" / "zone.yaml"
    lines = [
        "suite: echo/zone",
        "operation: echo.say",
        "cases:",
        "  - {id: utc, requirements: [ECHO-01], origin: spec-text, request: {text: TZ}, answer: {text: UTC}}",
        "  - id: tokyo",
        "    requirements: [ECHO-01]",
        "    origin: spec-text",
        "    environment: {TZ: Asia/Tokyo}",
        "    request: {text: TZ}",
        "    answer: {text: Asia/Tokyo}",
    ]
    cases.write_text("\n".join([*lines, ""]), "utf-8")
    assert ask("tells.py", "time-zone").counts() == {"pass": 6}


SPOILS = f"""\
import os, pathlib, shutil, sys
sys.path.insert(0, {str(Path(__file__).resolve().parents[1] / "adapters")!r})
from loop import DECLARED, reply, serve, write

home = pathlib.Path(os.environ["HOME"])

def writes_home(message):
    if message["method"] == "initialize":
        DECLARED["implementation"]["source"] = " ".join(os.listdir(home))
        (home / "memo").write_text("x")
    elif not pathlib.Path(sys.argv[2]).exists():
        pathlib.Path(sys.argv[2]).touch()
        os._exit(1)
    write(reply(message))

def destroys(message):
    if message["method"] == "initialize":
        shutil.rmtree(home.parent)
        open(sys.argv[2], "w").close()
    write(reply(message))

def dies_once_all_is_destroyed(message):
    marks = pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[2] + ".died")
    while message["method"] != "initialize" and not marks[0].exists():
        pass
    if message["method"] != "initialize" and not marks[1].exists():
        marks[1].touch()
        os._exit(1)
    home.joinpath("memo").write_text("x")
    write(reply(message))

def digs(message):
    if message["method"] == "initialize":
        os.chdir(os.environ["TMPDIR"])
        for _ in range(1500):
            os.mkdir("n")
            os.chdir("n")
    write(reply(message))

def puts_a_link_in_its_place(message):
    if message["method"] == "initialize":
        shutil.rmtree(home.parent)
        home.parent.symlink_to(sys.argv[2])
    write(reply(message))

serve(globals()[sys.argv[1]], when=lambda message: True)
"""


def spoiler(folder: Path, way: str, *arguments: object) -> str:
    """How an adapter that does not leave its sandbox as they are is started."""
    script = folder / "spoils.py"
    script.write_text(SPOILS, "utf-8")
    return shlex.join([sys.executable, str(script), way, *map(str, arguments)])


def test_a_process_finds_nothing_of_the_one_before_it(ask: Callable, tmp_path: Path) -> None:
    """A restarted adapter has an empty home again, whatever the one that broke wrote there."""
    command = shlex.split(spoiler(tmp_path, "writes_home", tmp_path / "died"))
    asked = ask(*command[1:])
    assert [said.source for said in asked.spoken] == [""]
    assert asked.counts() == {"pass": 4}
    assert len(asked.incidents) == 1


def test_one_adapter_cannot_take_the_surroundings_of_another(
    echo_corpus: Path, run_parity: Callable, tmp_path: Path
) -> None:
    """One that removes all that it can know the place of harms itself alone; another is restarted and answers on."""
    adapters = [
        f"{way.partition('_')[0]}={spoiler(tmp_path, way, tmp_path / 'mark')}"
        for way in ("destroys", "dies_once_all_is_destroyed")
    ]
    record = tmp_path / "run.jsonl"
    options = [word for adapter in adapters for word in ("--adapter", adapter)]
    run_parity("run", "--corpus", echo_corpus, "--record", record, *options)
    lines = [json.loads(line) for line in record.read_text("ascii").splitlines()]
    assert {line["verdict"] for line in lines if line["type"] == "result"} == {"pass"}


def test_folders_however_deep_are_removed(echo_corpus: Path, run_parity: Callable, tmp_path: Path) -> None:
    """A tree of 1500 folders in each other is gone after the run, which succeeds."""
    here = tmp_path / "temporary"
    here.mkdir()
    adapter = f"digs={spoiler(tmp_path, 'digs')}"
    done = run_parity("run", "--corpus", echo_corpus, "--adapter", adapter, env={"TMPDIR": str(here)})
    assert (done.returncode, done.stderr) == (0, "")
    assert list(here.iterdir()) == []


def test_what_a_link_leads_to_is_not_removed(echo_corpus: Path, run_parity: Callable, tmp_path: Path) -> None:
    """A link that an adapter put in the place of its folder is removed, and not what it leads to."""
    here, precious = tmp_path / "temporary", tmp_path / "precious"
    here.mkdir()
    precious.mkdir()
    (precious / "file").touch()
    adapter = f"links={spoiler(tmp_path, 'puts_a_link_in_its_place', precious)}"
    run_parity("run", "--corpus", echo_corpus, "--adapter", adapter, env={"TMPDIR": str(here)})
    assert list(here.iterdir()) == []
    assert (precious / "file").exists()
