"""What is too large, too deep, or for another reader."""

from __future__ import annotations

from toy_corpus import SAID, SAY, SHAPES

from broken_corpora.mistake import Broken

_COUNT = '        "count": {\n          "type": "number",\n          "x-tolerance": {"ulps": 1'
_TEXT_MEMBER = '"text": {"type": "string", "x-engine": "sqlite-fts5-match"}'
_WORDS = '{"$ref": "shapes.json#/$defs/words"}'
_TITLE = '  "title": "Say",\n'
_NO_EXPRESSION = "is no regular expression"
_TOO_LARGE = "is too large for a double"
_ZONE = "    environment: {TZ: Asia/Tokyo}\n"

EXTREMES = [
    Broken("pattern", SAY, _TEXT_MEMBER, '¶"text": {"pattern": "("}', _NO_EXPRESSION, "Python's re"),
    Broken(
        "pattern-of-default",
        SAY,
        _TEXT_MEMBER,
        f'¶{_TEXT_MEMBER}, "default": {{"pattern": "("}}',
        _NO_EXPRESSION,
        "Python's re",
    ),
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
