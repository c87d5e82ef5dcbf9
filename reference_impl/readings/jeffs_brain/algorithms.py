"""Other readings of the algorithms document's section "Hybrid pipeline" that concern a whole search."""

import re
from collections.abc import Iterator
from typing import Any, Final

from ...jeffs_brain.anchors import parse_question_date
from ...wire.jeffs_brain.algorithms import AlgorithmOperationsDecisions
from ...wire.jeffs_brain.scripted import KeywordIndex
from ...wire.operations import Json

ACTS_ON = ("retrieval.search",)

_DEFAULT_TOP_K: Final = 10
_EVERY_RESULT: Final = 1_000_000


class NotesUntilTheQuestionDate(AlgorithmOperationsDecisions, reading="RUL-B142=b"):
    def search_over(self, keywords: KeywordIndex, request: Json) -> Json:
        """A search with a question date drops the notes that are dated after it from its results."""
        search = request["request"]
        limit = parse_question_date(search.get("questionDate", ""))
        if limit is None:
            return super().search_over(keywords, request)
        dated = {chunk["id"]: _date(chunk) for chunk in _chunks(request)}
        answer = super().search_over(keywords, {**request, "request": {**search, "topK": _EVERY_RESULT}})
        kept = [result for result in answer["results"] if (dated.get(result["id"]) or limit) <= limit]
        return {**answer, "results": kept[: search.get("topK", _DEFAULT_TOP_K)]}


def _chunks(plain: Any) -> Iterator[Json]:
    """Every chunk in the JSON of a request."""
    if isinstance(plain, dict):
        if "id" in plain and "path" in plain:
            yield plain
        plain = list(plain.values())
    if isinstance(plain, list):
        for item in plain:
            yield from _chunks(item)


def _date(chunk: Json) -> int | None:
    """The date of a note: the session date of its metadata, or the date that its content begins with."""
    written = re.match(r"\[date: ([^\]]*)\]", chunk.get("content", ""))
    value = chunk.get("metadata", {}).get("session_date", written[1] if written else None)
    return None if value is None else parse_question_date(value)
