"""The hex grid: coordinates, sets of hexes, hex-sides and their place in the plane."""
