"""IV Victory: who has won, and when the game may be stopped."""

from __future__ import annotations

from typing import Final

from rasputitsa.core.actions import Action, Outcome
from rasputitsa.core.caching import cached_up_to
from rasputitsa.core.events import Event, event
from rasputitsa.core.lessons.goal import LEVEL, ending_by_goal
from rasputitsa.hexes.grid import members
from rasputitsa.portfolio.model.actions import BARE
from rasputitsa.portfolio.model.frames import Context, Frame, pop, question
from rasputitsa.portfolio.model.indices import Hex, HexBits, SeatNumber, Side
from rasputitsa.portfolio.model.marks import SIDE_NAMES, hex_mark
from rasputitsa.portfolio.model.ruleset import Ruleset
from rasputitsa.portfolio.model.shapes import Prize, Victory, VictoryCity
from rasputitsa.portfolio.model.state import State
from rasputitsa.portfolio.model.theatre import AXIS, SIDES, SOVIET

CITIES_REACHED: Final = "supply lines reach victory cities"
PRIZE_HELD: Final = "Soviet forces hold"
TRACK_OVER: Final = "the turn track is at its end"


def needed(rules: Ruleset) -> int:
    """What the Axis cities must count for: less if the Soviets deployed freely (XVI.C.2)."""
    table = rules.charts["victory"]
    return int(table["axis_cities_redeployed" if rules.free_deployment else "axis_cities"])


def linked_cities(s: State) -> HexBits:
    """IV.Axis: the victory cities that an overland supply line of the Axis leads into.

    Open water and ice stop the line (VI.B.1), zones of control do not.
    """
    return _linked(s.rules, s.control)


@cached_up_to(64)
def _linked(rules: Ruleset, control: HexBits) -> HexBits:
    """Of the hexes under Axis control, which change seldom."""
    board = rules.map
    cities = control & board.victory_cities
    if not cities:
        return 0
    land = board.ground[0]
    held = control & land.land
    return board.grid.flood(rules.side_edge[AXIS] & held, held, land.barrier) & cities


def points_of(s: State, cities: HexBits) -> int:
    """What some victory cities count for: Moscow and Leningrad two each."""
    return sum(s.rules.map.places[hex_].victory for hex_ in members(cities))


def soviet_prizes(s: State) -> HexBits:
    """IV.Soviet: Warsaw and Bucharest, where the Soviets hold them."""
    rules = s.rules
    prizes = sum(1 << rules.map.named(name) for name in rules.charts["victory"]["soviet_any_of"])
    return prizes & s.controlled(SOVIET)


def check(s: State, side: Side, context: Context) -> None:
    """Look at the claim of one side in a Victory Determination Phase; sets the outcome if it has won."""
    if side == AXIS:
        cities = linked_cities(s)
        points = points_of(s, cities)
        if cities:
            context.note(VictoryCounted(points, needed(s.rules)))
        if points >= needed(s.rules):
            names = _names(s, cities)
            reason = f"{CITIES_REACHED} worth {points} of the {needed(s.rules)} needed: {names}"
            s.outcome = Outcome(SIDES[AXIS], "victory", reason, "IV")
    else:
        prizes = soviet_prizes(s)
        if prizes:
            context.note(PrizesHeld(tuple(members(prizes))))
            s.outcome = Outcome(SIDES[SOVIET], "victory", f"{PRIZE_HELD} {_names(s, prizes)}", "IV")


def _names(s: State, hexes: HexBits) -> str:
    return ", ".join(s.rules.map.places[hex_].name for hex_ in members(hexes))


def _held_out(s: State, how: str, rule: str) -> Outcome:
    points = points_of(s, linked_cities(s))
    reason = f"{how}, and the Axis has not won: its cities count {points} of {needed(s.rules)}"
    return Outcome(SIDES[SOVIET], "victory", reason, rule)


def end_of_track(s: State, context: Context) -> None:
    """The last turn is over: a player whom the Axis could not beat has won (IV, XVI.A, TRACK.15)."""
    context.note(TrackEnded())
    s.outcome = _held_out(s, TRACK_OVER, "IV")


def ending(s: State) -> str:
    """IV, XVI.A: what ended the game, without the figures of this one."""
    outcome = s.outcome
    if outcome is None:
        return ""
    if s.goal is not None and outcome.level == LEVEL:
        return ending_by_goal(outcome, SIDES[s.goal.side])
    if outcome.winner == SIDES[AXIS]:
        return CITIES_REACHED if outcome.rule == "IV" else outcome.reason
    prizes = soviet_prizes(s)
    if prizes:
        return f"{PRIZE_HELD} {_names(s, prizes)}"
    return TRACK_OVER if outcome.rule == "IV" else "a side has stopped the game"


@question
class StopOffer(Frame):
    """XVI.A, TRACK.14: from March 1942 a player may stop the game at the very start of a player-turn of their own."""

    side: Side

    kind = "stop"
    rule = "XVI.A"

    def seat(self, s: State) -> SeatNumber:
        return s.rules.commander(self.side)

    def prompt(self, s: State) -> str:
        return "You may stop the game now, which makes it a Soviet victory, or play on"

    def options(self, s: State) -> list[Action]:
        return [BARE["stop"], BARE["continue"]]

    def gives_up(self, s: State, action: Action) -> str:
        return "the game is over, as a Soviet victory" if action.verb == "stop" else ""

    def apply(self, s: State, action: Action, context: Context) -> None:
        pop(s)
        if action.verb == "stop":
            context.note(GameStopped(self.side))
            s.outcome = _held_out(s, f"the {SIDE_NAMES[self.side]} side has stopped the game", "XVI.A")


def tally(s: State) -> Victory:
    """How victory stands, as plain values for clients; other answers share the rows of cities."""
    names = s.rules.grid.names
    linked = linked_cities(s)
    held = s.control & s.rules.map.victory_cities
    return {
        "points": points_of(s, linked),
        "needed": needed(s.rules),
        "held": [names[h] for h in members(held)],
        "cities": list(_cities(s.rules, held, linked)),
        "soviet_prizes": list(_prizes(s.rules, soviet_prizes(s))),
        "may_stop": s.rules.turns[s.turn].may_stop,
    }


def copy_of(told: Victory) -> Victory:
    """The same in rows of its own."""
    cities, prizes = [city.copy() for city in told["cities"]], [prize.copy() for prize in told["soviet_prizes"]]
    return {**told, "cities": cities, "soviet_prizes": prizes}


@cached_up_to(64)
def _cities(rules: Ruleset, held: HexBits, linked: HexBits) -> tuple[VictoryCity, ...]:
    """The victory cities, which change hands seldom."""
    return tuple([
        {
            "hex": rules.grid.names[h], "name": place.name, "value": place.victory,
            "held": bool(held >> h & 1), "linked": bool(linked >> h & 1),
        }
        for h, place in sorted(rules.map.places.items())
        if place.victory
    ])  # fmt: skip


@cached_up_to(64)
def _prizes(rules: Ruleset, held: HexBits) -> tuple[Prize, ...]:
    """What the Soviets win by, and whether they hold it."""
    places = {name: rules.map.named(name) for name in rules.charts["victory"]["soviet_any_of"]}
    return tuple([
        {"hex": name, "name": rules.map.places[h].name, "held": bool(held >> h & 1)} for name, h in places.items()
    ])  # fmt: skip


@event("victory_count", "IV", "number", "number")
class VictoryCounted(Event):
    """The victory cities are counted."""

    points: int
    needed: int

    def words(self, s: State) -> str:
        return f"Victory cities reached by Axis supply lines count {self.points} of {self.needed} needed"


@event("prize", "IV", "hexes")
class PrizesHeld(Event):
    """The Soviet side holds cities that end the game."""

    hexes: tuple[Hex, ...]

    def words(self, s: State) -> str:
        return "Soviet forces hold " + ", ".join(hex_mark(s, h) for h in self.hexes)


@event("stopped", "XVI.A", "side")
class GameStopped(Event):
    """A side stops the game."""

    side: Side

    def words(self, s: State) -> str:
        return f"The {SIDE_NAMES[self.side]} side stops the game"


@event("track_end", "XVI.A")
class TrackEnded(Event):
    """The turn track is at its end."""

    def words(self, s: State) -> str:
        return "The turn track is at its end"
