"""What needs nothing of this program: the check of the dice of a saved game."""
