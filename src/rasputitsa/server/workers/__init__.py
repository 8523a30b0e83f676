"""Processes apart from the server: computer players and analysis."""
