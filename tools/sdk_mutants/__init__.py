"""Mistakes in a working copy of an SDK: the functions that no case reaches, and the changed lines that no case notices."""
