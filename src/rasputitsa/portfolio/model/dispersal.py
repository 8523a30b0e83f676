"""VII.B: how the log tells that units are Dispersed."""

from __future__ import annotations

from rasputitsa.core.events import Event, event
from rasputitsa.portfolio.model.indices import Unit
from rasputitsa.portfolio.model.marks import units_marks
from rasputitsa.portfolio.model.state import State

WHY_DISPERSED = {
    "movement": "by the effort of the move",
    "combat": "in combat",
    "advance": "by the advance",
    "retreat": "by the retreat",
    "breakdown": "by breakdowns",
    "arrival": "on arrival",
    "displaced": "making room",
}


@event("dispersed", "VII.B", "units", "text")
class Dispersed(Event):
    """Units are Dispersed."""

    units: tuple[Unit, ...]
    reason: str

    def words(self, s: State) -> str:
        are = "is" if len(self.units) == 1 else "are"
        return f"{units_marks(s, self.units)} {are} Dispersed {WHY_DISPERSED[self.reason]}"
