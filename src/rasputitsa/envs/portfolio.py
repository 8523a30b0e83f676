"""The Russian Portfolio as arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from rasputitsa.core.actions import Action
from rasputitsa.core.game import Game
from rasputitsa.core.lessons.goal import share
from rasputitsa.envs.encoder import Array, Arrays, Encoder, flat, option_names, option_values
from rasputitsa.envs.numbers import lines_of
from rasputitsa.envs.rewards import Score
from rasputitsa.envs.sheets.names.portfolio import ATTACKS, FEATURES, GLOBALS, MOVING, OF_AN_ATTACK, STILL, TERRAIN
from rasputitsa.envs.sheets.portfolio import PortfolioSheet
from rasputitsa.envs.sheets.sheet import Sheet
from rasputitsa.portfolio.model.state import State
from rasputitsa.portfolio.model.theatre import SIDES
from rasputitsa.portfolio.rules.turn import goal, victory

HALF = np.float32(0.5)


class PortfolioEncoder(Encoder):
    """Planes are as the map lies: north up, row A first. The ``_axis`` and ``_soviet`` planes do not change places."""

    layout = 2
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
    take_backs = frozenset({"back", "halt", "drop", "withdraw", "lift", "without", "amphibious"})
    asked = "asked"
    planes = (*STILL, *MOVING)
    features = FEATURES

    def __init__(self, game: Game[Any], state: State) -> None:
        rules = state.rules
        self._rules = rules
        self.rows, self.columns = rules.grid.rows, rules.grid.columns
        self.units = len(rules.units)
        self._stride = rules.grid.stride
        self._still = self._still_planes()
        self._table = self._still_table()
        self._seats = {seat.id: number for number, seat in enumerate(rules.seats)}
        self._options = option_values(game, rules.options)
        waters = rules.charts["sea"]["waters"]
        self._seas = tuple(dict.fromkeys((*waters, *(zone for zones in waters.values() for zone in zones))))
        used = tuple(f"sea_used_{sea.lower().replace(' ', '_')}" for sea in self._seas)
        self.globals = (*GLOBALS, *used, *option_names(game))

    def plane(self, hexes: int) -> Array:
        """A set of hexes as a plane of zeros and ones."""
        plane: Array = lines_of([hexes], self._rules.grid, self.rows, self.columns)[0].astype(np.float32)
        return plane

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

    def tables(self) -> Mapping[str, tuple[int, tuple[str, ...]]]:
        """The attacks announced in the present phase, in the order in which actions count them."""
        return {"attacks": (ATTACKS, OF_AN_ATTACK)}

    def encode(self, view: State, options: Sequence[Action] | None, seat: str) -> Arrays:
        arrays = self.blank()
        self.sheet(arrays).write(view, options, seat)
        return arrays

    def sheet(self, arrays: Arrays) -> Sheet:
        arrays["planes"][: len(STILL)] = self._still
        arrays["units"][...] = self._table
        arrays["globals"][len(self.globals) - len(self._options) :] = self._options
        cells = [flat(arrays[name]) for name in ("planes", "units", "attacks", "globals")]
        return PortfolioSheet(self._rules, self._seats, self._seas, self.globals, *cells)

    def scores(self, view: State, seat: str) -> dict[str, Score]:
        """The Axis score is its victory cities' points; in a lesson, how much of the goal is met, for its side."""
        strength = [float(sum(view.rules.roster.af[u] for u in view.on_map(side))) for side in (0, 1)]
        points = [0.0, 0.0]
        if view.goal is not None:
            points[view.goal.side] = share(goal.parts(view, view.goal))
        else:
            points[0] = victory.points_of(view, victory.linked_cities(view)) / victory.needed(view.rules)
        return {name: Score(points[n], strength[n]) for n, name in enumerate(SIDES)}
