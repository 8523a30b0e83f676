"""The sequence of play, weather, victory and set-up."""
