"""The battle in progress, and changes of it."""

from __future__ import annotations

from rasputitsa.core.events import Event, event
from rasputitsa.core.marks import listed
from rasputitsa.portfolio.model.combat import NO_EFFECT, Battle
from rasputitsa.portfolio.model.indices import Unit
from rasputitsa.portfolio.model.marks import hex_mark, unit_mark
from rasputitsa.portfolio.model.state import State


def current(s: State) -> Battle:
    """The battle in progress."""
    assert s.battle is not None
    return s.battle


def attack_on(s: State) -> str:
    """Which attack is being resolved, with marks."""
    return f"Attack on {listed(hex_mark(s, target) for target in current(s).targets)}"


def set_result(s: State, unit: Unit, result: str) -> None:
    """Change the result of one defender."""
    battle = current(s)
    place = battle.defenders.index(unit)
    s.battle = battle._replace(results=(*battle.results[:place], result, *battle.results[place + 1 :]))


def set_length(s: State, unit: Unit, hexes: int) -> None:
    """Note how far a defender has retreated."""
    battle = s.battle
    if battle is not None and unit in battle.defenders:
        place = battle.defenders.index(unit)
        s.battle = battle._replace(lengths=(*battle.lengths[:place], hexes, *battle.lengths[place + 1 :]))


RESULT_WORDS = {
    "AE": "holds, attackers eliminated (AE)",
    "AD": "holds, attackers Dispersed (AD)",
    "X": "exchange (X)",
    "S": "Spent (S)",
    NO_EFFECT: "cannot retreat and holds (D1 without effect)",
    "D1": "must retreat (D1)",
    "D4": "must retreat, Dispersed (D4)",
    "DX": "must retreat, Dispersed, with an exchange if the attacker wants it (DX)",
    "DE": "eliminated (DE)",
    "BR": "eliminated, breakthrough (BR)",
}


@event("result", "XIII.C", "unit", "text")
class ResultApplied(Event):
    """What the combat table says of a defender."""

    unit: Unit
    result: str

    def words(self, s: State) -> str:
        return f"{unit_mark(s, self.unit)}: {RESULT_WORDS[self.result]}"
