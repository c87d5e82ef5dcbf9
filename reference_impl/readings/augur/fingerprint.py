"""Other readings of ``fingerprint.ts``."""

import json
from collections.abc import Sequence

from ...augur import fingerprint
from ...augur.fingerprint import Document
from ...switches import Switches

SWITCHES = Switches()


@SWITCHES.reading("RUL-AUGUR-09", "b", fingerprint.fields_of_key)
def fields_with_metadata(document: Document) -> tuple[str, ...]:
    """Metadata is part of the key."""
    metadata = [json.dumps(document.metadata, sort_keys=True)] if document.metadata else []
    return document.id, document.content, *metadata


@SWITCHES.reading("RUL-AUGUR-18", "b", fingerprint.documents_of_key)
def sorted_documents(documents: Sequence[Document]) -> Sequence[Document]:
    """The order of the documents does not matter."""
    return sorted(documents, key=fingerprint.fields_of_key)
