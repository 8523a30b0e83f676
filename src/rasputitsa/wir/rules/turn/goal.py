"""EVENING.Goal: what one side has to reach by a given week in a lesson or in a scenario of an evening.

It decides the game in place of the victory of the whole war.

[goal]
side = "axis"                  # who has to reach it; the other side wins otherwise
text = "Take Minsk by the end of this week."
last_turn = 2                  # the last look is at the end of this week
hold = ["0917"]                # hexes that must be under the side's control
at_least = 1                   # this many of them are enough; by default all
clear = ["1018"]               # hexes in which no enemy group may stand
remove = ["88", "89"]          # enemy groups that must have left the map
remove_at_least = 1            # this many of them are enough; by default all
keep = ["12"]                  # own groups that must still be on the map
supplied = ["1", "2"]          # own groups that must be on the map and in supply
early = true                   # reached at the end of an earlier week counts at once
production = false             # no production, Lend-Lease and partisans; by default as in the whole war
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rasputitsa.core.data.fields import digits, flag, names, text
from rasputitsa.core.errors import SetupError
from rasputitsa.core.frames import Context
from rasputitsa.core.lessons.goal import WHERE, Part, as_shape, count, demands, fields, judge, met, side, written
from rasputitsa.core.shapes import Goal as GoalStanding
from rasputitsa.hexes.grid import members
from rasputitsa.wir.model.indices import GroupBits, HexBits, Side
from rasputitsa.wir.model.marks import place_name
from rasputitsa.wir.model.records import Goal
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.tables import GROUPS
from rasputitsa.wir.model.theatre import AXIS, SIDES

FIELDS = {
    "side", "text", "last_turn", "hold", "at_least", "clear", "remove", "remove_at_least", "keep", "supplied", "early",
    "production",
}  # fmt: skip


def read(s: State, table: Any, hexes: Callable[[State, Any, str], HexBits]) -> Goal:
    """The goal of a position file; raises ``SetupError``."""
    table = fields(table, FIELDS)
    last = table.get("last_turn")
    if not isinstance(last, int) or isinstance(last, bool) or not s.turn <= last <= s.rules.turns:
        raise SetupError("goal: last_turn is a week of the scenario, from the present one on")
    hold, remove = hexes(s, table.get("hold", []), "goal.hold"), _groups(table, "remove")
    goal = Goal(
        side(table, SIDES), text(table, "text", "", WHERE), last,
        hold, count(table, "at_least", hold), hexes(s, table.get("clear", []), "goal.clear"),
        remove, count(table, "remove_at_least", remove), _groups(table, "keep"), _groups(table, "supplied"),
        flag(table, "early", True, WHERE), flag(table, "production", True, WHERE),
    )  # fmt: skip
    if not (goal.hold or goal.clear or goal.remove or goal.keep or goal.supplied):
        raise SetupError("goal: hold, clear, remove, keep or supplied has to say what is to be reached")
    return goal


def _groups(table: Mapping[str, Any], name: str) -> GroupBits:
    found = 0
    for given in names(table, name, WHERE):
        group = digits(given)
        if group is None or not 0 < group < GROUPS:
            raise SetupError(f"goal.{name}: there is no group {given!r:.20}")
        found |= 1 << group
    return found


def dump(s: State, goal: Goal) -> dict[str, Any]:
    """The goal as a position file has it."""
    return {
        "side": SIDES[goal.side], "text": goal.text, "last_turn": goal.last_turn,
        **written(goal, s.rules.grid.names, str),
        "supplied": [str(g) for g in members(goal.supplied)],
        "early": goal.early, "production": goal.production,
    }  # fmt: skip


def _standing(s: State) -> GroupBits:
    """The groups on the map."""
    return sum(1 << g for g in range(1, GROUPS) if s.hex[g] >= 0)


def parts(s: State, goal: Goal) -> list[Part]:
    """Every demand and how far it is met now."""
    there, held = _standing(s), s.control if goal.side == AXIS else ~s.control
    found = demands(goal, held, s.occ[1 - goal.side], there, lambda hexes: _places(s, hexes), _names)
    if goal.supplied:
        supplied = goal.supplied & there & s.supplied
        found.append(Part(f"in supply: {_names(goal.supplied)}", supplied.bit_count(), goal.supplied.bit_count()))
    return found


def look(s: State, goal: Goal, context: Context) -> None:
    """Look at the goal at the end of a week; sets the outcome when it is decided."""
    sides = SIDES[goal.side], SIDES[1 - goal.side]
    judge(s, parts(s, goal), context, sides, last=s.turn >= goal.last_turn, early=goal.early)


def show(s: State, goal: Goal, seen: tuple[Side, ...]) -> GoalStanding:
    """The goal and how it stands, as plain values for clients. Whether groups are in supply is for their own side."""
    told = parts(s, goal if goal.side in seen else goal._replace(supplied=0))
    return {
        "side": SIDES[goal.side], "text": goal.text, "last_turn": goal.last_turn,
        "last_date": s.rules.date_text(goal.last_turn),
        "hexes": s.rules.grid.names_of(goal.hold | goal.clear),
        "units": [str(g) for g in members(goal.remove | goal.keep | goal.supplied)],
        "parts": [as_shape(part) for part in told],
        "reached": bool(told) and met(told),
        "out_of_reach": "",
    }  # fmt: skip


def _places(s: State, hexes: HexBits) -> str:
    return ", ".join(place_name(s, h) for h in members(hexes))


def _names(groups: GroupBits) -> str:
    return ", ".join(f"group {g}" for g in members(groups))
