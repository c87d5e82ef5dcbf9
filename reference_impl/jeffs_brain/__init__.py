"""Jeffs Brain retrieval: the sections of the two documents, in their order, and their modules.

Query DSL document
    Pipeline, step 1                                                normalise
    Grammar, Token stripping, Operator semantics (AST)              parser, ast
    Operator semantics (compilation), FTS5 compilation target       fts5
    Stopword filtering                                              parser, stopwords
    Alias expansion, Alias tables                                   aliases
    Temporal expansion, Recognised phrases, Month-boundary          temporal
    Anchor handling                                                 anchors
    Emitted date formats                                            date_formats
Algorithms document
    Reciprocal Rank Fusion (RRF)                                    fusion, candidates
    Hybrid pipeline, Trace                                          retrieval, search
    Unanimity shortcut, Rerank tail preservation                    rerank
    Intent-aware reweighting (both sections)                        intent
    Retry ladder, forceRefreshIndex retry ladder                    retry_ladder
    Trigram fallback details                                        trigram

A module has its section in the order of the page, and at its end what the section leaves open, with the adopted reading.
"""
