"""How the war ends, and who has won it."""
