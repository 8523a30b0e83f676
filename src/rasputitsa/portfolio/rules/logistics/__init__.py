"""Supply, production, replacements, rail and sea movement, Siberia."""
