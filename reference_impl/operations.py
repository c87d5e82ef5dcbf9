"""Every operation of every system that the reference implements, by its wire name."""

from typing import Final

from reference_impl.jeffs_brain import operations as jeffs_brain
from reference_impl.operation import Operation

# System (its folder of schemas) -> its operations.
SYSTEMS: Final[dict[str, dict[str, Operation]]] = {"jeffs_brain": jeffs_brain.OPERATIONS}
