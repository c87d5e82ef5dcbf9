"""`parity schema`: the list of operations, and the types of one."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema_rs
import pytest
from commands import Parity

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(autouse=True)
def _wide(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal of 100 columns, whatever runs the tests."""
    monkeypatch.setenv("COLUMNS", "100")


@pytest.fixture
def rich_corpus(echo_corpus: Path) -> Path:
    """The echo corpus with one more operation, whose schema uses every feature that a type shows."""
    node = {
        "description": "A node.",
        "type": "object",
        "properties": {"name": {"type": "string"}, "children": {"type": "array", "items": {"$ref": "#/$defs/node"}}},
        "required": ["name"],
        "additionalProperties": False,
    }
    request = {
        "type": "object",
        "properties": {
            "tree": {"$ref": "#/$defs/node"},
            "mode": {"enum": ["deep", "flat"], "description": "How it walks."},
            "limit": {"type": "integer", "minimum": 0, "maximum": 9},
            "tags": {"type": "object", "additionalProperties": {"type": "string"}},
            "odd name": {"type": ["number", "null"]},
            "where": {"oneOf": [{"$ref": "echo.say.json#/$defs/request"}, {"const": True}]},
        },
        "required": ["tree", "odd name"],
        "additionalProperties": False,
    }
    answer = {
        "type": "object",
        "properties": {
            "score": {"type": "number", "x-tolerance": {"absolute": 1e-9, "reason": "sums"}},
            "names": {"type": "array", "items": {"type": "string"}, "x-unordered": True, "maxItems": 3},
        },
        "required": ["score", "names"],
        "additionalProperties": False,
    }
    defs = {"node": node, "request": request, "answer": answer, "error": {"enum": ["unclassified", "lost"]}}
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Walk a tree", "$defs": defs}
    (echo_corpus / "schemas" / "echo" / "echo.walk.json").write_text(json.dumps(schema), "utf-8")
    return echo_corpus


def test_the_list_has_one_line_an_operation(rich_corpus: Path, run_parity: Parity) -> None:
    """The list has system, profile, operation, number of cases, title."""
    done = run_parity("schema", "--corpus", rich_corpus)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[:5] == [
        "echo",
        "  profile all               cases",
        "  echo.say     echo.say         2",
        "  echo.shout   echo.shout       2",
        "  echo.walk    Walk a tree      0",
    ]


def test_the_types_of_an_operation(rich_corpus: Path, run_parity: Parity) -> None:
    """The page has optional marks, limits, enumerations, choices, recursive types by name, and comparison rules."""
    done = run_parity("schema", "echo.walk", "--corpus", rich_corpus)
    assert done.returncode == 0, done.stderr
    assert (
        done.stdout.partition("request: ")[2].partition("parity ask")[0]
        == """\
{
  tree: node
  mode?: "deep" | "flat"  // How it walks.
  limit?: integer  // From 0 to 9.
  tags?: { [name]: string }
  "odd name": number | null
  where?: one of
    | { text: string }
    | true
}

answer: {
  score: number  // Compared within 1e-9.
  names: string[]  // At most 3 elements. In any order.
}

type node = { name: string, children?: node[] }  // A node.

errors: unclassified, lost

"""
    )


def test_requirements_and_next_commands(echo_corpus: Path, run_parity: Parity) -> None:
    """The page has the requirements that the cases cite, and the commands that come next."""
    lines = run_parity("schema", "echo.shout", "--corpus", echo_corpus).stdout.splitlines()
    assert "requirements: ECHO-02" in lines
    assert lines[-2:] == [
        f"parity ask echo.shout --corpus {echo_corpus}",
        f"parity cases --select operation:echo.shout --corpus {echo_corpus}",
    ]


def test_the_json_schema_stands_alone(rich_corpus: Path, run_parity: Parity) -> None:
    """The schema of `--json` has no reference to another file, and allows and refuses the same requests."""
    done = run_parity("schema", "echo.walk", "--json", "--corpus", rich_corpus)
    schema = json.loads(done.stdout)["schema"]
    validator = jsonschema_rs.Draft202012Validator({"$ref": "#/$defs/request", "$defs": schema["$defs"]})
    tree = {"name": "a", "children": [{"name": "b"}]}
    assert validator.is_valid({"tree": tree, "odd name": 1, "where": {"text": "x"}})
    assert not validator.is_valid({"tree": {"children": []}, "odd name": 1})


def test_an_unknown_operation(echo_corpus: Path, run_parity: Parity) -> None:
    """An unknown operation is a mistake in the command line; the nearest name is suggested."""
    done = run_parity("schema", "echo.shuot", "--corpus", echo_corpus)
    assert (done.returncode, done.stdout) == (2, "")
    assert "Did you mean echo.shout?" in done.stderr


def test_every_shipped_operation_has_a_page(run_parity: Parity) -> None:
    """The list has every shipped operation, no line is wider than the terminal, and each page can be made."""
    listed = json.loads(run_parity("schema", "--json").stdout)
    files = {path.stem for path in ROOT.glob("schemas/*/*.*.json")}
    assert {one["name"] for one in listed} == files
    assert max(map(len, run_parity("schema").stdout.splitlines())) <= 100
    for name in ("query.parse", "retrieval.search", "nexus.serveRequests"):
        done = run_parity("schema", name)
        assert done.returncode == 0
        assert max(map(len, done.stdout.splitlines())) <= 100


def test_the_rules_of_an_operation(echo_corpus: Path, run_parity: Parity) -> None:
    """--rules adds the requirements of the operation's cases and two of them, a negative one too; a profile has all its
    operations. It needs one of the two."""
    done = run_parity("schema", "echo.shout", "--rules", "--corpus", echo_corpus)
    assert done.returncode == 0, done.stderr
    rules = done.stdout.partition("\nrequirements\n")[2]
    assert rules.startswith("  ECHO-02  MUST  ")
    assert 'echo/shouted/word\n    request  {"text":"hello"}\n    answer   {"text":"HELLO"}\n' in rules
    assert 'echo/shouted/nothing\n    request  {"text":""}\n    answer   error empty\n' in rules
    assert (
        run_parity("schema", "--rules", "--profile", "all", "--corpus", echo_corpus).stdout.count("\nexamples\n") == 2
    )
    assert run_parity("schema", "--rules", "--corpus", echo_corpus).returncode == 2
    done = run_parity("schema", "--profile", "al", "--corpus", echo_corpus)
    assert (done.returncode, done.stdout) == (2, "")
    assert "No profile is called al." in done.stderr
