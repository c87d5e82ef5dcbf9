"""Other readings of the order of paths, which the algorithms document uses to break ties."""

import unicodedata

from ...javascript import strings
from ...jeffs_brain.candidates import CandidatesDecisions

ACTS_ON = ("fusion.rrf", "trigram.search", "retrieval.search")


class ByCodePoints(CandidatesDecisions, reading="RUL-B44=b"):
    def path_order(self, path: str) -> str:
        """Paths are compared by code points."""
        return path


class ByDictionary(CandidatesDecisions, reading="RUL-B44=c"):
    def path_order(self, path: str) -> tuple[str, bytes]:
        """Paths are compared as in a dictionary: letters and numbers first, without accents and case."""
        letters = unicodedata.normalize("NFKD", path).casefold()
        return "".join(filter(str.isalnum, letters)), strings.sort_key(path)
