"""Operations of the Jeffs Brain retrieval specification: the tables of its two documents, joined."""

from typing import Final

from reference_impl.jeffs_brain import algorithm_operations, dsl_operations
from reference_impl.operation import Operation

OPERATIONS: Final[dict[str, Operation]] = dsl_operations.OPERATIONS | algorithm_operations.OPERATIONS
