"""``fingerprint.ts``: a short cache key for a list of documents."""

import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from ..decisions import Decisions, decided

# FNV-1a, 32 bits.
BASIS: Final = 0x811C9DC5
PRIME: Final = 0x01000193

FIELD_END: Final = 0x00
RECORD_END: Final = 0xFF
DIGITS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True, slots=True)
class Document:
    """A document of a request."""

    id: str
    content: str
    metadata: Mapping[str, object] = field(default_factory=dict)


def fingerprint_docs(documents: Sequence[Document]) -> str:
    """``<count>:<hash in base 36>`` over every id and content, in order. ``fingerprint.ts``."""
    found = BASIS
    for unit in _units(decided(FingerprintDecisions).documents_of_key(documents)):
        found = (found ^ unit) * PRIME % 2**32
    return f"{len(documents)}:{_base36(found)}"


def _units(documents: Sequence[Document]) -> Iterator[int]:
    """The UTF-16 code units of all documents, with a separator after each id and after each document."""
    rule = decided(FingerprintDecisions)
    for document in documents:
        *before, last = rule.fields_of_key(document)
        for text in before:
            yield from rule.units_of_text(text)
            yield FIELD_END
        yield from rule.units_of_text(last)
        yield RECORD_END


def _base36(number: int) -> str:
    head, last = divmod(number, len(DIGITS))
    return (_base36(head) if head else "") + DIGITS[last]


class FingerprintDecisions(Decisions):
    """What the key of an ad-hoc search leaves open, as adopted."""

    def documents_of_key(self, documents: Sequence[Document]) -> Sequence[Document]:
        """RUL-AUGUR-18: the order of the documents matters."""
        return documents

    def fields_of_key(self, document: Document) -> tuple[str, ...]:
        """RUL-AUGUR-09: id and content enter the key; metadata does not."""
        return document.id, document.content

    def units_of_text(self, text: str) -> Sequence[int]:
        """RUL-AUGUR-19: the UTF-16 code units of a text; a separator among them is not escaped."""
        units = text.encode("utf-16-le", "surrogatepass")
        return struct.unpack(f"<{len(units) // 2}H", units)
