"""Matches in play: their seats, views, dice, and how they are opened and made."""
