"""Type of an operation: a function from the JSON object of a request to the JSON object of an answer."""

from collections.abc import Callable
from typing import Any

from .observer import Observer

# (request, observe) -> answer. The request is valid for its schema.
Operation = Callable[[dict[str, Any], Observer], dict[str, Any]]
