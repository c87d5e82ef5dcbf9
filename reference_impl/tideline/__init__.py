"""Tideline: the sections of the page "Recall & ranking", and their modules.

Two lanes                                  bm25, tokens, hybrid
The model-free embedder (HRR)              hrr
Trust & decay in the score                 score
Origin filtering, fail-closed              origin
The context block                          blocks, threats

``records`` has the values of all sections. A detail that docstrings and comments attribute to the repository is not on
the page; its source is the public repository spinabot/brigade at 9ab0222.
"""
