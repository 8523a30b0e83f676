"""The server under load: many matches and windows, driven over HTTP and WebSocket from a process of its own."""
