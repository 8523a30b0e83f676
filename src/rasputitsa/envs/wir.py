"""War in Russia as arrays."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np

from rasputitsa.core.game import Decision, Game
from rasputitsa.core.lessons.goal import share
from rasputitsa.envs.encoder import Array, Encoder, Names, option_names, option_values
from rasputitsa.envs.numbers import lines_of, soft, unpacked
from rasputitsa.envs.rewards import Score
from rasputitsa.hexes.grid import members
from rasputitsa.wir.model import plot
from rasputitsa.wir.model.actions import VERBS
from rasputitsa.wir.model.ruleset import NUMBERED
from rasputitsa.wir.model.state import OFF, State
from rasputitsa.wir.model.tables import (
    AIR,
    DEPOT,
    GROUPS,
    INFANTRY,
    KIND,
    KIND_NAMES,
    MECHANIZED,
    MOST_AIRCRAFT,
    MOST_UNITS,
    POOL_MOST,
    POOLS,
    UNITS,
    WEATHER_IDS,
    group_side,
    groups_of,
)
from rasputitsa.wir.model.theatre import (
    AXIS,
    CITY_VALUES,
    DIRECTION_NAMES,
    INDUSTRY,
    SIDES,
    SOVIET,
    SUPPLY,
    TERRAIN_NAMES,
)
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
HEX_SETS = (
    "control_axis", "cities_axis", *(f"{name}_{side}" for side in SIDES for name in ("rail", "zone", "rail_order")),
    "goal", "goal_clear", "subject", "about", "start", "asked",
)  # fmt: skip
WORKS = CITY_VALUES[INDUSTRY:SUPPLY]
CITIES = ("population", *(f"{kind}_works" for kind in WORKS), "supply_centres")
OF_A_SIDE = ("combat", "mechanized", "air", "aircraft", "strength", "artillery", "entrenched", "supplied")
MOVING = (*HEX_SETS, *CITIES, *(f"{name}_{side}" for side in SIDES for name in OF_A_SIDE), "route")

FLAGS = ("supplied", "relieved", "moved", "from_line", "halted", "added_artillery")
GROUP_SETS = (*FLAGS, "mine", "goal_remove", "goal_keep", "goal_supplied", "subject", "source", "target", "asked")
CREW = ("strength", "experience", "fatigue", "mechanized", "kind", "name")
OF_A_GROUP = (
    "present", "row", "column", "strength", "units", "artillery", "entrenched", "aircraft", "steps",
    "unsupplied_moves", "plot_first", "plot_second", "plot_stop", "plot_bombard", "strike", "strike_city",
    "strike_row", "strike_column",
)  # fmt: skip
FEATURES = (
    "soviet", *KIND_NAMES[1:], *OF_A_GROUP, "returns", *GROUP_SETS,
    *(f"{name}_{n}" for n in range(1, MOST_UNITS + 1) for name in CREW),
)  # fmt: skip

DEPOTS = groups_of(AXIS, DEPOT) + groups_of(SOVIET, DEPOT)
ROUTE = 32
"""The first steps of a depot's last move; of a longer one its length and end are told besides."""
OF_A_DEPOT = (
    "soviet", "number", "in_play", "start_row", "start_column", "subject", "length", "end_row", "end_column",
    *(f"step_{n}" for n in range(1, ROUTE + 1)),
)  # fmt: skip

PHASES = tuple(title[0] for title in TITLES.values())
KINDS = (
    "adjust", "divide", "transfer", "aircraft", "build", "raise", "factory", "naval", "proposal", "depot", "movement",
    "orders",
)  # fmt: skip
SEAS = 3
ASKED_FOR = ("ordered", "penalty", "level", "route")
"""Numbers of the open question: the kind of unit, the penalty hexes, the level proposed, the length of the route."""
GLOBALS = (
    "turn", "weeks", "year", "short", *(f"weather_{w}" for w in WEATHER_IDS), *(f"phase_{p}" for p in PHASES),
    "soviet_to_move", "soviet_decides", "seat_axis", "seat_soviet", "my_decision",
    *(f"first_{side}" for side in SIDES), "level", "months", "axis_points", "soviet_points", "difference",
    *(f"{pool}_{side}" for side in SIDES for pool in POOLS), *(f"rail_moves_{side}" for side in SIDES),
    *(f"air_moves_{side}" for side in SIDES), *(f"dismantled_{side}" for side in SIDES),
    *(f"sea_used_{side}_{n}" for side in SIDES for n in range(1, SEAS + 1)), "lend_vehicles", "lend_aircraft",
    *(f"asked_{name}" for name in ASKED_FOR), "formed", "can_abort", "goal_side", "goal_turns", "goal_met",
    "goal_at_least", "goal_remove_at_least", "goal_early", "goal_production", "over",
    *(f"won_{side}" for side in SIDES), *(f"asks_{kind}" for kind in KINDS),
)  # fmt: skip

SIDES_OF = (AXIS, SOVIET)
MOST_STRENGTH = 1200
"""Six strong units come to 1."""
BYTE = 255
MOST_SCORE, DECISIVE = 8000, 1000
MOST_TURNS = 203
TENS = range(10, 260, 10)


class WirEncoder(Encoder):
    """Planes are as the map lies: north up, 32 rows of 31 columns. The planes of the sides do not change places."""

    layout = 2
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
    take_backs = frozenset({"back", "halt", "abort", "unplot"})
    planes = (*STILL, *MOVING)
    features = FEATURES

    def __init__(self, game: Game[Any], state: State) -> None:
        rules = state.rules
        self._rules = rules
        self._grid = rules.grid
        self.rows, self.columns = rules.grid.columns, rules.grid.rows
        self.units = GROUPS - 1
        self._still = self._still_planes()
        self._table = self._still_table()
        self._spots = np.array([self._spot(hex_) for hex_ in range(rules.grid.size)])
        self._mechanized = np.array([kind.mechanized for kind in rules.types])
        self._combat = np.array([kind in (MECHANIZED, INFANTRY) for kind in KIND])
        self._names = NUMBERED + len(rules.names)
        self._cities = tuple(np.array([self._spot(city.hex) for city in rules.map.cities]).T)
        self._options = option_values(game, rules.options)
        self.globals = (*GLOBALS, *option_names(game))
        self._steps: dict[tuple[int, tuple[int, ...]], list[float]] = {}

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
        (found,) = lines_of([hexes], self._grid, self.columns, self.rows).astype(np.float32)
        plane: Array = found.T
        return plane

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

    def _still_table(self) -> Array:
        table = np.zeros((self.units, len(FEATURES)), dtype=np.float32)
        table[:, 0] = np.arange(1, GROUPS) > 63
        for kind in range(1, len(KIND_NAMES)):
            table[:, kind] = np.array(KIND[1:]) == kind
        return table

    def tables(self) -> Mapping[str, tuple[int, tuple[str, ...]]]:
        """The depots with the way of their last move, which they can go again by themselves (5.2)."""
        return {"depots": (len(DEPOTS), OF_A_DEPOT)}

    def encode(self, view: State, decision: Decision | None, seat: str) -> dict[str, Array]:
        side = SIDES.index(seat)
        groups, hexes = _asked(decision)
        return {
            "planes": self._planes(view, hexes),
            "units": self._units(view, side, groups),
            "globals": self._globals(view, decision, side),
            "depots": self._depots(view),
        }

    def _planes(self, s: State, asked: int) -> Array:
        found = np.empty((len(self.planes), self.rows, self.columns), dtype=np.float32)
        found[: len(STILL)] = self._still
        aim, top = s.goal, _top(s)
        sets = [s.control, s.city_hexes[0]]
        for side in (0, 1):
            ordered = s.rail_order[side]
            sets += [s.rail[side], s.zoc(side), 1 << ordered if ordered != OFF else 0]
        about = _set(top.about(s).hexes) if top is not None else 0
        subject = about | _set(s.hex[g] for g in members(_subject(s)) if s.hex[g] != OFF)
        start = getattr(top, "start", OFF)
        sets += [
            aim.hold | aim.clear if aim else 0, aim.clear if aim else 0, subject, about,
            1 << start if start != OFF else 0, asked,
        ]  # fmt: skip
        place = len(STILL) + len(sets)
        found[len(STILL) : place] = lines_of(sets, self._grid, self.columns, self.rows).transpose(0, 2, 1)
        found[place:] = 0
        for values in s.values:
            found[place][self._cities] = soft(np.frombuffer(values, dtype=np.uint8).astype(np.float32), 10)
            place += 1
        self._sums(s, found[place : place + 2 * len(OF_A_SIDE)])
        if isinstance(top, Depot):
            for n, hex_ in enumerate(top.route, start=1):
                found[-1][self._spot(hex_)] = soft(n, 16)
        return found

    def _sums(self, s: State, planes: Array) -> None:
        """What the groups in each hex come to, side by side: the planes ``OF_A_SIDE``."""
        hexes = np.array(s.hex)
        numbers = np.flatnonzero(hexes >= 0)
        rows, columns = self._spots[hexes[numbers]].T
        combat = self._combat[numbers]
        kinds = np.array(KIND)[numbers]
        strength = np.array([sum(s.strength[u] for u in s.group_units[g]) for g in numbers.tolist()])
        supplied = unpacked([s.supplied], GROUPS)[0][numbers]
        first = (numbers > 63) * len(OF_A_SIDE)
        values = (
            0.5 * combat, 0.5 * (kinds == MECHANIZED), kinds == AIR,
            np.frombuffer(s.aircraft, dtype=np.uint8)[numbers] / MOST_AIRCRAFT, strength / (2 * MOST_STRENGTH),
            soft(np.array(s.artillery)[numbers], 100) / 2, np.frombuffer(s.entrench, dtype=np.uint8)[numbers] / 5,
            0.5 * (supplied & combat),
        )  # fmt: skip
        for n, value in enumerate(values):
            if OF_A_SIDE[n] == "entrenched":
                np.maximum.at(planes, (first + n, rows, columns), value)
            else:
                np.add.at(planes, (first + n, rows, columns), value)
        np.minimum(planes, 1, out=planes)

    def _units(self, s: State, side: int, asked: int) -> Array:
        table = self._table.copy()
        crew = np.full((GROUPS, MOST_UNITS), UNITS)
        for group, units in enumerate(s.group_units):
            if units:
                crew[group, : len(units)] = units
        people = self._people(s)[crew[1:]]
        hexes = np.array(s.hex)[1:]
        present = hexes >= 0
        row, column = self._spots[hexes].T
        plots = np.array(s.plot)[1:]
        strikes = [(group, strike) for group in range(1, GROUPS) if (strike := strike_of(s, group))]
        first = len(KIND_NAMES)
        last = first + len(OF_A_GROUP)
        own = table[:, first:last]
        own[:] = np.stack([
            present, row / self.rows, column / self.columns, people[:, :, 0].sum(axis=1) * (BYTE / MOST_STRENGTH),
            (crew[1:] != UNITS).sum(axis=1) / MOST_UNITS, soft(np.array(s.artillery)[1:], 100),
            np.frombuffer(s.entrench, dtype=np.uint8)[1:] / 5,
            np.frombuffer(s.aircraft, dtype=np.uint8)[1:] / MOST_AIRCRAFT,
            soft(np.frombuffer(s.steps, dtype=np.uint8)[1:].astype(float), 4),
            soft(np.frombuffer(s.unsupplied_moves, dtype=np.uint8)[1:].astype(float), 2),
            plots // 10 % 10 / 6, plots % 10 / 6, plots // 100 == plot.STOP, plots // 100 == plot.BOMBARD,
            *np.zeros((4, self.units)),
        ], axis=1)  # fmt: skip
        for group, (target, manner) in strikes:
            row_, column_ = self._spot(target)
            own[group - 1, -4:] = 1, manner == BOMB, (row_ + 1) / self.rows, (column_ + 1) / self.columns
        own *= present[:, None]
        for group, turn in s.returning:
            table[group - 1, last] = soft(max(0, turn - s.turn) + 1, 8)
        aim, top = s.goal, _top(s)
        sets = (
            *(getattr(s, flag) for flag in FLAGS), _MINE[side], aim.remove if aim else 0, aim.keep if aim else 0,
            aim.supplied if aim else 0, _subject(s), _bit(getattr(top, "source", 0)), _bit(getattr(top, "target", 0)),
            asked,
        )  # fmt: skip
        table[:, last + 1 : last + 1 + len(sets)] = unpacked(sets, GROUPS)[:, 1:].T
        table[:, last + 1 + len(sets) :] = (people * present[:, None, None]).reshape(self.units, -1)
        return np.minimum(table, 1, out=table)

    def _people(self, s: State) -> Array:
        """The columns ``CREW`` of every unit slot, and a row of zeros for none."""
        kinds = np.frombuffer(s.utype, dtype=np.uint8)
        found = np.zeros((UNITS + 1, len(CREW)), dtype=np.float32)
        found[:UNITS, 0] = np.frombuffer(s.strength, dtype=np.uint8) / BYTE
        found[:UNITS, 1] = np.frombuffer(s.experience, dtype=np.uint8) / 99
        found[:UNITS, 2] = np.frombuffer(s.fatigue, dtype=np.uint8) / 95
        found[:UNITS, 3] = self._mechanized[kinds]
        found[:UNITS, 4] = kinds / len(self._mechanized)
        found[:UNITS, 5] = np.array(s.uname) / self._names
        return found

    def _depots(self, s: State) -> Array:
        table = np.zeros((len(DEPOTS), len(OF_A_DEPOT)), dtype=np.float32)
        top = _top(s)
        asked = top.depot if isinstance(top, Depot) else 0
        for row, depot in zip(table, DEPOTS, strict=True):
            row[:2] = group_side(depot), depot / GROUPS
            start = self._rules.depot_hex.get(depot, OFF)
            if start == OFF:
                continue
            up, along = self._spot(start)
            row[2:6] = 1, (up + 1) / self.rows, (along + 1) / self.columns, depot == asked
            route = s.depot_route[depot]
            if route:
                up, along = self._spot(route[-1])
                row[6:9] = soft(len(route), 16), (up + 1) / self.rows, (along + 1) / self.columns
                steps = self._directions(start, route)
                row[9 : 9 + len(steps)] = steps
        return table

    def _directions(self, start: int, route: tuple[int, ...]) -> list[float]:
        """The first steps of a way, as directions."""
        found = self._steps.get((start, route))
        if found is None:
            if len(self._steps) > 1000:
                self._steps.clear()
            way = (start, *route[:ROUTE])
            found = [self._rules.map.direction(a, b) / 6 for a, b in pairwise(way)]
            self._steps[start, route] = found
        return found

    def _globals(self, s: State, decision: Decision | None, side: int) -> Array:
        phase, whose = phase_of(s)
        tally = victory.tally(s)
        top, over, rules = _top(s), s.outcome is not None, s.rules
        values = [
            s.turn / rules.turns, s.turn / MOST_TURNS, (s.year - 1941) / 4, rules.short,
            *(s.weather == n for n in range(len(WEATHER_IDS))), *(TITLES[phase][0] == p for p in PHASES),
            whose, whose if decision is None else SIDES.index(decision.side), side == 0, side == 1,
            decision is not None, *(s.first == n for n in SIDES_OF), s.level / 4, soft(s.months, 12),
            tally["axis"]["total"] / MOST_SCORE, tally["soviet"]["total"] / MOST_SCORE,
            tally["difference"] / MOST_SCORE / 2 + 0.5,
            *(points / most for n in (0, 1) for points, most in zip(s.pools[n], POOL_MOST, strict=True)),
            *(soft(moves, 3) for moves in s.rail_moves), *(soft(moves, 50) for moves in s.air_moves),
            *(s.dismantled >> n & 1 for n in SIDES_OF), *(s.naval >> n & 1 for n in range(2 * SEAS)),
            soft(s.lend[0], 160), soft(s.lend[1], 20), *_numbers(top, len(rules.types)),
            bool(getattr(top, "formed", False)), getattr(top, "before", None) is not None, *self._goal(s, side), over,
            *(s.outcome is not None and s.outcome.winner == name for name in SIDES),
            *(top is not None and top.kind == kind for kind in KINDS), *self._options,
        ]  # fmt: skip
        return np.clip(np.array(values, dtype=np.float32), 0, 1)

    @staticmethod
    def _goal(s: State, side: int) -> list[float]:
        aim = s.goal
        if aim is None:
            return [0.0] * 7
        return [
            aim.side, max(0, min(16, aim.last_turn - s.turn + 1)) / 16, goal.show(s, aim, (side,))["reached"],
            soft(aim.at_least, 4), soft(aim.remove_at_least, 4), aim.early, aim.production,
        ]  # fmt: skip

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


_MINE = tuple(sum(1 << g for g in groups_of(side)) for side in (0, 1))


def _top(s: State) -> Any:
    """The open question, None when the game is over or the question is hidden."""
    return s.stack[-1] if s.stack and s.outcome is None else None


def _set(numbers: Any) -> int:
    found = 0
    for number in numbers:
        found |= 1 << number
    return found


def _bit(group: object) -> int:
    return 1 << group if isinstance(group, int) and 0 < group < GROUPS else 0


def _subject(s: State) -> int:
    """The groups the open question is about."""
    top = _top(s)
    return 0 if top is None else _set(top.about(s).units) & ~1


def _numbers(top: Any, kinds: int) -> list[float]:
    """The numbers ``ASKED_FOR`` of the open question."""
    return [
        getattr(top, "ordered", 0) / kinds, soft(getattr(top, "penalty", 0), 4), getattr(top, "level", 0) / 4,
        soft(len(getattr(top, "route", ())), 16),
    ]  # fmt: skip


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
