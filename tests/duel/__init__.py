"""A third game, in a package of its own: it shows what a game needs, and that nothing else has to be touched."""
