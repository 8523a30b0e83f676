"""What requests and connections must pass: limits, keys, headers."""
