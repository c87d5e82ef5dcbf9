"""The steps of a search."""

from typing import Any

from reference_impl.observer import Step, observing
from reference_impl.wire.jeffs_brain.algorithms import OPERATIONS

Json = dict[str, Any]


def chunk(id_: str, path: str = "", **texts: Any) -> Json:
    return {"id": id_, "path": path or f"wiki/{id_}.md", "title": "", "summary": "", "content": "", **texts}


def test_a_search_shows_its_steps() -> None:
    """An observer is told the mode, the compiled query, every rung and the reranking, each with its section."""
    steps: list[Step] = []
    request = {"index": {"script": {}}, "request": {"query": "zebra!"}, "trigramChunks": [chunk("zebra")]}
    with observing(steps.append):
        OPERATIONS["retrieval.search"](request)
    told = {(step.section, step.step) for step in steps}
    assert ("Hybrid pipeline", "mode") in told
    assert ("FTS5 compilation target", "match") in told
    assert {step for section, step in told if section == "forceRefreshIndex retry ladder"} == {
        "initial",
        "strongest_term",
        "refreshed_sanitised",
        "refreshed_strongest",
        "trigram_fuzzy",
    }
    assert ("Rerank tail preservation", "skipped") in told
