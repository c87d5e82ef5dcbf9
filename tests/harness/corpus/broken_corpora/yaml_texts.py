"""Invalid YAML, and YAML that readers interpret differently."""

from __future__ import annotations

from toy_corpus import LOUD, REQUIREMENTS, SAID, WORDS

from broken_corpora.mistake import Broken


def _bomb() -> str:
    rows = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    rows += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 9)]
    return "\n".join(rows) + "\n"


def _tower() -> str:
    return "\n".join(["- &a0 [x]", *(f"- &a{n} [*a{n - 1}]" for n in range(1, 250))]) + "\n"


SYNTAX = [
    Broken("yaml-syntax", SAID, "request: {text: a, words", "¶request: {text: a, : words", "bad-yaml"),
    Broken("unclosed-quote", LOUD, "request: {text: a}", 'request: {text: "a}', "bad-yaml", f"{LOUD}:14"),
    Broken("tab-indent", LOUD, "    request: {text: a}", "¶\trequest: {text: a}", "bad-yaml"),
    Broken("two-documents", WORDS, "- two\n", "- two\n¶---\n- three\n", "second-document"),
    Broken("undefined-alias", LOUD, "request: {text: a}", "¶request: *nothing", "bad-alias"),
    Broken("recursive-alias", WORDS, "", "¶&all [one, *all]\n", "bad-alias"),
    Broken("exploding-aliases", WORDS, "", _bomb(), "too-many-values", f"{WORDS}:6"),
    Broken("deep-aliases", WORDS, "", _tower(), "too-deep", f"{WORDS}:200"),
    Broken("deep-lists", WORDS, "", "¶" + "[" * 300 + "]" * 300, "too-deep"),
    Broken("colon-in-text", LOUD, "cases:\n", "¶description: loud: and clear\ncases:\n", "bad-yaml"),
]

SURPRISES = [
    Broken(
        "duplicate-key", SAID, "origin: spec-example", "origin: spec-example\n    ¶origin: spec-text", "duplicate-key"
    ),
    Broken(
        "merge-key", LOUD, "    request: {text: a}\n", "    ¶<<: {origin: fuzz}\n    request: {text: a}\n", "merge-key"
    ),
    Broken("tag", SAID, "count: 1}", "¶count: !!int 1}", "tag"),
    Broken("leading-zero", SAID, "count: 1}", "¶count: 01}", "leading-zero"),
    Broken("infinity", SAID, "count: 1}", "¶count: .inf}", "not-a-json-number"),
    Broken("not-a-number", SAID, "count: 1}", "¶count: .NaN}", "not-a-json-number"),
    Broken("overflow", SAID, "count: 1}", "¶count: 1e999}", "number-too-large"),
    Broken("hex-overflow", SAID, "count: 1}", f"¶count: 0x{'f' * 300}}}", "number-too-large"),
    Broken("number-as-key", SAID, "count: 1}", "¶1: 1}", "key-not-a-text"),
    Broken("list-as-key", SAID, "count: 1}", "¶[count]: 1}", "key-not-a-text"),
    Broken("empty-file", LOUD, "", "¶", "empty-file"),
    Broken("comments-only", LOUD, "", "¶# nothing\n", "empty-file"),
    Broken("list-at-top", LOUD, "", "¶- id: word\n", "not-a-mapping"),
    Broken("empty-fixture", WORDS, "", "¶", "empty-file"),
    Broken("empty-requirements", REQUIREMENTS, "", "¶", "empty-file"),
]
