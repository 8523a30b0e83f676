"""What holds for all tests."""

from __future__ import annotations

from hypothesis import settings

# a test is right or wrong, not fast or slow: the machine may be busy with other things
settings.register_profile("patient", deadline=None)
settings.load_profile("patient")
