"""Regular expressions of schemas, matched in time linear in the text. Pure.

The engine is the one of jsonschema-rs (the `regex` crate): it has no look-around and no backreference, so no expression can
take exponential time. Python's `re` needs more than an hour for `(a+)+$` and 40 letters.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from ..model import Json, JsonObject

if TYPE_CHECKING:
    import jsonschema_rs

_SURROGATE = re.compile("[\ud800-\udfff]")


@cache
def engine() -> jsonschema_rs.RegexOptions:
    """The engine, for every compiled schema."""
    import jsonschema_rs

    return jsonschema_rs.RegexOptions()


def is_linear(pattern: str) -> bool:
    """Whether the engine accepts the expression."""
    return _compiled(pattern) is not None


def contains(pattern: str, text: str) -> bool:
    """Whether `text` has a match anywhere; false for an expression that `is_linear` refuses. A lone surrogate counts as
    U+FFFD."""
    compiled = _compiled(pattern)
    return compiled is not None and compiled.is_valid(_SURROGATE.sub("\ufffd", text))


@lru_cache(maxsize=1000)
def _compiled(pattern: str) -> jsonschema_rs.Draft202012Validator | None:
    import jsonschema_rs

    try:
        return jsonschema_rs.Draft202012Validator({"pattern": pattern}, pattern_options=engine())
    except (ValueError, UnicodeEncodeError):
        return None


def extra_members(value: JsonObject, schema: JsonObject) -> list[str]:
    """The members of `value` that neither `properties` nor `patternProperties` of `schema` names, in their order."""
    named, patterns = _table(schema.get("properties")), list(_table(schema.get("patternProperties")))
    return [name for name in value if name not in named and not any(contains(pattern, name) for pattern in patterns)]


def _table(value: Json) -> JsonObject:
    return value if isinstance(value, dict) else {}
