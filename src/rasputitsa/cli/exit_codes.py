"""What the command ends with when it has not done what was asked."""

from __future__ import annotations

INTERRUPTED = 130
"""Stopped from the keyboard: 128 and the number of the signal, as shells have it."""
