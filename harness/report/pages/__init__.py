"""Pages about one thing: a case, a ruling, a requirement, a failure group, an operation, an installation."""
