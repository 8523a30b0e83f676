"""The battle in progress, and changes of it."""

from __future__ import annotations

from rasputitsa.portfolio.model.combat import Battle
from rasputitsa.portfolio.model.indices import Unit
from rasputitsa.portfolio.model.state import State


def current(s: State) -> Battle:
    """The battle in progress."""
    assert s.battle is not None
    return s.battle


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
