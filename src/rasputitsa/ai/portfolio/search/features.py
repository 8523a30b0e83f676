"""A position in a few numbers that bear on who will win, as the value function sees it."""

from __future__ import annotations

from math import exp, log

from rasputitsa.ai.portfolio.evaluation.static_knowledge import UNREACHABLE, knowledge_of
from rasputitsa.core.caching import cached
from rasputitsa.portfolio.model.indices import Hex, Side
from rasputitsa.portfolio.model.ruleset import Ruleset
from rasputitsa.portfolio.model.state import State
from rasputitsa.portfolio.model.theatre import AXIS, SOVIET
from rasputitsa.portfolio.rules.logistics import supply
from rasputitsa.portfolio.rules.turn import victory

REACH = 2.5
"""Marching distance over which a unit's weight at a place falls to a third."""
FAINT = 0.3
"""Strength taken as present everywhere, so that ratios stay tame."""
WEAK = 0.5
"""Share of the strength of a unit that is Dispersed or out of supply."""
STEEP = 1.5
"""How sharply a ratio of strength at a city turns into hope of it."""
SPARE = 3.0
"""The prospect of the last city needed, when none is needed any more."""
NEVER = -5.0

PLAIN = (
    "points",  # victory cities the Axis supply lines reach
    "prospects",  # cities it may hope for, by the strength before each
    "last_needed",  # how strong the Axis is before the hardest city it still needs
    "strength",  # of the armies, as a ratio
    "goals_safe",  # how strong the Axis is at the weaker of Warsaw and Bucharest
    "goals_held", "enough", "turn", "snow", "mud", "axis_to_move", "majors", "towns", "axis_armor",
    "axis_dispersed", "axis_cut_off", "soviet_dispersed", "soviet_cut_off",
)  # fmt: skip
TIME_DEPENDENT = 5
"""How many of these, from the first on, have a second weight, by which they count differently as the game goes on."""
NAMES = (*PLAIN, *(f"{name}_later" for name in PLAIN[:TIME_DEPENDENT]))
MIDDLE = 6.0


@cached
def _places(rules: Ruleset) -> list[tuple[Hex, float, list[float]]]:
    """For each place that decides the game: hex, value, and how much a unit in any hex counts there."""
    knowledge = knowledge_of(rules)
    places = [(h, float(v)) for h, v in sorted(knowledge.victory.items())]
    places += [(h, 0.0) for h in knowledge.soviet_goals]
    return [(h, v, [exp(-d / REACH) if d < UNREACHABLE else 0.0 for d in knowledge.field(h)]) for h, v in places]


class Strengths:
    """The strength of one side, in all and at the places that count."""

    def __init__(self, s: State, side: Side, places: list[tuple[int, float, list[float]]]) -> None:
        roster = s.rules.roster
        cut = supply.unsupplied_units(s, side)
        self.near = [FAINT] * len(places)
        self.total = 1.0
        self.armor = self.dispersed = self.cut_off = 0.0
        for unit in s.on_map(side):
            bit = 1 << unit
            strength = float(roster.af[unit] + roster.df[unit])
            if s.dispersed & bit:
                self.dispersed += strength
                strength *= WEAK
            if cut & bit:
                self.cut_off += strength
                strength *= WEAK
            if roster.pure_armor & bit:
                self.armor += strength
            self.total += strength
            hex_ = s.pos[unit]
            for n, (_, _, weight) in enumerate(places):
                self.near[n] += strength * weight[hex_]


def features(s: State) -> list[float]:
    """The numbers of a position, as ``NAMES`` has them."""
    rules = s.rules
    places = _places(rules)
    axis, soviet = Strengths(s, AXIS, places), Strengths(s, SOVIET, places)
    linked = victory.linked_cities(s)
    points = victory.points_of(s, linked)
    needed = knowledge_of(rules).needed
    prospects = 0.0
    open_: list[tuple[float, int]] = []
    goals: list[float] = []
    held = 0
    for n, (hex_, value, _) in enumerate(places):
        ratio = log(axis.near[n] / soviet.near[n])
        if not value:
            goals.append(ratio)
            held += s.control >> hex_ & 1
            continue
        prospects += value / (1.0 + exp(-STEEP * ratio))
        if not linked >> hex_ & 1:
            open_.append((ratio, int(value)))
    home = rules.home[SOVIET] & s.control
    plain = [
        points / 6, prospects / 6, _last(open_, needed - points), log(axis.total / soviet.total),
        min(goals, default=0.0), float(held), float(points >= needed),
        s.turn / 10, float(s.weather.id == "snow"), float(s.weather.id == "mud"),
        float(s.side == AXIS), (rules.map.majors & home).bit_count() / 10, (rules.map.towns & home).bit_count() / 40,
        axis.armor / 50, axis.dispersed / 50, axis.cut_off / 50, soviet.dispersed / 50, soviet.cut_off / 50,
    ]  # fmt: skip
    late = (s.turn - MIDDLE) / 10
    return plain + [late * value for value in plain[:TIME_DEPENDENT]]


def _last(open_: list[tuple[float, int]], wanted: int) -> float:
    """The ratio at the last of the cities that are needed, the easiest taken first."""
    if wanted <= 0:
        return SPARE
    for ratio, value in sorted(open_, reverse=True):
        wanted -= value
        if wanted <= 0:
            return ratio
    return NEVER
