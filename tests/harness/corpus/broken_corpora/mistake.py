"""One mistake in the small corpus, and the problem that it has to give."""

from __future__ import annotations

from dataclasses import dataclass

from toy_corpus import TEXTS

MARK = "¶"


@dataclass(frozen=True)
class Broken:
    """One mistake: in `file`, `old` (or all text, if `old` is empty) becomes `new`. `code` and the marked line, or `place`,
    are the code and the place of the expected problem."""

    name: str
    file: str
    old: str
    new: str | bytes
    code: str
    place: str = ""

    def content(self) -> bytes:
        """The bytes of the file with the mistake."""
        return self._marked().replace(MARK.encode(), b"")

    def expected_place(self) -> str:
        """The place that the problem has to have."""
        marked = self._marked()
        return self.place or f"{self.file}:{marked[: marked.index(MARK.encode())].count(10) + 1}"

    def _marked(self) -> bytes:
        if not self.old:
            return self.new if isinstance(self.new, bytes) else self.new.encode()
        before = TEXTS[self.file]
        if before.count(self.old) != 1:
            raise ValueError(f"{self.name}: the text to change stands {before.count(self.old)} times in {self.file}")
        return before.replace(self.old, str(self.new)).encode()
