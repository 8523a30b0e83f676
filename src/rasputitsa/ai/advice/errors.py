"""Why there is no advice."""

from __future__ import annotations

from rasputitsa.core.errors import RasputitsaError


class NoAnalysisError(RasputitsaError):
    """The computer knows nothing of this game, or of this question."""
