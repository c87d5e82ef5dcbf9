"""Schemas that are none, say nothing that can be used, or are not kept."""

from __future__ import annotations

from toy_corpus import SAID, SAY, SHAPES, SHOUT, TEXTS, WORDS

from broken_corpora.mistake import Broken

_WORD = '    request: {text: "hé\u00a0llo"}\n'

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
