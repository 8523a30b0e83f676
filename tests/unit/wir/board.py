"""Hand-made positions of War in Russia, and players who give orders in notation.

1922 is a clear hex with six clear neighbours and no river: 1921 N, 2021 NE, 2022 SE, 1923 S, 1822 SW, 1821 NW.
2626 is another: 2625 N, 2726 NE, 2727 SE, 2627 S, 2527 SW, 2526 NW.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import pytest

from rasputitsa.core.dice import ScriptedDice
from rasputitsa.core.errors import IllegalAction
from rasputitsa.core.events import Event
from rasputitsa.wir.api.game import WirGame
from rasputitsa.wir.model.actions import HALT
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.tables import groups_of
from rasputitsa.wir.model.theatre import SOVIET

GAME = WirGame()
Groups = Mapping[int, Mapping[str, Any]]


def inf(where: str, *units: str, **more: Any) -> dict[str, Any]:
    """A group of infantry divisions, one of 70 points unless units are named."""
    return {"hex": where, "units": list(units or ("1 INF 70 70 0",)), **more}


def tanks(where: str, *units: str, **more: Any) -> dict[str, Any]:
    """An Axis mechanized group, one panzer division of 150 points unless units are named."""
    return {"hex": where, "units": list(units or ("1 PZ 150 70 0",)), **more}


def rifles(where: str, *units: str, **more: Any) -> dict[str, Any]:
    """A Soviet infantry group, one rifle corps of 90 points unless units are named."""
    return {"hex": where, "units": list(units or ("1 RIFLE 90 30 0",)), **more}


def base(where: str, aircraft: int = 60, **more: Any) -> dict[str, Any]:
    """An air group."""
    return {"hex": where, "aircraft": aircraft, **more}


def board(groups: Groups | None = None, *, phase: str = "movement", side: str = "axis", **fields: Any) -> State:
    """A map with only these groups."""
    table = {"groups": {str(group): value for group, value in (groups or {}).items()}}
    return GAME.load_position({"empty": True, "phase": phase, "side": side, **table, **fields})


def h(s: State, name: str) -> int:
    """Index of a hex."""
    return s.rules.grid.index(name)


def at(s: State, group: int) -> str:
    """Name of the hex of a group, or nothing."""
    return s.rules.grid.names[s.hex[group]] if s.hex[group] >= 0 else ""


def unit(s: State, group: int, number: int = 1) -> int:
    """Slot of a unit by its place in its group."""
    return s.group_units[group][number - 1]


def give(s: State, *lines: str, dice: Iterable[Any] = ()) -> list[Event]:
    """Give orders; the dice must be used up."""
    events: list[Event] = []
    scripted = ScriptedDice(dice)
    s.legal = None  # the test may have changed the position by hand
    for line in lines:
        actions = GAME.parse(s, line)
        for action in actions:
            if action == HALT and len(actions) > 1 and action not in GAME.legal(s):
                continue  # the order has closed by itself, as in a recorded game
            events += GAME.apply(s, action, scripted)
    assert not scripted.left
    return events


def refused(s: State, line: str) -> IllegalAction:
    """The refusal of the last order of a line; nothing changes by it."""
    trial = s.copy()
    trial.legal = None
    *before, last = GAME.parse(trial, line)
    for action in before:
        GAME.apply(trial, action, ScriptedDice([]))
    key = trial.key()
    with pytest.raises(IllegalAction) as caught:
        GAME.apply(trial, last, ScriptedDice([]))
    assert trial.key() == key
    return caught.value


def legal(s: State) -> list[str]:
    """What is legal now, in notation."""
    return [GAME.format(s, action) for action in s.stack[-1].options(s)]


def verbs(s: State, verb: str) -> list[str]:
    """The arguments with which an order is legal now."""
    return [line.removeprefix(verb).strip() for line in legal(s) if line.split()[0] == verb]


def kind(s: State) -> str:
    """The kind of the open question."""
    decision = GAME.decision(s)
    return decision.kind if decision else ""


def change_what_is_hidden(s: State, side: int = SOVIET) -> None:
    """Everything of a side that the other does not see becomes another."""
    for group in groups_of(side):
        s.entrench[group] = 5
        for unit in s.group_units[group]:
            s.strength[unit], s.experience[unit] = 90, 99
    s.pools[side] = [9] * len(s.pools[side])
