"""War in Russia as arrays."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from rasputitsa.core.game import Decision, Game
from rasputitsa.core.lessons.goal import share
from rasputitsa.envs.encoder import Array, Encoder, Names, lines_of
from rasputitsa.envs.rewards import Score
from rasputitsa.hexes.grid import members
from rasputitsa.wir.model import plot
from rasputitsa.wir.model.actions import VERBS
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.tables import (
    AIR,
    GROUPS,
    INFANTRY,
    KIND,
    KIND_NAMES,
    MECHANIZED,
    MOST_AIRCRAFT,
    MOST_UNITS,
    POOL_MOST,
    POOLS,
    WEATHER_IDS,
    group_side,
    groups_of,
)
from rasputitsa.wir.model.theatre import AXIS, DIRECTION_NAMES, POPULATION, SIDES, SOVIET, SUPPLY, TERRAIN_NAMES
from rasputitsa.wir.rules.movement.air_plots import BOMB, strike_of
from rasputitsa.wir.rules.supply.supply import Depot
from rasputitsa.wir.rules.turn import goal, victory
from rasputitsa.wir.rules.turn.sequence import TITLES, phase_of

GROUND = TERRAIN_NAMES[:5]
WAYS = tuple(name.replace("-", "_") for name in DIRECTION_NAMES[1:])
STILL = (
    *GROUND, "passable", "city", "fortified", "scores", "port", "russia", "depot_axis", "depot_soviet",
    *(f"river_{way}" for way in WAYS),
)  # fmt: skip
OF_A_SIDE = (
    "rail", "combat", "mechanized", "air", "zone", "strength", "artillery", "entrenched", "supplied", "aircraft",
)  # fmt: skip
MOVING = (
    "control_axis", "cities_axis", "population", "supply_centres",
    *(f"{name}_{side}" for side in SIDES for name in OF_A_SIDE), "goal", "subject", "asked",
)  # fmt: skip

FLAGS = ("supplied", "relieved", "moved", "halted", "added_artillery")
CREW = ("strength", "experience", "fatigue", "mechanized")
FEATURES = (
    "soviet", *KIND_NAMES[1:], "present", "row", "column", "strength", "units", "artillery", "entrenched", "aircraft",
    "steps", "plot_first", "plot_second", "plot_stop", "plot_bombard", "strike", "strike_city", *FLAGS, "mine",
    "subject", "asked", *(f"{name}_{n}" for n in range(1, MOST_UNITS + 1) for name in CREW),
)  # fmt: skip

PHASES = tuple(title[0] for title in TITLES.values())
KINDS = (
    "adjust", "divide", "transfer", "aircraft", "build", "raise", "factory", "naval", "proposal", "depot", "movement",
    "orders",
)  # fmt: skip
GLOBALS = (
    "turn", "weeks", "year", *(f"weather_{w}" for w in WEATHER_IDS), *(f"phase_{p}" for p in PHASES), "soviet_to_move",
    "soviet_decides", "seat_axis", "seat_soviet", "my_decision", "level", "axis_points", "soviet_points", "difference",
    *(f"{pool}_{side}" for side in SIDES for pool in POOLS), "rail_moves", "air_moves", "lend_vehicles",
    "lend_aircraft", "rail_ordered", "penalty", "goal_turns", "goal_met", *(f"asks_{kind}" for kind in KINDS),
)  # fmt: skip

SIDES_OF = (AXIS, SOVIET)
MOST_STRENGTH, MOST_GUNS = 1200, 300
"""Six strong units, and a group's artillery, come to 1."""
MOST_SCORE, DECISIVE = 4000, 1000
MOST_TURNS = 203
MOST_LEND = 640, 80
TENS = range(10, 260, 10)


class WirEncoder(Encoder):
    """Planes are as the map lies: north up, 32 rows of 31 columns. The planes of the sides do not change places."""

    verbs: ClassVar[tuple[str, ...]] = (
        "done", "halt", "back", "abort", "divide", "form", "send", "guns", "transfer", "aircraft", "reinforce",
        "points", "build", "type", "strength", "factory", "works", "dismantle", "naval", "end_game", "level", "agree",
        "decline", "step", "depot", "auto", "rail", "supply", "skip", "auto_supply", "get", "railmove", "replace",
        "artillery", "plot", "unplot", "bomb", "ground", "auto_replace", "auto_all",
    )  # fmt: skip
    numbers: ClassVar[dict[str, tuple[int, int]]] = {
        "form": (1, 2), "send": (1, MOST_UNITS), "guns": (1, 2550), "points": (1, 50), "type": (1, 3), "works": (1, 4),
        "level": (1, 4), "step": (1, 6),
    }  # fmt: skip
    planes = (*STILL, *MOVING)
    features = FEATURES
    globals = GLOBALS

    def __init__(self, game: Game[Any], state: State) -> None:
        rules = state.rules
        self._rules = rules
        self._grid = rules.grid
        self.rows, self.columns = rules.grid.columns, rules.grid.rows
        self.units = GROUPS - 1
        self._still = self._still_planes()
        self._kinds = np.array(KIND[1:])

    def arguments(self, verb: str) -> tuple[Names, ...] | None:
        """Tables of their own for arguments that take few of the numbers of their kind."""
        tens = {str(points): points for points in TENS}
        if verb == "plot":
            return ({plot.text(n): n for n in plot.legal_plots(MECHANIZED)},)
        if verb == "strength":
            return (tens,)
        if verb == "replace":
            return ({str(n): n for n in range(1, MOST_UNITS + 1)}, tens)
        kinds = {"transfer": (MECHANIZED, INFANTRY), "aircraft": (AIR,), "naval": (INFANTRY,)}.get(verb)
        if kinds is None:
            return None
        names = {str(g): g for side in (0, 1) for g in groups_of(side, *kinds)}
        return names, names

    def plane(self, hexes: int) -> Array:
        """A set of hexes as a plane of zeros and ones."""
        return lines_of(hexes, self._grid, self.columns, self.rows).T

    def _spot(self, hex_: int) -> tuple[int, int]:
        column, row = divmod(hex_, self._grid.stride)
        return row, column

    def _still_planes(self) -> Array:
        board = self._rules.map
        kinds = [self.plane(sum(1 << h for h in members(self._grid.board) if board.base[h] == n)) for n in range(5)]
        cities = {"scores": 0, "port": 0}
        for city in board.cities:
            cities["scores"] |= bool(city.scores) << city.hex
            cities["port"] |= bool(city.port) << city.hex
        depots = [sum(1 << h for g, h in self._rules.depot_hex.items() if group_side(g) == side) for side in (0, 1)]
        rivers = [0] * 6
        for a, b, _ in board.rivers:
            rivers[board.direction(a, b) - 1] |= 1 << a
            rivers[board.direction(b, a) - 1] |= 1 << b
        sets = (board.passable, board.city_hexes, board.fortified, *cities.values(), board.in_russia, *depots, *rivers)
        return np.stack([*kinds, *map(self.plane, sets)])

    def encode(self, view: State, decision: Decision | None, seat: str) -> dict[str, Array]:
        side = SIDES.index(seat)
        subject = _subject(view)
        groups, hexes = _asked(decision)
        return {
            "planes": self._planes(view, subject, hexes),
            "units": self._units(view, side, subject, groups),
            "globals": self._globals(view, decision, side),
        }

    def _planes(self, s: State, subject: int, asked: int) -> Array:
        worth = {POPULATION: np.zeros((self.rows, self.columns), np.float32)}
        worth[SUPPLY] = worth[POPULATION].copy()
        for city in s.rules.map.cities:
            for kind, values in worth.items():
                values[self._spot(city.hex)] = s.values[kind][city.number] / 20
        moving = [self.plane(s.control), self.plane(s.city_hexes[0]), worth[POPULATION], worth[SUPPLY]]
        for side in (0, 1):
            moving += self._of_side(s, side)
        goals = s.goal.hold | s.goal.clear if s.goal else 0
        about = sum(1 << s.hex[g] for g in members(subject) if s.hex[g] >= 0)
        top = s.stack[-1] if s.stack else None
        if isinstance(top, Depot):
            about |= 1 << top.here
        moving += [self.plane(goals), self.plane(about), self.plane(asked)]
        return np.concatenate([self._still, np.clip(np.stack(moving), 0, 1)])

    def _of_side(self, s: State, side: int) -> list[Array]:
        found = {name: np.zeros((self.rows, self.columns), np.float32) for name in OF_A_SIDE}
        found["rail"], found["zone"] = self.plane(s.rail[side]), self.plane(s.zoc(side))
        for group in s.on_map(groups_of(side)):
            spot = self._spot(s.hex[group])
            if KIND[group] == AIR:
                found["air"][spot] = 1
                found["aircraft"][spot] += s.aircraft[group] / MOST_AIRCRAFT
                continue
            found["combat"][spot] += 0.5
            found["mechanized"][spot] += 0.5 if KIND[group] == MECHANIZED else 0
            found["strength"][spot] += sum(s.strength[u] for u in s.group_units[group]) / (2 * MOST_STRENGTH)
            found["artillery"][spot] += s.artillery[group] / (2 * MOST_GUNS)
            found["entrenched"][spot] = max(found["entrenched"][spot], s.entrench[group] / 5)
            found["supplied"][spot] += 0.5 if s.supplied >> group & 1 else 0
        return [found[name] for name in OF_A_SIDE]

    def _units(self, s: State, side: int, subject: int, asked: int) -> Array:
        table = np.zeros((self.units, len(FEATURES)), dtype=np.float32)
        table[:, 0] = np.arange(1, GROUPS) > 63
        for kind in range(1, 5):
            table[:, kind] = self._kinds == kind
        for group in range(1, GROUPS):
            if s.hex[group] >= 0:
                table[group - 1, 5 : 5 + len(FEATURES)] = self._row(s, group, side, subject, asked)
        return np.clip(table, 0, 1)

    def _row(self, s: State, group: int, side: int, subject: int, asked: int) -> list[float]:
        row, column = self._spot(s.hex[group])
        crew = s.group_units[group]
        first, second, ending = plot.unpack(s.plot[group])
        strike = strike_of(s, group)
        found: list[float] = [
            1, row / self.rows, column / self.columns, sum(s.strength[u] for u in crew) / MOST_STRENGTH,
            len(crew) / MOST_UNITS, s.artillery[group] / MOST_GUNS, s.entrench[group] / 5,
            s.aircraft[group] / MOST_AIRCRAFT, s.steps[group] / 4, first / 6, second / 6, ending == plot.STOP,
            ending == plot.BOMBARD, strike is not None, strike is not None and strike[1] == BOMB,
            *(getattr(s, flag) >> group & 1 for flag in FLAGS), group_side(group) == side, subject >> group & 1,
            asked >> group & 1,
        ]  # fmt: skip
        for unit in crew:
            kind = s.rules.types[s.utype[unit]]
            found += [s.strength[unit] / 200, s.experience[unit] / 99, s.fatigue[unit] / 95, kind.mechanized]
        return [*found, *[0.0] * (len(CREW) * (MOST_UNITS - len(crew)))]

    def _globals(self, s: State, decision: Decision | None, side: int) -> Array:
        phase, whose = phase_of(s)
        tally = victory.tally(s)
        top = s.stack[-1] if s.stack else None
        kind = top.kind if top is not None and s.outcome is None else ""
        asked = whose if decision is None else SIDES.index(decision.side)
        aim = s.goal
        values = [
            s.turn / s.rules.turns, s.turn / MOST_TURNS, (s.year - 1941) / 4,
            *(s.weather == n for n in range(len(WEATHER_IDS))), *(TITLES[phase][0] == p for p in PHASES),
            whose, asked, side == 0, side == 1, decision is not None, s.level / 4,
            tally["axis"]["total"] / MOST_SCORE, tally["soviet"]["total"] / MOST_SCORE,
            tally["difference"] / MOST_SCORE / 2 + 0.5,
            *(points / most for n in (0, 1) for points, most in zip(s.pools[n], POOL_MOST, strict=True)),
            s.rail_moves[side] / 3, s.air_moves[side] / 50, s.lend[0] / MOST_LEND[0], s.lend[1] / MOST_LEND[1],
            s.rail_order[side] >= 0, top.penalty / 4 if isinstance(top, Depot) else 0,
            (aim.last_turn - s.turn + 1) / 16 if aim else 0,
            goal.show(s, aim, (side,))["reached"] if aim else 0,
            *(kind == name for name in KINDS),
        ]  # fmt: skip
        return np.clip(np.array(values, dtype=np.float32), 0, 1)

    def scores(self, view: State, seat: str) -> dict[str, Score]:
        """The Axis score is its lead in points, in decisive victories; in a lesson, the share of the goal met.

        Hidden from a seat to the end of the game, and counted as nothing in its rewards: the enemy's strength, and
        whether the enemy's groups are in supply.
        """
        side, open_ = SIDES.index(seat), view.rules.options["fog"] == "open"
        strength, points = [0.0, 0.0], [0.0, 0.0]
        for known in SIDES_OF if open_ else (side,):
            strength[known] = float(sum(view.strength[u] for u in view.units_of(known)))
        aim = view.goal
        if aim is not None:
            known_aim = aim if open_ or aim.side == side else aim._replace(supplied=0)
            points[aim.side] = share(goal.parts(view, known_aim))
        else:
            points[0] = -victory.tally(view)["difference"] / DECISIVE
        return {name: Score(points[n], strength[n]) for n, name in enumerate(SIDES)}


def _subject(s: State) -> int:
    """The groups the open question is about."""
    top, found = (s.stack[-1] if s.stack else None), 0
    for name in ("group", "source", "target"):
        value = getattr(top, name, 0)
        if isinstance(value, int) and 0 < value < GROUPS:
            found |= 1 << value
    return found


def _asked(decision: Decision | None) -> tuple[int, int]:
    """The groups and the hexes among the options."""
    groups = hexes = 0
    for action in decision.options if decision else ():
        for kind, value in zip(VERBS[action.verb], action.args, strict=True):
            if kind == "unit":
                groups |= 1 << value
            elif kind == "hex":
                hexes |= 1 << value
    return groups, hexes
