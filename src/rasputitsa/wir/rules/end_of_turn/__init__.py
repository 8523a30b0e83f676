"""The end of the week: production, lend-lease and partisans."""
