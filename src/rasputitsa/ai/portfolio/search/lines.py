"""What could be done in a position, the best first, with what each leads to and why: for hints and replays."""

from __future__ import annotations

import random
from typing import Any, NamedTuple

from rasputitsa.ai.players import Clock
from rasputitsa.ai.portfolio.planning.battle import Deliberation
from rasputitsa.ai.portfolio.planning.phase_planner import Level
from rasputitsa.ai.portfolio.players.planner import MARGIN_SECONDS
from rasputitsa.ai.portfolio.search.answers import tried
from rasputitsa.ai.portfolio.search.racing import AttackRace, Contender, Effort, PlanRace, Race, Time
from rasputitsa.ai.portfolio.search.rollout import Opening, Rollout
from rasputitsa.ai.portfolio.search.value import axis_chance, chance_of
from rasputitsa.core.actions import Action
from rasputitsa.core.game import Game
from rasputitsa.core.marks import figured
from rasputitsa.hexes.grid import members
from rasputitsa.portfolio.api.notation import format_action
from rasputitsa.portfolio.model.indices import Side
from rasputitsa.portfolio.model.marks import hex_mark
from rasputitsa.portfolio.model.state import State
from rasputitsa.portfolio.model.theatre import AXIS, SIDES

PLANNING = 0.25
"""Share of the time for making plans to begin with."""
MOST_WORLDS = 12
"""Worlds, at most, in which each answer to a small question is tried: more are surer and slower."""
MOST_OPTIONS = 12
"""Questions with more answers than this are not analysed."""
NAMED = 3
"""How many attacked places a reason names."""


class Line(NamedTuple):
    """One way to go on."""

    value: float
    """What the side may expect, from -1, a loss, to 1, a win."""
    actions: tuple[str, ...]
    """The moves and attacks, in notation."""
    reason: str


def analyse(game: Game[Any], state: State, seat: str, clock: Clock, most: int = 3, seed: int = 1) -> list[Line]:
    """The best ways to go on for a seat that has to decide, by its own knowledge; none if it has not."""
    decision = game.decision(state)
    if decision is None or decision.seat != seat:
        return []
    view: State = game.view_of(state, seat)
    side = SIDES.index(decision.side)
    whole = max(0.0, clock.left() - MARGIN_SECONDS)
    time = Time(lambda: clock.left() > (1 - PLANNING) * whole, lambda: clock.left() > MARGIN_SECONDS)
    rng = random.Random(seed)
    mine = next(known.units for known in view.rules.seats if known.id == seat)
    if decision.kind == "movement":
        race = PlanRace(view, side, mine, Level(), Effort(), rng, time)
        race.decide()
        return ranked(race, most)
    if decision.kind == "attack" and not view.attacks:
        orders = AttackRace(view, side, Effort(), rng, time)
        may_declare = Action("offensive") in decision.options
        orders.decide([Deliberation(view, side, mine, Level(), rng, time.to_try).decide(may_declare)])
        return ranked(orders, most)
    return _answers(view, side, list(decision.options), time, most, seed)


def ranked(race: Race, most: int) -> list[Line]:
    """The contenders of a finished search as lines, those that come to the same left out."""
    s, side = race.s, race.side
    found: list[Line] = []
    for contender in race.field:
        opening = contender.opening or Rollout(s, side, 0, lambda: True).opening(contender.plan, contender.orders)
        if opening is None or len(found) >= most:
            continue
        actions = (*_moves(s, opening.state), *_attacks(opening.state))
        if actions and all(actions != line.actions for line in found):
            chance = race.chance(contender) if contender.values else _chance(s, side)
            found.append(Line(_value(chance), actions, _reason(side, opening, contender, chance)))
    return found


def _moves(before: State, after: State) -> list[str]:
    rules = before.rules
    names = rules.grid.names
    changed = [u for u in members(before.present & after.present) if before.pos[u] != after.pos[u]]
    return [f"move {rules.units[u].id} {names[before.pos[u]]}-{names[after.pos[u]]}" for u in changed]


def _attacks(s: State) -> list[str]:
    names, units = s.rules.grid.names, s.rules.units
    return [
        f"attack {'+'.join(names[t] for t in a.targets)}: {','.join(units[u].id for u in a.units)}" for a in s.attacks
    ]


def _reason(side: Side, opening: Opening, contender: Contender, chance: float) -> str:
    s = opening.state
    who = "Axis" if side == AXIS else "Soviet side"
    targets = [t for attack in s.attacks for t in attack.targets]
    cities = s.rules.map.towns
    targets.sort(key=lambda t: not cities >> t & 1)
    if targets:
        named = ", ".join(hex_mark(s, t) for t in targets[:NAMED])
        more = f" and {len(targets) - NAMED} more" if len(targets) > NAMED else ""
        what = f"It attacks {named}{more}."
    else:
        what = "It attacks nowhere."
    number = len(contender.values)
    if not number:
        return f"{what} There was no time to try it out."
    games = figured(number, "imagined game")
    return f"{what} After the enemy's answer the {who} wins {round(100 * chance)} in 100, judged by {games}."


def _answers(s: State, side: Side, options: list[Action], time: Time, most: int, seed: int) -> list[Line]:
    """Every answer to a small question, tried in the same worlds."""
    if len(options) > MOST_OPTIONS:
        return []
    values = tried(Rollout(s, side, seed, time.to_try), options, MOST_WORLDS)
    if not values or not values[0]:
        return []
    lines = []
    for action, known in zip(options, values, strict=True):
        chance = sum((chance_of(odds) for odds in known), 0.0) / len(known)
        games = figured(len(known), "game")
        reason = f"After the enemy's next turn the side wins {round(100 * chance)} in 100, judged by {games}."
        lines.append(Line(_value(chance), (format_action(s.rules, action),), reason))
    return sorted(lines, key=lambda line: -line.value)[:most]


def _chance(s: State, side: Side) -> float:
    chance = axis_chance(s)
    return chance if side == AXIS else 1.0 - chance


def _value(chance: float) -> float:
    return round(2.0 * chance - 1.0, 3)
