"""Commands for War in Russia alone."""
