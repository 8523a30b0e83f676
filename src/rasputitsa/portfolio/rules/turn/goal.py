"""EVENING.Goal: what one side has to reach by a given turn in a lesson or in a scenario of an evening.

It decides the game in place of the victory of the whole game.

[goal]
side = "axis"                  # who has to reach it; the other side wins otherwise
text = "Take Minsk by the end of this turn."
last_turn = 2                  # the last look is at the end of this turn
hold = ["Q8"]                  # hexes that must be under the side's control
at_least = 1                   # this many of them are enough; by default all
clear = ["R6-R8"]              # hexes in which no enemy unit may stand
remove = ["10A", "3A"]         # enemy units that must have left the map
remove_at_least = 1            # this many of them are enough; by default all
keep = ["39Pz"]                # own units that must still be on the map
early = true                   # reached at the end of an earlier turn counts at once
check = "turn"                 # or "operations": at the end of the side's Initial operations already
replacements = false           # neither side gains points for new units; by default both do
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rasputitsa.core.data.fields import flag, names, text
from rasputitsa.core.errors import SetupError
from rasputitsa.core.lessons.goal import WHERE, Part, as_shape, count, demands, fields, judge, met, side, written
from rasputitsa.core.shapes import Goal as GoalStanding
from rasputitsa.hexes.grid import members
from rasputitsa.portfolio.model.frames import Context
from rasputitsa.portfolio.model.goal import CHECKS, Goal
from rasputitsa.portfolio.model.indices import HexBits, Side, UnitBits
from rasputitsa.portfolio.model.state import ELIMINATED, State
from rasputitsa.portfolio.model.theatre import SIDES
from rasputitsa.portfolio.rules.logistics.reduction import reducible_fronts

FIELDS = {
    "side", "text", "last_turn", "hold", "at_least", "clear", "remove", "remove_at_least", "keep", "early", "check",
    "replacements",
}  # fmt: skip


def read(s: State, table: Any, hexes: Callable[[State, Any, str], HexBits]) -> Goal:
    """The goal of a position file; raises ``SetupError``."""
    table = fields(table, FIELDS)
    check = text(table, "check", "turn", WHERE)
    if check not in CHECKS:
        raise SetupError(f"goal: check is {' or '.join(CHECKS)}")
    last = table.get("last_turn")
    if not isinstance(last, int) or isinstance(last, bool) or last not in s.rules.turns or last < s.turn:
        raise SetupError("goal: last_turn is a turn of the track, from the present one on")
    goal = Goal(
        side(table, SIDES), text(table, "text", "", WHERE), last,
        hold=hexes(s, table.get("hold", []), "goal.hold"), at_least=0,
        clear=hexes(s, table.get("clear", []), "goal.clear"),
        remove=_units(s, table, "remove"), remove_at_least=0, keep=_units(s, table, "keep"),
        early=flag(table, "early", True, WHERE), check=check,
        replacements=flag(table, "replacements", True, WHERE),
    )  # fmt: skip
    if not (goal.hold or goal.clear or goal.remove or goal.keep):
        raise SetupError("goal: hold, clear, remove or keep has to say what is to be reached")
    return goal._replace(
        at_least=count(table, "at_least", goal.hold),
        remove_at_least=count(table, "remove_at_least", goal.remove),
    )


def _units(s: State, table: Mapping[str, Any], name: str) -> UnitBits:
    found = 0
    for given in names(table, name, WHERE):
        unit = s.rules.roster.find(given)
        if unit is None:
            raise SetupError(f"goal.{name}: there is no unit {given!r:.20}")
        found |= 1 << unit
    return found


def dump(s: State, goal: Goal) -> dict[str, Any]:
    """The goal as a position file has it."""
    return {
        "side": SIDES[goal.side], "text": goal.text, "last_turn": goal.last_turn,
        **written(goal, s.rules.grid.names, lambda unit: s.rules.units[unit].id),
        "early": goal.early, "check": goal.check, "replacements": goal.replacements,
    }  # fmt: skip


def parts(s: State, goal: Goal) -> list[Part]:
    """Every demand and how far it is met now."""
    return demands(
        goal, s.controlled(goal.side), s.occ[1 - goal.side], s.present,
        lambda hexes: _places(s, hexes), lambda units: _names(s, units),
    )  # fmt: skip


def look(s: State, goal: Goal, when: str, side: Side, context: Context) -> None:
    """Look at the goal at a moment of the sequence; sets the outcome when it is decided.

    ``when`` is ``operations`` (``side`` has finished its Initial operations) or ``turn``.
    """
    if when == "operations" and (goal.check != "operations" or side != goal.side):
        return
    sides = SIDES[goal.side], SIDES[1 - goal.side]
    judge(s, parts(s, goal), context, sides, last=s.turn >= goal.last_turn, early=goal.early)


def show(s: State, goal: Goal) -> GoalStanding:
    """The goal and how it stands, as plain values for clients."""
    told = parts(s, goal)
    return {
        "side": SIDES[goal.side], "text": goal.text, "last_turn": goal.last_turn,
        "last_date": s.rules.turns[goal.last_turn].date,
        "hexes": s.rules.grid.names_of(goal.hold | goal.clear),
        "units": [s.rules.units[u].id for u in members(goal.remove | goal.keep)],
        "parts": [as_shape(part) for part in told],
        "reached": met(told),
        "out_of_reach": out_of_reach(s, goal),
    }  # fmt: skip


def out_of_reach(s: State, goal: Goal) -> str:
    """Why the goal can no longer be reached, in plain words; empty while it can, as far as is certain."""
    gone = goal.keep & ~s.present & (sum(1 << u for u, where in enumerate(s.pos) if where == ELIMINATED) | s.pool)
    points = s.armor_points[goal.side] or s.infantry_points[goal.side]
    if not gone or goal.replacements or points or reducible_fronts(s, goal.side):
        return ""
    return f"{_names(s, gone)} {'is' if gone.bit_count() == 1 else 'are'} lost, and nothing can be built again"


def _places(s: State, hexes: HexBits) -> str:
    places = s.rules.map.places
    return ", ".join(
        f"{places[h].name} ({s.rules.grid.names[h]})" if h in places else s.rules.grid.names[h] for h in members(hexes)
    )


def _names(s: State, units: UnitBits) -> str:
    return ", ".join(s.rules.units[u].id for u in members(units))
