"""Requests of the router and of the search: queries with every signal, capabilities, budgets and scripted rankings.

``signals.ts``, ``router.ts`` and ``augur.ts``.
"""

from __future__ import annotations

from typing import Final

from ..common.choices import Choices, Json, Recipe
from ..common.numbers import fraction
from ..common.texts import altered, noise, space
from .documents import LANGUAGES, foreign
from .fusion import ranking

_PLAIN: Final = tuple("pool connection memory search index slow database the a is of it config limits".split())
_ASKING: Final = (
    "how", "why", "what is", "what are", "what", "when", "where", "who", "which", "can", "does", "is", "should", "How",
    "WHAT IS", "whatever", "what\u00a0is", "what  do", "Island",
)  # fmt: skip
_NEGATIONS: Final = (
    "not",
    "no",
    "without",
    "except",
    "vs",
    "never",
    "NOT",
    "Neither",
    "vs.",
    "not,",
    "don't",
    "cannot",
)
_TOKENS: Final = (
    "useState", "my_var", "os.path", "std::map", "foo()", "x=1", "a=b", "0x1F", "0X1F", "E404", "HTTP", "node-18",
    "v1.2", "1.2.3", "2026", "1899", "20260", "RFC 2616", "RFC2616", "rfc 12", "CVE-2021-44228", "cve-21-1", "404",
    "C++", "a.b", "ab.cd", "e.g.", "_private", "snake_", "camelcase", "iPhone", "__init__", "café.au", "=", "ABC", "A1",
    "fooBar(", "(foo())", "'x_y'", "v2", "a" * 65 + "_b", "a" * 63 + "_b", "b" * 129 + "(", "b" * 128 + "(", "３", "x::",
    "1.2.3.4", "https://a.b/c", "2026-04-18",
)  # fmt: skip
_NAMED: Final = (
    "Kubernetes",
    "Paris",
    "NASA",
    "USA",
    "The",
    "It",
    "McDonald",
    "École",
    "X",
    "Xy",
    "(Berlin)",
    "Éa",
    "OpenAI,",
)
_QUOTED: Final = (
    '"exact phrase"',
    "'ab'",
    '"ab',
    '"a"',
    "it's don't",
    "“curly quotes”",
    "'a b\"",
    '""',
    "`code x`",
    "\"a'bc",
)
_ENDS: Final = ("?", "", "!", " ?", "??", "？", ".", "?)", "?\u00a0", "?\u200b")
_STRATEGIES: Final = ("hybrid", "keyword", "vector", "rerank")
_BUDGETS: Final = (1000, 800, 799, 801, 0, 799.9999999, 800.0000001, 500, 1e9)


def query(choices: Choices) -> str:
    """A query: words, a question, code, dates, names, quotes, negations, other scripts; of one to eight words."""
    kind = choices.byte()
    if kind < 8:
        return noise(choices, 6)
    if kind < 24:
        return foreign(choices)
    parts: list[str] = []
    if choices.one_in(3):
        parts += [choices.pick(_ASKING), space(choices)]
    for part in choices.parts(3, 5) if choices.one_in(3) else choices.parts(9, 5, 1):
        parts += [_word(part), space(part)]
    text = "".join(parts if choices.one_in(12) else parts[:-1])
    return text + choices.pick(_ENDS) if choices.one_in(3) else text


def _word(choices: Choices) -> str:
    kind = choices.below(24)
    if kind < 16:
        return choices.pick(_PLAIN)
    if kind == 16:
        return altered(choices, choices.pick((*_PLAIN, *_TOKENS)))
    if kind < 20:
        return choices.pick(_TOKENS)
    return choices.pick((_NAMED, _NAMED, _QUOTED, _NEGATIONS)[kind - 20])


def _capabilities(choices: Choices) -> Json:
    flags = choices.byte()
    return {"vector": flags & 3 != 3, "keyword": flags & 12 != 12, "hybrid": flags & 16 == 0}


def _options(choices: Choices) -> Json:
    found = choices.maybe("alwaysRerank", lambda c: c.one_in(2))
    return found | choices.maybe("hasReranker", lambda c: c.one_in(2))


def _limits(choices: Choices) -> Json:
    found = choices.maybe("forceStrategy", lambda c: c.pick(_STRATEGIES), one_in=4)
    return found | choices.maybe("latencyBudgetMs", lambda c: c.pick(_BUDGETS), one_in=3)


def _routed(choices: Choices) -> Json:
    request = {"query": query(choices), **_limits(choices)}
    return {"request": request, "capabilities": _capabilities(choices), **_options(choices)}


def _decided(choices: Choices) -> Json:
    found: Json = {"strategy": choices.pick(_STRATEGIES[:3]), **_options(choices)}
    return found | choices.maybe("latencyBudgetMs", lambda c: c.pick(_BUDGETS))


def _tagged(choices: Choices) -> list[Json]:
    """A ranking whose items mostly have a language and a topic."""
    found = ranking(choices)
    for one in found:
        flags = choices.byte()
        metadata = {"lang": choices.pick(LANGUAGES[:3])} if flags & 3 else {}
        metadata |= {"topic": "x" if flags & 8 else "y"} if flags & 4 else {}
        if metadata or flags & 16:
            one["metadata"] = metadata
    return found


def _searched(choices: Choices) -> Json:
    request = {"query": foreign(choices) if choices.one_in(5) else query(choices), **_limits(choices)}
    request |= choices.maybe("topK", lambda c: c.pick((3, 1, 2, 10, 5, 4, 0)), one_in=3)
    request |= choices.maybe(
        "filter", lambda c: c.pick(({}, {"topic": "x"}, {"lang": "ja"}, {"topic": None}, {"lang": None})), one_in=8
    )
    request |= choices.maybe("minScore", lambda c: c.pick((0, 0.01, fraction(c), 1 / 61, 0.5 / 61, -1)), one_in=8)
    found: Json = {"request": request, "capabilities": _capabilities(choices)}
    found |= {"vec": _tagged(choices), "kw": _tagged(choices)}
    found |= choices.maybe("alwaysRerank", lambda c: c.one_in(2))
    found |= choices.maybe("reranker", lambda c: None if c.one_in(4) else "reverse")
    return found | choices.maybe("autoLanguageFilter", lambda c: not c.one_in(4))


RECIPES: Final = {
    "augur.computeSignals": Recipe(lambda choices: {"query": query(choices)}, 64),
    "augur.route": Recipe(_routed, 72),
    "augur.decideRerank": Recipe(_decided, 8),
    "augur.routerName": Recipe(lambda choices: choices.maybe("alwaysRerank", lambda c: c.one_in(2)), 2),
    "augur.search": Recipe(_searched, 128),
}
"""Operation -> recipe."""
