"""What both games share: actions, decisions, dice, the record, and the contract of a game."""
