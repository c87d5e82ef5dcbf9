"""What every system's table of operations holds: functions on JSON objects."""

from collections.abc import Callable
from typing import Any

from reference_impl.observer import Observer

# request, observe -> answer. The request fits its schema.
Operation = Callable[[dict[str, Any], Observer], dict[str, Any]]
