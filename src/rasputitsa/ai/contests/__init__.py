"""Games between computer players, and what many of them say."""
