"""What a seat may know. The board game hides one thing: the number picked for Siberian roulette (IX.B.3).

Everything sent to a client, a bot or a file for one seat passes through here, and only what is named here.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from rasputitsa.core.caching import cached_up_to
from rasputitsa.core.shapes import outcome
from rasputitsa.hexes.grid import members
from rasputitsa.portfolio.api.known import may_see_secret
from rasputitsa.portfolio.api.shapes import Observation
from rasputitsa.portfolio.api.shapes import Unit as UnitShape
from rasputitsa.portfolio.model import control
from rasputitsa.portfolio.model.indices import Hex, HexBits, Unit
from rasputitsa.portfolio.model.ruleset import Ruleset
from rasputitsa.portfolio.model.state import WHERE, State
from rasputitsa.portfolio.model.theatre import AXIS, SIDES, SOVIET
from rasputitsa.portfolio.rules.logistics import siberia
from rasputitsa.portfolio.rules.turn import goal, sequence, victory
from rasputitsa.portfolio.rules.turn.weather import order


def observe(s: State, seat: str | None, *, everything: bool = False) -> Observation:
    """All that a seat may know (None: an onlooker), or all there is, as plain JSON values."""
    seen = peek(s, seat, everything=everything)
    seen["units"] = [unit.copy() for unit in seen["units"]]
    seen["victory"] = victory.copy_of(seen["victory"])
    return seen


def peek(s: State, seat: str | None, *, everything: bool = False) -> Observation:
    """What ``observe`` tells, with rows of units and cities that other answers share."""
    rules = s.rules
    names = rules.grid.names
    box = rules.turns[s.turn]
    phase, _ = sequence.phase_of(s)
    phase_id, phase_title, phase_rule = sequence.TITLES[phase]
    return {
        "turn": {
            "number": s.turn, "label": box.date, "short": box.date,
            "weather": s.weather.id, "weather_title": s.weather.title,
            "last": max(rules.turns), "first": rules.first_turn,
        },
        "phase": {
            "id": phase_id, "label": phase_title, "rule": phase_rule, "reserve": s.reserve,
            "side": SIDES[s.side],
        },
        "order": [SIDES[side] for side in order(s)],
        "units": _units(s),
        "control": {"axis": list(_names(rules, s.control))},
        "points": {
            SIDES[side]: {"armor": s.armor_points[side], "infantry": s.infantry_points[side]}
            for side in (AXIS, SOVIET)
        },
        "victory": victory.tally(s),
        "seas": {zone: _holder(s, zone) for zone in rules.sea_keys},
        "factories_lost": list(_names(rules, s.factories_lost)),
        "siberia": {
            "turns": list(s.siberia), "points": siberia.points_left(s),
            "picked": (s.secret or None) if everything or may_see_secret(s, seat) else None,
        },
        "offensive": {"began": s.offensive or None, "turns": rules.charts["winter_offensive"]["turns"]},
        "attacks": [
            {
                "n": n, "targets": [names[h] for h in attack.targets],
                "units": [rules.units[u].id for u in attack.units], "state": attack.state,
            }
            for n, attack in enumerate(s.attacks, start=1)
        ],
        "goal": goal.show(s, s.goal) if s.goal else None,
        "outcome": outcome(s.outcome),
    }  # fmt: skip


def _units(s: State) -> list[UnitShape]:
    """Every unit; most stand where they stood, with nothing that marks them."""
    rules = s.rules
    units = [_unit(rules, unit, where, UNMARKED) for unit, where in enumerate(s.pos)]
    for unit in members(s.spent | s.dispersed | s.moved | s.attacked | s.hold | s.fuel_short):
        units[unit] = _unit(rules, unit, s.pos[unit], _marks(s, unit))
    return units


class _Marks(NamedTuple):
    spent: bool = False
    dispersed: bool = False
    moved: bool = False
    attacked: bool = False
    hold: bool = False
    fuel_short: bool = False


UNMARKED: Final = _Marks()


def _marks(s: State, unit: Unit) -> _Marks:
    bit = 1 << unit
    return _Marks(
        bool(s.spent & bit), bool(s.dispersed & bit), bool(s.moved & bit), bool(s.attacked & bit),
        bool(s.hold & bit), bool(s.fuel_short & bit),
    )  # fmt: skip


@cached_up_to(1 << 13)
def _unit(rules: Ruleset, unit: Unit, where: Hex, marks: _Marks) -> UnitShape:
    return {
        "id": rules.units[unit].id,
        "hex": rules.grid.names[where] if where >= 0 else None,
        "where": "map" if where >= 0 else WHERE[where],
        "spent": marks.spent,
        "dispersed": marks.dispersed,
        "moved": marks.moved,
        "attacked": marks.attacked,
        "hold": marks.hold,
        "fuel_short": marks.fuel_short,
    }


@cached_up_to(64)
def _names(rules: Ruleset, hexes: HexBits) -> tuple[str, ...]:
    """The names of a set of hexes, which is large and changes seldom."""
    return tuple(rules.grid.names_of(hexes))


def _holder(s: State, zone: str) -> str | None:
    side = control.sea_holder(s, zone)
    return None if side is None else SIDES[side]
