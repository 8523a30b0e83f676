"""Examples for research: learning, search, self-play, games as tables, bots of one's own."""
