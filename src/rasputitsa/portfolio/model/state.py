"""The state of a game: where the counters are, how they stand, and which questions are open.

Sets of hexes and of units are plain integers (bit i = hex i, bit u = unit u), so a state copies in a few
microseconds. ``place``, ``lift`` and the status setters keep the derived sets true; nothing else may touch
``pos``, ``at`` and the per-side hex sets.
"""

from __future__ import annotations

from typing import Final

from rasputitsa.core.actions import Action, Outcome
from rasputitsa.core.frames import Frame
from rasputitsa.core.state import BaseState, Fields
from rasputitsa.hexes.grid import BIT, members, without
from rasputitsa.portfolio.model.combat import Attack, Battle
from rasputitsa.portfolio.model.goal import Goal
from rasputitsa.portfolio.model.indices import Hex, HexBits, Side, Unit, UnitBits
from rasputitsa.portfolio.model.moves import MovingStack, Reach
from rasputitsa.portfolio.model.rail import RailNet
from rasputitsa.portfolio.model.ruleset import Ruleset, Weather
from rasputitsa.portfolio.model.theatre import SIDES, Ground
from rasputitsa.portfolio.model.units import ACTIVE, ARMORED, BIG, DISPERSED, FULL, OCCUPIED, STRONG

POOL: Final = -1
ELIMINATED: Final = -2
LOCKED: Final = -3
SETUP: Final = -4
"""Off the map: may be built; gone for good; waiting in Siberia; not yet set up."""
WHERE = {POOL: "pool", ELIMINATED: "eliminated", LOCKED: "siberia", SETUP: "setup"}


FIELDS: Final = Fields(
    truth=(
        "airlifted", "amphibious_used", "armor_points", "arrived", "attacked", "attacks", "battle",
        "broke_through", "captured", "control", "dispersed", "entered", "factories_lost", "fresh_dispersed",
        "fronts_built", "fuel_short", "germans_in_finland", "hold", "idle_sides", "infantry_points", "moved",
        "must_attack", "offensive", "outcome", "pos", "rail_used", "reserve", "sea_used", "secret", "siberia",
        "siberia_points", "side", "spent", "stack", "stand_all", "turn", "weather",
    ),
    later=("goal",),
    derived=(
        "present", "pool", "locked", "at", "hex_flags", "occ", "full", "big", "armored", "active", "dispersed_hexes",
        "strong",
    ),
    cached=("legal", "zones", "nets", "reached"),
)  # fmt: skip


class State(BaseState):
    """One position of The Russian Portfolio."""

    __slots__ = FIELDS.slots
    fields = FIELDS

    def __init__(self, rules: Ruleset, like: State | None = None) -> None:
        if like is not None:
            self._take_over(like)
            return
        self.rules = rules
        self.turn = rules.first_turn
        self.weather: Weather = rules.weather["good"]
        self.side = 0
        self.reserve = 0
        """Number of the Reserves Phase, 0 in the Initial Phase."""
        self.pos: list[Hex] = [SETUP] * len(rules.units)
        self.at: dict[Hex, tuple[Unit, ...]] = {}
        # sets of units
        self.present = 0
        """On the map."""
        self.pool = 0
        """Off the map, and may be built."""
        self.locked = 0
        """Waiting in Siberia."""
        self.spent = 0
        """Have acted this game-turn (VII.A, XIII.C.Spent)."""
        self.dispersed = 0
        """Upside down: no zone, no move, no attack (VII.B, XIII.C.Dispersed)."""
        self.moved = 0
        self.attacked = 0
        self.fresh_dispersed = 0
        """Dispersed during the present attack phase, so not recovered at its end (VII.C)."""
        self.hold = 0
        """Under "No Retreat!" orders for this player-turn (XIII.B.6)."""
        self.broke_through = 0
        """Has made its breakthrough attack of this game-turn (XIII.F)."""
        self.fuel_short = 0
        self.must_attack = 0
        self.entered = 0
        """Reinforcements that arrived this turn by the Siberian gamble."""
        self.hex_flags: dict[Hex, int] = {}
        """For each hex the sets below that it is in: ``OCCUPIED``, ``FULL`` .. together."""
        # sets of hexes, by side
        self.occ = [0, 0]
        self.full = [0, 0]
        """No further unit fits: as many as a hex holds, or a front (XII)."""
        self.big = [0, 0]
        """Holds a unit above corps level."""
        self.armored = [0, 0]
        """Holds an armor-type unit."""
        self.active = [0, 0]
        """Holds an UnDispersed unit: the sources of zones of control (III.ZOC)."""
        self.dispersed_hexes = [0, 0]
        """Holds a Dispersed unit."""
        self.strong = [0, 0]
        """Holds an UnDispersed German army or Soviet front."""
        # control
        self.control = 0
        """Hexes under Axis control; all other hexes of the belligerents are Soviet."""
        self.captured = 0
        """Victory cities that the Axis has entered: their intrinsic factor is lost (X.B.6)."""
        self.factories_lost = 0
        # replacement phase
        self.armor_points = [0, 0]
        self.infantry_points = [0, 0]
        self.rail_used = 0
        self.sea_used: tuple[str, ...] = ()
        self.arrived = 0
        """Hexes where a unit has arrived in this phase (IX.A)."""
        self.fronts_built = 0
        self.siberia: tuple[int, ...] = ()
        """Turns in which an instalment of the Siberian Reserve arrived."""
        self.siberia_points = (0, 0, 0)
        """Armor and infantry points and cavalry corps the instalment of this turn still has."""
        self.secret = 0
        """The number the Axis player has picked for Siberian roulette, 0 for none."""
        # operations
        self.attacks: tuple[Attack, ...] = ()
        self.battle: Battle | None = None
        self.amphibious_used = False
        self.offensive = 0
        """Turn in which the Winter Offensive began, 0 before (VI.B.3)."""
        self.airlifted = 0
        self.stand_all = 0
        """Seats (bit n = seat n) that have declined further voluntary retreats in this attack phase."""
        self.idle_sides = 0
        """How many sides in a row did nothing in a Reserves Phase."""
        self.germans_in_finland = False
        """German units started the game in Finland, so the Finns need not wait (XVI.B.5)."""
        self.goal: Goal | None = None
        """What decides a lesson; None in a whole game."""
        self.outcome: Outcome | None = None
        self.stack: tuple[Frame[State], ...] = ()
        # what was worked out last
        self.legal: list[Action] | None = None
        """The answers to the open question."""
        self.zones = [(0, 0), (0, 0)]
        """By side the zones of control, after the hexes they come from."""
        self.nets: list[tuple[int, RailNet] | None] = [None, None]
        """By side the rail nets, after the hexes open to trains."""
        self.reached: tuple[MovingStack, Ground, Reach] | None = None
        """How far a group can go while nothing has moved since."""

    def copy(self) -> State:
        """An independent copy."""
        return State(self.rules, self)

    def _take_over(self, like: State) -> None:
        """Become an independent copy of another state."""
        self.rules = like.rules
        self.turn = like.turn
        self.weather = like.weather
        self.side = like.side
        self.reserve = like.reserve
        self.pos = like.pos.copy()
        self.at = like.at.copy()
        self.hex_flags = like.hex_flags.copy()
        self.present = like.present
        self.pool = like.pool
        self.locked = like.locked
        self.spent = like.spent
        self.dispersed = like.dispersed
        self.moved = like.moved
        self.attacked = like.attacked
        self.fresh_dispersed = like.fresh_dispersed
        self.hold = like.hold
        self.broke_through = like.broke_through
        self.fuel_short = like.fuel_short
        self.must_attack = like.must_attack
        self.entered = like.entered
        self.occ = like.occ.copy()
        self.full = like.full.copy()
        self.big = like.big.copy()
        self.armored = like.armored.copy()
        self.active = like.active.copy()
        self.dispersed_hexes = like.dispersed_hexes.copy()
        self.strong = like.strong.copy()
        self.control = like.control
        self.captured = like.captured
        self.factories_lost = like.factories_lost
        self.armor_points = like.armor_points.copy()
        self.infantry_points = like.infantry_points.copy()
        self.rail_used = like.rail_used
        self.sea_used = like.sea_used
        self.arrived = like.arrived
        self.fronts_built = like.fronts_built
        self.siberia = like.siberia
        self.siberia_points = like.siberia_points
        self.secret = like.secret
        self.attacks = like.attacks
        self.battle = like.battle
        self.amphibious_used = like.amphibious_used
        self.offensive = like.offensive
        self.airlifted = like.airlifted
        self.stand_all = like.stand_all
        self.idle_sides = like.idle_sides
        self.germans_in_finland = like.germans_in_finland
        self.goal = like.goal
        self.outcome = like.outcome
        self.stack = like.stack
        self.legal = like.legal
        self.zones = like.zones.copy()
        self.nets = like.nets.copy()
        self.reached = like.reached

    def key_end(self) -> tuple[object, ...]:
        return (tuple(sorted(self.at.items())),)

    def summary(self) -> str:
        rules = self.rules
        phase = f"Reserves Phase {self.reserve}" if self.reserve else "Initial Phase"
        counts = " and ".join(f"{len(self.on_map(side))} {SIDES[side]}" for side in (0, 1))
        asked = self.outcome.reason if self.outcome else self.stack[-1].kind if self.stack else "nothing"
        return (
            f"{rules.scenario_id}, {rules.turns[self.turn].date}, {SIDES[self.side]}, {phase}; "
            f"{counts} units on the map; open: {asked}"
        )

    # ------------------------------------------------------------------ where units are

    def place(self, unit: Unit, hex_: Hex) -> None:
        """Put a unit on a hex, from wherever it is."""
        side = self.rules.roster.side[unit]
        if self.pos[unit] >= 0:
            self._leave(unit, side)
        else:
            bit = BIT[unit]
            self.present |= bit
            self.pool = without(self.pool, bit)
            self.locked = without(self.locked, bit)
        self.pos[unit] = hex_
        here = self.at.get(hex_, ())
        self.at[hex_] = (*here, unit) if not here or here[-1] < unit else tuple(sorted((*here, unit)))
        self._refresh(hex_, side)

    def lift(self, unit: Unit, where: int) -> None:
        """Take a unit off the map: ``POOL``, ``ELIMINATED``, ``LOCKED`` or ``SETUP``; its status is cleared."""
        bit = BIT[unit]
        self.spent = without(self.spent, bit)
        self.dispersed = without(self.dispersed, bit)
        self.moved = without(self.moved, bit)
        self.hold = without(self.hold, bit)
        self.fuel_short = without(self.fuel_short, bit)
        self.entered = without(self.entered, bit)
        if self.pos[unit] >= 0:
            self._leave(unit, self.rules.roster.side[unit])
            self.present = without(self.present, bit)
        else:
            self.pool = without(self.pool, bit)
            self.locked = without(self.locked, bit)
        if where == POOL:
            self.pool |= bit
        elif where == LOCKED:
            self.locked |= bit
        self.pos[unit] = where

    def _leave(self, unit: Unit, side: Side) -> None:
        hex_ = self.pos[unit]
        left = [u for u in self.at[hex_] if u != unit]
        if left:
            self.at[hex_] = tuple(left)
        else:
            del self.at[hex_]
        self._refresh(hex_, side)

    def _refresh(self, hex_: Hex, side: Side) -> None:
        """Bring the per-side hex sets up to date for one hex."""
        self.reached = None
        rules = self.rules
        roster = rules.roster
        units = self.at.get(hex_, ())
        flags = FULL if len(units) >= rules.stack_limit else 0
        for unit in units:
            flags |= roster.flags_dispersed[unit] if self.dispersed & BIT[unit] else roster.flags_active[unit]
        if flags & FULL and len(units) < rules.stacking.front and len(units) < rules.stack_limit:
            flags ^= FULL
        changed = flags ^ self.hex_flags.get(hex_, 0)
        if not changed:
            return
        if flags:
            self.hex_flags[hex_] = flags
        else:
            del self.hex_flags[hex_]
        bit = BIT[hex_]
        if changed & OCCUPIED:
            self.occ[side] ^= bit
        if changed & FULL:
            self.full[side] ^= bit
        if changed & BIG:
            self.big[side] ^= bit
        if changed & ARMORED:
            self.armored[side] ^= bit
        if changed & ACTIVE:
            self.active[side] ^= bit
        if changed & DISPERSED:
            self.dispersed_hexes[side] ^= bit
        if changed & STRONG:
            self.strong[side] ^= bit

    def rebuild(self) -> None:
        """Derive every set again from ``pos`` and the status sets."""
        self.at = {}
        self.hex_flags = {}
        self.present = sum(1 << unit for unit, hex_ in enumerate(self.pos) if hex_ >= 0)
        self.pool = sum(1 << unit for unit, where in enumerate(self.pos) if where == POOL)
        self.locked = sum(1 << unit for unit, where in enumerate(self.pos) if where == LOCKED)
        for sets in (self.occ, self.full, self.big, self.armored, self.active, self.dispersed_hexes, self.strong):
            sets[:] = [0, 0]
        for unit, hex_ in enumerate(self.pos):
            if hex_ >= 0:
                self.at[hex_] = (*self.at.get(hex_, ()), unit)
        self.reached = None
        for hex_, units in self.at.items():
            self._refresh(hex_, self.rules.roster.side[units[0]])

    # ------------------------------------------------------------------ how units stand

    def disperse(self, unit: Unit) -> None:
        """Flip a unit upside down (VII.B): no zone of control, no move, no attack."""
        bit = BIT[unit]
        self.dispersed |= bit
        self.fresh_dispersed |= bit
        self.spent = without(self.spent, bit)
        if self.pos[unit] >= 0:
            self._refresh(self.pos[unit], self.rules.roster.side[unit])

    def recover(self, units: UnitBits) -> None:
        """Flip Dispersed units face up; they are Spent until the end of the game-turn (VII.C)."""
        self.dispersed = without(self.dispersed, units)
        self.spent |= units
        for unit in members(units):
            if self.pos[unit] >= 0:
                self._refresh(self.pos[unit], self.rules.roster.side[unit])

    def spend(self, units: UnitBits) -> None:
        """Face units toward the opponent: they are Spent (VII.A, XIII.C)."""
        self.spent |= without(units & self.present, self.dispersed)

    @staticmethod
    def members(units: UnitBits) -> list[Unit]:
        """The unit numbers in a set of units, ascending."""
        return members(units)

    def on_map(self, side: Side) -> list[Unit]:
        """Units of a side that are on the map, in order."""
        return self.members(self.rules.roster.of_side[side] & self.present)

    def units_in(self, hexes: HexBits) -> UnitBits:
        """The set of units standing in a set of hexes."""
        found = 0
        for hex_ in members(hexes & (self.occ[0] | self.occ[1])):
            for unit in self.at[hex_]:
                found |= BIT[unit]
        return found

    def mask_at(self, hex_: Hex) -> UnitBits:
        """The set of units in one hex."""
        mask = 0
        for unit in self.at.get(hex_, ()):
            mask |= BIT[unit]
        return mask

    # ------------------------------------------------------------------ shorthands

    @property
    def enemy(self) -> Side:
        """The side whose move it is not: III.Defender, when III.Attacker attacks."""
        return 1 - self.side

    def controlled(self, side: Side) -> HexBits:
        """Hexes under a side's control (XV.A)."""
        if side == 0:
            return self.control
        return without(self.rules.map.ground[1].land, self.control)

    def first_turn(self) -> bool:
        """Whether this is the first turn of the game (XVI.B)."""
        return self.turn == self.rules.first_turn
