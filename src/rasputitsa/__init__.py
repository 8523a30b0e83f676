"""Two Eastern Front wargames, played by their own rules."""
