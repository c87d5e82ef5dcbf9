"""Other readings of ``fingerprint.ts``."""

import json
from collections.abc import Sequence
from typing import Final

from ...augur import fingerprint
from ...augur.fingerprint import Document, FingerprintDecisions

ACTS_ON = ("augur.fingerprintDocs", "augur.sameFingerprint", "augur.searchAdHoc")

_ESCAPE: Final = 0x01


class FieldsWithMetadata(FingerprintDecisions, reading="RUL-AUGUR-09=b"):
    """Metadata is part of the key."""

    def fields_of_key(self, document: Document) -> tuple[str, ...]:
        metadata = [json.dumps(document.metadata, sort_keys=True)] if document.metadata else []
        return document.id, document.content, *metadata


class SortedDocuments(FingerprintDecisions, reading="RUL-AUGUR-18=b"):
    """The order of the documents does not matter."""

    def documents_of_key(self, documents: Sequence[Document]) -> Sequence[Document]:
        return sorted(documents, key=self.fields_of_key)


class EscapedUnits(FingerprintDecisions, reading="RUL-AUGUR-19=b"):
    """The unit 1 comes before each separator in a text, and before itself."""

    def units_of_text(self, text: str) -> Sequence[int]:
        marks = {_ESCAPE, fingerprint.FIELD_END, fingerprint.RECORD_END}
        return [part for unit in super().units_of_text(text) for part in ([_ESCAPE, unit] if unit in marks else [unit])]
