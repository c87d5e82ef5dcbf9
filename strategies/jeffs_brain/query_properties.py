"""Properties that the query DSL document implies."""

from __future__ import annotations

import unicodedata
from typing import Final

from ..common.characters import ASCII_MARKS
from ..common.choices import Json
from ..common.property import Answer, Properties, units
from .words import COMBINED

PROPERTIES: Final = Properties()

_STRIPPED: Final = frozenset(ASCII_MARKS) - {"_"}
_OPERATORS: Final = frozenset({"AND", "OR", "NOT"})


@PROPERTIES.of("query.normalise", "QDSL-NORM-05")
def single_blanks_inside_only(_: Json, answer: Json, __: Answer) -> bool:
    text = answer["text"]
    return (
        text == " ".join(text.split(" ")).strip(" ")
        and "  " not in text
        and "\u00a0" not in text
        and "\u200b" not in text
    )


@PROPERTIES.of("query.normalise", "QDSL-NORM-07")
def a_second_pass_only_composes(_: Json, answer: Json, other: Answer) -> bool:
    """Zero-width characters are removed after NFC, so a second pass can compose, and do nothing else (RUL-B76)."""
    return bool(
        other("query.normalise", {"query": answer["text"]})["text"] == unicodedata.normalize("NFC", answer["text"])
    )


@PROPERTIES.of("query.parse", "QDSL-PARSE-06")
def raw_is_the_normalised_query(request: Json, answer: Json, other: Answer) -> bool:
    return bool(answer["ast"]["raw"] == other("query.normalise", request)["text"])


@PROPERTIES.of("query.parse", "QDSL-PIPE-01")
def parsing_raw_gives_the_same_tokens(_: Json, answer: Json, other: Answer) -> bool:
    ast = answer["ast"]
    is_composed = unicodedata.is_normalized("NFC", ast["raw"])
    return not is_composed or other("query.parse", {"query": ast["raw"]}) == answer


@PROPERTIES.of("query.parse", "QDSL-STRIP-01")
def no_term_has_a_stripped_character(_: Json, answer: Json, __: Answer) -> bool:
    words = [token["text"] for token in answer["ast"]["tokens"] if token["kind"] != "phrase"]
    return all(word and _STRIPPED.isdisjoint(word) for word in words)


@PROPERTIES.of("query.parse", "QDSL-STOP-04")
def a_bare_query_keeps_long_words_that_are_no_stop_words(_: Json, answer: Json, __: Answer) -> bool:
    ast = answer["ast"]
    words = [token["text"] for token in ast["tokens"]]
    return ast["hasOperators"] or all(units(word) > 2 and word not in COMBINED for word in words)


@PROPERTIES.of("query.parse", "QDSL-PARSE-09")
def operators_and_phrases_set_the_flag(_: Json, answer: Json, __: Answer) -> bool:
    ast = answer["ast"]
    words = ast["raw"].split(" ")
    return bool(ast["hasOperators"] == ('"' in ast["raw"] or not _OPERATORS.isdisjoint(words)))


@PROPERTIES.of("query.parse", "QDSL-STRIP-04")
def texts_are_lower_case(_: Json, answer: Json, __: Answer) -> bool:
    return all(token["text"] == token["text"].lower() for token in answer["ast"]["tokens"])


@PROPERTIES.of("query.parse", "QDSL-GRAM-02")
def white_space_around_a_query_has_no_effect(request: Json, answer: Json, other: Answer) -> bool:
    return other("query.parse", {"query": f"\u2003 {request['query']}\u00a0\n"}) == answer


@PROPERTIES.of("query.expandAliases", "QDSL-PIPE-03b")
def without_a_table_nothing_changes(request: Json, _: Json, other: Answer) -> bool:
    return bool(other("query.expandAliases", {"ast": request["ast"], "aliases": {}})["ast"] == request["ast"])


@PROPERTIES.of("query.expandAliases", "ALIAS-02")
def phrases_and_prefixes_stay(request: Json, answer: Json, __: Answer) -> bool:
    after = answer["ast"]["tokens"]
    return all(token in after for token in request["ast"]["tokens"] if token["kind"] != "term")


@PROPERTIES.of("query.expandAliases", "ALIAS-09")
def the_sequence_of_operators_stays(request: Json, answer: Json, __: Answer) -> bool:
    before, after = (
        [token["operator"] for token in ast["tokens"] if "operator" in token] for ast in (request["ast"], answer["ast"])
    )
    return before == after


@PROPERTIES.of("query.compile", "QDSL-COMP-04")
def the_operator_of_the_first_token_has_no_effect(request: Json, answer: Json, other: Answer) -> bool:
    first, *rest = request["ast"]["tokens"] or [{}]
    if not first:
        return bool(answer["match"] == "")
    plain = {name: value for name, value in first.items() if name != "operator"}
    ast = {"raw": "", "hasOperators": False, "tokens": [plain, *rest]}
    return other("query.compile", {"ast": ast}) == answer


@PROPERTIES.of("query.pipeline", "QDSL-PIPE-02")
def the_pipeline_is_its_steps(request: Json, answer: Json, other: Answer) -> bool:
    ast = other("query.parse", {"query": request["query"]})["ast"]
    ast = other("query.expandAliases", {"ast": ast, "aliases": request.get("aliases", {})})["ast"]
    return answer == {"ast": ast, **other("query.compile", {"ast": ast})}


@PROPERTIES.of("temporal.parseDate", "TEMP-ANCH-05")
def an_instant_parses_to_itself(_: Json, answer: Json, other: Answer) -> bool:
    instant = answer["instant"]
    return instant is None or other("temporal.parseDate", {"value": instant}) == answer


@PROPERTIES.of("temporal.dateTokens", "TEMP-TOK-01")
def a_date_has_tokens_if_it_parses(request: Json, answer: Json, other: Answer) -> bool:
    if "value" not in request:
        return bool(answer["tokens"] == [])
    instant = other("temporal.parseDate", request)["instant"]
    if instant is None or not instant[:4].isdigit():
        return bool((instant is None) == (answer["tokens"] == []))
    return bool(answer["tokens"][:3] == [instant[:10], instant[:10].replace("-", "/"), instant[:4]])


@PROPERTIES.of("temporal.expand", "TEMP-RES-02")
def hints_are_distinct_and_resolve(request: Json, answer: Json, __: Answer) -> bool:
    hints = answer["dateHints"]
    return bool(
        answer["originalQuery"] == request["question"]
        and answer["resolved"] == bool(hints)
        and len(set(hints)) == len(hints)
        and all(f"{hint})" in answer["expandedQuery"] for hint in hints)
    )


@PROPERTIES.of("temporal.expand", "TEMP-ANCH-06")
def the_anchor_counts_as_its_instant(request: Json, answer: Json, other: Answer) -> bool:
    if "questionDate" not in request:
        return bool(answer["expandedQuery"] == request["question"])
    instant = other("temporal.parseDate", {"value": request["questionDate"]})["instant"]
    if instant is None:
        return bool(answer["expandedQuery"] == request["question"] and not answer["resolved"])
    return other("temporal.expand", {**request, "questionDate": instant}) == answer


@PROPERTIES.of("temporal.expand", "TEMP-REC-02")
def letter_case_has_no_effect_on_the_hints(request: Json, answer: Json, other: Answer) -> bool:
    question = "".join(letter.upper() if letter.isascii() else letter for letter in request["question"])
    return bool(other("temporal.expand", {**request, "question": question})["dateHints"] == answer["dateHints"])


@PROPERTIES.of("temporal.augment", "TEMP-AUG-01")
def both_forms_of_each_hint_follow_the_question(request: Json, answer: Json, other: Answer) -> bool:
    hints = other("temporal.expand", request)["dateHints"]
    return bool(
        answer["query"] == " ".join([request["question"], *(f"{one} {one.replace('/', '-')}" for one in hints)])
    )
