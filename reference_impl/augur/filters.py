"""``fusion.ts``, ``composeFilter``, and what a filter lets pass."""

from collections.abc import Mapping

Filter = Mapping[str, object]


def compose_filter(user_filter: Filter | None, auto_lang: str | None) -> Filter | None:
    """The caller's filter joined with the detected language; a key that the caller gave stays the caller's."""
    if not auto_lang:
        return user_filter
    return {"lang": auto_lang, **(user_filter or {})}


def passes(wanted: Filter | None, metadata: Filter) -> bool:
    """Whether the metadata has every key of the filter, with its value."""
    return all(name in metadata and metadata[name] == value for name, value in (wanted or {}).items())
