"""8.9, 9 Automatic ends, victory points and levels."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import compress
from typing import Any, Final

from rasputitsa.core.actions import Outcome
from rasputitsa.core.events import Event, event
from rasputitsa.core.frames import Context
from rasputitsa.core.lessons.goal import LEVEL, ending_by_goal
from rasputitsa.core.marks import figured
from rasputitsa.wir.model.indices import CityNumber, Side
from rasputitsa.wir.model.marks import SIDE_NAMES
from rasputitsa.wir.model.ruleset import Ruleset, month_words
from rasputitsa.wir.model.shapes import Tally
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.theatre import AXIS, POPULATION, SIDES, SOVIET, SUPPLY

BOTH_AGREED: Final = "both players agreed to end the game"
LAST_TURN_OVER: Final = "the last turn is over"


def holds(s: State, side: Side, names: list[str]) -> bool:
    """Whether a side owns all of some cities."""
    return all(s.owner[s.rules.city(name)] == side for name in names)


def decisive_cities(rules: Ruleset, side: Side) -> tuple[str, ...]:
    """The names of the cities by which a side may end the war (8.9)."""
    table = rules.sheet["victory"]
    if side == AXIS:
        return tuple(table["axis_wins"])
    return (*table["soviet_needs"], *table["soviet_one_of"])


def axis_wins(s: State) -> bool:
    """8.9: the Axis holds all the cities that end the war."""
    return holds(s, AXIS, s.rules.sheet["victory"]["axis_wins"])


def soviets_end(s: State) -> bool:
    """8.9: the Soviets hold all of some cities, and one of others."""
    table = s.rules.sheet["victory"]
    return holds(s, SOVIET, table["soviet_needs"]) and any(holds(s, SOVIET, [name]) for name in table["soviet_one_of"])


def month_over(rules: Ruleset, turn: int) -> bool:
    """Whether a turn is the last of its month, in a month that brings the Axis points (9.1)."""
    month = rules.month(turn)
    return bool(month >= rules.sheet["victory"]["months_from"]) and rules.month(turn + 1) != month


def check(s: State, context: Context) -> None:
    """The end of a turn: automatic ends, the month the Axis has survived, and the last turn."""
    table = s.rules.sheet["victory"]
    if axis_wins(s):
        context.note(ConquestEnded(AXIS))
        s.outcome = Outcome(SIDES[AXIS], table["worst"], _axis_holds(s), "8.9")
        return
    if soviets_end(s):
        context.note(ConquestEnded(SOVIET))
        finish(s, context, _soviets_hold(s), "8.9")
        return
    if month_over(s.rules, s.turn):
        s.months += 1
        context.note(MonthSurvived(s.months))
    if s.turn >= s.rules.turns:
        finish(s, context, LAST_TURN_OVER, "9.0")


def _axis_holds(s: State) -> str:
    names = s.rules.sheet["victory"]["axis_wins"]
    return "the Axis holds " + " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def _soviets_hold(s: State) -> str:
    table = s.rules.sheet["victory"]
    return f"the Soviets hold {', '.join(table['soviet_needs'])}, and {' or '.join(table['soviet_one_of'])}"


def level_of(difference: int, table: Mapping[str, Any]) -> str:
    """9.2: the level of victory for Soviet less Axis points."""
    for least, level in table["levels"]:
        if difference >= least:
            return str(level)
    return str(table["worst"])


def axis_triumph(rules: Ruleset) -> str:
    """9.2: the highest level of victory of the Axis."""
    return str(rules.sheet["victory"]["worst"])


def winner_of(difference: int, table: Mapping[str, Any]) -> str | None:
    """9.2: who wins by Soviet less Axis points; nobody at the level where points are equal, which is the draw."""
    if level_of(difference, table) == level_of(0, table):
        return None
    return SIDES[SOVIET if difference > 0 else AXIS]


def factor_of(rules: Ruleset) -> int:
    """9.1: by how much points are multiplied; they are doubled in short games."""
    return int(rules.sheet["victory"]["short_factor"]) if rules.short else 1


def city_points(s: State, city: CityNumber) -> int:
    """9.1: what a city counts for its owner. Germany and the Urals count for nothing."""
    if not s.rules.map.cities[city].scores:
        return 0
    people, supply = s.values[POPULATION][city], s.values[SUPPLY][city]
    return factor_of(s.rules) * (int(s.rules.sheet["victory"]["city"]) + people + supply)


def points_of(s: State, side: Side) -> dict[str, int]:
    """9.1: a side's points by kind. Germany and the Urals count for nothing."""
    counted = bytes(city.scores and owner == side for city, owner in zip(s.rules.map.cities, s.owner, strict=True))
    table = s.rules.sheet["victory"]
    factor = factor_of(s.rules)
    handicap = int(s.rules.scenario["handicap"][SIDES[side]])
    if s.rules.options["handicap_doubled"] == "yes":
        handicap *= factor
    kinds = {
        "population": factor * sum(compress(s.values[POPULATION], counted)),
        "supply": factor * sum(compress(s.values[SUPPLY], counted)),
        "cities": factor * int(table["city"]) * sum(counted),
        "months": factor * int(table["month"]) * s.months if side == AXIS else 0,
        "handicap": handicap,
    }
    return {**kinds, "total": sum(kinds.values())}


def tally(s: State) -> Tally:
    """How victory stands, as plain values."""
    axis, soviet = points_of(s, AXIS), points_of(s, SOVIET)
    difference = soviet["total"] - axis["total"]
    level = level_of(difference, s.rules.sheet["victory"])
    return {"axis": axis, "soviet": soviet, "difference": difference, "level": level}


def ending(s: State) -> str:
    """8.9, 9: what ended the game, without the figures of this one."""
    outcome = s.outcome
    if outcome is None:
        return ""
    if s.goal is not None and outcome.level == LEVEL:
        return ending_by_goal(outcome, SIDES[s.goal.side])
    if outcome.rule == "8.9":
        return _axis_holds(s) if axis_wins(s) else _soviets_hold(s)
    return LAST_TURN_OVER if outcome.rule == "9.0" else BOTH_AGREED


def finish(s: State, context: Context, reason: str, rule: str) -> None:
    """End the game: the score decides."""
    result = tally(s)
    level, difference = result["level"], result["difference"]
    context.note(ScoreCounted(result["axis"]["total"], result["soviet"]["total"], level))
    winner = winner_of(difference, s.rules.sheet["victory"])
    s.outcome = Outcome(winner, level, f"{reason}; Soviet less Axis points: {difference}", rule)


@event("automatic_end", "8.9", "side")
class ConquestEnded(Event):
    """The conquests of a side end the game."""

    side: Side

    def words(self, s: State) -> str:
        return f"The game ends by the conquests of the {SIDE_NAMES[self.side]} side"


@event("month_survived", "9.1", "number")
class MonthSurvived(Event):
    """The Axis has survived another month."""

    months: int

    def words(self, s: State) -> str:
        first = month_words(str(s.rules.sheet["victory"]["months_from"]))
        return f"The Axis has survived {figured(self.months, 'month')} since {first}"


@event("final_score", "9.2", "number", "number", "text")
class ScoreCounted(Event):
    """The final score is counted."""

    axis: int
    soviet: int
    level: str

    def words(self, s: State) -> str:
        return f"Final score: Axis {self.axis}, Soviets {self.soviet}: {self.level}"
