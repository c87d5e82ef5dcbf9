"""Writes docs/examples/run.jsonl: a run of a few cases of fixed names, which the excerpts on the pages show.

A new case changes no page, because this run does not have it. Rulings that no result names are left out.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

RECORD = Path(__file__).with_name("run.jsonl")
CASES = """
    jeffs_brain/temporal/augmentation/worked-example jeffs_brain/temporal/augmentation/dates
    jeffs_brain/intent/composition/generic-rollup* jeffs_brain/intent/patterns/kelvin-sign-in-booked
    jeffs_brain/query_dsl/worked_examples jeffs_brain/query_dsl/pipeline/operator-*
    jeffs_brain/trigram/slug_text/separator-in-front jeffs_brain/trigram/slug_text/separator-behind
    jeffs_brain/retrieval/intent/two-spaces-hide-a-trigger
""".split()


def main() -> None:
    """Runs the cases on the reference and the released TypeScript SDK, and shortens the header of the record."""
    adapters = ("--adapter", "reference", "--adapter", "ts")
    command = [sys.executable, "-m", "parity", "run", *adapters, "--select", ",".join(CASES), "--record", str(RECORD)]
    subprocess.run(command, check=False)
    header, *lines = RECORD.read_text("ascii").splitlines()
    value, named = json.loads(header), set(re.findall(r"RUL-\w+", "".join(lines)))
    value["rulings"] = {name: ruling for name, ruling in value["rulings"].items() if name in named}
    RECORD.write_text("\n".join([json.dumps(value, separators=(",", ":")), *lines, ""]), "ascii")


if __name__ == "__main__":
    main()
