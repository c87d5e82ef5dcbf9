"""The gate: known-divergence files, and a run judged against one."""
