"""The computer players of War in Russia."""
