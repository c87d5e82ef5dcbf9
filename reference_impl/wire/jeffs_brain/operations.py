"""Operations of the Jeffs Brain retrieval specification: the tables of its two documents, joined."""

from typing import Final

from ..operations import Operation
from . import algorithms, query_dsl

OPERATIONS: Final[dict[str, Operation]] = query_dsl.OPERATIONS | algorithms.OPERATIONS
