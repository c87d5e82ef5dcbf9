"""The protocol around the specification: JSON to values and back, and scripted stand-ins for indexes and models.

A reader of the specification needs none of it.
"""
