"""Other readings of the Jeffs Brain rulings: one module for each module of the main text.

``UNSHOWN`` names the readings that no answer shows, each with the reason.
"""

from typing import Final

UNSHOWN: Final[dict[str, str]] = {
    "RUL-B27=b": "It permits every list of words, so it determines no answer.",
    "RUL-B74=b": "It permits every structure; an adapter converts each of them to the JSON of reading a.",
    "RUL-B71=b": "It is about the tolerance of a comparison: the answer of one order stays the same.",
    "RUL-B75=b": "It permits additions and requires none: the answer without additions follows it too.",
}
