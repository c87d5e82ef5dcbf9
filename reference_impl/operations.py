"""Every operation of every system that the reference implements, by its wire name."""

from typing import Final

from reference_impl.augur import operations as augur
from reference_impl.jeffs_brain import operations as jeffs_brain
from reference_impl.nexus import operations as nexus
from reference_impl.operation import Operation
from reference_impl.tideline import operations as tideline

# System (the name of its schema folder) -> its operations by name.
SYSTEMS: Final[dict[str, dict[str, Operation]]] = {
    "jeffs_brain": jeffs_brain.OPERATIONS,
    "nexus": nexus.OPERATIONS,
    "tideline": tideline.OPERATIONS,
    "augur": augur.OPERATIONS,
}
