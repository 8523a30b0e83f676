"""The data files of a game: where they lie, how they are read, and what may stand in a field."""
