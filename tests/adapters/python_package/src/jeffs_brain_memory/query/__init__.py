"""The query package; its names lie in its modules."""
