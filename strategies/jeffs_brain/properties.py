"""Properties that the documents of Jeffs Brain imply."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ..common.property import Property
from . import algorithm_properties, query_properties

properties: Final[Sequence[Property]] = (*query_properties.PROPERTIES.found, *algorithm_properties.PROPERTIES.found)
"""Every property, in the order of the documents."""
