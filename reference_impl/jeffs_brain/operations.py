"""Operations of the Jeffs Brain retrieval specification: the tables of its two documents, joined."""

from typing import Final

from ..operation import Operation
from . import algorithm_operations, dsl_operations

OPERATIONS: Final[dict[str, Operation]] = dsl_operations.OPERATIONS | algorithm_operations.OPERATIONS
