"""Shapes of what the server says: documentation for OpenAPI and the client's types, never checked on the way."""
