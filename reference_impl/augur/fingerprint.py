"""``fingerprint.ts``: a short cache key for a list of documents."""

import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

# FNV-1a, 32 bits.
BASIS: Final = 0x811C9DC5
PRIME: Final = 0x01000193

FIELD_END: Final = 0x00
RECORD_END: Final = 0xFF
DIGITS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True, slots=True)
class Document:
    """The parts of a document that enter its key; metadata does not."""

    id: str
    content: str


def fingerprint_docs(documents: Sequence[Document]) -> str:
    """``<count>:<hash in base 36>`` over every id and content, in order. ``fingerprint.ts``."""
    found = BASIS
    for unit in _units(documents):
        found = (found ^ unit) * PRIME % 2**32
    return f"{len(documents)}:{_base36(found)}"


def _units(documents: Sequence[Document]) -> Iterator[int]:
    """The UTF-16 code units of all documents, with a separator after each id and after each document."""
    for document in documents:
        yield from _code_units(document.id)
        yield FIELD_END
        yield from _code_units(document.content)
        yield RECORD_END


def _code_units(text: str) -> tuple[int, ...]:
    units = text.encode("utf-16-le", "surrogatepass")
    return struct.unpack(f"<{len(units) // 2}H", units)


def _base36(number: int) -> str:
    head, last = divmod(number, len(DIGITS))
    return (_base36(head) if head else "") + DIGITS[last]
