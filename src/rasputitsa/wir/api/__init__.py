"""How others ask: the game itself, queries, views, notation, texts and checks of data."""
