"""The reference: the specifications as programs, to be read beside the pages.

jeffs_brain, nexus, tideline, augur    one package for each system; its docstring lists the sections and their modules
readings                               the other readings of the rulings, in modules of the same names
javascript                             what the pages take from JavaScript: texts, regular expressions, dates
wire                                   the operations: JSON of a request to JSON of an answer
decisions, switches, effects           how readings are composed, chosen and compared
observer                               the steps that an explanation shows

A comment that begins with ``# x =`` or ``# if`` is a statement of the page's pseudo-code. ``rule`` is the class of decisions
at the end of the module: each of its methods is a place that the page leaves open, with the adopted reading.
"""
