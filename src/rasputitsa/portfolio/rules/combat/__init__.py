"""Announcing attacks, odds, results, retreats and advances."""
