"""Positions of War in Russia with accepted answers, one file a theme."""

from pathlib import Path

FOLDER = Path(__file__).parent
"""The sets, as ``ai.contests.positions`` reads them."""
