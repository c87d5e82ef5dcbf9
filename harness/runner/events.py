"""The typed events of a run. Every listener (record, console, pytest) reads these values and no text."""

from __future__ import annotations

from typing import TypeAlias

from ..model import Implementation, Incident, Result
from .breaker import CircuitOpened
from .case_execution import AdapterBroke
from .stall import Stalled, TimeoutsCounted

Event: TypeAlias = Implementation | Result | Incident | AdapterBroke | CircuitOpened | Stalled | TimeoutsCounted
"""`Implementation`: an adapter answered `initialize`. `Result`: the one verdict on a case. `Incident`: a break that no
case explains. `AdapterBroke`: a break just now, before a case is blamed. `CircuitOpened`: many breaks in a row
withhold cases. The others report stalls."""
