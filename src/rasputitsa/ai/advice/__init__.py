"""Hints, the course of a game and its turning points."""
