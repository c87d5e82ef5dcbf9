"""Metadata filters: ``composeFilter`` of ``fusion.ts``, and the test of an item against a filter."""

from collections.abc import Mapping

from ..decisions import Decisions, decided

Filter = Mapping[str, object]


def compose_filter(user_filter: Filter | None, auto_lang: str | None) -> Filter | None:
    """Adds the detected language to the caller's filter; the caller's own keys win. ``fusion.ts``, composeFilter."""
    if not auto_lang:
        return user_filter
    return {"lang": auto_lang, **(user_filter or {})}


def passes(wanted: Filter | None, metadata: Filter) -> bool:
    """Whether the metadata has every key of the filter with the same value. ``adapters``."""
    return all(
        name in metadata and decided(FiltersDecisions).is_same_value(value, metadata[name])
        for name, value in (wanted or {}).items()
    )


class FiltersDecisions(Decisions):
    """What `filters` leave open, as adopted."""

    def is_same_value(self, wanted: object, found: object) -> bool:
        """RUL-AUGUR-20: JavaScript's ``===``: true is not 1, and an array or object of the filter matches no value."""
        if isinstance(wanted, dict | list) or isinstance(wanted, bool) != isinstance(found, bool):
            return False
        return wanted == found
