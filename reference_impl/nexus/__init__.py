"""nexusAI's retrieval fusion: the sections of the page, and their modules.

How RRF Works, fuseEpisodeResults          fusion
Architecture, Data Shape Consistency       retrieval
FTS Session Scoping                        scope
Settings, Constants                        settings
"""
