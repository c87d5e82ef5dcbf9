"""Tideline: recall and ranking of an agent's memory, by the page "Recall & ranking".

Where a docstring or comment says that something is the repository's, the page is silent and the public repository
spinabot/brigade at 9ab0222 answers.
"""
