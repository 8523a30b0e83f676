"""Hand-made positions of War in Russia for the tests of execution, and dice that show what a test wants."""

from __future__ import annotations

from collections.abc import Iterable

from rasputitsa.core.dice import Draw
from rasputitsa.core.events import Event
from rasputitsa.core.frames import Context
from rasputitsa.hexes.grid import members
from rasputitsa.wir.model import plot
from rasputitsa.wir.model.data_folder import DATA
from rasputitsa.wir.model.ruleset import ruleset
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.tables import AIR, KIND, WEATHER_NAMES, group_side
from rasputitsa.wir.model.theatre import CLEAR
from rasputitsa.wir.rules.turn.setup import initial_state


class Loaded:
    """Dice by stream: a list is used up, a single number comes again and again; other streams fail."""

    def __init__(self, **streams: int | Iterable[int]) -> None:
        self.always = {name: value for name, value in streams.items() if isinstance(value, int)}
        self.queues = {name: list(value) for name, value in streams.items() if not isinstance(value, int)}
        self.drawn: list[Draw] = []

    def roll(self, stream: str, sides: int = 6) -> int:
        if stream in self.always:
            value = min(sides, self.always[stream])
        elif self.queues.get(stream):
            value = self.queues[stream].pop(0)
        else:
            raise AssertionError(f"no {stream} die of {sides} was expected")
        assert 1 <= value <= sides, f"a {stream} die of {sides} cannot show {value}"
        self.drawn.append(Draw(stream, value))
        return value

    def spent(self) -> bool:
        """Whether every listed outcome was used."""
        return not any(self.queues.values())


def play(**streams: int | Iterable[int]) -> Context:
    """A play with loaded dice."""
    return Context(Loaded(**streams))


RULES = ruleset("barbarossa", {}, DATA)
"""The shipped figures."""
AVERAGE = 51
"""The cast of the spread (50 to 150 %) that gives 100 %."""


def empty(scenario: str = "barbarossa", month: str = "", weather: str = "clear", **options: str) -> State:
    """A scenario's map without any group, at the first turn that starts in a month."""
    s = initial_state(ruleset(scenario, options, DATA))
    for group in range(1, len(s.hex)):
        s.dissolve(group)
        s.aircraft[group] = 0
    s.rail = [0, 0]
    if month:
        s.turn = next(turn for turn in range(1, s.rules.turns + 1) if s.rules.month(turn) == month)
    s.weather = WEATHER_NAMES.index(weather)
    return s


def put(
    s: State, group: int, hex_: int, *units: tuple[str, int, int, int], works: int = 0, guns: int = 0, orders: str = ""
) -> None:
    """A group with units (kind, strength, experience, fatigue)."""
    side = group_side(group)
    s.place(group, hex_)
    for kind, strength, experience, fatigue in units:
        unit = s.free_slot(side)
        s.enlist(unit, s.rules.type_named[kind], unit % 199 + 1, strength, experience, fatigue)
        s.join(unit, group)
    s.entrench[group] = works
    s.artillery[group] = guns
    if orders:
        s.plot[group] = plot.read(orders)


def wing(s: State, group: int, hex_: int, points: int, strike: int = 0) -> None:
    """A supplied air group."""
    assert KIND[group] == AIR
    s.place(group, hex_)
    s.aircraft[group] = points
    s.supplied |= 1 << group
    s.strike[group] = strike


def plain(s: State, number: int = 0) -> int:
    """A clear hex amid clear hexes, without rivers and cities, two hexes from anything closed."""
    board = s.rules.map
    found = [
        h for h in members(board.of_base[CLEAR])
        if all(board.base[n] == CLEAR for n in members(board.reach[h]))
        and (board.near[h] & board.passable).bit_count() == 19
        and not (board.reach[h] | 1 << h) & board.city_hexes
        and not board.near[h] & board.fortified
        and not any(board.river.beyond.get(n, 0) & (board.reach[h] | 1 << h) for n in members(board.reach[h] | 1 << h))
    ]  # fmt: skip
    return found[number]


def ring(s: State, hex_: int) -> tuple[int, ...]:
    """The hexes north, north-east, south-east, south, south-west and north-west of a hex."""
    return s.rules.map.step[hex_][1:]


def opposite(direction: int) -> int:
    """The direction back."""
    return (direction + 2) % 6 + 1


def kinds(p: Context) -> list[str]:
    """The kinds of events noted, in order."""
    return [event.kind for event in p.events]


def noted(p: Context, kind: str) -> list[Event]:
    """The events of a kind."""
    return [event for event in p.events if event.kind == kind]


def said(s: State, p: Context) -> list[str]:
    """All events in words; every kind must have some."""
    return [event.words(s) for event in p.events]


def facing(s: State, attackers: int = 1, kind: str = "INF", first: int = 12) -> tuple[int, list[int]]:
    """Some one-unit groups of a side around a clear hex, numbered upwards."""
    centre = plain(s)
    numbers = list(range(first, first + attackers))
    for group, hex_ in zip(numbers, ring(s, centre), strict=False):
        put(s, group, hex_, (kind, 100, 100, 0))
    return centre, numbers
