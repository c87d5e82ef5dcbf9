"""Jeffs Brain retrieval: the sections of the two documents, in their order, and their modules.

Query DSL document
    Pipeline, step 1                                                normalise
    Grammar, Token stripping, Operator semantics (pendingOp)        parser, ast
    Operator semantics (compilation), FTS5 compilation target       fts5
    Stopword filtering                                              parser, stopwords
    Alias expansion, Alias tables                                   aliases
    Worked examples (the AST)                                       ast
    Temporal expansion, Recognised phrases, Worked example          temporal
    Anchor handling: accepted forms                                 anchors
    Anchor handling: a question without an anchor                   temporal
    Month-boundary and day-arithmetic edge cases                    temporal
    Emitted date formats                                            date_formats
Algorithms document
    Reciprocal Rank Fusion (RRF)                                    fusion, candidates
    Hybrid pipeline                                                 retrieval
    Hybrid pipeline: Defaults; Trace: its members                   search
    Unanimity shortcut, Rerank tail preservation                    rerank
    Intent-aware reweighting (both sections)                        intent
    Retry ladder, Rungs (ordered), Backoff and concurrency          retry_ladder
    Escalation conditions, Terminal state, Trace                    retrieval
    Trigram Jaccard, Trigram fallback details                       trigram

A module has its section in the order of the page, and at its end what the section leaves open, with the adopted reading.
"""
