"""Invalid schemas, unusable schemas, and values that break a schema."""

from __future__ import annotations

from toy_corpus import SAID, SAY, SHAPES, SHOUT, TEXTS, WORDS

from broken_corpora.mistake import Broken

_WORD = '    request: {text: "hé\u00a0llo"}\n'

SCHEMAS = [
    Broken("request-against-schema", SAID, _WORD, "    ¶request: {text: 5}\n", "request-breaks-schema"),
    Broken("request-lacks-member", SAID, _WORD, "    request: {}\n", "request-breaks-schema", f"{SAID}:5"),
    Broken(
        "answer-against-schema",
        SAID,
        "answer: {text: hello, count: 1}",
        "answer:\n      text: hello\n      ¶count: one",
        "answer-breaks-schema",
    ),
    Broken("reading-against-schema", SAID, "b: {answer: {text: .}}", "b: {answer: {¶text: 7}}", "answer-breaks-schema"),
    Broken("fixture-against-schema", WORDS, "- two", "- 2", "request-breaks-schema", f"{SAID}:22"),
    Broken("row-against-schema", SAID, "[second, b, b]", "¶[second, 5, b]", "request-breaks-schema"),
    Broken("schema-not-json", SAY, '"title": "Say",', '"title": "Say"', "bad-json", f"{SAY}:4"),
    Broken("schema-is-a-list", SHAPES, "", "¶[]", "not-a-mapping"),
    Broken("schema-with-nan", SHAPES, '"x-unordered": true', '¶"x-unordered": NaN', "not-a-json-number"),
    Broken("schema-member-twice", SHAPES, '"x-unordered": true', '¶"type": "array"', "duplicate-key"),
    Broken("no-answer-schema", SHOUT, '    "answer"', '    ¶"answers"', "missing-definition", f"{SHOUT}:3"),
    Broken("no-error-types", SHOUT, '"error": {"enum": ["unclassified", "empty"]}', '¶"error": {}', "no-error-types"),
    Broken("dead-reference", SAY, "shapes.json#/$defs/words", "¶shapes.json#/$defs/verbs", "dead-reference"),
    Broken("reference-to-no-file", SAY, "shapes.json#/$defs/words", "¶forms.json#/$defs/words", "dead-reference"),
    Broken("bad-tolerance", SAY, '"ulps": 1, ', '¶"ulps": -1, ', "bad-x-tolerance"),
    Broken("tolerance-without-reason", SAY, ', "reason": "it is measured"', "¶", "bad-x-tolerance"),
    Broken(
        "bad-requirement-places",
        SAY,
        '"x-stages": ["/text", "/count"]',
        '¶"x-requirements": {"TOY-01": ["text"]}',
        "bad-requirement-places",
    ),
    Broken(
        "bad-acceptance",
        SAY,
        '"x-stages": ["/text", "/count"]',
        '¶"x-acceptance": {"TOY-01": "/text"}',
        "bad-requirement-places",
    ),
    Broken("bad-stages", SAY, '["/text", "/count"]', '¶["text"]', "bad-stages"),
    Broken("misspelt-keyword", SAY, '"x-stages":', '¶"x-stagse":', "unknown-keyword"),
    Broken("bad-uses", SAY, '"x-stages": ["/text", "/count"]', '¶"x-uses": "toy.shout"', "bad-uses"),
    Broken("unknown-use", SAY, '"x-stages": ["/text", "/count"]', '"x-uses": [¶"toy.shuot"]', "unknown-use"),
    Broken("circular-uses", SAY, '"x-stages": ["/text", "/count"]', '"x-uses": [¶"toy.say"]', "circular-uses"),
    Broken("unknown-comparison", SAY, '"x-engine": "sqlite-fts5-match"', '¶"x-compared": "often"', "bad-x-compared"),
    Broken("unknown-engine", SAY, '"x-engine": "sqlite-fts5-match"', '¶"x-engine": "lucene"', "bad-x-engine"),
    Broken(
        "bad-unordered",
        SAY,
        '"type": "number",',
        '"type": "number",\n          ¶"x-unordered": "yes",',
        "bad-x-unordered",
    ),
    Broken(
        "rules-below-unordered",
        SAY,
        '"type": "number",',
        '"type": "number",\n          "items": {"x-ignored": true},\n          ¶"x-unordered": true,',
        "bad-x-unordered",
    ),
    Broken("not-a-json-schema", SHOUT, '"answer": {"type": "object"', '¶"answer": {"type": "objekt"', "not-a-schema"),
    Broken("operation-of-two-systems", "schemas/other/toy.say.json", "", TEXTS[SHOUT], "duplicate-operation", SAY),
    Broken(
        "file-name-no-operation",
        "schemas/toy/toy.s ay.json",
        "",
        TEXTS[SHOUT],
        "bad-operation-name",
        "schemas/toy/toy.s ay.json",
    ),
]
