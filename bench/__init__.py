"""Benchmarks: how fast the engine is, compared with well-known engines in the same run. Not tests."""
