"""Putting cases to implementations: one loop, an interview with each, a verdict for every case."""
