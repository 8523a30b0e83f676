"""The movement phase: plots, strategic moves, fatigue and entrenchment."""
