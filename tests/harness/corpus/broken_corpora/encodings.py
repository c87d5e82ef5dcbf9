"""Bytes that are no text, and characters that nobody sees."""

from __future__ import annotations

from toy_corpus import SAID, SHAPES, TEXTS

from broken_corpora.mistake import Broken

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
