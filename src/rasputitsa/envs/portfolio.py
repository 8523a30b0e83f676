"""The Russian Portfolio as arrays."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from rasputitsa.core.game import Decision, Game
from rasputitsa.core.lessons.goal import met, share
from rasputitsa.envs.encoder import Array, Encoder, lines_of
from rasputitsa.envs.rewards import Score
from rasputitsa.hexes.grid import DIRECTION_NAMES
from rasputitsa.portfolio.api.observe import may_see_secret
from rasputitsa.portfolio.model.actions import VERBS
from rasputitsa.portfolio.model.state import ELIMINATED, LOCKED, POOL, SETUP, State
from rasputitsa.portfolio.model.terrain import zoc
from rasputitsa.portfolio.model.theatre import SIDES
from rasputitsa.portfolio.rules.turn import goal, victory
from rasputitsa.portfolio.rules.turn.sequence import TITLES, phase_of

TERRAIN = ("clear", "swamp", "hills", "mountain", "sea", "lake")
STILL = (
    *TERRAIN, "neutral", "city", "victory", "factory", "fortress", "port", "oil_axis", "oil_soviet", "home_axis",
    "home_soviet", "arctic", "stalin_line",
    *(f"river_{d}" for d in DIRECTION_NAMES), *(f"barrier_{d}" for d in DIRECTION_NAMES),
)  # fmt: skip
OF_A_SIDE = ("units", "attack", "defence", "spent", "dispersed", "armor", "zone")
MOVING = (
    "control_axis", *(f"{name}_{side}" for side in SIDES for name in OF_A_SIDE), "attacked", "goal", "subject", "asked",
)  # fmt: skip

OFF_MAP = {"pool": POOL, "siberia": LOCKED, "setup": SETUP, "eliminated": ELIMINATED}
STATUSES = ("spent", "dispersed", "moved", "attacked", "hold", "fuel_short", "present")
FEATURES = (
    "soviet", "attack", "defence", "movement", "armor", "front", "row", "column", *OFF_MAP, *STATUSES, "mine",
    "attacker", "defender", "subject", "asked",
)  # fmt: skip

WEATHER = ("good", "mud", "hard_frost", "snow")
PHASES = tuple(title[0] for title in TITLES.values())
KINDS = (
    "advance", "advance_step", "airlift", "attack", "breakthrough", "build_attack", "cast", "deploying", "deployment",
    "displace", "displace_to", "exchange", "exchange_first", "isolation", "losses", "may_retreat", "movement", "moving",
    "no_retreat", "overstack", "pick", "rail", "reduce", "reinforce", "replace", "replacement", "replacement_end",
    "resolve", "retreat", "retreat_length", "retreat_order", "sea", "sequence", "stop", "weather", "window",
)  # fmt: skip
SEATS = 4
GLOBALS = (
    "turn", *(f"weather_{w}" for w in WEATHER), *(f"phase_{p}" for p in PHASES), "reserve", "soviet_to_move",
    "soviet_decides", *(f"seat_{n}" for n in range(SEATS)), "my_decision", "victory", "armor_axis", "infantry_axis",
    "armor_soviet", "infantry_soviet", "offensive", "siberia", "siberia_armor", "siberia_infantry", "picked", "battle",
    "die", "goal_turns", "goal_met", *(f"asks_{k}" for k in KINDS),
)  # fmt: skip

HALF = np.float32(0.5)
SHARE = np.float32(1 / 16)
"""Two strong armies in a hex come to 1."""
MOST_POINTS = 100.0


class PortfolioEncoder(Encoder):
    """Planes are as the map lies: north up, row A first. The ``_axis`` and ``_soviet`` planes do not change places."""

    verbs: ClassVar[tuple[str, ...]] = (
        "place", "lift", "at", "back", "done", "stop", "continue", "replace", "reinforce", "rail", "sea", "reduce",
        "as", "eliminate", "siberia", "displace", "pick", "cast", "move", "with", "to", "halt", "retreat", "stand",
        "stand_all", "attack", "also", "without", "amphibious", "ready", "drop", "withdraw", "offensive", "hold",
        "resolve", "cancel", "lose", "exchange", "decline", "exchange_first", "refrain", "advance", "join", "airlift",
        "pass", "step",
    )  # fmt: skip
    numbers: ClassVar[dict[str, tuple[int, int]]] = {
        "pick": (1, 6), "withdraw": (1, 128), "resolve": (1, 128), "cancel": (1, 128), "join": (1, 64),
    }  # fmt: skip
    planes = (*STILL, *MOVING)
    features = FEATURES
    globals = GLOBALS

    def __init__(self, game: Game[Any], state: State) -> None:
        rules = state.rules
        self._rules = rules
        self.rows, self.columns = rules.grid.rows, rules.grid.columns
        self.units = len(rules.units)
        self._stride = rules.grid.stride
        self._still = self._still_planes()
        self._table = self._still_table()
        self._af = np.array(rules.roster.af, dtype=np.float32)
        self._df = np.array(rules.roster.df, dtype=np.float32)
        self._one = np.ones(self.units, dtype=np.float32)
        self._side = np.array(rules.roster.side)
        self._seat = {seat.id: number for number, seat in enumerate(rules.seats)}

    def plane(self, hexes: int) -> Array:
        """A set of hexes as a plane of zeros and ones."""
        return lines_of(hexes, self._rules.grid, self.rows, self.columns)

    def _still_planes(self) -> Array:
        board, home = self._rules.map, self._rules.home
        ports = 0
        for hexes in board.ports.values():
            ports |= hexes
        worth = np.zeros((self.rows, self.columns), dtype=np.float32)
        for hex_, place in board.places.items():
            worth[divmod(hex_, self._stride)] = place.victory / 2
        found = [self.plane(board.by_terrain[kind]) for kind in TERRAIN]
        found += [self.plane(board.neutral), self.plane(board.cities) * HALF + self.plane(board.majors), worth]
        found += [
            self.plane(hexes)
            for hexes in (
                board.factories, board.fortresses, ports, board.fuel["axis"], board.fuel["soviet"], home[0], home[1],
                board.arctic, board.sides["stalin"].any,
            )
        ]  # fmt: skip
        found += [self.plane(mask) for mask in board.ground[0].river.masks]
        found += [self.plane(mask) for mask in board.ground[0].barrier.masks]
        return np.stack(found)

    def _still_table(self) -> Array:
        table = np.zeros((self.units, len(FEATURES)), dtype=np.float32)
        roster = self._rules.roster
        for u in self._rules.units:
            kinds = (roster.armor_type >> u.number & 1, roster.front >> u.number & 1)
            table[u.number, :6] = (u.side, u.af / 10, u.df / 10, u.mf / 8, *kinds)
        return np.clip(table, 0, 1)

    def encode(self, view: State, decision: Decision | None, seat: str) -> dict[str, Array]:
        subject = _subject(view)
        units, hexes = _asked(decision)
        return {
            "planes": self._planes(view, subject, hexes),
            "units": self._units(view, subject, units, seat),
            "globals": self._globals(view, decision, seat),
        }

    def _planes(self, s: State, subject: int, asked: int) -> Array:
        pos = np.array(s.pos)
        moving = [self.plane(s.control)]
        for side in (0, 1):
            here = np.flatnonzero((self._side == side) & (pos >= 0))
            moving += [
                self._sum(pos, here, self._one) * HALF,
                self._sum(pos, here, self._af) * SHARE,
                self._sum(pos, here, self._df) * SHARE,
                self.plane(_hexes_of(s, s.spent & s.rules.roster.of_side[side])),
                self.plane(s.dispersed_hexes[side]),
                self.plane(s.armored[side]),
                self.plane(zoc(s, side)),
            ]
        attacked = 0
        for attack in s.attacks:
            for hex_ in attack.targets:
                attacked |= 1 << hex_
        goal_hexes = s.goal.hold | s.goal.clear if s.goal else 0
        moving += [self.plane(hexes) for hexes in (attacked, goal_hexes, _hexes_of(s, subject), asked)]
        return np.concatenate([self._still, np.clip(np.stack(moving), 0, 1)])

    def _sum(self, pos: Any, units: Any, values: Array) -> Array:
        flat = np.bincount(pos[units], values[units], minlength=self.rows * self._stride).astype(np.float32)
        return flat[: self.rows * self._stride].reshape(self.rows, self._stride)[:, : self.columns]

    def _units(self, s: State, subject: int, asked: int, seat: str) -> Array:
        table = self._table.copy()
        pos = np.array(s.pos)
        on_map = pos >= 0
        table[on_map, 6] = pos[on_map] // self._stride / self.rows
        table[on_map, 7] = pos[on_map] % self._stride / self.columns
        column = 8
        for place in OFF_MAP.values():
            table[:, column] = pos == place
            column += 1
        attackers = defenders = 0
        if s.battle is not None:
            attackers, defenders = _set(s.battle.units), _set(s.battle.defenders)
        mine = s.rules.seats[self._seat[seat]].units
        for units in (*(getattr(s, name) for name in STATUSES), mine, attackers, defenders, subject, asked):
            table[:, column] = self._bits(units)
            column += 1
        return table

    def _bits(self, units: int) -> Any:
        raw = np.frombuffer(units.to_bytes((self.units + 7) // 8, "little"), dtype=np.uint8)
        return np.unpackbits(raw, bitorder="little")[: self.units]

    def _globals(self, s: State, decision: Decision | None, seat: str) -> Array:
        phase, _ = phase_of(s)
        number = self._seat[seat]
        frame = s.stack[-1]
        asked = s.rules.seats[frame.seat(s)].side if s.outcome is None else s.side
        aim = s.goal
        values = [
            s.turn / max(s.rules.turns),
            *(s.weather.id == w for w in WEATHER),
            *(TITLES[phase][0] == p for p in PHASES),
            s.reserve / 6, s.side, asked, *(number == n for n in range(SEATS)), decision is not None,
            victory.points_of(s, victory.linked_cities(s)) / victory.needed(s.rules),
            s.armor_points[0] / MOST_POINTS, s.infantry_points[0] / MOST_POINTS,
            s.armor_points[1] / MOST_POINTS, s.infantry_points[1] / MOST_POINTS,
            bool(s.offensive), len(s.siberia) / 3, s.siberia_points[0] / MOST_POINTS, s.siberia_points[1] / MOST_POINTS,
            s.secret / 6 if may_see_secret(s, seat) else 0, s.battle is not None,
            s.battle.die / 6 if s.battle else 0,
            (aim.last_turn - s.turn + 1) / 16 if aim else 0, met(goal.parts(s, aim)) if aim else 0,
            *(s.outcome is None and frame.kind == kind for kind in KINDS),
        ]  # fmt: skip
        return np.clip(np.array(values, dtype=np.float32), 0, 1)

    def scores(self, view: State, seat: str) -> dict[str, Score]:
        """The Axis score is its victory cities' points; in a lesson, how much of the goal is met, for its side."""
        strength = [float(sum(view.rules.roster.af[u] for u in view.on_map(side))) for side in (0, 1)]
        points = [0.0, 0.0]
        if view.goal is not None:
            points[view.goal.side] = share(goal.parts(view, view.goal))
        else:
            points[0] = victory.points_of(view, victory.linked_cities(view)) / victory.needed(view.rules)
        return {name: Score(points[n], strength[n]) for n, name in enumerate(SIDES)}


def _set(units: tuple[int, ...]) -> int:
    found = 0
    for unit in units:
        found |= 1 << unit
    return found


def _hexes_of(s: State, units: int) -> int:
    found = 0
    for unit in s.members(units & s.present):
        found |= 1 << s.pos[unit]
    return found


def _subject(s: State) -> int:
    """The units the open question is about: the group on the move, the attack being put together."""
    if not s.stack:
        return 0
    frame, found = s.stack[-1], 0
    value: Any
    retreat = getattr(frame, "retreat", None)
    for value in (getattr(frame, "unit", None), getattr(retreat, "unit", None)):
        if value is not None:
            found |= 1 << value
    for name in ("units", "chosen"):
        value = getattr(frame, name, 0)
        found |= _set(value) if isinstance(value, tuple) else value
    return found


def _asked(decision: Decision | None) -> tuple[int, int]:
    """The units and the hexes among the options."""
    units = hexes = 0
    for action in decision.options if decision else ():
        kinds = VERBS[action.verb]
        if kinds and kinds[0] == "unit":
            units |= 1 << action.args[0]
        elif kinds and kinds[0] == "hex":
            hexes |= 1 << action.args[0]
    return units, hexes
