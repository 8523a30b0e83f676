"""Hand-made positions of The Russian Portfolio, and a player who gives orders in notation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from rasputitsa.core import frames
from rasputitsa.core.actions import Action
from rasputitsa.core.dice import ScriptedDice
from rasputitsa.core.errors import IllegalAction
from rasputitsa.core.events import Event
from rasputitsa.hexes.grid import members
from rasputitsa.portfolio.api.notation import format_action, parse
from rasputitsa.portfolio.model.actions import DONE
from rasputitsa.portfolio.model.data_folder import DATA
from rasputitsa.portfolio.model.frames import Context, Frame, settle
from rasputitsa.portfolio.model.ruleset import ruleset
from rasputitsa.portfolio.model.state import ELIMINATED, LOCKED, POOL, State
from rasputitsa.portfolio.rules.turn import setup


@dataclass(slots=True, unsafe_hash=True)
class Floor(Frame):
    """The bottom of the stack: the phase under test is over."""

    ask_single = True

    def seat(self, s: State) -> int:
        return 0

    def prompt(self, s: State) -> str:
        return "the phase is over"

    def options(self, s: State) -> list[Action]:
        return [DONE]


def start(scenario: str = "june22", **options: str) -> State:
    """The start of a game with nothing asked."""
    s = setup.initial_state(ruleset(scenario, options, DATA))
    s.stack = (Floor(),)
    return s


def board(
    units: Mapping[str, str] | None = None,
    *,
    axis: str = "",
    soviet: str = "",
    turn: int = 4,
    weather: str = "good",
    scenario: str = "june22",
    **options: str,
) -> State:
    """A map with only these units (``{"39Pz": "N4"}``, ``"N4 d"`` Dispersed, ``"N4 s"`` Spent) and these conquests.

    The hex of each unit belongs to its side.
    """
    s = start(scenario, **options)
    for unit in s.rules.units:
        waits = unit.pool.startswith("siberia")
        s.lift(unit.number, LOCKED if waits else POOL if unit.replaceable else ELIMINATED)
    s.turn = turn
    s.weather = s.rules.weather[weather]
    s.armor_points = [0, 0]
    s.infantry_points = [0, 0]
    s.control = (s.control | hexes(s, axis)) & ~hexes(s, soviet)
    for name, text in (units or {}).items():
        where, *status = text.split()
        unit_number, hex_ = unit_of(s, name), s.rules.grid.index(where)
        s.place(unit_number, hex_)
        if s.rules.roster.side[unit_number] == 0:
            s.control |= 1 << hex_
        else:
            s.control &= ~(1 << hex_)
        if "d" in status:
            s.disperse(unit_number)
        if "s" in status:
            s.spent |= 1 << unit_number
    s.fresh_dispersed = 0
    return s


def unit_of(s: State, name: str) -> int:
    """The number of a unit."""
    return s.rules.roster.index[name]


def set_of(s: State, names: str) -> int:
    """A set of units from their names."""
    return sum(1 << unit_of(s, name) for name in names.split())


def hexes(s: State, names: str) -> int:
    """A set of hexes from their names; ``T4-T9`` is a stretch of a row."""
    found = 0
    for part in names.split():
        first, _, last = part.partition("-")
        low = s.rules.grid.index(first)
        for hex_ in range(low, (s.rules.grid.index(last) if last else low) + 1):
            found |= 1 << hex_
    return found


def within(s: State, centre: str, distance: int) -> int:
    """All land within some hexes of a place."""
    area = 1 << s.rules.grid.index(centre)
    for _ in range(distance):
        area |= s.rules.grid.spread(area)
    return area & s.rules.map.ground[0].enterable


def names(s: State, hexes_: int) -> set[str]:
    """The names of a set of hexes."""
    return {s.rules.grid.names[h] for h in members(hexes_)}


def ids(s: State, units: int | Iterable[int]) -> set[str]:
    """The names of a set of units."""
    return {s.rules.units[u].id for u in (members(units) if isinstance(units, int) else units)}


class Player:
    """Plays the seat that is asked, by notation; every event is put into words, as a check on the words."""

    def __init__(self, s: State, dice: Iterable[int] = ()) -> None:
        self.s = s
        self.dice = ScriptedDice(dice)
        self.play = Context(self.dice)

    @property
    def events(self) -> list[Event]:
        """All events so far."""
        return self.play.events

    def kinds(self) -> list[str]:
        """The kinds of events so far."""
        return [event.kind for event in self.events]

    def settle(self) -> Player:
        """Go on to the next question."""
        settle(self.s, self.play)
        for event in self.events:
            assert event.words(self.s)
        return self

    def asked(self) -> frames.Frame[State]:
        """The open question."""
        return self.s.stack[-1]

    def options(self, verb: str = "") -> set[str]:
        """The legal actions in notation, or what may follow one verb."""
        found = {format_action(self.s.rules, a) for a in self.asked().options(self.s)}
        if not verb:
            return found
        return {text.split()[1] for text in found if text.split()[0] == verb and " " in text}

    def do(self, *lines: str) -> Player:
        """Carry out lines of notation, all legal."""
        for line in lines:
            for action in parse(self.s.rules, line):
                frame = self.asked()
                if action not in frame.options(self.s):
                    raise frame.refuse(self.s, action)
                frame.apply(self.s, action, self.play)
                self.settle()
        return self

    def refused(self, line: str) -> tuple[str, str]:
        """Reason and paragraph of an action that is not legal now."""
        (action,) = parse(self.s.rules, line)
        frame = self.asked()
        assert action not in frame.options(self.s), f"{line} is legal"
        before = self.s.key()
        problem = frame.refuse(self.s, action)
        assert isinstance(problem, IllegalAction)
        assert self.s.key() == before
        return problem.reason, problem.rule

    def rule(self, line: str) -> str:
        """The paragraph that forbids an action."""
        return self.refused(line)[1]

    def over(self) -> bool:
        """Whether the phase under test is over."""
        return isinstance(self.asked(), Floor)
