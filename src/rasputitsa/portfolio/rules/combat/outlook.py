"""XIII.B-C What an attack may come to: the resolver itself, run on copies of the position for each face."""

from __future__ import annotations

from typing import Final, NamedTuple

from rasputitsa.core.dice import DIE, Draw
from rasputitsa.portfolio.model.combat import DRIVEN_OUT, MUST_RETREAT, OPEN, Attack, Battle
from rasputitsa.portfolio.model.frames import Context, settle
from rasputitsa.portfolio.model.indices import Hex, HexBits, Unit, UnitBits
from rasputitsa.portfolio.model.state import State
from rasputitsa.portfolio.rules.combat import resolution, retreat, special_results
from rasputitsa.portfolio.rules.combat.attack_phase import NoRetreat, ResolveNext
from rasputitsa.portfolio.rules.combat.battle import current
from rasputitsa.portfolio.rules.combat.breakthrough import Breakthrough, BuildBreakthrough
from rasputitsa.portfolio.rules.combat.eligibility import (
    Why,
    crowded,
    mask_of,
    why_crowded,
    why_not_all,
    why_not_attack,
    why_not_reached,
)
from rasputitsa.portfolio.rules.combat.losses import Eliminated, LoseUnits
from rasputitsa.portfolio.rules.combat.odds import odds
from rasputitsa.portfolio.rules.combat.resolution import Aftermath, MayRetreat, Retreats
from rasputitsa.portfolio.rules.combat.retreat import FORCED, SHORT, Retreat, ability

LEAVING: Final = (Retreats, MayRetreat, Aftermath)
"""Where the consequences of the die end and the ways of those who leave begin."""


class Given:
    """Dice that show one face for the battle; a unit that needs luck to get away has it."""

    def __init__(self, face: int) -> None:
        self.face = face
        self.drawn: list[Draw] = []

    def roll(self, stream: str, sides: int = DIE) -> int:
        """The face asked about."""
        return self.face if stream == "combat" else 1


class Fate(NamedTuple):
    """What one face of the die means for one defender."""

    unit: Unit
    table: str
    """What the table says."""
    result: str
    """What it comes to."""
    causes: tuple[Why, ...]
    """Why the two differ."""
    lost: bool
    """It is eliminated, whatever anybody chooses."""
    reach: int
    """Hexes it could retreat, 0 if it stays."""
    dicey: bool
    """Another die decides whether it gets away (XIII.D.6)."""
    may_leave: bool
    """It may retreat of its owner's accord (XIII.D.2)."""
    ways: HexBits
    """Hexes its retreat may begin with, if it were the first to go."""


class Face(NamedTuple):
    """What one face of the die brings."""

    die: int
    low: str
    """The result the attackers suffer."""
    fates: tuple[Fate, ...]
    lost: tuple[Unit, ...]
    """Units of both sides that are eliminated, whatever anybody chooses."""
    question: str
    """The kind of the choice to be made before anybody retreats; empty if there is none."""
    owing: int
    """Attack factors that the attackers still have to choose for AE."""
    dispersed: tuple[Unit, ...]
    """Attackers that AE or AD Disperses, unless the defenders leave."""
    broken: tuple[Unit, ...]
    """Attackers that break down."""


def standing(s: State, targets: tuple[Hex, ...], units: tuple[Unit, ...]) -> int:
    """The number of the announced attack by these units on these hexes; -1 if there is none."""
    for number, attack in enumerate(s.attacks):
        if attack.state == OPEN and set(attack.targets) == set(targets) and set(attack.units) >= set(units):
            return number
    return -1


def orders_are_open(s: State) -> bool:
    """Whether the defender may still give "No Retreat!" orders against an attack made now (XIII.B.6)."""
    kinds = {type(frame) for frame in s.stack}
    return ResolveNext not in kinds or NoRetreat in kinds


def faces(s: State, attack: Attack, number: int = -1) -> list[Face]:
    """What each face of the die brings, as things stand; ``number`` is that of an announced attack."""
    return [_face(s, attack, number, die) for die in sorted(s.rules.crt)]


def _face(s: State, attack: Attack, number: int, die: int) -> Face:
    fork, context = s.copy(), Context(Given(die))
    if number < 0:
        fork.attacks, number = (*fork.attacks, attack), len(fork.attacks)
    resolution.resolve(fork, number, context)
    battle = current(fork)
    judged = _judged(fork, battle, attack.amphibious)
    settle(fork, context, LEAVING)
    battle = current(fork)
    lost = tuple(event.unit for event in context.events if isinstance(event, Eliminated))
    top = fork.stack[-1]
    choice = not isinstance(top, LEAVING)
    free = {u for frame in fork.stack if isinstance(frame, MayRetreat) for u in frame.free(fork)}
    alive = battle.alive(fork.pos)
    armor = fork.rules.roster.armor_type
    broken = special_results.broken_down(fork, die)
    return Face(
        die, battle.low, tuple(_fate(fork, battle, u, found, free) for u, found in judged.items()), lost,
        top.kind if choice else "", top.missing(fork) if isinstance(top, LoseUnits) else 0,
        tuple(alive) if battle.low in ("AE", "AD") else (),
        tuple(u for u in alive if armor >> u & 1) if broken else (),
    )  # fmt: skip


class Judged(NamedTuple):
    """The result of the table, and what has changed it."""

    table: str
    causes: tuple[Why, ...]


def _judged(s: State, battle: Battle, amphibious: bool) -> dict[Unit, Judged]:
    """For each defender what the table says, and the causes of what it has come to."""
    column = dict(zip(battle.targets, battle.columns, strict=True))
    table = tuple(
        special_results.table_result(s, unit, column[home], battle.die)
        for unit, home in zip(battle.defenders, battle.homes, strict=True)
    )
    hexes = odds(s, battle.targets, battle.units, amphibious).hexes
    found = special_results.judge(s, battle._replace(results=table), hexes)
    return {u: Judged(t, v.causes) for u, t, v in zip(battle.defenders, table, found, strict=True)}


def _fate(s: State, battle: Battle, unit: Unit, judged: Judged, free: set[Unit]) -> Fate:
    result = battle.result(unit)
    lost = s.pos[unit] < 0
    reach = ways = 0
    if not lost and (result in MUST_RETREAT or unit in free):
        kind = FORCED if result in DRIVEN_OUT else SHORT
        reach = ability(s, unit, battle.origins, kind)
        ways = retreat.open_hexes(s, Retreat(unit, kind, battle.origins, battle.seat, (s.pos[unit],)))
    dicey = not lost and result in DRIVEN_OUT and resolution.almost_cut_off(s.rules, reach)
    return Fate(unit, judged.table, result, judged.causes, lost, reach, dicey, unit in free, ways)


def held(s: State, attack: Attack, number: int) -> list[Face]:
    """The same if all defenders are given "No Retreat!" orders."""
    fork = s.copy()
    fork.hold |= mask_of(u for target in attack.targets for u in s.at.get(target, ()))
    return faces(fork, attack, number)


def breaking_through(s: State) -> UnitBits:
    """Units that may attack once more at this moment (XIII.F)."""
    top = s.stack[-1] if s.stack else None
    if isinstance(top, BuildBreakthrough):
        return top.pool
    return top.pool(s) if isinstance(top, Breakthrough) else 0


def why_not(s: State, targets: tuple[Hex, ...], units: tuple[Unit, ...]) -> Why | None:
    """Why these units cannot attack these hexes together, odds aside."""
    again = breaking_through(s)
    for unit in units:
        why = why_not_all(s, unit, targets, why_not_reached if again >> unit & 1 else why_not_attack)
        if why is not None:
            return why
    return why_crowded(s) if crowded(s, targets, units) else None
