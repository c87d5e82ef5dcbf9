"""Other readings of ``fingerprint.ts``."""

import json
from collections.abc import Sequence
from typing import Final

from ...augur import fingerprint
from ...augur.fingerprint import Document, FingerprintDecisions

ACTS_ON = ("augur.fingerprintDocs", "augur.sameFingerprint", "augur.searchAdHoc")

_ESCAPE: Final = 0x01


class FieldsWithMetadata(FingerprintDecisions, reading="RUL-AUGUR-09=b"):
    def fields_of_key(self, document: Document) -> tuple[str, ...]:
        """Metadata is part of the key."""
        metadata = [json.dumps(document.metadata, sort_keys=True)] if document.metadata else []
        return document.id, document.content, *metadata


class SortedDocuments(FingerprintDecisions, reading="RUL-AUGUR-18=b"):
    def documents_of_key(self, documents: Sequence[Document]) -> Sequence[Document]:
        """The order of the documents does not matter."""
        return sorted(documents, key=self.fields_of_key)


class EscapedUnits(FingerprintDecisions, reading="RUL-AUGUR-19=b"):
    def units_of_text(self, text: str) -> Sequence[int]:
        """The unit 1 comes before each separator in a text, and before itself."""
        marks = {_ESCAPE, fingerprint.FIELD_END, fingerprint.RECORD_END}
        return [part for unit in super().units_of_text(text) for part in ([_ESCAPE, unit] if unit in marks else [unit])]
