"""A small made specification of a kettle, and requirements that are anchored in it."""

from __future__ import annotations

from pathlib import Path

from harness.corpus.anchors import anchor_of, reduced
from harness.corpus.specification_text import SpecificationText, read_text
from harness.model import Requirement

KETTLE = """\
---
title: Kettle
---

A kettle boils water for one cup.

## Heating

Heating starts when the lid is closed. The heater MUST stop at 100 degrees.

- A dry kettle is refused.
- A full kettle boils in four minutes.

| red | The kettle is heating. |
| green | The water is ready. |

```
limit = 100
  step = limit / 4
```

## Pouring

The spout is closed while the water boils, and it opens when the water is ready. Pouring is silent.
The handle stays cold.
"""

_STATED = {
    "CUP-01": ("Introduction", "Water for one cup is boiled.", "A kettle boils water for one cup."),
    "HEAT-01": ("Heating", "A closed lid starts the heating.", "Heating starts when the lid is closed."),
    "HEAT-02": ("Heating", "At 100 degrees the heater stops.", "The heater MUST stop at 100 degrees."),
    "HEAT-03": ("Heating", "The kettle refuses to run dry.", "A dry kettle is refused."),
    "HEAT-04": ("Heating", "A full kettle needs four minutes.", "A full kettle boils in four minutes."),
    "LAMP-01": ("Heating", "The lamp is red during heating.", "red The kettle is heating."),
    "LAMP-02": ("Heating", "The lamp is green when the water is ready.", "green The water is ready."),
    "STEP-02": ("Heating", "The limit is 100, a step 25.", "limit = 100 step = limit / 4"),
    "STEP-01": ("Heating", "A step is a quarter of the limit.", "step = limit / 4"),
    "POUR-01": (
        "Pouring",
        "The spout opens when the water is ready, and is closed before.",
        "The spout is closed while the water boils, and it opens when the water is ready.",
    ),
    "POUR-02": ("Pouring", "Nobody hears the pouring.", "Pouring is silent."),
    "POUR-03": ("Pouring", "The handle can be touched.", "The handle stays cold."),
}

REQUIREMENTS = {
    id_: Requirement(
        id=id_,
        level="MUST",
        document="kettle",
        section=section,
        statement=statement,
        revision="1.0",
        anchors=(anchor_of(reduced(words)[0]),),
        at="cases/kettle/requirements.yaml:1",
    )
    for id_, (section, statement, words) in _STATED.items()
}


def kettle_text(folder: Path, text: str | None = KETTLE) -> SpecificationText:
    """The text, written to a file of the folder; None: what the folder has."""
    if text is not None:
        (folder / "kettle.md").write_text(text, "utf-8", newline="")
    return read_text(folder, REQUIREMENTS.values())
