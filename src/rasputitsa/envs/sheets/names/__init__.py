"""What the arrays of each game hold, by name."""
