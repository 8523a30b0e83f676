"""Plans for each phase of a week."""
