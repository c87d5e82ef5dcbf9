"""Sends, judges and records every case of a corpus; prints the CPU seconds of that part, with those of the adapter."""

import resource
import sys
from pathlib import Path

from harness.api import load_corpus, open_adapters
from harness.model import RecordedImplementation
from harness.records import Recorder, run_metadata
from harness.runner.execute import batches


def cpu() -> float:
    """CPU seconds of this process and of all ended children."""
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


corpus = load_corpus(Path(sys.argv[1]))
before = cpu()
with open_adapters([sys.argv[2]]) as connections:
    entries = tuple(RecordedImplementation(name, sys.argv[2]) for name in connections)
    run = run_metadata(corpus.corpus, corpus.cases, implementations=entries)
    recorder = Recorder(Path(sys.argv[3]), run)
    for batch in batches(corpus.plan(connections)):
        if batch:
            recorder.write(batch)
    recorder.close(complete=True)
print(cpu() - before)
