"""Examples for research: learning, self-play, bots of one's own, games as tables."""
