"""Other readings of the Jeffs Brain rulings: one module for each module of the main text.

``UNSHOWN`` names the readings that no answer shows, each with the reason.
"""

from typing import Final

UNSHOWN: Final[dict[str, str]] = {
    "RUL-B75=b": "It permits additions and requires none: the answer without additions follows it too.",
}
