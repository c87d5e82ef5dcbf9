"""Other readings of the order of paths, which the algorithms document uses to break ties."""

import unicodedata

from ...javascript import strings
from ...jeffs_brain import candidates
from ...switches import Switches

SWITCHES = Switches("fusion.rrf", "trigram.search", "retrieval.search")


@SWITCHES.reading("RUL-B44", "b", candidates.path_order)
def by_code_points(path: str) -> str:
    """Paths are compared by code points."""
    return path


@SWITCHES.reading("RUL-B44", "c", candidates.path_order)
def by_dictionary(path: str) -> tuple[str, bytes]:
    """Paths are compared as in a dictionary: letters and numbers first, without accents and case."""
    letters = unicodedata.normalize("NFKD", path).casefold()
    return "".join(filter(str.isalnum, letters)), strings.sort_key(path)
