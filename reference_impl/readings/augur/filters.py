"""Other readings of the values in a filter, ``adapters``."""

import json

from ...augur.filters import FiltersDecisions

ACTS_ON = ("augur.search",)


class IsSameJson(FiltersDecisions, reading="RUL-AUGUR-20=b"):
    def is_same_value(self, wanted: object, found: object) -> bool:
        """Arrays and objects are compared by their content; true is not 1, at any depth."""
        if isinstance(wanted, dict) and isinstance(found, dict):
            return wanted.keys() == found.keys() and all(
                self.is_same_value(wanted[name], found[name]) for name in wanted
            )
        if isinstance(wanted, list) and isinstance(found, list):
            return len(wanted) == len(found) and all(map(self.is_same_value, wanted, found))
        return isinstance(wanted, bool) == isinstance(found, bool) and wanted == found


class HasSameText(FiltersDecisions, reading="RUL-AUGUR-20=c"):
    def is_same_value(self, wanted: object, found: object) -> bool:
        """The texts of two primitives are compared; null, arrays and objects match nothing."""
        primitives = isinstance(wanted, str | int | float) and isinstance(found, str | int | float)
        return primitives and _text(wanted) == _text(found)


def _text(value: object) -> str:
    """JavaScript's ``String(value)`` of a text, a boolean or a number of a usual size."""
    if isinstance(value, str):
        return value
    return json.dumps(int(value) if isinstance(value, float) and value.is_integer() else value)
