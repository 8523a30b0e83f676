"""The record of a game, in which it is played, saved and replayed, and positions as plain values."""
