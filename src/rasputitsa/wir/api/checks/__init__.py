"""Checks of the data files."""
