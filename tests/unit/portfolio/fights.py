"""Attacks for tests: announced by hand, resolved with given dice."""

from __future__ import annotations

from collections.abc import Iterable

from rasputitsa.portfolio.model.combat import Attack
from rasputitsa.portfolio.model.frames import push
from rasputitsa.portfolio.model.state import State
from rasputitsa.portfolio.model.theatre import AXIS
from rasputitsa.portfolio.rules.combat import attack_phase, resolution
from rasputitsa.portfolio.rules.combat.breakthrough import AfterBattle
from rasputitsa.portfolio.rules.combat.odds import Odds, odds
from tests.unit.portfolio.board import Player, unit_of

EVEN = {"7Inf": "X16", "11A": "X17"}  # 4 to 4, open country: 3 S, 4 D1, 5 D1, 6 D4
THREE_TO_TWO = {"4AOK": "X16", "11A": "X17"}


def numbers(s: State, names: str) -> tuple[int, ...]:
    """Unit numbers from names."""
    return tuple(unit_of(s, name) for name in names.split())


def places(s: State, names: str) -> tuple[int, ...]:
    """Hex numbers from names."""
    return tuple(s.rules.grid.index(name) for name in names.split())


def odds_of(s: State, targets: str, units: str, side: int = AXIS, amphibious: bool = False) -> Odds:
    """The odds of an attack."""
    s.side = side
    return odds(s, places(s, targets), numbers(s, units), amphibious)


def announce(s: State, *orders: str, side: int = AXIS, amphibious: bool = False) -> None:
    """Announce attacks such as ``"X17: 39Pz 1Inf"`` without asking anybody."""
    s.side = side
    seat = s.rules.commander(side)
    for order in orders:
        targets, _, units = order.partition(":")
        s.attacks = (*s.attacks, Attack(places(s, targets), numbers(s, units), seat, amphibious))


def resolve(s: State, order: str, dice: Iterable[int], side: int = AXIS, amphibious: bool = False) -> Player:
    """Announce one attack (after those announced already) and cast its die."""
    announce(s, order, side=side, amphibious=amphibious)
    return go(s, len(s.attacks), dice)


def go(s: State, number: int, dice: Iterable[int]) -> Player:
    """Cast the die of an announced attack."""
    player = Player(s, dice)
    push(s, AfterBattle(number - 1))
    resolution.resolve(s, number - 1, player.play)
    return player.settle()


def phase(s: State, side: int = AXIS, dice: Iterable[int] = ()) -> Player:
    """The start of an attack phase."""
    s.side = side
    player = Player(s, dice)
    attack_phase.begin(s, player.play)
    return player.settle()


def result(player: Player, unit: str) -> str:
    """The result a defender has read."""
    number = unit_of(player.s, unit)
    found = [str(event.args[1]) for event in player.events if event.kind == "result" and event.args[0] == number]
    assert found, f"{unit} was not attacked"
    return found[-1]


def where(s: State, unit: str) -> str:
    """The hex of a unit, or nothing."""
    hex_ = s.pos[unit_of(s, unit)]
    return s.rules.grid.names[hex_] if hex_ >= 0 else ""


def dispersed(s: State, unit: str) -> bool:
    """Whether a unit is Dispersed."""
    return bool(s.dispersed >> unit_of(s, unit) & 1)


def spent(s: State, unit: str) -> bool:
    """Whether a unit is Spent."""
    return bool(s.spent >> unit_of(s, unit) & 1)


def maybe(player: Player, *lines: str) -> None:
    """Carry out those lines that are legal when their turn comes."""
    for line in lines:
        if line in player.options():
            player.do(line)


def lost(s: State, unit: str) -> bool:
    """Whether a unit is off the map."""
    return s.pos[unit_of(s, unit)] < 0
