"""Runs one suite on an implementation and prints each verdict.

python docs/examples/run_corpus.py reference
python docs/examples/run_corpus.py 'mine=node my-adapter.mjs' --select 'jeffs_brain/query_dsl/*'
"""

import argparse
from collections import Counter

from parity import Incident, Result, execute, load_corpus, open_adapters


def main() -> None:
    """Reads the command line, runs the cases, prints a line for each verdict and the totals."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("adapter", help="a shipped adapter by name, or [LABEL=]COMMAND")
    parser.add_argument("--select", default="jeffs_brain/query_dsl/operators", help="as for `parity run --select`")
    arguments = parser.parse_args()
    corpus = load_corpus(select=[arguments.select])
    totals: Counter[str] = Counter()
    with open_adapters([arguments.adapter]) as connections:
        for event in execute(corpus.plan(connections)):
            match event:
                case Result():
                    totals[event.outcome.verdict] += 1
                    print(f"{event.outcome.verdict:12} {event.case.name}")
                case Incident():
                    print(f"incident     {event.implementation}")
                case _:
                    pass  # the adapter started, stalled, or was restarted
    print(", ".join(f"{count} {verdict}" for verdict, count in sorted(totals.items())))


if __name__ == "__main__":
    main()
