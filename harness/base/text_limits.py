"""How many characters of a text that parity did not write a message or a report shows; `…` stands for the rest."""

from __future__ import annotations

from typing import Final

MAX_WORD: Final = 60
"""A name or a value among several of one line."""

MAX_SIDE: Final = 120
"""A side of a difference, beside the other one."""

MAX_VALUE: Final = 160
"""A value on a line of its own, an answer of a repeated run, a line of a stack trace."""

MAX_STATEMENT: Final = 300
"""A statement of the specification, a title, a reason beside other facts."""

MAX_NAME: Final = 400
"""A case, a path, a message, a reason, a note."""

MAX_TEXT: Final = 1_000
"""A text that is the only content of its line."""

MAX_OUTPUT: Final = 2_000
"""The end of what an adapter wrote to standard error."""

MAX_PROSE: Final = 4_000
"""A paragraph of a page."""

MAX_COMPARED: Final = 1_000_000
"""A value in which the first difference is searched for; what is shown is cut afterwards."""
