"""What the server answers, a module per subject."""
