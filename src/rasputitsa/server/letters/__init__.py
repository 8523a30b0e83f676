"""Matches by letters in the browser of the person who plays them: kept as the command ``mail`` keeps them."""
