"""Where units arrive: replacements and reinforcements, and who travels by rail or by sea."""

from __future__ import annotations

from typing import NamedTuple

from rasputitsa.ai.portfolio.evaluation.danger import Danger, Layout
from rasputitsa.ai.portfolio.evaluation.static_knowledge import knowledge_of
from rasputitsa.ai.portfolio.evaluation.valuation import valuation_of
from rasputitsa.ai.portfolio.planning.default_policy import by_verb
from rasputitsa.ai.portfolio.planning.garrisons import RAID, never_left
from rasputitsa.core.actions import Action
from rasputitsa.core.dice import DIE
from rasputitsa.core.game import Decision
from rasputitsa.hexes.grid import members
from rasputitsa.portfolio.model.indices import Hex, HexBits, Side, Unit
from rasputitsa.portfolio.model.stacking import fits
from rasputitsa.portfolio.model.state import State
from rasputitsa.portfolio.model.theatre import AXIS, SOVIET
from rasputitsa.portfolio.rules.logistics import supply
from rasputitsa.portfolio.rules.logistics.rail import rail_targets
from rasputitsa.portfolio.rules.logistics.sea import sea_targets, voyage

WORTHWHILE = (1.5, 2.0)
"""What a journey has to better a unit's place by: for the side that operates first in a turn, and for the other,
whose travellers may be struck while they are Dispersed."""
IDLE = 0.3
"""What the lost operations of a travelling unit are worth, for each of its attack factors, where it has work to do."""
STRANDED = 0.5
"""Share of its worth that being out of supply costs a unit."""
CLOSE_LOOKS = 24
"""Journeys looked at closely for each order."""
PRICELESS = (4.0, 20.0)
"""Worth of a place above which more of it draws no more units, for each side."""
RAIDERS = 8
"""Distance of the enemy from which a place should not be left empty."""
BARE = 0.3
"""Share of its worth that a place counts for to the only unit there, if it loses the game or the oil and an enemy is
on the way."""
BEST_DISTANCE = 4
"""Distance from the enemy, in hexes, at which a newcomer is best placed."""


class Journey(NamedTuple):
    """A unit's way by rail or sea, and what it is worth."""

    value: float
    action: Action
    target: Hex


class Transport:
    """The worth of places for units that arrive Dispersed, or ready if they come from Siberia."""

    def __init__(self, s: State, side: Side) -> None:
        self.s = s
        self.side = side
        self.knowledge = knowledge_of(s.rules)
        self.valuation = valuation_of(s, side)
        roster = s.rules.roster
        enemy = roster.of_side[1 - side] & s.units_in(s.occ[1 - side]) & ~s.dispersed
        active = roster.of_side[side] & ~s.dispersed
        self.danger = Danger(s, side, self.valuation.worth, enemy, active)
        self.layout = Layout(s, side)
        self.front = self.knowledge.spread_field(s.occ[1 - side] or 1, self.knowledge.land)
        self.cut = supply.unsupplied_units(s, side)
        self.first = s.weather.axis_first == (side == AXIS)
        """Whether the side operates before the enemy this turn, so that most of what threatens now can be answered."""
        self.bare = self._bare()

    def _bare(self) -> HexBits:
        """Places that lose the game or the oil: nobody there, an enemy on the way, and nobody to march in first."""
        s = self.s
        vital = never_left(s, self.side) & ~s.rules.map.victory_cities & s.controlled(self.side) & ~s.occ[self.side]
        marching = [u for u in s.on_map(self.side) if self.first and not s.dispersed >> u & 1]
        found = 0
        for hex_ in members(vital):
            away = self.knowledge.field(hex_)
            if self.front[hex_] <= RAID and all(away[s.pos[u]] > s.rules.roster.mf[u] for u in marching):
                found |= 1 << hex_
        return found

    def use(self, hex_: Hex, unit: Unit) -> float:
        """What standing in a hex is worth, the danger to it apart."""
        away = self.front[hex_]
        score = -0.5 * abs(away - BEST_DISTANCE) + 0.15 * min(PRICELESS[self.side], self.valuation.value[hex_])
        if away <= 1:
            score -= 2.0
        if any(u != unit for u in self.layout.at.get(hex_, ())):
            score -= 1.0
        elif self.bare >> hex_ & 1:
            score += BARE * self.valuation.value[hex_]
        return score + (0.1 if self.side == SOVIET else 0.2) * self.valuation.pull[hex_]

    def fits(self, unit: Unit, hex_: Hex) -> bool:
        """Whether the unit would stand there without pushing anybody aside."""
        return fits(self.s, unit, [u for u in self.layout.at.get(hex_, ()) if u != unit], hex_)

    def harm(self, unit: Unit, hex_: Hex, dispersed: bool) -> float:
        """Harm to come if a unit stood in a hex."""
        home = self.layout.pos.get(unit, -1)
        before = self.danger.active, self.layout.dispersed
        if dispersed:
            self.danger.active &= ~(1 << unit)
            self.layout.dispersed |= 1 << unit
            self.danger.forget(unit)
        self.layout.move(unit, hex_)
        harm = self.danger.harm(self.layout)
        self.layout.move(unit, home)
        if dispersed:
            self.danger.active, self.layout.dispersed = before
            self.danger.forget(unit)
        return harm

    def arrival(self, unit: Unit, hexes: list[Hex], number: int, dispersed: bool = True) -> Hex:
        """The hex where an arriving unit spares most harm and will be most useful."""
        ranked = sorted(hexes, key=lambda h: (self.use(h, unit), -h), reverse=True)
        roomy = [h for h in ranked if self.fits(unit, h)][:number] or ranked[:1]
        if len(roomy) == 1:
            return roomy[0]
        return max(roomy, key=lambda h: self.use(h, unit) - self.harm(unit, h, dispersed))

    # ------------------------------------------------------------------ journeys

    def best(self, decision: Decision, tried: set[Action]) -> Journey | None:
        """The journey that helps most, if any helps enough."""
        s = self.s
        rough: list[tuple[float, Action, int]] = []
        for verb in ("rail", "sea"):
            for action in by_verb(decision.options, verb):
                if action in tried:
                    continue
                unit = action.args[0]
                if not self.spare(unit):
                    continue
                targets = rail_targets(s, unit) if verb == "rail" else sea_targets(s, unit)
                base = self.staying(unit)
                for hex_ in members(targets & supply.supplied_hexes(s, unit)):
                    if self.fits(unit, hex_) and (self.first or self.front[hex_] >= BEST_DISTANCE - 1):
                        gain = self.use(hex_, unit) - base
                        if verb == "sea":
                            gain -= self.drowned(unit, hex_)
                        rough.append((gain, action, hex_))
        rough.sort(key=lambda item: (-item[0], item[1], item[2]))
        chosen = self._some_of_each(rough)
        at_home = 0.0 if self.first else self.danger.harm(self.layout)
        found: Journey | None = None
        for gain, action, hex_ in chosen:
            if gain < 1.0 and (self.first or gain < -2.0):
                break
            unit = action.args[0]
            value = gain - self.exposed(unit, hex_) if self.first else gain + at_home - self.harm(unit, hex_, True)
            if value > WORTHWHILE[not self.first] and (found is None or value > found.value):
                found = Journey(value, action, hex_)
        return found

    def _some_of_each(self, rough: list[tuple[float, Action, int]]) -> list[tuple[float, Action, int]]:
        """The most promising journeys, no more than three of one unit."""
        taken: dict[Action, int] = {}
        chosen = []
        for item in rough:
            if taken.get(item[1], 0) < 3:
                taken[item[1]] = taken.get(item[1], 0) + 1
                chosen.append(item)
                if len(chosen) >= CLOSE_LOOKS:
                    break
        return chosen

    def spare(self, unit: Unit) -> bool:
        """Whether a unit has nothing to do this turn where it is.

        Who travels before the enemy strikes is found Dispersed, so the front is no place to leave or to arrive at.
        """
        if self.first or self.cut >> unit & 1:
            return True
        march: int = self.s.rules.roster.mf[unit] + self.s.rules.bonus[self.side]
        return self.front[self.s.pos[unit]] > march

    def exposed(self, unit: Unit, hex_: Hex) -> float:
        """What a unit that arrives Dispersed risks, and what it leaves open."""
        s = self.s
        here = s.pos[unit]
        risk = 0.0
        if self.front[hex_] <= BEST_DISTANCE - 1:
            risk = (0.4, 0.4, 0.3, 0.15)[self.front[hex_]] * self.knowledge.worth[unit]
        if len(s.at[here]) == 1 and self.front[here] <= RAIDERS:
            risk += self.valuation.value[here]
        return risk

    def staying(self, unit: Unit) -> float:
        """What a unit's present place is worth to it, with what it could do from there this turn."""
        s = self.s
        here = s.pos[unit]
        roster = s.rules.roster
        march = roster.mf[unit] + s.rules.bonus[self.side]
        away = self.front[here]
        value = self.use(here, unit)
        if away < BEST_DISTANCE:
            # who is at the front is there to fight
            value += 0.5 * (BEST_DISTANCE - away) + (2.0 if away <= 1 else 0.0)
        else:
            # a march would bring it nearer all the same
            value += 0.5 * min(march, away - BEST_DISTANCE) + 0.1 * march
        if away <= march:
            value += IDLE * roster.af[unit]
        if self.cut >> unit & 1:
            value -= STRANDED * self.knowledge.worth[unit]
        return value

    def drowned(self, unit: Unit, port: Hex) -> float:
        """Expected loss on a voyage."""
        _, _, sinking = voyage(self.s, unit, port)
        return self.knowledge.worth[unit] * len(sinking) / DIE
