"""Options, and the one way from options to a plan."""
