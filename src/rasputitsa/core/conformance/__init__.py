"""The rules against the rulebook: cases with a position, orders and what must come of them, and the register."""
