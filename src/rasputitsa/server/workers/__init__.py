"""Processes beside the server: computer players and analysis."""
