"""Whether the server is well: what a host, a proxy or a monitoring program asks it."""
