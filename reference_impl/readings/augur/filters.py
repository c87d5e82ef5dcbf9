"""Other readings of the values in a filter, ``adapters``."""

import json

from ...augur import filters
from ...switches import Switches

SWITCHES = Switches("augur.search")


@SWITCHES.reading("RUL-AUGUR-20", "b", filters.is_same_value)
def is_same_json(wanted: object, found: object) -> bool:
    """Arrays and objects are compared by their content; true is not 1, at any depth."""
    if isinstance(wanted, dict) and isinstance(found, dict):
        return wanted.keys() == found.keys() and all(is_same_json(wanted[name], found[name]) for name in wanted)
    if isinstance(wanted, list) and isinstance(found, list):
        return len(wanted) == len(found) and all(map(is_same_json, wanted, found))
    return isinstance(wanted, bool) == isinstance(found, bool) and wanted == found


@SWITCHES.reading("RUL-AUGUR-20", "c", filters.is_same_value)
def has_same_text(wanted: object, found: object) -> bool:
    """The texts of two primitives are compared; null, arrays and objects match nothing."""
    primitives = isinstance(wanted, str | int | float) and isinstance(found, str | int | float)
    return primitives and _text(wanted) == _text(found)


def _text(value: object) -> str:
    """JavaScript's ``String(value)`` of a text, a boolean or a number of a usual size."""
    if isinstance(value, str):
        return value
    return json.dumps(int(value) if isinstance(value, float) and value.is_integer() else value)
