"""Strategies that generate requests, and properties of answers: a package a system, found by its name."""
