"""The sequence of a week, weather, events, victory and set-up."""
