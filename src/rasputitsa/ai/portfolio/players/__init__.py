"""The computer players of The Russian Portfolio."""
