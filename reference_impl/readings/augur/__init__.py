"""Other readings of the Augur rulings: one module for each module of the main text.

``UNSHOWN`` names the readings that no answer shows, each with the reason.
"""

from typing import Final

UNSHOWN: Final[dict[str, str]] = {}
