"""Augur: the parts of the pull request, and their modules.

Adaptive weighted-RRF fusion, fusion.ts                  fusion, search
HeuristicRouter alwaysRerank option, router.ts           router
signals.ts                                               signals
augur.ts                                                 search, ad_hoc
fingerprint.ts                                           fingerprint
"""
