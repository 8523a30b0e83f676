"""Positions written on arrays cell by cell, in plain Python without NumPy."""
