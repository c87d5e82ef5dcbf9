"""Texts that are no YAML, or YAML that would be read otherwise than it was meant."""

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
    Broken(
        "colon-in-text",
        LOUD,
        "cases:\n",
        "¶description: loud: and clear\ncases:\n",
        "mapping values",
        "cannot hold `: `",
    ),
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
