"""Other readings of the Jeffs Brain rulings: one module for each module of the main text.

``UNSHOWN`` names the readings that no answer shows, each with the reason.
"""

from typing import Final

UNSHOWN: Final[dict[str, str]] = {
    "RUL-B71=b": "It is about the tolerance of a comparison: the answer of one order stays the same.",
}
