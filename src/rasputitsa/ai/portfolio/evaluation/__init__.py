"""What positions, targets and plans are worth."""
