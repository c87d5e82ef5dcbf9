"""What an adapter sees of the caller's environment."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

SECRET = "s3cret-b8c1f0"


def told(echo_corpus: Path, run_parity: Callable, command: str, *options: str, **variables: str) -> tuple[dict, str]:
    """The environment that an adapter reports, and all that the run left: its record and its output."""
    record = echo_corpus.parent / "run.jsonl"
    arguments = ["run", "--corpus", echo_corpus, "--adapter", f"fake={command}", "--record", record, *options]
    done = run_parity(*arguments, env=variables)
    left = record.read_text("ascii")
    header = json.loads(left.partition("\n")[0])
    return header["implementations"][0]["facts"], left + done.stdout + done.stderr


def test_a_secret_of_the_caller_reaches_no_adapter_and_no_record(
    echo_corpus: Path, run_parity: Callable, adapter_command: Callable
) -> None:
    """Variables that were not passed by name are neither seen nor written anywhere."""
    command = adapter_command("tells.py", "environment")
    seen, left = told(echo_corpus, run_parity, command, API_TOKEN=SECRET, HOME=f"/{SECRET}", LD_LIBRARY_PATH=SECRET)
    assert SECRET not in json.dumps(seen)
    assert SECRET not in left
    assert set(seen) - {"LC_CTYPE"} == {"PATH", "HOME", "TMPDIR", "LANG", "TZ"}
    assert (seen["LANG"], seen["TZ"]) == ("C.UTF-8", "UTC")


def test_a_variable_that_is_named_is_passed(echo_corpus: Path, run_parity: Callable, adapter_command: Callable) -> None:
    """`--pass-env NAME` lets the adapter see that variable, and no other."""
    command = adapter_command("tells.py", "environment")
    seen, _ = told(echo_corpus, run_parity, command, "--pass-env", "WANTED", WANTED="yes", OTHER="no")
    assert seen["WANTED"] == "yes"
    assert "OTHER" not in seen


def test_the_folders_of_an_adapter_are_its_own_and_do_not_stay(
    echo_corpus: Path, run_parity: Callable, adapter_command: Callable
) -> None:
    """Home and temporary folder are made for the run and gone after it."""
    seen, _ = told(echo_corpus, run_parity, adapter_command("tells.py", "environment"))
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
