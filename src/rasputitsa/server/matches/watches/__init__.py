"""Tasks that watch open matches and act when nobody else does: clocks that run out, standing orders."""
