"""The TypeScript adapter over stand-ins of its SDK's modules, each a few lines of JavaScript."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from driving import note

from harness.corpus.paths import shipped

pytestmark = pytest.mark.slow

ADAPTER = shipped() / "adapters" / "ts"

# Like the SDK, it catches the errors of its parts and answers all the same.
RETRIEVAL = """
export function createRetrieval({ index, embedder, reranker }) {
  return {
    async searchRaw(request) {
      const trace = { mode: 'bm25', compiledQuery: `"${request.query}"`, attempts: [] };
      try {
        return { results: await (async () => { %s })(), trace };
      } catch (error) {
        return { results: [], trace: { ...trace, errorStage: 'bm25' } };
      }
    },
  };
}
"""
FOUND = "return index.searchBM25Compiled('pod', 10).map(({ chunk }) => ({ ...chunk, score: 1 }));"

# The score of rank r is 1/(61 + r), weighted by two intents and the patterns of a note.
WEIGHTED = """
const text = request.query.toLowerCase();
const concrete = /how many/.test(text) || (%s && /\\b(watched|bought)\\b/.test(text));
const weight = ({ path, content }) => {
  if (concrete && (path.includes('user-fact-') || /\\[date:|i bought/i.test(content))) return 2.2;
  return 1;
};
const hits = index.searchVector([1, 0], request.candidateK).map(({ chunk, similarity }, rank) => ({
  ...chunk, score: weight(chunk) / (61 + rank), bm25Rank: rank, vectorSimilarity: similarity, rerankScore: 0,
}));
return hits.sort((one, other) => other.score - one.score);
"""


def asked(tmp_path: Path, body: str, *requests: tuple[str, dict[str, Any]]) -> list[dict[str, Any]]:
    """The replies of the adapter over a stand-in whose search runs this body."""
    if shutil.which("node") is None:
        pytest.skip("node is not on PATH")
    for file in (*ADAPTER.glob("*.mjs"), ADAPTER / "package.json"):
        shutil.copy(file, tmp_path)
    package = tmp_path / "node_modules" / "@jeffs-brain" / "memory"
    package.mkdir(parents=True)
    exports = {f"./{name}": f"./{name}.js" for name in ("query", "retrieval", "rerank")}
    manifest = {"name": "@jeffs-brain/memory", "version": "9.9.9", "type": "module", "exports": exports}
    (package / "package.json").write_text(json.dumps(manifest), "utf-8")
    for name in ("query", "rerank"):
        (package / f"{name}.js").write_text("export {};\n", "utf-8")
    (package / "retrieval.js").write_text(RETRIEVAL % body, "utf-8")
    messages = [{"jsonrpc": "2.0", "id": n, "method": name, "params": one} for n, (name, one) in enumerate(requests)]
    done = subprocess.run(
        ["node", "adapter.mjs"],
        cwd=tmp_path,
        input="".join(f"{json.dumps(message)}\n" for message in messages),
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=True,
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def search(**fields: Any) -> tuple[str, dict[str, Any]]:
    request = {
        "index": {"script": {}, "otherwise": [note("a")]},
        "vector": {"hits": []},
        "ranking": {"hits": []},
        "request": {"query": "pods"},
    }
    return "retrieval.search", {**request, **fields}


def outcome(reply: dict[str, Any]) -> Any:
    """The value of a reply, or the reason why the request is out of reach."""
    if "result" in reply:
        return reply["result"]
    assert reply["error"]["code"] == -32001, reply
    return reply["error"]["data"]["reason"]


@pytest.mark.parametrize(
    ("body", "member"),
    [
        ("return index.searchChunks('pod', 10);", "index.searchChunks"),
        ("return index.db.prepare('SELECT 1').all();", "index.db"),
        ("if (typeof index.size === 'number') return [];", "index.size"),
        ("return embedder.embedOne('pod');", "embedder.embedOne"),
        ("return reranker.score('pod', []);", "reranker.score"),
    ],
)
def test_a_member_that_the_adapter_lacks_is_out_of_reach(tmp_path: Path, body: str, member: str) -> None:
    """The SDK catches the error and answers, and the adapter still names the member."""
    [reply] = asked(tmp_path, body, search())
    assert outcome(reply) == f"the SDK uses `{member}`, which the adapter does not offer"


@pytest.mark.parametrize(
    ("body", "member"),
    [
        ("return index.searchBM25Compiled({ match: 'pod' });", "index.searchBM25Compiled"),
        ("return index.searchVector([1, 0], { limit: 3 });", "index.searchVector"),
        ("return await embedder.embed('pod');", "embedder.embed"),
        ("return await reranker.rerank('pod', ['a text']);", "reranker.rerank"),
    ],
)
def test_a_call_with_other_arguments_is_out_of_reach(tmp_path: Path, body: str, member: str) -> None:
    """A part that moved keeps its name and takes other arguments: no failure of the SDK."""
    [reply] = asked(tmp_path, body, search())
    assert outcome(reply).startswith(f"the SDK calls `{member}` in a way that the adapter does not understand: ")


@pytest.mark.parametrize(
    "body",
    [
        FOUND,
        f"await index; {FOUND}",
        f"if ('searchChunks' in index) throw new Error(); {FOUND}",
        f"if (!(await reranker.isAvailable()) || embedder.dimension() !== 2) throw new Error(); {FOUND}",
        "return index.searchBM25('pod', 10).map(({ chunk }) => ({ ...chunk, score: 1 }));",
    ],
)
def test_what_the_adapter_offers_is_answered(tmp_path: Path, body: str) -> None:
    """The index of an earlier revision, members of the SDK's own interfaces, and tests that no part can fail."""
    [reply] = asked(tmp_path, body, search())
    assert [found["id"] for found in outcome(reply)["results"]] == ["a"]
    assert outcome(reply)["calls"] == [{"to": "bm25", "match": "pod", "limit": 10}]


def test_a_query_that_was_not_compiled_is_out_of_reach(tmp_path: Path) -> None:
    """`searchBM25` also takes plain text, which is no MATCH expression."""
    [reply] = asked(tmp_path, "return index.searchBM25(request.query, 10);", search())
    assert "with the query as it came" in outcome(reply)


def test_a_scripted_failure_reaches_the_sdk(tmp_path: Path) -> None:
    """A failure that the request scripts is the SDK's to handle."""
    [reply] = asked(tmp_path, FOUND, search(index={"script": {}, "fails": True}))
    assert outcome(reply)["trace"]["errorStage"] == "bm25"


def test_a_question_date_needs_an_sdk_that_reads_it(tmp_path: Path) -> None:
    """Earlier revisions ignore the member, which is no answer to the request."""
    dated = search(request={"query": "pods", "questionDate": "2026-01-02"})
    (tmp_path / "ignored").mkdir()
    (tmp_path / "read").mkdir()
    [ignored] = asked(tmp_path / "ignored", FOUND, dated)
    assert outcome(ignored) == "the SDK does not read the search request's `questionDate`"
    [read] = asked(tmp_path / "read", f"if (request.questionDate !== '2026-01-02') throw new Error(); {FOUND}", dated)
    assert [found["id"] for found in outcome(read)["results"]] == ["a"]


def test_metadata_reaches_the_sdk(tmp_path: Path) -> None:
    """The metadata of a chunk reaches the SDK from the index and the vector hits, and no answer has it."""
    body = """
      const [{ chunk }] = [...index.searchBM25Compiled('pod', 1), ...index.searchVector([1, 0], 1)].slice(%d);
      return [{ ...chunk, title: chunk.metadata.superseded_by, score: 1 }];
    """
    for place in (0, 1):
        folder = tmp_path / str(place)
        folder.mkdir()
        chunks = [note("a", metadata={"superseded_by": f"new {n}"}) for n in range(2)]
        request = search(
            index={"script": {}, "otherwise": chunks[:1]}, vector={"hits": [{**chunks[1], "similarity": 0.5}]}
        )
        [reply] = asked(folder, body % place, request)
        [found] = outcome(reply)["results"]
        assert (found["title"], "metadata" in found) == (f"new {place}", False)


def test_traces_of_the_observation_are_no_part_of_a_reweighted_list(tmp_path: Path) -> None:
    """An SDK that ranks vector hits too reports ranks, which the adapter declares unobservable."""
    results = [{**note("a"), "score": 1 / 61, "bm25Rank": 0}, {**note("user-fact-b"), "score": 1 / 64, "bm25Rank": 1}]
    [reply] = asked(
        tmp_path, WEIGHTED % "/did i/.test(text)", ("intent.reweight", {"query": "how many", "results": results})
    )
    assert [(found["id"], found["score"]) for found in outcome(reply)["results"]] == [
        ("user-fact-b", 2.2 / 64),
        ("a", 1 / 61),
    ]
    assert [set(found) for found in outcome(reply)["results"]] == [
        {"id", "path", "title", "summary", "content", "score"}
    ] * 2


MATCHES = {
    ("ENUMERATION_OR_TOTAL_QUERY_RE", "how many"): True,
    ("ENUMERATION_OR_TOTAL_QUERY_RE", "did i watched"): False,
    ("FIRST_PERSON_FACT_LOOKUP_RE", "Did I"): True,
    ("FIRST_PERSON_FACT_LOOKUP_RE", "i did"): False,
    ("FIRST_PERSON_FACT_LOOKUP_RE", "how many"): (
        "the text is a concrete-fact query by itself, whether this pattern matches or not"
    ),
    ("FACT_LOOKUP_VERB_RE", "bought"): True,
    ("FACT_LOOKUP_VERB_RE", "boughts"): False,
    ("DATE_TAG_RE", "[date:"): True,
    ("DATE_TAG_RE", "date:"): False,
    ("DATE_TAG_RE", "I bought"): "the note is a concrete fact without its square brackets too",
    ("ATOMIC_EVENT_NOTE_RE", "I bought"): True,
    ("ATOMIC_EVENT_NOTE_RE", "[date: I bought"): True,
    ("ATOMIC_EVENT_NOTE_RE", "[date:"): False,
    ("ATOMIC_EVENT_NOTE_RE", "boo\u212aed"): (
        "the SDK lowercases the text before it matches, which changes more than ASCII letters here"
    ),
}


def test_a_pattern_shows_in_a_request_that_hangs_on_it_alone(tmp_path: Path) -> None:
    """Each pattern has a value for the texts that it alone decides, and a reason for the others."""
    requests = [("intent.matches", {"pattern": pattern, "text": text}) for pattern, text in MATCHES]
    replies = map(outcome, asked(tmp_path, WEIGHTED % "/\\bdid i\\b/.test(text)", *requests))
    found = [reply["matches"] if isinstance(reply, dict) else reply for reply in replies]
    assert dict(zip(MATCHES, found, strict=True)) == MATCHES


def test_an_sdk_without_the_first_person_rule_shows_no_verb(tmp_path: Path) -> None:
    """The request that completes a pattern is tried first with a text that every pattern accepts."""
    requests = [("intent.matches", {"pattern": "FACT_LOOKUP_VERB_RE", "text": "bought"})]
    [reply] = asked(tmp_path, WEIGHTED % "false", *requests)
    assert outcome(reply) == "the SDK does not detect a concrete-fact query by a first-person form and a verb"
