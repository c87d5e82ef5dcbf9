"""Tideline: recall and ranking of an agent's memory, by the page "Recall & ranking".

A detail that docstrings and comments attribute to the repository is not on the page; its source is the public repository
spinabot/brigade at 9ab0222.
"""
