"""Mutation testing of the corpus: one change at a time in the reference, and the cases that fail because of it.

A mutant that no case fails shows a gap of the corpus, or changes nothing that an answer shows.
"""
