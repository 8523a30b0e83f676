"""What brings people together: further matches of the same people."""
