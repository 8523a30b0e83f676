"""The Russian Portfolio as arrays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from rasputitsa.core.game import Decision, Game
from rasputitsa.core.lessons.goal import met, share
from rasputitsa.envs.encoder import Array, Encoder, option_names, option_values
from rasputitsa.envs.numbers import lines_of, soft, unpacked
from rasputitsa.envs.rewards import Score
from rasputitsa.hexes.grid import DIRECTION_NAMES
from rasputitsa.portfolio.api.observe import may_see_secret
from rasputitsa.portfolio.model.actions import VERBS
from rasputitsa.portfolio.model.combat import CANCELLED, LAPSED, OPEN, RANK, RESOLVED, Attack
from rasputitsa.portfolio.model.goal import CHECKS
from rasputitsa.portfolio.model.ruleset import RESULTS
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
SUMS = ("units", "attack", "defence")
SETS = ("spent", "dispersed", "armor", "zone")
ORDERED = ("about", "column", "cleared")
HEX_SETS = (
    "control_axis", *(f"{name}_{side}" for side in SIDES for name in SETS), "attacked", "captured", "factory_lost",
    "arrived", "airlifted", "goal", "goal_clear", "subject", "asked",
)  # fmt: skip
MOVING = (*HEX_SETS, *(f"{name}_{side}" for side in SIDES for name in SUMS), *ORDERED)

OFF_MAP = {"pool": POOL, "siberia": LOCKED, "setup": SETUP, "eliminated": ELIMINATED}
STATUSES = (
    "spent", "dispersed", "moved", "attacked", "hold", "fuel_short", "fresh_dispersed", "must_attack", "broke_through",
    "entered", "present",
)  # fmt: skip
UNIT_SETS = (
    *STATUSES, "mine", "attacker", "defender", "handled", "goal_remove", "goal_keep", "eligible", "advanced",
    "subject", "asked",
)  # fmt: skip
MOST_ATTACKS = 3
"""A unit announces an attack, and may break through into others; more than these are not told of it."""
FEATURES = (
    "soviet", "attack", "defence", "movement", "armor", "front", "row", "column", *OFF_MAP, *UNIT_SETS,
    *(f"attack_{n}" for n in range(1, MOST_ATTACKS + 1)), "result", "retreated",
)  # fmt: skip

ATTACKS, TARGETS = 128, 6
"""As many attacks as actions can name; who attacks several hexes is next to each of them."""
STATES = (OPEN, RESOLVED, CANCELLED, LAPSED)
OF_AN_ATTACK = (
    *STATES, "amphibious", "breakthrough", "barred_retreat", "joined_from", "seat", "targets",
    *(f"{axis}_{n}" for n in range(1, TARGETS + 1) for axis in ("row", "column")),
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
INSTALMENTS = 3
POINTS = ("armor_axis", "infantry_axis", "armor_soviet", "infantry_soviet")
ASKED_FOR = ("steps", "rivers", "need", "owed", "place", "number")
"""Numbers of the open question: hexes and rivers so far, factors to lose, the vacated hex, the attack."""
AGREED = ("may_halt", "attacker", "strained", "amphibious")
"""And what is true of it."""
GLOBALS = (
    "turn", "first_turn", *(f"weather_{w}" for w in WEATHER), *(f"phase_{p}" for p in PHASES), "reserve",
    "soviet_to_move", "soviet_decides", *(f"seat_{n}" for n in range(SEATS)), "my_decision",
    *(f"asked_seat_{n}" for n in range(SEATS)), *(f"stands_{n}" for n in range(SEATS)), "victory",
    *POINTS, "offensive", *(f"siberia_turn_{n}" for n in range(1, INSTALMENTS + 1)), "siberia_armor",
    "siberia_infantry", "siberia_cavalry", "picked", "rail_used", "fronts_built", "idle_sides", "amphibious_used",
    "germans_in_finland", "battle", "die", "low", "paid", *ASKED_FOR, *AGREED, "goal_side", "goal_turns", "goal_met",
    "goal_at_least", "goal_remove_at_least", "goal_early", "goal_replacements", *(f"goal_check_{c}" for c in CHECKS),
    "over", *(f"won_{side}" for side in SIDES), *(f"asks_{k}" for k in KINDS),
)  # fmt: skip

HALF = np.float32(0.5)
SHARE = np.float32(1 / 16)
"""Two strong armies in a hex come to 1."""


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
        self._af = np.array(rules.roster.af, dtype=np.float32)
        self._df = np.array(rules.roster.df, dtype=np.float32)
        self._one = np.ones(self.units, dtype=np.float32)
        self._side = np.array(rules.roster.side)
        self._seat = {seat.id: number for number, seat in enumerate(rules.seats)}
        self._options = option_values(game, rules.options)
        waters = rules.charts["sea"]["waters"]
        self._seas = tuple(dict.fromkeys((*waters, *(zone for zones in waters.values() for zone in zones))))
        used = tuple(f"sea_used_{sea.lower().replace(' ', '_')}" for sea in self._seas)
        self.globals = (*GLOBALS, *used, *option_names(game))
        self._place = {name: len(STILL) + n for n, name in enumerate(MOVING)}

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

    def encode(self, view: State, decision: Decision | None, seat: str) -> dict[str, Array]:
        subject = _subject(view)
        units, hexes = _asked(decision)
        return {
            "planes": self._planes(view, subject, hexes),
            "units": self._units(view, subject, units, seat),
            "globals": self._globals(view, decision, seat),
            "attacks": self._attacks(view.attacks),
        }

    def _planes(self, s: State, subject: int, asked: int) -> Array:
        found = np.empty((len(self.planes), self.rows, self.columns), dtype=np.float32)
        found[: len(STILL)] = self._still
        attacked = 0
        for attack in s.attacks:
            for hex_ in attack.targets:
                attacked |= 1 << hex_
        of_side = s.rules.roster.of_side
        aim = s.goal
        sets = [s.control]
        for side in (0, 1):
            sets += [_hexes_of(s, s.spent & of_side[side]), s.dispersed_hexes[side], s.armored[side], zoc(s, side)]
        sets += [
            attacked, s.captured, s.factories_lost, s.arrived, s.airlifted, aim.hold | aim.clear if aim else 0,
            aim.clear if aim else 0, _hexes_of(s, subject), asked,
        ]  # fmt: skip
        place = len(STILL) + len(sets)
        found[len(STILL) : place] = lines_of(sets, self._rules.grid, self.rows, self.columns)
        pos = np.array(s.pos)
        for side in (0, 1):
            here = np.flatnonzero((self._side == side) & (pos >= 0))
            for values, unit in ((self._one, HALF), (self._af, SHARE), (self._df, SHARE)):
                found[place] = np.minimum(self._sum(pos, here, values) * unit, 1)
                place += 1
        found[place:] = 0
        self._ordered(s, found[place:])
        return found

    def _ordered(self, s: State, planes: Array) -> None:
        """Numbers of hexes: their order in the open question, the column and the clearing of the battle."""
        about, column, cleared = planes
        for n, hex_ in enumerate(_about(s), start=1):
            about[divmod(hex_, self._stride)] = soft(n, 4)
        if s.battle is None:
            return
        for hex_, number in zip(s.battle.targets, s.battle.columns, strict=False):
            column[divmod(hex_, self._stride)] = (number + 1) / (len(s.rules.columns) + 1)
        for clearing in s.battle.cleared:
            cleared[divmod(clearing.hex, self._stride)] = soft(1 + clearing.need, 8)

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
        battle, aim, top = s.battle, s.goal, _top(s)
        attackers = defenders = handled = 0
        if battle is not None:
            attackers, defenders, handled = _set(battle.units), _set(battle.defenders), battle.handled
        mine = s.rules.seats[self._seat[seat]].units
        sets = (
            *(getattr(s, name) for name in STATUSES), mine, attackers, defenders, handled, aim.remove if aim else 0,
            aim.keep if aim else 0, _eligible(s, top), getattr(top, "advanced", 0), subject, asked,
        )  # fmt: skip
        table[:, column : column + len(sets)] = unpacked(sets, self.units).T
        column += len(sets)
        if s.attacks:
            self._in_attacks(s.attacks, table[:, column : column + MOST_ATTACKS])
        column += MOST_ATTACKS
        if battle is not None:
            for unit, result in zip(battle.defenders, battle.results, strict=False):
                table[unit, column] = (RESULTS.index(result) + 2 if result in RESULTS else 1) / (len(RESULTS) + 1)
            for unit, length in zip(battle.defenders, battle.lengths, strict=False):
                table[unit, column + 1] = length / 4
        return table

    @staticmethod
    def _in_attacks(attacks: tuple[Attack, ...], columns: Array) -> None:
        """The numbers of the attacks that each unit takes part in, the latest first."""
        for number, attack in enumerate(attacks, start=1):
            for unit in attack.units:
                columns[unit, 1:] = columns[unit, :-1].copy()
                columns[unit, 0] = number / ATTACKS

    def _attacks(self, attacks: tuple[Attack, ...]) -> Array:
        table = np.zeros((ATTACKS, len(OF_AN_ATTACK)), dtype=np.float32)
        for row, attack in zip(table, attacks, strict=False):
            found = [
                *(attack.state == state for state in STATES), attack.amphibious, attack.breakthrough,
                attack.barred_retreat, (attack.joined_from + 1) / ATTACKS, (attack.seat + 1) / SEATS,
                soft(len(attack.targets), 4),
            ]  # fmt: skip
            for hex_ in attack.targets[:TARGETS]:
                found += [(hex_ // self._stride + 1) / self.rows, (hex_ % self._stride + 1) / self.columns]
            row[: len(found)] = found
        return table

    def _globals(self, s: State, decision: Decision | None, seat: str) -> Array:
        phase, _ = phase_of(s)
        number, last = self._seat[seat], max(s.rules.turns)
        top, battle, over = _top(s), s.battle, s.outcome is not None
        asked = -1 if top is None else top.seat(s)
        siberia = (*s.siberia, 0, 0, 0)[:INSTALMENTS]
        values = [
            s.turn / last, s.rules.first_turn / last, *(s.weather.id == w for w in WEATHER),
            *(TITLES[phase][0] == p for p in PHASES), s.reserve / 6, s.side,
            s.side if top is None else s.rules.seats[asked].side, *(number == n for n in range(SEATS)),
            decision is not None, *(asked == n for n in range(SEATS)), *(s.stand_all >> n & 1 for n in range(SEATS)),
            min(1.0, victory.points_of(s, victory.linked_cities(s)) / victory.needed(s.rules)),
            *(soft(points[side], 20) for side in (0, 1) for points in (s.armor_points, s.infantry_points)),
            s.offensive / last, *(turn / last for turn in siberia), *(soft(n, 20) for n in s.siberia_points),
            s.secret / 6 if may_see_secret(s, seat) else 0, soft(s.rail_used, 4), soft(s.fronts_built, 4),
            s.idle_sides / 2, s.amphibious_used, s.germans_in_finland, battle is not None,
            *((battle.die / 6, RANK[battle.low] / 8, soft(battle.paid, 8)) if battle else (0, 0, 0)),
            *_numbers(top), *(bool(getattr(top, name, False)) for name in AGREED), *self._goal(s), over,
            *(over and s.outcome is not None and s.outcome.winner == side for side in SIDES),
            *(top is not None and top.kind == kind for kind in KINDS),
            *(sea in s.sea_used for sea in self._seas), *self._options,
        ]  # fmt: skip
        return np.array(values, dtype=np.float32)

    @staticmethod
    def _goal(s: State) -> list[float]:
        aim = s.goal
        if aim is None:
            return [0.0] * (7 + len(CHECKS))
        return [
            aim.side, max(0, min(16, aim.last_turn - s.turn + 1)) / 16, met(goal.parts(s, aim)), soft(aim.at_least, 4),
            soft(aim.remove_at_least, 4), aim.early, aim.replacements, *(aim.check == check for check in CHECKS),
        ]  # fmt: skip

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


def _top(s: State) -> Any:
    """The open question, None when the game is over."""
    return s.stack[-1] if s.stack and s.outcome is None else None


def _bits(units: int | tuple[int, ...]) -> int:
    return _set(units) if isinstance(units, tuple) else units


def _eligible(s: State, top: Any) -> int:
    """The units from which the open question chooses."""
    pool = getattr(top, "pool", 0)
    return _bits(pool(s) if callable(pool) else pool)


def _numbers(top: Any) -> list[float]:
    """The numbers of the open question; a retreat holds its own."""
    retreat = getattr(top, "retreat", None)
    found = {name: getattr(top, name, 0) for name in ASKED_FOR}
    if retreat is not None:
        found["steps"], found["need"] = retreat.steps, retreat.kind
    found["place"] = found["place"] + 1 if hasattr(top, "place") else 0
    found["number"] = found["number"] + 1 if hasattr(top, "number") else 0
    return [soft(found[name], 8) for name in ASKED_FOR]


def _about(s: State) -> list[int]:
    """The hexes the open question is about, in its order: targets, a way gone, where a group comes from or stands."""
    top = _top(s)
    if top is None:
        return []
    way = getattr(getattr(top, "retreat", top), "way", ())
    named = [value for name in ("start", "hex") if isinstance(value := getattr(top, name, None), int) and value >= 0]
    return list(dict.fromkeys((*getattr(top, "targets", ()), *way, *named, *top.about(s).hexes)))


def _subject(s: State) -> int:
    """The units the open question is about: the group on the move, the attack being put together."""
    frame, found = _top(s), 0
    if frame is None:
        return 0
    retreat = getattr(frame, "retreat", None)
    for unit in (getattr(frame, "unit", None), getattr(frame, "front", None), getattr(retreat, "unit", None)):
        if unit is not None:
            found |= 1 << unit
    for name in ("units", "chosen"):
        found |= _bits(getattr(frame, name, 0))
    return found | _set(frame.about(s).units)


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
