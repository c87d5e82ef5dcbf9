"""A small corpus without a mistake, as texts by path; the broken corpora are made of it, each by one change."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import fields

from harness.corpus.loader import Corpus
from harness.model import Case

REQUIREMENTS = "cases/toy/requirements.yaml"
RULINGS = "cases/toy/rulings.yaml"
WORDS = "cases/toy/fixtures/words.yaml"
SAID = "cases/toy/said.yaml"
LOUD = "cases/toy/shouted/loud.yaml"
SAY = "schemas/toy/toy.say.json"
SHOUT = "schemas/toy/toy.shout.json"
SHAPES = "schemas/toy/shapes.json"

TEXTS: dict[str, str] = {
    REQUIREMENTS: """\
system: toy
revision: "1.0"
requirements:
  - id: TOY-01
    level: MUST
    document: toy
    section: Saying
    statement: What is said comes back.
    observable: true

  - id: TOY-02
    level: SHOULD
    document: toy
    section: Shouting
    statement: A shout comes back in capitals.
    observable: It cannot be heard from outside.
""",
    RULINGS: """\
system: toy
revision: "1.0"
topics:
  - id: silence
    title: What silence is
    wording: A text of no letters MUST count as silence.
rulings:
  - id: RUL-01
    title: Is silence said
    requirements: [TOY-01]
    question: The text leaves open what comes back of nothing.
    readings:
      a: Nothing comes back.
      b: A dot comes back.
    adopted: a
    basis: prose
    why: The more specific sentence says so.
    severity: low
    text: contradicts-itself
    evidence:
      - toy/said/silence
      - toy/said/many.first
    wording: Nothing MUST come back.
    excludes: {b: Nothing MUST}
    topic: silence
""",
    WORDS: """\
- one
- two
""",
    SAID: """\
# what is said
suite: toy/said
operation: toy.say
cases:
  - id: word
    requirements: [TOY-01]
    origin: spec-example
    request: {text: "hé\u00a0llo"}
    answer: {text: hello, count: 1}

  - id: silence
    requirements: [TOY-01]
    origin: spec-text
    request: {text: ""}
    disputed:
      ruling: RUL-01
      adopted: a
      readings:
        a: {answer: {text: ""}}
        b: {answer: {text: .}}

  - id: counted
    requirements: [TOY-01]
    origin: oracle:sqlite
    evidence: {command: "python3 -c 'print(2)'"}
    environment: {TZ: Asia/Tokyo}
    request: {text: a, words: {$fixture: words}}
    answer: {text: a, count: 2}

  - id: many
    requirements: [TOY-01]
    origin: spec-text
    table:
      columns: [id, request.text, answer.text]
      rows:
        - [first, a, a]
        - [second, b, b]
        - [third, c, c]
""",
    LOUD: """\
suite: toy/shouted/loud
cases:
  - id: word
    operation: toy.shout
    requirements: [TOY-02]
    origin: spec-text
    request: {text: a}
    answer: {text: A}
  - id: nothing
    operation: toy.shout
    requirements: [TOY-02]
    origin: spec-text
    negative: true
    request: {text: ""}
    error: {type: empty}
""",
    SAY: """\
{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "title": "Say",
  "x-stages": ["/text", "/count"],
  "$defs": {
    "request": {
      "type": "object",
      "required": ["text"],
      "additionalProperties": false,
      "properties": {
        "text": {"type": "string"},
        "words": {"$ref": "shapes.json#/$defs/words"}
      }
    },
    "answer": {
      "type": "object",
      "required": ["text"],
      "additionalProperties": false,
      "properties": {
        "text": {"type": "string", "x-engine": "sqlite-fts5-match"},
        "count": {
          "type": "number",
          "x-tolerance": {"ulps": 1, "reason": "it is measured"}
        }
      }
    },
    "error": {"enum": ["unclassified"]}
  }
}
""",
    SHOUT: """\
{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "$defs": {
    "request": {"type": "object", "required": ["text"], "properties": {"text": {"type": "string"}}},
    "answer": {"type": "object", "required": ["text"], "properties": {"text": {"type": "string"}}},
    "error": {"enum": ["unclassified", "empty"]}
  }
}
""",
    SHAPES: """\
{
  "$defs": {"words": {"type": "array", "items": {"type": "string"}, "x-unordered": true}}
}
""",
}


def write_corpus(folder: Path, texts: dict[str, str] = TEXTS) -> Path:
    """Writes the texts below `folder` and returns it."""
    for path, text in texts.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode())
    return folder


MEMBERS = ("expected", "readings", "adopted", "negative", "note", "evidence", "recorded_request", "request")


def whole(case: Case) -> str:
    """Every member of a case, those of its body too. Values of a file print alike with and without lines; as texts, 1 and
    1.0 differ."""
    head = {name: getattr(case, name) for name in Case.__struct_fields__ if name != "body"}
    return repr(head | {name: getattr(case, name) for name in MEMBERS})


def everything(corpus: Corpus) -> dict[str, object]:
    """Every field of a corpus."""
    texts: dict[str, object] = {one.name: repr(getattr(corpus, one.name)) for one in fields(corpus)}
    return {**texts, "cases": [*map(whole, corpus.cases)], "operations": corpus.operations}
