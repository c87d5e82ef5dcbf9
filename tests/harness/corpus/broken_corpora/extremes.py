"""Values that are too large or too deep, and schemas of another draft."""

from __future__ import annotations

from toy_corpus import SAID, SAY, SHAPES

from broken_corpora.mistake import Broken

_COUNT = '        "count": {\n          "type": "number",\n          "x-tolerance": {"ulps": 1'
_TEXT_MEMBER = '"text": {"type": "string", "x-engine": "sqlite-fts5-match"}'
_WORDS = '{"$ref": "shapes.json#/$defs/words"}'
_TITLE = '  "title": "Say",\n'
_ZONE = "    environment: {TZ: Asia/Tokyo}\n"

EXTREMES = [
    Broken("pattern", SAY, _TEXT_MEMBER, '¶"text": {"pattern": "("}', "bad-pattern"),
    Broken("pattern-of-default", SAY, _TEXT_MEMBER, f'¶{_TEXT_MEMBER}, "default": {{"pattern": "("}}', "bad-pattern"),
    Broken("look-behind", SAY, _TEXT_MEMBER, '¶"text": {"pattern": "(?<=a+)b"}', "bad-pattern"),
    Broken("look-ahead", SAY, _TEXT_MEMBER, '¶"text": {"pattern": "^(?=a)"}', "bad-pattern"),
    Broken("pattern-properties", SAY, _TEXT_MEMBER, '¶"text": {"patternProperties": {"(": {}}}', "bad-pattern"),
    Broken("other-draft", SHAPES, '{\n  "$defs"', '{\n  ¶"$schema": "urn:x",\n  "$defs"', "other-draft"),
    Broken("reference-no-address", SAY, _WORDS, '¶{"$ref": "http://[::1"}', "dead-reference"),
    Broken("integer-of-5000-digits", SAY, _TITLE, f'  ¶"title": 1{"0" * 5000},\n', "number-too-large"),
    Broken("float-beyond-a-double", SAY, _TITLE, '  ¶"title": 1e999,\n', "number-too-large"),
    Broken(
        "tolerance-beyond-a-double",
        SAY,
        _COUNT,
        _COUNT.replace('"x-tolerance": {"ulps": 1', f'¶"x-tolerance": {{"absolute": 1{"0" * 400}'),
        "number-too-large",
    ),
    Broken("schema-of-500-lists", SAY, _TITLE, f'  ¶"title": {"[" * 500}{"]" * 500},\n', "too-deep"),
    Broken(
        "column-of-3000-steps",
        SAID,
        "      columns: [id, request.text, answer.text]",
        f"      ¶columns: [id, request.text, answer{'.a' * 3000}]",
        "bad-column",
    ),
    Broken("zone-with-zero", SAID, _ZONE, '    ¶environment: {TZ: "a\\0b"}\n', "bad-time-zone"),
    Broken("zone-without-end", SAID, _ZONE, f"    ¶environment: {{TZ: {'x' * 65}}}\n", "bad-time-zone"),
]
