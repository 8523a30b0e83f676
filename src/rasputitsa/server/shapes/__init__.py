"""Shapes of what the server says, for the type checker, the OpenAPI document and the client's types.

The functions that make answers return them. At run time they are plain dictionaries, and nothing is checked on the way.
"""
