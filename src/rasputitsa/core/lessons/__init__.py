"""Lessons: small positions with a goal, what leads through them, and the checks of both."""
