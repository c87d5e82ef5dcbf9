"""Corpora that are broken in exactly one way each: what is changed in the small corpus, and what has to be said of it.

In a new text `¶` marks the line that the problem has to name; it is taken out before the file is written.
"""

from __future__ import annotations

from dataclasses import dataclass

from toy_corpus import LOUD, REQUIREMENTS, RULINGS, SAID, SAY, SHAPES, SHOUT, TEXTS, WORDS

MARK = "¶"


@dataclass(frozen=True)
class Broken:
    """One mistake: in `file`, `old` (or all, if that is empty) becomes `new`; `place` overrides the marked line."""

    name: str
    file: str
    old: str
    new: str | bytes
    says: str
    remedy: str
    place: str = ""

    def content(self) -> bytes:
        """The bytes of the file with the mistake."""
        return self._marked().replace(MARK.encode(), b"")

    def expected_place(self) -> str:
        """Where the problem has to be said to lie."""
        marked = self._marked()
        return self.place or f"{self.file}:{marked[: marked.index(MARK.encode())].count(10) + 1}"

    def _marked(self) -> bytes:
        if not self.old:
            return self.new if isinstance(self.new, bytes) else self.new.encode()
        before = TEXTS[self.file]
        if before.count(self.old) != 1:
            raise ValueError(f"{self.name}: the text to change stands {before.count(self.old)} times in {self.file}")
        return before.replace(self.old, str(self.new)).encode()


def _bomb() -> str:
    rows = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    rows += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 9)]
    return "\n".join(rows) + "\n"


def _tower() -> str:
    return "\n".join(["- &a0 [x]", *(f"- &a{n} [*a{n - 1}]" for n in range(1, 250))]) + "\n"


_WORD = '    request: {text: "hé\u00a0llo"}\n'
_ADOPTED = "    adopted: a\n    basis"

SYNTAX = [
    Broken(
        "yaml-syntax", SAID, "request: {text: a, words", "¶request: {text: a, : words", "This is not YAML", "Correct"
    ),
    Broken(
        "unclosed-quote",
        LOUD,
        "request: {text: a}",
        'request: {text: "a}',
        "unexpected end of stream",
        "quote",
        f"{LOUD}:14",
    ),
    Broken("tab-indent", LOUD, "    request: {text: a}", "¶\trequest: {text: a}", "This is not YAML", "spaces"),
    Broken("two-documents", WORDS, "- two\n", "- two\n¶---\n- three\n", "second document", "one document"),
    Broken(
        "undefined-alias",
        LOUD,
        "request: {text: a}",
        "¶request: *nothing",
        "*nothing stands for nothing",
        "Quote it if a text is meant",
    ),
    Broken("recursive-alias", WORDS, "", "¶&all [one, *all]\n", "a value that contains it", "outside of it"),
    Broken("exploding-aliases", WORDS, "", _bomb(), "more than 500000 values", "fewer aliases", f"{WORDS}:6"),
    Broken("deep-aliases", WORDS, "", _tower(), "deeper than 200 levels", "Flatten", f"{WORDS}:200"),
    Broken("deep-lists", WORDS, "", "¶" + "[" * 300 + "]" * 300, "deeper than 200 levels", "Flatten"),
]

SYNTAX.append(
    Broken(
        "colon-in-text",
        LOUD,
        "cases:\n",
        "¶description: loud: and clear\ncases:\n",
        "mapping values",
        "cannot hold `: `",
    )
)

ENCODING = [
    Broken(
        "latin-1",
        SAID,
        "",
        "# eins\n# zwei ¶\u00e9\n".encode("latin-1").replace(b"\xb6", "¶".encode()),
        "0xe9",
        "UTF-8",
    ),
    Broken("utf-16", SAID, "", TEXTS[SAID].encode("utf-16"), "byte-order mark", "UTF-8", f"{SAID}:1"),
    Broken("byte-order-mark", SAID, "# what is", "¶\ufeff# what is", "byte-order mark", "UTF-8 without"),
    Broken("nul", SAID, "# what is", "# ééé\n# ¶\0what is", "U+0000", '"\\x00"'),
    Broken("next-line", SAID, "origin: spec-example", "origin: spec-example ¶# \u0085", "U+0085", '"\\x85"'),
    Broken("line-separator", SAID, "{text: hello,", "¶{text: hel\u2028lo,", "U+2028", '"\\u2028"'),
    Broken("lone-surrogate", SAID, "{text: hello,", '¶{text: "\\ud800",', "This is not YAML", "lone surrogate"),
    Broken("latin-1-schema", SHAPES, "", b'{"title":\n"\xc2\xb6\xe9"}', "0xe9", "UTF-8"),
]

SURPRISES = [
    Broken(
        "duplicate-key",
        SAID,
        "origin: spec-example",
        "origin: spec-example\n    ¶origin: spec-text",
        "stands twice",
        "Remove one",
    ),
    Broken(
        "merge-key",
        LOUD,
        "    request: {text: a}\n",
        "    ¶<<: {origin: fuzz}\n    request: {text: a}\n",
        "merge key <<",
        "Write",
    ),
    Broken("tag", SAID, "count: 1}", "¶count: !!int 1}", "tag tag:yaml.org,2002:int", "Remove it"),
    Broken("leading-zero", SAID, "count: 1}", "¶count: 01}", "leading zero", "Quote it"),
    Broken("infinity", SAID, "count: 1}", "¶count: .inf}", ".inf is not a JSON number", "Quote it"),
    Broken("not-a-number", SAID, "count: 1}", "¶count: .NaN}", ".NaN is not a JSON number", "Quote it"),
    Broken("overflow", SAID, "count: 1}", "¶count: 1e999}", "1e999 is too large", "Quote it"),
    Broken("hex-overflow", SAID, "count: 1}", f"¶count: 0x{'f' * 300}}}", "too large for a double", "Quote it"),
    Broken("number-as-key", SAID, "count: 1}", "¶1: 1}", "not a text: 1", "Quote it"),
    Broken("list-as-key", SAID, "count: 1}", "¶[count]: 1}", "not a text: a list or mapping", "Quote it"),
    Broken("empty-file", LOUD, "", "¶", "The file is empty", "cases:"),
    Broken("comments-only", LOUD, "", "¶# nothing\n", "The file is empty", "cases:"),
    Broken("list-at-top", LOUD, "", "¶- id: word\n", "holds a list, not a suite", "cases:"),
    Broken("empty-fixture", WORDS, "", "¶", "The fixture is empty", "the value"),
    Broken("empty-requirements", REQUIREMENTS, "", "¶", "The file is empty", "requirements:"),
]

UNKNOWN_KEYS = [
    Broken("file-key", LOUD, "cases:", "¶operaton: toy.shout\ncases:", "operaton is not a key of ", "mean operation?"),
    Broken(
        "case-key",
        SAID,
        "origin: spec-example",
        "origin: spec-example\n    ¶reqest: 1",
        "reqest is not a key of ",
        "mean request?",
    ),
    Broken("table-key", SAID, "      rows:", "      ¶row: []\n      rows:", "row is not a key of ", "mean rows?"),
    Broken(
        "evidence-key",
        SAID,
        "evidence: {command:",
        "¶evidence: {note: x, command:",
        "note is not a key of ",
        "command",
    ),
    Broken(
        "dispute-key",
        SAID,
        "      adopted: a\n",
        "      adopted: a\n      ¶why: x\n",
        "why is not a key of ",
        "ruling",
    ),
    Broken(
        "reading-key",
        SAID,
        "b: {answer: {text: .}}",
        "¶b: {answer: {text: .}, note: x}",
        "note is not a key of ",
        "answer",
    ),
    Broken("error-key", LOUD, "{type: empty}", "¶{type: empty, message: x}", "message is not a key of ", "type"),
    Broken("environment-key", SAID, "environment: {TZ:", "¶environment: {LANG: C, TZ:", "LANG is not a key of ", "TZ"),
    Broken(
        "requirements-key",
        REQUIREMENTS,
        "system: toy",
        "¶version: x\nsystem: toy",
        "version is not a key of ",
        "mean revision?",
    ),
    Broken(
        "requirement-key",
        REQUIREMENTS,
        "    section: Saying",
        "    ¶sections: x\n    section: Saying",
        "sections is not a key of ",
        "mean section?",
    ),
    Broken(
        "ruling-key",
        RULINGS,
        "    severity: low",
        "    ¶sever: x\n    severity: low",
        "sever is not a key of ",
        "mean severity?",
    ),
]

NAMES = [
    Broken(
        "case-twice",
        LOUD,
        "id: nothing",
        "¶id: word",
        "The name toy/shouted/loud/word is taken on line 3",
        "id of its own",
    ),
    Broken(
        "row-twice",
        SAID,
        "[second, b, b]",
        "¶[first, b, b]",
        "The name toy/said/many.first is taken on line 36",
        "id of its own",
    ),
    Broken("requirement-twice", REQUIREMENTS, "id: TOY-02", "¶id: TOY-01", f"taken at {REQUIREMENTS}:4", "another"),
    Broken("id-with-capitals", LOUD, "id: nothing", "¶id: Nothing", "other characters than a-z, 0-9 and -", "Rename"),
    Broken("row-id-is-a-number", SAID, "[second, b, b]", "¶[2, b, b]", "id is the number 2, not a text", "quote"),
    Broken(
        "wrong-suite",
        LOUD,
        "suite: toy/shouted/loud",
        "¶suite: toy/loud",
        "is called toy/loud",
        "suite: toy/shouted/loud",
    ),
    Broken("wrong-system", RULINGS, "system: toy", "¶system: echo", "lies in cases/toy", "system: toy"),
    Broken("requirement-id-form", REQUIREMENTS, "id: TOY-02", "¶id: toy2", "has not the form AREA-01", "Rename"),
]

CITATIONS = [
    Broken(
        "unknown-operation",
        LOUD,
        "    operation: toy.shout\n    requirements: [TOY-02]\n    origin: spec-text\n    negative",
        "    ¶operation: toy.shuot\n    requirements: [TOY-02]\n    origin: spec-text\n    negative",
        "toy.shuot has no schema",
        "schemas/toy/toy.shuot.json",
    ),
    Broken(
        "no-operation",
        SAID,
        "operation: toy.say",
        "description: x",
        "names an operation (5 more likewise)",
        "operation: area.verb",
        f"{SAID}:5",
    ),
    Broken(
        "unknown-requirement",
        SAID,
        "requirements: [TOY-01]\n    origin: spec-example",
        "requirements:\n      - TOY-01\n      - ¶TOY-03\n    origin: spec-example",
        f"TOY-03 is not in {REQUIREMENTS}",
        "Cite one",
    ),
    Broken("unknown-ruling", SAID, "ruling: RUL-01", "¶ruling: RUL-02", f"RUL-02 is not in {RULINGS}", "Cite one"),
    Broken(
        "unknown-reading",
        SAID,
        "        b: {answer",
        "        ¶c: {answer",
        "RUL-01 has no reading c",
        "Use one of: a, b",
    ),
    Broken(
        "adopted-not-listed",
        SAID,
        "      adopted: a",
        "      ¶adopted: c",
        "c is not among the readings of this case",
        "Add it",
    ),
    Broken(
        "adopted-not-the-ruling's",
        SAID,
        "      adopted: a",
        "      ¶adopted: b",
        "RUL-01 adopts the reading a, not b",
        "adopted: a",
    ),
    Broken(
        "ruling-adopts-unknown",
        RULINGS,
        _ADOPTED,
        _ADOPTED.replace("adopted: a", "¶adopted: z"),
        "z is not among",
        "Adopt one of: a, b",
    ),
    Broken(
        "ruling-of-unknown-requirement",
        RULINGS,
        "[TOY-01]",
        "¶[TOY-09]",
        "TOY-09 is not in requirements.yaml",
        "Cite one",
    ),
    Broken(
        "ruling-evidence",
        RULINGS,
        "toy/said/many.first",
        "¶toy/said/many.firsts",
        "toy/said/many.firsts, which does not exist",
        "parity cases",
    ),
    Broken(
        "ruling-of-one-reading",
        RULINGS,
        "    readings:\n      a: Nothing comes back.\n      b: A dot comes back.\n",
        "    ¶readings: {a: Nothing.}\n",
        "at least two readings",
        "Add the other",
    ),
    Broken(
        "no-fixture", SAID, "$fixture: words", "¶$fixture: verbs", "no fixture verbs", "cases/toy/fixtures/verbs.yaml"
    ),
    Broken("fixture-with-extras", SAID, "{$fixture: words}", "¶{$fixture: words, x: 1}", "other members", "Write just"),
    Broken(
        "fixture-of-fixture",
        WORDS,
        "- two\n",
        "- ¶{$fixture: words}\n",
        "A fixture refers to a fixture",
        "Write it out",
    ),
    Broken(
        "cites-nothing",
        LOUD,
        "",
        TEXTS[LOUD].replace("    requirements: [TOY-02]\n", "").replace("suite", "¶suite"),
        "No case of this suite cites",
        "requirements: [ID]",
    ),
]

EXPECTATIONS = [
    Broken(
        "readings-alike",
        SAID,
        "        b: {answer: {text: .}}",
        '        b: {answer: {text: ""}}',
        "same outcome",
        "another input",
        f"{SAID}:18",
    ),
    Broken(
        "readings-alike-as-numbers",
        SAID,
        '      readings:\n        a: {answer: {text: ""}}\n        b: {answer: {text: .}}',
        "      ¶readings:\n        a: {answer: {text: x, count: 1}}\n        b: {answer: {text: x, count: 1.0}}",
        "same outcome",
        "another input",
    ),
    Broken(
        "one-reading",
        SAID,
        "        b: {answer: {text: .}}\n",
        "",
        "at least two readings",
        "plain `answer`",
        f"{SAID}:18",
    ),
    Broken(
        "reading-without-answer",
        SAID,
        "b: {answer: {text: .}}",
        "¶b: {}",
        "reading b has not one of answer and error",
        "b: {answer",
    ),
    Broken(
        "answer-and-error",
        LOUD,
        "answer: {text: A}",
        "answer: {text: A}\n    ¶error: {type: empty}",
        "answer and error",
        "Keep one",
    ),
    Broken("no-expectation", LOUD, "    answer: {text: A}\n", "", "expects nothing", "Add one of answer", f"{LOUD}:3"),
    Broken(
        "error-not-listed",
        LOUD,
        "type: empty",
        "¶type: full",
        "raises no error of the type full",
        "empty, unclassified",
    ),
    Broken(
        "answer-is-a-text", LOUD, "answer: {text: A}", "¶answer: A", "answer is the text A, not a mapping", "members"
    ),
    Broken(
        "no-request", LOUD, "    request: {text: a}\n", "", "The key request is missing", "Add `request", f"{LOUD}:3"
    ),
    Broken(
        "unknown-origin",
        LOUD,
        "spec-text\n    request",
        "¶reference\n    request",
        "The origin reference is unknown",
        "spec-example",
    ),
    Broken(
        "oracle-without-evidence",
        SAID,
        "    evidence: {command: \"python3 -c 'print(2)'\"}\n",
        "",
        "has no evidence",
        "command",
        f"{SAID}:24",
    ),
    Broken(
        "negative-is-a-text",
        LOUD,
        "negative: true",
        "¶negative: yes",
        "negative is the text yes, not true or false",
        "leave it out",
    ),
    Broken(
        "requirements-is-a-text",
        LOUD,
        "    requirements: [TOY-02]\n    origin: spec-text\n    negative",
        "    ¶requirements: TOY-02\n    origin: spec-text\n    negative",
        "not a list of texts",
        "[one, two]",
    ),
    Broken(
        "requirement-listed-twice",
        SAID,
        "requirements: [TOY-01]\n    origin: spec-example",
        "¶requirements: [TOY-01, TOY-01]\n    origin: spec-example",
        "more than once",
        "List it once",
    ),
    Broken(
        "case-is-a-text",
        LOUD,
        "  - id: nothing",
        "  - ¶nothing\n  - id: nothing",
        "A case is the text nothing",
        "Write `- id",
    ),
    Broken("no-cases", LOUD, "", "suite: toy/shouted/loud\n¶cases: []\n", "no list of cases", "at least one case"),
    Broken("unknown-level", REQUIREMENTS, "level: SHOULD", "¶level: should", "level is should", "MUST, SHOULD"),
    Broken(
        "observable-false", REQUIREMENTS, "observable: true", "¶observable: false", "observable is false", "a sentence"
    ),
]

TABLES = [
    Broken(
        "row-too-short",
        SAID,
        "[second, b, b]",
        "¶[second, b]",
        "has 2 cells; the table has 3 columns",
        "one cell a column",
    ),
    Broken(
        "row-too-long",
        SAID,
        "[second, b, b]",
        "¶[second, b, b, b]",
        "has 4 cells; the table has 3 columns",
        "one cell a column",
    ),
    Broken(
        "row-is-a-text",
        SAID,
        "[second, b, b]",
        "¶second",
        "has the text second; the table has 3 columns",
        "one cell a column",
    ),
    Broken(
        "no-column-id",
        SAID,
        "[id, request.text, answer.text]",
        "¶[note, request.text, answer.text]",
        "no column id",
        "Add a column",
    ),
    Broken(
        "no-rows",
        SAID,
        "      rows:\n        - [first, a, a]\n        - [second, b, b]\n        - [third, c, c]\n",
        "      ¶rows: []\n",
        "no rows",
        "a list for each row",
    ),
    Broken(
        "column-through-scalar",
        SAID,
        "request.text, answer.text]",
        "¶request.text, answer.text, origin.why]",
        "leads through the text spec-text",
        "Only mappings",
    ),
    Broken(
        "column-of-no-key",
        SAID,
        "request.text, answer.text]",
        "¶requst.text, answer.text]",
        "requst.text leads to no key",
        "mean request?",
    ),
    Broken(
        "column-inside-column",
        SAID,
        "[id, request.text, answer.text]",
        "¶[id, answer, answer.text]",
        "answer.text lies inside the column answer",
        "Keep one",
    ),
    Broken("column-with-empty-step", SAID, "answer.text]", "¶answer.]", "has an empty step", "Put a name"),
    Broken(
        "shared-mistake",
        SAID,
        "origin: spec-text\n    table",
        "¶origin: text\n    table",
        "The origin text is unknown",
        "spec-example",
    ),
    Broken(
        "column-twice",
        SAID,
        "request.text, answer.text]",
        "¶answer.text, answer.text]",
        "columns lists answer.text more than once",
        "once",
    ),
]

SCHEMAS = [
    Broken(
        "request-against-schema",
        SAID,
        _WORD,
        "    ¶request: {text: 5}\n",
        "The request breaks its schema at $.text: 5 is not of type 'string'",
        f"{SAY}, $defs.request",
    ),
    Broken(
        "request-lacks-member",
        SAID,
        _WORD,
        "    request: {}\n",
        "breaks its schema at $: 'text' is a required property",
        f"{SAY}, $defs.request",
        f"{SAID}:5",
    ),
    Broken(
        "answer-against-schema",
        SAID,
        "answer: {text: hello, count: 1}",
        "answer:\n      text: hello\n      ¶count: one",
        "The expected answer breaks its schema at $.count",
        f"{SAY}, $defs.answer",
    ),
    Broken(
        "reading-against-schema",
        SAID,
        "b: {answer: {text: .}}",
        "b: {answer: {¶text: 7}}",
        "The expected answer breaks its schema at $.text",
        f"{SAY}, $defs.answer",
    ),
    Broken(
        "fixture-against-schema",
        WORDS,
        "- two",
        "- 2",
        "The request breaks its schema at $.words[1]",
        "$defs.request",
        f"{SAID}:22",
    ),
    Broken(
        "row-against-schema",
        SAID,
        "[second, b, b]",
        "¶[second, 5, b]",
        "The request breaks its schema at $.text",
        "$defs.request",
    ),
    Broken(
        "schema-not-json",
        SAY,
        '"title": "Say",',
        '"title": "Say"',
        "This is not JSON: Expecting ',' delimiter",
        "Correct the file",
        f"{SAY}:4",
    ),
    Broken("schema-is-a-list", SHAPES, "", "¶[]", "not a JSON object", "$defs"),
    Broken(
        "schema-with-nan",
        SHAPES,
        '"x-unordered": true',
        '¶"x-unordered": NaN',
        "NaN is no number in JSON",
        "Correct the file",
    ),
    Broken(
        "schema-member-twice",
        SHAPES,
        '"x-unordered": true',
        '¶"type": "array"',
        "the member type stands twice",
        "Correct the file",
    ),
    Broken(
        "no-answer-schema",
        SHOUT,
        '    "answer"',
        '    ¶"answers"',
        "The schema has no $defs.answer",
        "Add request, answer and error",
        f"{SHOUT}:3",
    ),
    Broken(
        "no-error-types",
        SHOUT,
        '"error": {"enum": ["unclassified", "empty"]}',
        '¶"error": {}',
        "does not list the types of errors",
        "unclassified",
    ),
    Broken(
        "dead-reference",
        SAY,
        "shapes.json#/$defs/words",
        "¶shapes.json#/$defs/verbs",
        "shapes.json#/$defs/verbs leads to nothing",
        "Correct it",
    ),
    Broken(
        "reference-to-no-file",
        SAY,
        "shapes.json#/$defs/words",
        "¶forms.json#/$defs/words",
        "forms.json#/$defs/words leads to nothing",
        "Correct it",
    ),
    Broken(
        "bad-tolerance",
        SAY,
        '"ulps": 1, ',
        '¶"ulps": -1, ',
        "x-tolerance is not one of absolute and ulps",
        '{"absolute": NUMBER',
    ),
    Broken(
        "tolerance-without-reason", SAY, ', "reason": "it is measured"', "¶", "with a reason", '{"absolute": NUMBER'
    ),
    Broken(
        "bad-stages", SAY, '["/text", "/count"]', '¶["text"]', "x-stages is not a list of JSON Pointers", "/first/stage"
    ),
    Broken(
        "unknown-engine",
        SAY,
        '"x-engine": "sqlite-fts5-match"',
        '¶"x-engine": "lucene"',
        "no engine that is known here: lucene",
        "sqlite-fts5-match",
    ),
    Broken(
        "bad-unordered",
        SAY,
        '"type": "number",',
        '"type": "number",\n          ¶"x-unordered": "yes",',
        "x-unordered is neither true nor false",
        '"x-unordered": true',
    ),
    Broken(
        "not-a-json-schema",
        SHOUT,
        '"answer": {"type": "object"',
        '¶"answer": {"type": "objekt"',
        "not a JSON Schema at $.$defs.answer.type",
        "draft 2020-12",
    ),
    Broken(
        "operation-of-two-systems",
        "schemas/other/toy.say.json",
        "",
        TEXTS[SHOUT],
        "The system other has an operation toy.say too",
        "another name",
        SAY,
    ),
    Broken(
        "file-name-no-operation",
        "schemas/toy/toy.s ay.json",
        "",
        TEXTS[SHOUT],
        "name is no operation",
        "area.verb.json",
        "schemas/toy/toy.s ay.json",
    ),
]

_STRAY = "no part of the corpus, and would be passed over"

STRAYS = [
    Broken("yml", "cases/toy/more.yml", "", "suite: toy/more\n", _STRAY, "end in .yaml", "cases/toy/more.yml"),
    Broken(
        "upper-case-suffix",
        "cases/toy/more.YAML",
        "",
        "suite: toy/more\n",
        _STRAY,
        "end in .yaml",
        "cases/toy/more.YAML",
    ),
    Broken("json-cases", "cases/toy/more.json", "", "{}", _STRAY, "as a .yaml file", "cases/toy/more.json"),
    Broken("outside-a-system", "cases/more.yaml", "", "suite: more\n", _STRAY, "cases/<system>/", "cases/more.yaml"),
    Broken(
        "nested-fixture",
        "cases/toy/fixtures/deep/x.yaml",
        "",
        "- x\n",
        _STRAY,
        "cases/toy/fixtures itself",
        "cases/toy/fixtures/deep/x.yaml",
    ),
    Broken(
        "suite-with-capitals",
        "cases/toy/More.yaml",
        "",
        "suite: toy/More\n",
        "call the suite toy/More",
        "Rename",
        "cases/toy/More.yaml",
    ),
    Broken(
        "nested-schema",
        "schemas/toy/deep/toy.sing.json",
        "",
        "{}",
        _STRAY,
        "schemas/<system>/",
        "schemas/toy/deep/toy.sing.json",
    ),
    Broken("yaml-schema", "schemas/toy/toy.sing.yaml", "", "{}", _STRAY, ".json", "schemas/toy/toy.sing.yaml"),
]

_COUNT = '        "count": {\n          "type": "number",\n          "x-tolerance": {"ulps": 1'
_TEXT_MEMBER = '"text": {"type": "string", "x-engine": "sqlite-fts5-match"}'
_WORDS = '{"$ref": "shapes.json#/$defs/words"}'
_TITLE = '  "title": "Say",\n'
_NO_EXPRESSION = "is no regular expression"
_TOO_LARGE = "is too large for a double"
_ZONE = "    environment: {TZ: Asia/Tokyo}\n"

EXTREMES = [
    Broken("pattern", SAY, _TEXT_MEMBER, '¶"text": {"pattern": "("}', _NO_EXPRESSION, "Python's re"),
    Broken("look-behind", SAY, _TEXT_MEMBER, '¶"text": {"pattern": "(?<=a+)b"}', "fixed-width", "Python's re"),
    Broken(
        "pattern-properties", SAY, _TEXT_MEMBER, '¶"text": {"patternProperties": {"(": {}}}', _NO_EXPRESSION, "re reads"
    ),
    Broken(
        "other-draft",
        SHAPES,
        '{\n  "$defs"',
        '{\n  ¶"$schema": "urn:x",\n  "$defs"',
        "another language: urn:x",
        "2020-12",
    ),
    Broken("reference-no-address", SAY, _WORDS, '¶{"$ref": "http://[::1"}', "leads to nothing", "Correct it"),
    Broken("integer-of-5000-digits", SAY, _TITLE, f'  ¶"title": 1{"0" * 5000},\n', _TOO_LARGE, "Correct"),
    Broken("float-beyond-a-double", SAY, _TITLE, '  ¶"title": 1e999,\n', _TOO_LARGE, "Correct"),
    Broken(
        "tolerance-beyond-a-double",
        SAY,
        _COUNT,
        _COUNT.replace('"x-tolerance": {"ulps": 1', f'¶"x-tolerance": {{"absolute": 1{"0" * 400}'),
        _TOO_LARGE,
        "Correct",
    ),
    Broken("schema-of-500-lists", SAY, _TITLE, f'  ¶"title": {"[" * 500}{"]" * 500},\n', "deeper than 200", "Flatten"),
    Broken(
        "column-of-3000-steps",
        SAID,
        "      columns: [id, request.text, answer.text]",
        f"      ¶columns: [id, request.text, answer{'.a' * 3000}]",
        "more than 50 steps",
        "one cell",
    ),
    Broken("zone-with-zero", SAID, _ZONE, '    ¶environment: {TZ: "a\\0b"}\n', "names no time zone", "Asia/Tokyo"),
    Broken(
        "zone-without-end", SAID, _ZONE, f"    ¶environment: {{TZ: {'x' * 65}}}\n", "names no time zone", "Asia/Tokyo"
    ),
]

ALL = [
    *EXTREMES,
    *SYNTAX,
    *ENCODING,
    *SURPRISES,
    *UNKNOWN_KEYS,
    *NAMES,
    *CITATIONS,
    *EXPECTATIONS,
    *TABLES,
    *SCHEMAS,
    *STRAYS,
]
