"""Benchmarks: how fast the engine is, beside well-known engines in the same run. Not tests."""
