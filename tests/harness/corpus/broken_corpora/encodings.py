"""Bytes that are not UTF-8, and invisible characters."""

from __future__ import annotations

from toy_corpus import SAID, SHAPES, TEXTS

from broken_corpora.mistake import Broken

ENCODING = [
    Broken(
        "latin-1", SAID, "", "# eins\n# zwei ¶\u00e9\n".encode("latin-1").replace(b"\xb6", "¶".encode()), "not-utf-8"
    ),
    Broken("utf-16", SAID, "", TEXTS[SAID].encode("utf-16"), "byte-order-mark", f"{SAID}:1"),
    Broken("byte-order-mark", SAID, "# what is", "¶\ufeff# what is", "byte-order-mark"),
    Broken("nul", SAID, "# what is", "# ééé\n# ¶\0what is", "unseen-character"),
    Broken("next-line", SAID, "origin: spec-example", "origin: spec-example ¶# \u0085", "unseen-character"),
    Broken("line-separator", SAID, "{text: hello,", "¶{text: hel\u2028lo,", "unseen-character"),
    Broken("lone-surrogate", SAID, "{text: hello,", '¶{text: "\\ud800",', "bad-yaml"),
    Broken("latin-1-schema", SHAPES, "", b'{"title":\n"\xc2\xb6\xe9"}', "not-utf-8"),
]
