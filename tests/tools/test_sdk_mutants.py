"""Mutants of a working copy: which functions of a small SDK no case reaches, and which changes no case notices."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest

from tools.sdk_mutants.__main__ import main

_SDK = """\
def shout(text):
    if len(text) > 3:
        return text.upper() + "!"
    return text.upper()


def whisper(text):
    return text.lower()
"""

_ADAPTER = """\
import json, sys
sys.path.append(sys.argv[1])
import voice

for line in sys.stdin:
    message = json.loads(line)
    if message["method"] == "initialize":
        about = {"name": "voice", "version": "1", "language": "Python"}
        result = {"protocolVersion": 1, "implementation": about, "operations": ["voice.shout"]}
    elif message["method"] == "shutdown":
        result = {}
    else:
        result = {"text": voice.shout(message["params"]["text"])}
    print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
    if message["method"] == "shutdown":
        break
"""

_TEXT = {
    "type": "object",
    "additionalProperties": False,
    "properties": {"text": {"type": "string"}},
    "required": ["text"],
}

_CORPUS = {
    "cases/voice/requirements.yaml": """\
system: voice
revision: "1.0"
requirements:
  - {id: VOICE-01, level: MUST, document: voice, section: Shouting, statement: A shout is loud., observable: true}
""",
    "cases/voice/shouts.yaml": """\
suite: voice/shouts
operation: voice.shout
cases:
  - {id: short, requirements: [VOICE-01], origin: spec-text, request: {text: hi}, answer: {text: HI}}
  - {id: long, requirements: [VOICE-01], origin: spec-text, request: {text: hello}, answer: {text: HELLO}}
""",
    "schemas/voice/voice.shout.json": json.dumps(
        {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "Shouts",
            "$defs": {"request": _TEXT, "answer": _TEXT, "error": {"enum": ["unclassified"]}},
        }
    ),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A corpus, an adapter and an SDK, which answers the second of two cases wrongly."""
    folder = tmp_path_factory.mktemp("voice")
    for name, text in {**_CORPUS, "sdk/voice.py": _SDK, "adapter.py": _ADAPTER}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    return folder


def _command(folder: Path) -> list[str]:
    adapter = f"voice={shlex.join([sys.executable, '-S', str(folder / 'adapter.py'), str(folder / 'sdk')])}"
    return ["--adapter", adapter, "--sdk", str(folder / "sdk"), "--corpus", str(folder)]


def test_what_cases_notice(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A change of a passing answer kills a mutant; a change of a failing one alone is for the gate; the others survive."""
    assert main([*_command(folder), "--json", str(tmp_path / "found.json")]) == 0
    found: dict[str, Any] = json.loads((tmp_path / "found.json").read_text("utf-8"))
    functions = {function["name"]: function for function in found["functions"]}
    shout, whisper = functions["shout"], functions["whisper"]
    assert (shout["executed"], shout["lines"], shout["cases"]) == (3, 3, 2)
    assert (whisper["executed"], whisper["lines"], whisper["cases"]) == (0, 1, 0)
    fates = {mutant["change"]: (mutant["fate"], mutant["asked"], mutant["noticedBy"]) for mutant in found["mutants"]}
    assert fates["return text.upper() → return text.lower()"] == ("killed", 1, ["voice/shouts/short"])
    assert fates['return text.upper() + "!" → return text.upper() + "XX!XX"'] == ("gate", 1, ["voice/shouts/long"])
    assert fates["if len(text) > 3: → if len(text) >= 3:"] == ("survived", 2, [])
    page = capsys.readouterr().out
    assert "No case reaches these functions: 1\n  voice.py:7  whisper\n" in page
    assert "  voice.py:2  shout, 2 cases asked\n    if len(text) > 3: → if len(text) >= 3:\n" in page
    assert [path.name for path in (folder / "sdk").iterdir()] == ["voice.py"], "it never writes to the folder"
    assert (folder / "sdk" / "voice.py").read_text("utf-8") == _SDK


def test_an_sdk_in_another_language(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The operators change Python alone."""
    assert main(["--adapter", "go", "--sdk", str(folder / "sdk")]) == 2
    assert "--adapter go: this tool changes SDKs in Python alone" in capsys.readouterr().err
