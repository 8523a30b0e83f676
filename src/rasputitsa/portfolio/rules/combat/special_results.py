"""What a result of the table comes to for each defender: dispersal, Armor Overrun, "No Retreat!", no way out.

XIII.C, CRT and XIII.D.6; the breakdown of attacking armor is here too.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from rasputitsa.portfolio.model.combat import NO_EFFECT, Battle
from rasputitsa.portfolio.model.indices import HexBits, Side, Unit, UnitBits
from rasputitsa.portfolio.model.state import State
from rasputitsa.portfolio.model.terrain import ground
from rasputitsa.portfolio.rules.combat.eligibility import Why, mask_of
from rasputitsa.portfolio.rules.combat.odds import TOP, WHEN_DISPERSED, HexDefence
from rasputitsa.portfolio.rules.combat.retreat import FORCED, SHORT, ability
from rasputitsa.portfolio.rules.logistics import supply

JUDGED: Final = ("D1", "D4", "DX", "DE")
"""Results that depend on how far the unit could retreat."""

OVERRUN: Final = {"DX": "DE", "DE": "BR"}
STUCK: Final = {"D1": NO_EFFECT, "D4": "DE", "DX": "DE", "DE": "BR"}
"""What an Armor Overrun makes of a result, and what holding at all costs or having no way out does."""
LEAST_RETREAT: Final = 2
"""Hexes that a unit must be able to go in a forced retreat (XIII.D.6)."""


class Verdict(NamedTuple):
    """What a result of the table comes to for one defender, and what has changed it."""

    result: str
    causes: tuple[Why, ...] = ()


def fatal() -> list[str]:
    """The results that eliminate a unit that cannot retreat so far (XIII.D.6)."""
    return [result for result in JUDGED if STUCK[result] == "DE"]


def least_reach(result: str) -> int:
    """How far a unit must be able to retreat for a judged result to stand."""
    return 1 if result == "D1" else LEAST_RETREAT


def outcome(result: str, reach: int, *, overrun: bool) -> str:
    """What a result of the table comes to for a unit that could retreat so far; ``overrun``: armor overruns it."""
    if overrun:
        result = OVERRUN.get(result, result)
    return STUCK[result] if result in JUDGED and reach < least_reach(result) else result


def verdict(s: State, unit: Unit, result: str, overrun: bool, attackers: HexBits) -> Verdict:
    """The special results: Overrun, Surrounded, "No Retreat!", and no way out (XIII.D.6)."""
    causes: tuple[Why, ...] = ()
    if overrun and s.rules.roster.infantry_type >> unit & 1 and result in OVERRUN:
        result, causes = OVERRUN[result], (("Armor Overrun", "XIII.C.Overrun"),)
    if result not in JUDGED:
        return Verdict(result, causes)
    short = result == "D1"
    if s.hold >> unit & 1:
        why: Why = ('"No Retreat!"', "XIII.B.6")
    elif ability(s, unit, attackers, SHORT if short else FORCED) < least_reach(result):
        why = ("no way to retreat", "XIII.C.NoRetreat" if short else "XIII.D.6")
    else:
        return Verdict(result, causes)
    return Verdict(STUCK[result], (*causes, why))


def judge(s: State, battle: Battle, hexes: tuple[HexDefence, ...]) -> list[Verdict]:
    """The verdict on each defender of a battle that holds the results of the table."""
    overrun = overrun_hexes(s, battle, hexes)
    return [
        verdict(s, unit, result, bool(overrun >> home & 1), battle.origins)
        for unit, home, result in zip(battle.defenders, battle.homes, battle.results, strict=True)
    ]


def table_column(s: State, unit: Unit, column: int) -> int:
    """The column that counts for a defender: one higher if it is Dispersed (VII.B)."""
    return min(TOP, column + WHEN_DISPERSED * (s.dispersed >> unit & 1))


def table_result(s: State, unit: Unit, column: int, die: int) -> str:
    """What the table says of a defender."""
    return s.rules.crt[die][table_column(s, unit, column)]


def overrun_strengths(s: State, units: tuple[Unit, ...], hexes: tuple[HexDefence, ...]) -> tuple[int, int]:
    """XIII.C.Overrun: the armor's surplus over that of the defenders, and what it must reach."""
    roster = s.rules.roster
    armor = mask_of(units) & roster.pure_armor & ~_without_fuel(s, units)
    strength = sum(roster.af[u] for u in s.members(armor))
    shares = [overrun_share(s, found) for found in hexes]
    return strength - sum(armor for armor, _ in shares), sum(needed for _, needed in shares)


def overrun_share(s: State, found: HexDefence) -> tuple[int, int]:
    """The armor of one hex, and what the attackers' surplus must reach: twice the undispersed, once the Dispersed."""
    roster = s.rules.roster
    others_only = s.rules.options["overrun"] == "others"
    armor, needed = 0, 2 * found.intrinsic
    for unit, own in zip(found.units, found.own, strict=True):
        pure_armor = roster.pure_armor >> unit & 1
        if pure_armor:
            armor += own
        if not (pure_armor and others_only):
            needed += own if s.dispersed >> unit & 1 else 2 * own
    return armor, needed


def overrun_country(s: State, hexes: HexBits, side: Side) -> HexBits:
    """Those of some hexes that armor of a side can overrun in this weather (XIII.C.Overrun).

    X.B.5, X.B.8, X.B.9, X.B.10, X.B.11.
    """
    return hexes & ~ground(s).no_overrun if s.weather.overrun[side] else 0


def _without_fuel(s: State, units: tuple[Unit, ...]) -> UnitBits:
    """XIV.D: attackers short of fuel at the start of the phase whose lines are still cut at this instant."""
    short = s.fuel_short & mask_of(units)
    return short & supply.fuel_shortage(s, s.side) if short else 0


def overrun_hexes(s: State, battle: Battle, hexes: tuple[HexDefence, ...]) -> HexBits:
    """The attacked hexes in which an overrun takes place."""
    open_hexes = overrun_country(s, mask_of(battle.targets), s.side)
    if not open_hexes or not mask_of(battle.units) & s.rules.roster.pure_armor:
        return 0
    if not {"DX", "DE"} & set(battle.results):
        return 0
    strength, needed = overrun_strengths(s, battle.units, hexes)
    return open_hexes if strength > 0 and strength >= needed else 0


def broken_down(s: State, die: int) -> bool:
    """XIII.C.Breakdown: whether the combat die Disperses attacking armor; only in Reserves Phases."""
    chart = s.rules.charts["breakdown"]
    base: int = chart["axis_base"] if s.side == 0 else chart["soviet_base"]
    return bool(s.reserve or chart["initial_phase"]) and 0 < die <= base + s.reserve
