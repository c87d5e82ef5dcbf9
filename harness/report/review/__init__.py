"""The report for the editors of a specification, and its parts."""
