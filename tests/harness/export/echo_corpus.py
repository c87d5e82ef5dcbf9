"""A corpus whose requests contain the answer that a stand-in gives, so that every comparison rule is tried in every
language. Cases below `echo/accepted` pass, those below `echo/refused` fail."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

ULP = 2.0**-52

RULES = {
    "type": "object",
    "properties": {
        "close": {"type": "number", "x-tolerance": {"absolute": 0.25, "reason": "rounding"}},
        "score": {"type": "number", "x-tolerance": {"ulps": 2, "reason": "rounding"}},
        "set": {"type": "array", "x-unordered": True},
        "label": {"x-ignored": True},
        "rank": {"x-compared": "if-expected"},
        "hits": {"type": "array", "items": {"type": "object", "properties": {"id": {}, "text": {}, "score": {}}}},
        "any": {},
    },
}

ACCEPTED: dict[str, tuple[Any, Any]] = {
    "equal": ({"any": [1, "a", None, True, {"b": []}]}, {"any": [1, "a", None, True, {"b": []}]}),
    "within-absolute": ({"close": 1.0}, {"close": 1.25}),
    "within-ulps": ({"score": 1.0}, {"score": 1.0 + 2 * ULP}),
    "within-ulps-of-a-negative-number": ({"score": -2.0}, {"score": -2.0 - 4 * ULP}),
    "zero-is-minus-zero": ({"score": 0.0}, {"score": -0.0}),
    "integer-is-float": ({"any": 1}, {"any": 1.0}),
    "other-order": ({"set": ["a", "b", "b"]}, {"set": ["b", "a", "b"]}),
    "ignored": ({"label": "a"}, {"label": "b"}),
    "ignored-and-absent": ({"label": "a"}, {}),
    "not-expected": ({}, {"rank": 3}),
    "beyond-ascii": ({"any": "Größe\u00a0\U0001f600"}, {"any": "Größe\u00a0\U0001f600"}),
}
"""By name: the expected answer and the given one."""

REFUSED: dict[str, tuple[Any, Any]] = {
    "beyond-absolute": ({"close": 1.0}, {"close": 1.2500000001}),
    "beyond-ulps": ({"score": 1.0}, {"score": 1.0 + 3 * ULP}),
    "other-sign": ({"score": 1.0}, {"score": -1.0}),
    "true-is-not-one": ({"any": 1}, {"any": True}),
    "null-is-not-absent": ({"any": None}, {}),
    "other-count": ({"set": ["a", "b", "b"]}, {"set": ["b", "a", "a"]}),
    "longer": ({"set": ["a"]}, {"set": ["a", "a"]}),
    "order": ({"any": ["a", "b"]}, {"any": ["b", "a"]}),
    "absent": ({"close": 1.0}, {}),
    "surplus": ({}, {"any": 1}),
    "expected-rank": ({"rank": 1}, {"rank": 2}),
    "text-is-not-a-number": ({"any": "1"}, {"any": 1}),
}


def write_corpus(root: Path) -> Path:
    """Writes the corpus below `root`."""
    answers = {"accepted": ACCEPTED, "refused": REFUSED}
    for outcome, pairs in answers.items():
        cases = [_case(name, {"reply": got}, answer=wanted) for name, (wanted, got) in pairs.items()]
        if outcome == "accepted":
            cases += [
                _case("error", {"error": "not-found"}, error={"type": "not-found"}),
                _disputed("other-reading", {"reply": {"any": "b"}}, {"answer": {"any": "b"}}),
                _disputed("free", {"reply": {"any": 7}}, {"answer": {"any": 1}, "any": ["/any"]}),
                _disputed(
                    "free-in-each-element",
                    {"reply": {"hits": [{"id": 1, "text": "x"}, {"id": 2, "text": "y"}]}},
                    {"answer": {"hits": [{"id": 1, "text": "?"}, {"id": 2}]}, "any": ["/hits/*/text"]},
                ),
                _disputed(
                    "part-of-each-text",
                    {"reply": {"hits": [{"id": 1, "text": "A\tZEBRA\U0001f993"}, {"id": 2, "text": "xy"}]}},
                    _parts(["b", "a zebra"], ["y"]),
                ),
            ]
        else:
            cases += [
                _case("other-error", {"error": "not-found"}, error={"type": "gone"}),
                _case("error-for-an-answer", {"error": "gone"}, answer={}),
                _case("answer-for-an-error", {"reply": {}}, error={"type": "gone"}),
                _disputed("no-reading", {"reply": {"any": "c"}}, {"answer": {"any": "b"}}),
                _disputed(
                    "beside-a-free-place",
                    {"reply": {"hits": [{"id": 2, "text": "x"}]}},
                    {"answer": {"hits": [{"id": 1, "text": "?"}]}, "any": ["/hits/*/text"]},
                ),
                _disputed(
                    "no-part-of-a-text",
                    {"reply": {"hits": [{"id": 1, "text": "zebra"}, {"id": 2, "text": "ape"}]}},
                    _parts(["zebra", "yak"], ["zebra", "yak"]),
                ),
                _disputed("no-text", {"reply": {"hits": [{"id": 1}, {"id": 2}]}}, _parts(["zebra"], ["zebra"])),
            ]
        _write(
            root / f"cases/echo/{outcome}.yaml", {"suite": f"echo/{outcome}", "operation": "echo.say", "cases": cases}
        )
    elsewhere = _case("elsewhere", {"reply": {}}, answer={"any": 1}) | {"environment": {"TZ": "Asia/Tokyo"}}
    skipped = [_case("unsupported", {"unsupported": True}, answer={}), elsewhere]
    _write(root / "cases/echo/skipped.yaml", {"suite": "echo/skipped", "operation": "echo.say", "cases": skipped})
    _write(root / "cases/echo/requirements.yaml", {"system": "echo", "revision": "1.0", "requirements": [REQUIREMENT]})
    _write(root / "cases/echo/rulings.yaml", {"system": "echo", "revision": "1.0", "rulings": [RULING]})
    request = {"type": "object"}
    parts = {"request": request, "answer": RULES, "error": {"enum": ["not-found", "gone", "unclassified"]}}
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Say", "$defs": parts}
    _write(root / "schemas/echo/echo.say.json", schema)
    return root


REQUIREMENT = {
    "id": "ECHO-01",
    "level": "MUST",
    "document": "echo",
    "section": "Echo",
    "statement": "The reply comes back.",
    "observable": True,
}
RULING = {
    "id": "RUL-01",
    "title": "Which reply",
    "requirements": ["ECHO-01"],
    "question": "The text names two.",
    "readings": {"a": "The first.", "b": "The second."},
    "adopted": "a",
    "basis": "prose",
    "why": "It comes first.",
    "severity": "low",
    "text": "leaves-room",
    "evidence": ["echo/accepted/other-reading"],
    "wording": "Name one.",
}


def _case(name: str, request: Any, **expected: Any) -> dict[str, Any]:
    return {"id": name, "requirements": ["ECHO-01"], "origin": "spec-text", "request": request, **expected}


def _disputed(name: str, request: Any, other: Any) -> dict[str, Any]:
    readings = {"a": {"answer": {"any": "a"}}, "b": other}
    return _case(name, request, disputed={"ruling": "RUL-01", "adopted": "a", "readings": readings})


def _parts(*texts: list[str]) -> Any:
    """A reading with hits of whose texts only a part is compared."""
    return {"answer": {"hits": [{"id": at, "text": {"$contains": each}} for at, each in enumerate(texts, 1)]}}


def _write(path: Path, value: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, ensure_ascii=False), "utf-8")
