"""Other readings of ``signals.ts``, computeSignals."""

import re
from typing import Final

from ...augur.signals import SignalsDecisions

ACTS_ON = ("augur.*",)

_HEXADECIMAL: Final = re.compile(r"0[xX][0-9a-fA-F]+")
_SNAKE_CASE: Final = re.compile(r"\b[A-Za-z]+(_[A-Za-z0-9]+)+\b", re.ASCII)
_CALL: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\(")


class ContainsSnakeCase(SignalsDecisions, reading="RUL-AUGUR-11=b"):
    def is_snake_case(self, bare: str) -> bool:
        """The name, letters and the segments after them, can be anywhere in the word."""
        return _SNAKE_CASE.search(bare) is not None

    def is_call(self, bare: str) -> bool:
        """The call can be anywhere in the word."""
        return _CALL.search(bare) is not None


class WithEitherX(SignalsDecisions, reading="RUL-AUGUR-14=b"):
    def is_hexadecimal(self, word: str) -> bool:
        """Both x and X introduce a hexadecimal number."""
        return _HEXADECIMAL.fullmatch(word) is not None
