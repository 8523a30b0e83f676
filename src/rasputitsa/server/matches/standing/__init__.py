"""Standing orders at work: what they answer, when, and for whom."""
