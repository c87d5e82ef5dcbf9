"""Adapters: the folders beside this file have a program each, and the model of an SDK."""
