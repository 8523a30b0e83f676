"""Ratings of people: which matches count, what they come to, and how strong each person seems."""
