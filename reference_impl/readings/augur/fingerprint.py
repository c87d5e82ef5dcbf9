"""Other readings of ``fingerprint.ts``."""

import json
from collections.abc import Callable, Sequence
from typing import Final

from ...augur import fingerprint
from ...augur.fingerprint import Document
from ...switches import Switches

SWITCHES = Switches("augur.fingerprintDocs", "augur.sameFingerprint", "augur.searchAdHoc")

_ESCAPE: Final = 0x01


@SWITCHES.reading("RUL-AUGUR-09", "b", fingerprint.fields_of_key)
def fields_with_metadata(document: Document) -> tuple[str, ...]:
    """Metadata is part of the key."""
    metadata = [json.dumps(document.metadata, sort_keys=True)] if document.metadata else []
    return document.id, document.content, *metadata


@SWITCHES.reading("RUL-AUGUR-18", "b", fingerprint.documents_of_key)
def sorted_documents(documents: Sequence[Document]) -> Sequence[Document]:
    """The order of the documents does not matter."""
    return sorted(documents, key=fingerprint.fields_of_key)


@SWITCHES.reading("RUL-AUGUR-19", "b", fingerprint.units_of_text, wraps=True)
def escaped_units(current: Callable[[str], Sequence[int]], text: str) -> Sequence[int]:
    """The unit 1 comes before each separator in a text, and before itself."""
    marks = {_ESCAPE, fingerprint.FIELD_END, fingerprint.RECORD_END}
    return [part for unit in current(text) for part in ([_ESCAPE, unit] if unit in marks else [unit])]
