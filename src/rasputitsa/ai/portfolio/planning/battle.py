"""Decisions in the attack phase: what to attack, in which order, and how battles are fought out."""

from __future__ import annotations

import random

from rasputitsa.ai.portfolio.evaluation.crt_expectation import Stakes, tables
from rasputitsa.ai.portfolio.evaluation.static_knowledge import knowledge_of
from rasputitsa.ai.portfolio.evaluation.targets import Arena, Attacker
from rasputitsa.ai.portfolio.evaluation.valuation import Valuation, valuation_of
from rasputitsa.ai.portfolio.planning.assault import Assault
from rasputitsa.ai.portfolio.planning.default_policy import DefaultPolicy, by_verb, fallback, haven
from rasputitsa.ai.portfolio.planning.garrisons import RAID, never_left
from rasputitsa.ai.portfolio.planning.phase_planner import Going, Level, stakes_for
from rasputitsa.core.actions import Action
from rasputitsa.core.frames import asked
from rasputitsa.core.game import Decision
from rasputitsa.hexes.grid import members
from rasputitsa.portfolio.model.combat import OPEN
from rasputitsa.portfolio.model.indices import Hex, Side, Unit, UnitBits
from rasputitsa.portfolio.model.ruleset import Ruleset
from rasputitsa.portfolio.model.state import State
from rasputitsa.portfolio.model.theatre import AXIS, SOVIET
from rasputitsa.portfolio.rules.combat.advance import AdvanceStep, type_limits
from rasputitsa.portfolio.rules.combat.announcement import BuildAttack
from rasputitsa.portfolio.rules.combat.breakthrough import Breakthrough, able_again
from rasputitsa.portfolio.rules.combat.eligibility import fighters, mask_of
from rasputitsa.portfolio.rules.combat.odds import odds
from rasputitsa.portfolio.rules.combat.retreat import RetreatStep
from rasputitsa.portfolio.rules.combat.special_results import table_column

LEAST_OFFENSIVE_GAIN = 1.5
"""What the Winter Offensive has to add to the worth of a turn's attacks, for each turn until ``last_chance``."""
TOWARDS = 0.8
"""What a hex nearer to a place whose fall loses the game is worth to a beaten enemy."""
FATIGUE = 0.05
"""What taking part in an attack costs a unit, for each attack factor."""
PROMISING, WORTHWHILE = 0.15, 0.1
"""What an attack must be worth to be taken up while attacks are put together, and to be kept in the end."""
ANYWAY = 0.02
"""Of two attacks that lose the same by waiting, the better goes first: the share of its worth that counts for it."""
HOPELESS = -1.5
"""An attack worth less than this by now is called off."""
AGAIN = 0.3
"""What a second attack after a breakthrough, or one more unit in one, must add."""
PULL, SPEARHEAD = 0.05, 0.15
"""Share of the pull of a hex for an advance: for each attack factor of the Axis, or once for a Soviet unit, and
besides for any Axis unit."""
PRIZE = 0.5
"""What a hex must be worth to count as a place to be taken or held by an advance."""
EXPOSED = 0.25
"""Share of the worth of a unit that an advance into the face of a stronger enemy puts at risk."""
OVERWHELMED = 4.0
"""How many times the strength of the stack the enemy must be nearby for that share to count whole."""
DRAWN = {1: 1.0, 2: 0.5, 3: 0.2}
"""How much the next target draws an advance, by its distance."""
BARRED, CRAMPED = 0.8, 0.5
"""What it is worth to stand next to what is still under attack, and two hexes from it: it hampers the retreat."""
STRIKE, DRAW, MOST_DRAW = 0.5, 0.7, 4.0
"""What a second strike must be worth to be thought of; the share of it that draws advances, and the most that does."""
LONE = 9
"""How much worse than where it stands is the advance of a unit for which no hex is free."""
FAST = 0.3
"""What it counts for that a unit is pure armor when it is chosen who advances first."""
BETTER = 0.1
"""How much better than where a unit stands an advance, or a further step of it, must be."""
CHERISHED = 4.0
"""What a hex must be worth to be held without retreat."""
FEARED = 4
"""The column of the combat table, that of 3:2, below which no unit withdraws before the attack."""
DOOM = 0.6
"""The chance of being destroyed above which a unit withdraws."""
FAR_ENOUGH, BETTER_OFF = 3, 2
"""The hexes of retreat after which an enemy is halted where it would be this much better off farther on."""

DESTROYED_NOT_DISPERSED = Stakes().kill - Stakes().scatter
"""What a unit loses for each point of its worth by being destroyed instead of driven back Dispersed (D4, DX)."""


def last_chance(rules: Ruleset) -> int:
    """The last turn in which the Winter Offensive can begin and have all its turns (VI.B.3)."""
    return max(rules.turns) + 1 - int(rules.charts["winter_offensive"]["turns"])


class Announcements:
    """The attacks a side has decided on in an attack phase, announced one by one."""

    def __init__(self, wanted: list[tuple[Hex, tuple[Unit, ...]]], declare: bool = False) -> None:
        self.wanted = wanted
        """Attacked hexes and who attacks them, the most worthwhile first."""
        self.declare = declare
        """Whether the Winter Offensive is to begin."""

    def without(self, number: int) -> Announcements:
        """The same attacks but one."""
        return Announcements([order for n, order in enumerate(self.wanted) if n != number], self.declare)


class Deliberation:
    """What to attack from where the units stand."""

    def __init__(self, s: State, side: Side, mine: UnitBits, level: Level, rng: random.Random, going: Going) -> None:
        self.s = s
        self.side = side
        self.able = fighters(s, side) & mine
        self.level = level
        self.rng = rng
        self.going = going

    def decide(self, may_declare: bool = False) -> Announcements:
        """The attacks, with the Winter Offensive if it adds enough to them."""
        af = self.s.rules.roster.af
        declare = False
        search = self.search(may_declare)
        if may_declare:
            declare = self.lifted(search) >= LEAST_OFFENSIVE_GAIN * (last_chance(self.s.rules) - self.s.turn)
            if not declare:
                search = self.search(False)
        wanted = [
            (target, tuple(sorted((u for u, _ in team), key=lambda u: -af[u])))
            for target, team in search.striking.items()
            if team
        ]
        wanted.sort(key=lambda order: -search.worth.get(order[0], 0.0))
        return Announcements(wanted, declare)

    def search(self, offensive: bool) -> Assault:
        """The best attacks."""
        arena = self.arena(offensive)
        spots = {u: 1 << self.s.pos[u] for u in members(self.able)}
        af = self.s.rules.roster.af
        search = Assault(arena, spots, lambda u, h: 0.0, lambda u: FATIGUE * af[u], self.able, self.rng)
        search.build(PROMISING)
        search.improve(self.level.tries // 3, self.going)
        search.prune(WORTHWHILE)
        return search

    def arena(self, offensive: bool) -> Arena:
        """What could be attacked, and what it is worth."""
        s, side = self.s, self.side
        return Arena(s, side, stakes_for(s, side), valuation_of(s, side).gain, offensive=offensive)

    def lifted(self, search: Assault) -> float:
        """What the Winter Offensive adds to the attacks."""
        plain = self.arena(False)
        gain = 0.0
        for target, team in search.striking.items():
            if team:
                withheld = search.struck & ~(1 << target)
                value = plain.value(plain.targets[target], team, search.occupied, search.zone, withheld)
                gain += search.attack_value(target) - max(0.0, value - search.owed(team))
        return gain


def announce(s: State, options: list[Action], orders: Announcements, given_up: set[Hex]) -> Action:
    """The next announcement, or done."""
    if orders.declare and Action("offensive") in options:
        return Action("offensive")
    announced = {t for attack in s.attacks for t in attack.targets}
    for target, _ in orders.wanted:
        if target not in announced and target not in given_up and Action("attack", (target,)) in options:
            return Action("attack", (target,))
    if Action("done") in options:
        return Action("done")
    withdraw = by_verb(options, "withdraw")
    return withdraw[-1] if withdraw else fallback(options)


def build(s: State, options: list[Action], orders: Announcements | None, given_up: set[Hex]) -> Action:
    """The next unit of the attack being put together, or ready."""
    frame = asked(s, BuildAttack)
    targets, units = frame.targets, frame.units
    team: tuple[Unit, ...] = ()
    if orders is not None:
        team = next((team for target, team in orders.wanted if target == targets[0]), ())
    for unit in team:
        if unit not in units and Action("with", (unit,)) in options:
            return Action("with", (unit,))
    if units and Action("amphibious") in options and not frame.amphibious:
        return Action("amphibious")
    if Action("ready") in options and units:
        return Action("ready")
    given_up.add(targets[0])
    return Action("drop")


class Fight:
    """Decisions while attacks are resolved, for either side."""

    def __init__(self, s: State, decision: Decision, side: Side) -> None:
        self.s = s
        self.decision = decision
        self.options = list(decision.options)
        self.side = side
        self.default_policy = DefaultPolicy(s, decision)
        self.knowledge = knowledge_of(s.rules)
        self.grid = s.rules.grid
        self.next_target: tuple[Hex, float] | None = None

    # ------------------------------------------------------------------ the order of attacks

    def resolve(self) -> Action:
        """First what loses most by waiting: attacks whose targets the others still hem in."""
        s = self.s
        waiting = [(n, a) for n, a in enumerate(s.attacks, start=1) if a.state == OPEN]
        if len(waiting) == 1 and self.side == SOVIET:
            return Action("resolve", (waiting[0][0],))
        targets = mask_of(t for _, a in waiting for t in a.targets)
        arena = Arena(s, self.side, stakes_for(s, self.side), valuation_of(s, self.side).gain, only=targets)
        zone = self.grid.spread(s.active[self.side])
        occupied = s.occ[self.side]
        best: tuple[float, int] | None = None
        for number, attack in waiting:
            team: list[Attacker] = [(u, s.pos[u]) for u in attack.units if s.pos[u] >= 0 and not s.dispersed >> u & 1]
            target = arena.targets.get(attack.targets[0])
            if target is None or not team:
                return Action("resolve", (number,))
            others = targets & ~mask_of(attack.targets)
            now = arena.value(target, team, occupied, zone, others)
            later = arena.value(target, team, occupied, zone, 0)
            score = (now - later) + ANYWAY * now
            if now < HOPELESS and Action("cancel", (number,)) in self.options:
                return Action("cancel", (number,))
            if best is None or score > best[0]:
                best = score, number
        assert best is not None
        return Action("resolve", (best[1],))

    def breakthrough(self, given_up: set[Hex]) -> Action:
        """Attack again where it pays most."""
        s = self.s
        frame = asked(s, Breakthrough)
        pool = members(frame.pool(s))
        near = self.grid.spread(mask_of(s.pos[u] for u in pool))
        joined = mask_of(t for a in s.attacks if a.state == OPEN for t in a.targets)
        arena = Arena(s, self.side, stakes_for(s, self.side), valuation_of(s, self.side).gain, only=near | joined)
        zone = self.grid.spread(s.active[self.side])
        best, choice = AGAIN, Action("done")
        for action in by_verb(self.options, "attack"):
            if action.args[0] in given_up:
                continue
            target = arena.targets[action.args[0]]
            team = [(u, s.pos[u]) for u in pool if arena.may_attack_from(u, target) >> s.pos[u] & 1]
            if not team:
                continue
            value = arena.value(target, team, s.occ[self.side], zone, 0)
            if value > best:
                best, choice = value, action
        for action in by_verb(self.options, "join"):
            unit, number = action.args
            attack = s.attacks[number - 1]
            target_ = arena.targets.get(attack.targets[0])
            if target_ is None:
                continue
            team = [(u, s.pos[u]) for u in attack.units if s.pos[u] >= 0]
            before = arena.value(target_, team, s.occ[self.side], zone, 0)
            gained = arena.value(target_, [*team, (unit, s.pos[unit])], s.occ[self.side], zone, 0) - before
            if gained > best:
                best, choice = gained, action
        return choice

    def build_breakthrough(self, given_up: set[Hex]) -> Action:
        """Add every unit that may join."""
        more = by_verb(self.options, "with")
        if more:
            return more[0]
        if Action("ready") in self.options:
            return Action("ready")
        frame = asked(self.s, BuildAttack)
        given_up.update(frame.targets)
        return Action("drop")

    # ------------------------------------------------------------------ advances

    def advance_value(self, unit: Unit, hex_: Hex, valuation: Valuation) -> float:
        """What standing in a hex after an advance is worth."""
        s = self.s
        enemy = 1 - self.side
        af = s.rules.roster.af
        score = (SPEARHEAD + PULL * af[unit] if self.side == AXIS else PULL) * valuation.pull[hex_]
        bit = 1 << hex_
        if valuation.value[hex_] > PRIZE:
            alone = all(u == unit for u in s.at.get(hex_, ()))
            if s.controlled(enemy) & bit or (alone and self.knowledge.near(hex_, 4) & s.occ[enemy]):
                score += valuation.value[hex_]
        threat = 0
        roster = s.rules.roster
        for near in members(self.knowledge.near(hex_, 2) & s.occ[enemy]):
            threat += sum(af[u] for u in s.at[near] if not (s.dispersed | s.spent) >> u & 1)
        mates = sum(roster.df[u] for u in s.at.get(hex_, ()) if u != unit)
        strength = roster.df[unit] + mates
        if threat > 2 * strength:
            score -= EXPOSED * self.knowledge.worth[unit] * min(1.0, threat / (OVERWHELMED * strength))
        if self.next_target is not None:
            score += self.next_target[1] * DRAWN.get(self.grid.distance(hex_, self.next_target[0]), 0.0)
        # barring the retreat of what is still under attack
        for attack in s.attacks:
            if attack.state != OPEN:
                continue
            for target in attack.targets:
                if self.grid.distance(hex_, target) == 1:
                    score += BARRED
                elif self.grid.distance(hex_, target) == 2:
                    score += CRAMPED
        return score

    def second_strike(self) -> tuple[Hex, float] | None:
        """After a breakthrough: the enemy stack most worth attacking again, and how much it draws."""
        s = self.s
        battle = s.battle
        if battle is None or not battle.cleared:
            return None
        units = able_again(s, battle)
        if not units:
            return None
        limits = type_limits(s.rules, s.weather.id)
        entry = battle.cleared[-1].hex
        around = self.knowledge.near(entry, 4) & s.occ[1 - self.side]
        arena = Arena(s, self.side, stakes_for(s, self.side), valuation_of(s, self.side).gain, only=around)
        zone = self.grid.spread(s.active[self.side])
        best: tuple[int, float] | None = None
        for hex_, target in arena.targets.items():
            away = self.grid.distance(entry, hex_)
            team: list[Attacker] = []
            for unit in units:
                spots = arena.may_attack_from(unit, target)
                if spots >> s.pos[unit] & 1:
                    team.append((unit, s.pos[unit]))
                elif spots and away <= limits[unit]:
                    team.append((unit, members(spots)[0]))
            if not team:
                continue
            value = arena.value(target, team[:4], s.occ[self.side], zone, 0)
            if value > STRIKE and (best is None or value > best[1]):
                best = hex_, min(MOST_DRAW, DRAW * value)
        return best

    def advance(self) -> Action:
        """Who advances: the fast first, as long as it is for the better."""
        s = self.s
        self.next_target = self.second_strike()
        units = by_verb(self.options, "advance")
        if not units:
            return fallback(self.options)
        valuation = valuation_of(s, self.side)
        frame = s.stack[-1]
        must = Action("done") not in self.options
        best: tuple[float, Action] | None = None
        for action in units:
            unit = action.args[0]
            here = self.advance_value(unit, s.pos[unit], valuation)
            hexes = self._first_hexes(frame, unit)
            there = max((self.advance_value(unit, h, valuation) for h in hexes), default=here - LONE)
            fast = FAST if s.rules.roster.pure_armor >> unit & 1 else 0.0
            value = there - here + fast
            if best is None or value > best[0]:
                best = value, action
        assert best is not None
        if must or best[0] > BETTER:
            return best[1]
        return Action("done")

    def _first_hexes(self, frame: object, unit: Unit) -> list[Hex]:
        s = self.s
        battle = s.battle
        if battle is None:
            return []
        near = self.grid.adjacent[s.pos[unit]]
        return [c.hex for c in battle.cleared if near >> c.hex & 1]

    def advance_step(self) -> Action:
        """The best hex, or halt."""
        s = self.s
        self.next_target = self.second_strike()
        valuation = valuation_of(s, self.side)
        frame = asked(s, AdvanceStep)
        unit = frame.unit
        hexes = by_verb(self.options, "to")
        if not hexes:
            return fallback(self.options)
        best = max(hexes, key=lambda a: (self.advance_value(unit, a.args[0], valuation), a))
        if Action("halt") in self.options:
            here = self.advance_value(unit, s.pos[unit], valuation)
            if self.advance_value(unit, best.args[0], valuation) < here + BETTER:
                return Action("halt")
        return best

    # ------------------------------------------------------------------ the defender

    def no_retreat(self) -> Action:
        """Hold where the ground is worth more than the units that might have got away."""
        s = self.s
        valuation = valuation_of(s, self.side)
        for action in by_verb(self.options, "hold"):
            unit = action.args[0]
            hex_ = s.pos[unit]
            if valuation.value[hex_] < CHERISHED:
                continue
            attack = next((a for a in s.attacks if a.state == OPEN and hex_ in a.targets), None)
            if attack is None:
                continue
            found = odds(s, attack.targets, attack.units, attack.amphibious)
            if not found.columns:
                continue
            column = table_column(s, unit, found.columns[attack.targets.index(hex_)])
            chances = tables(s.rules).holding[max(0, column)]
            if (
                chances.saved * valuation.value[hex_]
                > chances.lost * DESTROYED_NOT_DISPERSED * self.knowledge.worth[unit]
            ):
                return action
        return Action("done")

    def voluntary_retreat(self) -> Action:
        """Withdraw what would be lost where it stands."""
        retreats = by_verb(self.options, "retreat")
        for action in retreats:
            if self.doomed(action.args[0]):
                return action
        return Action("stand")

    def doomed(self, unit: Unit) -> bool:
        """Whether a unit is likely to be destroyed in this phase if it stays."""
        s = self.s
        hex_ = s.pos[unit]
        if never_left(s, self.side) >> hex_ & 1:
            return False
        attacker = s.side
        attacking_from = self.grid.adjacent[hex_] & s.active[attacker]
        if not attacking_from or s.attacks:
            return False
        arena = Arena(s, attacker, stakes_for(s, attacker), [0.0] * self.grid.size, only=1 << hex_)
        target = arena.targets[hex_]
        able = fighters(s, attacker)
        team: list[Attacker] = []
        for near in members(attacking_from):
            for u in s.at[near]:
                if able >> u & 1 and arena.may_attack_from(u, target) >> near & 1:
                    team.append((u, near))
        if not team:
            return False
        column, _, _ = arena.odds(target, team)
        if column < FEARED:
            return False
        zone = self.grid.spread(s.active[attacker])
        depth = arena.depth(target, mask_of(h for _, h in team), s.occ[attacker], zone, 0)
        p = arena.chances.defender[0][depth][column]
        return p.killed > DOOM

    def retreat_choice(self) -> Action:
        """Hex or length of a retreat."""
        if self.decision.kind == "retreat_length":
            return self.default_policy.retreat_length()
        unit = self.default_policy.retreating_unit()
        if self.s.rules.roster.side[unit] == self.side:
            return self.default_policy.retreat()
        return self.pursue(unit)

    def pursue(self, unit: Unit) -> Action:
        """Drive an enemy to where that unit is worst off: out of supply, crowded, far."""
        s = self.s
        hexes = by_verb(self.options, "to")
        if not hexes:
            return fallback(self.options)
        worst = min(hexes, key=lambda a: (self.refuge(unit, a.args[0]), a))
        frame = asked(s, RetreatStep)
        if Action("halt") in self.options and frame.retreat.steps >= FAR_ENOUGH:
            there = self.refuge(unit, worst.args[0])
            return Action("halt") if self.refuge(unit, s.pos[unit]) < there - BETTER_OFF else worst
        return worst

    def refuge(self, unit: Unit, hex_: Hex) -> float:
        """How well a beaten enemy stands in a hex: nobody is to be driven towards a place that must not fall."""
        near = 0.0
        if self.side == AXIS and self.s.goal is None:
            near = max(0.0, *(float(RAID - self.knowledge.field(prize)[hex_]) for prize in self.knowledge.soviet_goals))
        return haven(self.s, unit, hex_) + TOWARDS * near
