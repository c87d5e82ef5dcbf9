"""Benchmarks: what parity costs, as ratios to floors that are measured in the same run. `make bench` runs them."""
