"""Movement, reach and routes."""
