"""Deviations of SDKs whose language has other strings than JavaScript."""
