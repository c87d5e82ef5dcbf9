"""Adapters that answer next to nothing: their exit status and their badge, over a part of the shipped corpus."""

from __future__ import annotations

import json
import re
import shlex
import sys
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

_ADAPTER = """\
import json, sys
operations, answer, hidden = map(json.loads, sys.argv[1:])
for line in sys.stdin:
    message = json.loads(line)
    own = {"name": "lazy", "version": "1", "language": "Python"}
    offer = {"operations": operations, "unobservable": hidden}
    known = {"initialize": {"protocolVersion": 1, "implementation": own, **offer}, "shutdown": {}}
    value = known.get(message["method"], answer)
    refusal = {"code": -32001, "message": "no", "data": {"reason": "too lazy"}}
    reply = {"error": refusal} if value is None else {"result": value}
    print(json.dumps({"jsonrpc": "2.0", "id": message["id"], **reply}), flush=True)
    if message["method"] == "shutdown":
        break
"""


@pytest.fixture
def lazy(run_parity: Any, tmp_path: Path) -> Any:
    """Runs an adapter with these operations, one constant answer (None: it refuses) and `hidden` paths; the status and the
    badge."""
    script, record, badge = tmp_path / "lazy.py", tmp_path / "run.jsonl", tmp_path / "badge.json"
    script.write_text(_ADAPTER, "utf-8")

    def run(operations: list[str], answer: Any, *more: str, hidden: Any = MappingProxyType({})) -> tuple[int, Any, str]:
        arguments = map(json.dumps, (operations, answer, {**hidden}))
        command = shlex.join([sys.executable, str(script), *arguments])
        done = run_parity("run", "-v", "--adapter", f"lazy={command}", "--record", record, *more)
        run_parity("report", record, "--badge", badge)
        return done.returncode, json.loads(badge.read_text("utf-8")), " ".join(done.stdout.split())

    return run


LISTS = ("--select", "operation:stopwords.list", "--select", "operation:rerank.unanimity")


def test_no_operations_at_all(lazy: Any) -> None:
    """An adapter with an empty list of operations has the status of one that cannot start."""
    status, badge, text = lazy([], {}, *LISTS)
    assert (status, badge["color"]) == (3, "critical")
    assert "lazy offers no operation." in text


def test_refuses_everything(lazy: Any) -> None:
    """An operation whose every case is refused is not offered."""
    status, badge, text = lazy(["stopwords.list", "rerank.unanimity"], None, *LISTS)
    assert (status, badge["message"]) == (1, "incomplete")
    assert "lazy supports none of the" in text


@pytest.mark.slow
def test_one_trivial_operation(lazy: Any) -> None:
    """A run over few cases is measured by all cases of the system, so its badge is incomplete."""
    status, badge, text = lazy(["rerank.unanimity"], {"shortcut": None}, "--system", "jeffs_brain", *LISTS)
    assert status == 1
    assert badge["color"] == "red"
    assert badge["message"].startswith("lazy incomplete: ")
    assert re.search(r"not completed \(0 of [\d,]+ answered", text)


@pytest.mark.slow
def test_profile(lazy: Any) -> None:
    """`--profile` limits the run, and the record keeps it as a part of the selection."""
    status, badge, text = lazy(["query.normalise"], {"text": ""}, "--profile", "query-dsl", "--system", "jeffs_brain")
    assert status == 1
    assert "profiles of lazy: query-dsl failed (" in text
    assert re.search(r"incomplete: [\d,]+ of [\d,]+", badge["message"])


@pytest.mark.slow
def test_a_constant_answer_beside_hidden_places(lazy: Any) -> None:
    """An adapter that hides most of an answer passes each case, and passes no profile and gets no green badge."""
    hidden = {"retrieval.search": ["/results", "/trace", "/calls"]}
    chosen = ("--profile", "retrieval", "--system", "jeffs_brain")
    status, badge, text = lazy(["retrieval.search"], {"timed": ["bm25", "vector"]}, *chosen, hidden=hidden)
    assert (status, badge["color"]) == (0, "lightgrey")
    assert re.search(r"profiles of lazy: retrieval not completed \(observed \d(\.\d)?%\)", text)
    assert re.search(r"retrieval.search 100% \(a constant answer passes \d+(\.\d)?%, observed \d(\.\d)?%\)", text)
    assert re.search(r"lazy 100% of \d+ cases do not fail, observed \d(\.\d)?%", badge["message"])


def test_an_unknown_profile(run_parity: Any) -> None:
    """The message lists the profiles of the corpus."""
    done = run_parity("cases", "--profile", "dancing")
    assert done.returncode == 2
    assert "Use one of: all, query-dsl, temporal, algorithms, retrieval" in done.stderr
