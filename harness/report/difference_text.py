"""What was wanted and what came → sentences on how they differ. DeepDiff finds the words; whether two values differ is
for `judging` alone to say."""

from __future__ import annotations

from typing import Any

from deepdiff import DeepDiff

from harness.compare.canonical import canonical_text
from harness.compare.json_diff import differences, member
from harness.model import EXACT, Json, JsonObject, Rules
from harness.report.text import parting, quoted

MAX_SHOWN = 50
"""Sentences, at most."""
_EASILY_SEEN = 40
"""Characters into a text at which a reader finds a difference unaided, if it is of ASCII."""
_WORDS = {bool: "true or false", int: "a number", float: "a number", str: "a text", list: "a list", dict: "an object"}


def sentences(wanted: Json, got: Json, rules: Rules) -> list[str]:
    """A sentence for each difference, at most `MAX_SHOWN` and one that counts the rest."""
    wanted, got = _comparable(wanted, got, rules)
    tree = DeepDiff(wanted, got, view="tree", threshold_to_diff_deeper=0)
    found = [
        (item.path(output_format="list"), kind, item.t1, item.t2) for kind, items in tree.items() for item in items
    ]
    found.sort(key=lambda one: [(isinstance(step, str), str(step).zfill(8)) for step in one[0]])
    words = [_sentence(_path(steps), kind, t1, t2) for steps, kind, t1, t2 in found]
    return words if len(words) <= MAX_SHOWN else [*words[:MAX_SHOWN], f"… and {len(words) - MAX_SHOWN} more."]


def _comparable(wanted: Json, got: Json, rules: Rules) -> tuple[Json, Json]:
    """Both values with nothing left to differ but what `judging` calls a difference."""
    if not any(True for _ in differences(wanted, got, rules)):
        return _plain(wanted), _plain(wanted)
    if isinstance(wanted, dict) and isinstance(got, dict):
        wanted, got = _compared(wanted, rules), _compared(got, rules)
        pairs = {
            key: _comparable(wanted[key], got[key], rules.properties.get(key, EXACT)) for key in wanted if key in got
        }
        left = {key: pairs[key][0] if key in pairs else _plain(wanted[key]) for key in wanted}
        return left, {key: pairs[key][1] if key in pairs else _plain(got[key]) for key in got}
    if isinstance(wanted, list) and isinstance(got, list):
        if rules.unordered:
            wanted, got = sorted(wanted, key=canonical_text), sorted(got, key=canonical_text)
        both = [_comparable(one, other, rules.items or EXACT) for one, other in zip(wanted, got, strict=False)]
        lefts, rights = [one for one, _ in both], [other for _, other in both]
        return lefts + [_plain(one) for one in wanted[len(both) :]], rights + [_plain(one) for one in got[len(both) :]]
    return _plain(wanted), _plain(got)


def _compared(value: JsonObject, rules: Rules) -> JsonObject:
    """The members that are compared at all."""
    return {key: item for key, item in value.items() if not rules.properties.get(key, EXACT).ignored}


def _plain(value: Json) -> Json:
    """The value with 1.0 as 1, since JSON has one kind of number and Python two."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return value


def _path(steps: list[Any]) -> str:
    return "$" + "".join(f"[{step}]" if isinstance(step, int) else member(step) for step in steps)


def _sentence(path: str, kind: str, wanted: Any, got: Any) -> str:
    if kind.endswith("_removed"):
        return f"{path} is missing: {quoted(wanted)} was wanted."
    if kind.endswith("_added"):
        return f"{path} is too much: {quoted(got)}."
    if kind == "type_changes":
        return f"{path} is {_kind(got)} instead of {_kind(wanted)}."
    return f"{path} is {quoted(got)} instead of {quoted(wanted)}. {parting(wanted, got, _EASILY_SEEN)}".rstrip()


def _kind(value: Any) -> str:
    return f"{quoted(value)} ({_WORDS[type(value)]})" if type(value) in _WORDS else "null"
