"""The mapmaker: from hex references in the rules and public geography to the map files of a game."""
