"""War in Russia as arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from rasputitsa.core.actions import Action
from rasputitsa.core.game import Game
from rasputitsa.core.lessons.goal import share
from rasputitsa.envs.encoder import Array, Arrays, Encoder, Names, flat, option_names, option_values
from rasputitsa.envs.numbers import lines_of
from rasputitsa.envs.rewards import Score
from rasputitsa.envs.sheets.names.wir import DECISIVE, DEPOTS, FEATURES, GLOBALS, MOVING, OF_A_DEPOT, SIDES_OF, STILL
from rasputitsa.envs.sheets.sheet import Sheet
from rasputitsa.envs.sheets.wir import WirSheet
from rasputitsa.hexes.grid import members
from rasputitsa.wir.model import plot
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.tables import (
    AIR,
    GROUPS,
    INFANTRY,
    KIND,
    KIND_NAMES,
    MECHANIZED,
    MOST_POINTS,
    MOST_UNITS,
    group_side,
    groups_of,
)
from rasputitsa.wir.model.theatre import SIDES
from rasputitsa.wir.rules.turn import goal
from rasputitsa.wir.rules.victory import victory

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
        "form": (1, 2), "send": (1, MOST_UNITS), "guns": (1, MOST_POINTS), "points": (1, 50), "type": (1, 3),
        "works": (1, 4), "level": (1, 4), "step": (1, 6),
    }  # fmt: skip
    take_backs = frozenset({"back", "halt", "abort", "unplot"})
    asked = "asked"
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
        self._options = option_values(game, rules.options)
        self.globals = (*GLOBALS, *option_names(game))

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

    def cell(self, place: int) -> int:
        """Hexes are listed column by column."""
        column, row = divmod(place, self.rows)
        return row * self.columns + column

    def plane(self, hexes: int) -> Array:
        """A set of hexes as a plane of zeros and ones."""
        (found,) = lines_of([hexes], self._grid, self.columns, self.rows).astype(np.float32)
        plane: Array = found.T
        return plane

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

    def encode(self, view: State, options: Sequence[Action] | None, seat: str) -> Arrays:
        arrays = self.blank()
        self.sheet(arrays).write(view, options, seat)
        return arrays

    def sheet(self, arrays: Arrays) -> Sheet:
        arrays["planes"][: len(STILL)] = self._still
        arrays["units"][...] = self._table
        arrays["globals"][len(GLOBALS) :] = self._options
        cells = [flat(arrays[name]) for name in ("planes", "units", "depots", "globals")]
        return WirSheet(self._rules, self.globals, *cells)

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
