"""Plans for a phase, and the decisions that carry them out."""
