"""A disk that loses what was not synced: what a program writes is recorded, and any power cut can be played."""
