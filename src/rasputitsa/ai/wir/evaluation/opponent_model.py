"""What a seat believes of enemy groups, whose inside it never sees: a function of what it has been shown.

It begins with the order of battle, which everybody knows at the start. From then on each week's report is taken in:
the fights with their exact odds and losses, bombardments, marches, surrenders. What is not reported is estimated: rest,
schooling, digging, and replacements as far as the enemy's people bring them forth. Each estimate has its doubt, which a
fight dispels and weeks without news bring back; a part of the error is common to all groups, so that every fight tells
something of those who were not in it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from math import exp, sqrt
from typing import Any

from rasputitsa.ai.wir.evaluation.estimate import (
    AVERAGE,
    BELIEVED_FATIGUE,
    DIVIDED,
    FIGHT,
    MOST_LIKELY_80,
    NEW,
    Estimate,
)
from rasputitsa.ai.wir.evaluation.week_report import Sighting, WeekReport
from rasputitsa.core.events import Event
from rasputitsa.wir.api import position
from rasputitsa.wir.api.hypothetical import typical
from rasputitsa.wir.model.indices import Group, Side
from rasputitsa.wir.model.state import OFF, State
from rasputitsa.wir.model.tables import (
    AIR,
    COMBAT_BITS,
    FIRST_YEAR,
    INF_POOL,
    INFANTRY,
    KIND,
    MECHANIZED,
    MOST_EXPERIENCE,
    POOLS,
    UNITS_PER_SIDE,
    groups_of,
)
from rasputitsa.wir.model.theatre import AXIS, SIDES, SOVIET
from rasputitsa.wir.rules.end_of_turn import economy

FRESH_UNITS = {(AXIS, INFANTRY): 2.0, (AXIS, MECHANIZED): 2.0, (SOVIET, INFANTRY): 4.3, (SOVIET, MECHANIZED): 2.8}
USUAL_UNITS = {(AXIS, INFANTRY): 4.4, (AXIS, MECHANIZED): 4.0, (SOVIET, INFANTRY): 4.3, (SOVIET, MECHANIZED): 4.2}
"""Units of a group when it is built, and those it comes to have in time."""
FULL = {
    (AXIS, INFANTRY): (0.9, 0.9, 0.76, 0.76, 0.78), (AXIS, MECHANIZED): (0.78,) * 5,
    (SOVIET, INFANTRY): (0.82, 0.82, 0.84, 0.9, 0.92), (SOVIET, MECHANIZED): (0.95,) * 5,
}  # fmt: skip
"""By year, the part of the greatest strength to which replacements bring units in the long run; allies of the Axis are
smaller than the divisions that stand for them here."""
SHRINKING = 0.15
"""Share by which strength believed above that goes back to it in a week."""
FRESH_SHARE = 0.3
"""Part of the units of the group next to it that a new group is believed to have been given, out of a city (4.3)."""
CONTACT = 0.985
"""What a week leaves of a group that touches the other side."""
CONTACT_EXPERIENCE, MOST_BY_CONTACT = 0.0, 80
"""Experience that groups in contact gain in a week, and the most they gain it to."""
MARCH_WEAR = 8.0
"""Fatigue, in points, that a march is believed to cost."""
FATIGUE_KEPT = (0.84, 0.7)
"""Share of its fatigue that a group of a side keeps from week to week: the Axis is far from its railheads."""
TRAINING = (5.0, 3.7)
"""Experience that green groups of a side gain in a week."""
NEW_UNITS, DILUTED = 0.02, (1.0, 0.6)
"""Share of the units it is short of that a group is given in a week, or of those above that it gives up; and how much
recruits lower the experience of others, by side."""
REPLACEMENT_RATE = 0.25
"""Share of the strength a group is short of that replacements make good in a week, if there are points enough."""
SPENT = (0.95, 0.75)
"""Share of a side's replacements that reach units in the field."""
ENTRENCHMENT_A_WEEK = 0.4
SHORT_OF_MOST = 0.2
"""A group is believed to be this much below the highest level of entrenchment, at most."""
STRONGEST = 250
"""A unit is not imagined stronger than this."""

DOUBT_AT_START, DOUBT_OF_FRESH, USUAL_DOUBT, MOST_DOUBT = 0.01, 0.8, 0.15, 0.8
DOUBT_OF_A_FIGHT, DOUBT_OF_A_MARCH, AGEING = 0.2, 0.02, 0.12
COMMON_AT_START, COMMON_A_WEEK, MOST_COMMON = 0.0005, 0.0002, 0.01
"""Variances of logarithms of strength: of a group at the start, of a new one, of one long unseen, of any; what a fight
and a march add, and the share by which a week brings them to the usual; and of the error all groups have in common."""
NOISE = 0.03
"""Variance of what a fight tells: entrenchments and the fatigue of the day are not known exactly."""
FORGETTING = 0.05
"""Share by which a group comes back to the common error in a week."""
MOST_SURPRISE = 1.5
STRENGTH_BIAS, DOUBT_BIAS = 0.05, 0.7
"""Logarithm of how many times as strong as believed the enemies met in a fight are, and how it grows with doubt:
counted in fights of the planner against itself."""


class OpponentModel:
    """The guesses of one side about all groups of the other."""

    def __init__(self, side: Side) -> None:
        self.side = side
        self.enemy = 1 - side
        self.turn = 0
        """The turn it has come to."""
        self.guesses: dict[Group, Estimate] = {}
        self.pool = 0.0
        """Infantry points the enemy may have."""
        self.common = COMMON_AT_START
        """Variance of the error that all groups have in common."""

    def to_json(self) -> dict[str, Any]:
        """Plain JSON values."""
        guesses = {str(group): list(asdict(guess).values()) for group, guess in self.guesses.items()}
        return {"turn": self.turn, "pool": self.pool, "common": self.common, "guesses": guesses}

    def read(self, kept: Mapping[str, Any]) -> None:
        """Take over what was kept."""
        self.turn, self.pool, self.common = kept["turn"], kept["pool"], kept["common"]
        self.guesses = {int(group): Estimate(*values) for group, values in kept["guesses"].items()}

    # -- taking in what is seen and told ---------------------------------------------------------------

    def take(self, before: State, events: Sequence[Event], after: State) -> None:
        """Take in a week: what was seen before plots were carried out, the reports, and what was seen after."""
        self.start(before)
        self._notice(before)
        report = WeekReport(before.copy(), self.side, self.guesses, self._meet, lambda told: self._hear(before, told))
        report.read(events)
        self._notice(after)
        self._pass(after, report.fought, report.marched)
        self.turn = after.turn

    def start(self, s: State, known: State | None = None) -> None:
        """Begin with what everybody knows, if nothing has been taken in yet; ``known``: see ``Memory.begin``."""
        if self.turn == 0:
            if known is not None:
                self._read_off(known, s)
            elif position.OPENING in s.rules.scenario:
                self._read_off(position.start(s.rules), s)
            elif s.goal is None:  # a lesson has groups of its own
                self._begin(s)
            self._notice(s)
            self.turn = s.turn

    def _begin(self, s: State) -> None:
        """At the start of a scenario both sides know the order of battle; later there are only averages."""
        if s.turn > 1:
            return
        self.pool = float(s.rules.scenario["pools"][SIDES[self.enemy]][POOLS[INF_POOL]])
        for group in groups_of(self.enemy, MECHANIZED, INFANTRY):
            lines = [line for line in s.rules.lines if line.group == group]
            if lines and lines[0].hex == s.hex[group]:
                n = len(lines)
                self.guesses[group] = Estimate(
                    lines[0].hex, n, sum(u.strength for u in lines) / n, sum(u.experience for u in lines) / n,
                    sum(u.fatigue for u in lines) / n, lines[0].entrenched, doubt=DOUBT_AT_START, turn=s.turn,
                )  # fmt: skip
        for base in s.rules.map.bases:
            if base.side == self.enemy and base.kind == "air":
                points = base.points[s.rules.year_index]
                self.guesses[base.group] = Estimate(s.hex[base.group], 0, 0, 0, 0, 0, points)

    def _read_off(self, s: State, now: State) -> None:
        """Begin with a position in which everything is known; groups that have left it since are not."""
        if now.turn > s.turn:
            return
        for group in groups_of(self.enemy, MECHANIZED, INFANTRY, AIR):
            units, n = s.group_units[group], max(1, len(s.group_units[group]))
            if s.hex[group] == OFF or s.hex[group] != now.hex[group]:
                continue
            strength, learned, fatigue = (sum(of[u] for u in units) / n for of in (s.strength, s.experience, s.fatigue))
            self.guesses[group] = Estimate(
                s.hex[group], len(units), strength, learned, fatigue, s.entrench[group], s.aircraft[group],
                doubt=DOUBT_AT_START, turn=s.turn,
            )  # fmt: skip
        self.pool = float(s.pools[self.enemy][INF_POOL])

    def _notice(self, s: State) -> None:
        """Groups that are there and were not, are gone, or stand elsewhere than was reported."""
        for group in groups_of(self.enemy, MECHANIZED, INFANTRY, AIR):
            here = s.hex[group]
            guess = self.guesses.get(group)
            if here == OFF:
                self.guesses.pop(group, None)
            elif guess is None:
                self._meet(s, group)
            elif guess.hex != here:
                self._moved(s, group, guess)

    def _moved(self, s: State, group: Group, guess: Estimate) -> None:
        guess.entrenchment = 0.0
        guess.hex = s.hex[group]
        guess.fatigue = min(90.0, guess.fatigue + MARCH_WEAR)
        guess.doubt += DOUBT_OF_A_MARCH

    def _fresh(self, s: State, group: Group) -> tuple[Estimate, int]:
        """A group never seen before, and the one it was part of or 0. It was divided from one next to it, or is
        newly built, of what its people bring forth. Before the first week is over it is of the average of its date."""
        kind, here = KIND[group], s.hex[group]
        if kind == AIR:
            return Estimate(here, 0, 0, 0, 0, 0, 30, source=AVERAGE, turn=s.turn), 0
        unit = typical(s.rules, group)
        most, recruit = s.rules.most[s.year][unit], s.rules.recruits[s.year][unit]
        units = FRESH_UNITS[self.enemy, kind]
        if self.turn == 0:
            return Estimate(
                here, units + 1, most * 0.85, max(recruit, 45), 15, 0, doubt=USUAL_DOUBT, source=AVERAGE, turn=s.turn
            ), 0  # fmt: skip
        in_hex = [g for g in s.at.get(here, ()) if g != group and g in self.guesses and KIND[g] != AIR]
        if in_hex:
            of = self.guesses[in_hex[0]]
            given = of.units * FRESH_SHARE
            return Estimate(
                here, given, of.strength, of.experience, of.fatigue, 0, doubt=DOUBT_OF_FRESH, source=DIVIDED,
                turn=s.turn,
            ), in_hex[0]  # fmt: skip
        points = min(units * most * 0.85, max(most / 2, self.pool / 2))
        return Estimate(
            here, max(1.0, points / most), min(points, most), max(recruit, 15), 10, 0, doubt=DOUBT_OF_FRESH, source=NEW,
            turn=s.turn,
        ), 0  # fmt: skip

    def _meet(self, s: State, group: Group) -> Estimate:
        """Begin to keep an estimate of a group; what it has was another's before, or in the pool."""
        guess, of = self._fresh(s, group)
        if of:
            self.guesses[of].units -= guess.units
            self.guesses[of].doubt += DOUBT_OF_FRESH / 2
        elif self.turn:
            self.pool = max(0.0, self.pool - guess.points())
        self.guesses[group] = guess
        return guess

    # -- fights ----------------------------------------------------------------------------------------

    def _hear(self, s: State, sighting: Sighting) -> None:
        """Correct the guesses by what a fight has shown: a Kalman filter on logarithms of strength."""
        shares = sighting.shares
        own = sum(share * share * self.guesses[g].doubt for g, share in shares.items())
        exposed = sum(share * self.guesses[g].shared for g, share in shares.items())
        total = exposed * exposed * self.common + own + NOISE
        surprise = max(-MOST_SURPRISE, min(MOST_SURPRISE, sighting.surprise))
        at_large = exposed * self.common / total
        for group, guess in self.guesses.items():
            if KIND[group] == AIR:
                continue
            share = shares.get(group, 0.0)
            gain = guess.shared * at_large + share * guess.doubt / total
            guess.shift(surprise * gain, self._most(s, group), s.rules.limits.units)
            if share:
                guess.doubt = max(NOISE, guess.doubt * (1 - share * share * guess.doubt / total))
                guess.shared *= 1 - share * (1 - NOISE / total)
                guess.source, guess.turn, guess.odds = FIGHT, s.turn, sighting.odds
        self.common *= 1 - exposed * at_large

    # -- what a week does to every group ---------------------------------------------------------------

    def _pass(self, s: State, fought: set[Group], marched: set[Group]) -> None:
        """Marches, rest, digging, schooling, replacements; and what was known grows old."""
        income = economy.forecast(s, self.enemy)[POOLS[INF_POOL]] * SPENT[self.enemy]
        self.pool = min(float(s.rules.limits.pools[INF_POOL]), self.pool + income)
        self.common = min(MOST_COMMON, self.common + COMMON_A_WEEK)
        touching = s.zoc(self.side)
        for group, guess in self.guesses.items():
            if KIND[group] == AIR:
                guess.aircraft = guess.aircraft * 0.95 + 3
                continue
            if group not in fought and group not in marched:
                guess.entrenchment = min(
                    s.rules.entrenchment.most - SHORT_OF_MOST, guess.entrenchment + ENTRENCHMENT_A_WEEK
                )
            if touching >> s.hex[group] & 1:
                guess.strength *= CONTACT
                if guess.experience < MOST_BY_CONTACT:
                    guess.experience += CONTACT_EXPERIENCE
            guess.fatigue = min(BELIEVED_FATIGUE, guess.fatigue * FATIGUE_KEPT[self.enemy])
            if guess.experience < s.rules.recovery.green:
                guess.experience += TRAINING[self.enemy]
            aged = guess.doubt + (USUAL_DOUBT - guess.doubt) * AGEING
            guess.doubt = min(MOST_DOUBT, aged + DOUBT_OF_A_FIGHT * (group in fought))
            guess.shared += (1 - guess.shared) * FORGETTING
        self._fill(s)

    def _fill(self, s: State) -> None:
        """Replacements and new units, as far as there are points for them; they bring recruits' experience."""
        wanted: dict[Group, tuple[float, float]] = {}
        for group, guess in self.guesses.items():
            if KIND[group] == AIR:
                continue
            full = self._most(s, group) * FULL[self.enemy, KIND[group]][s.year - FIRST_YEAR]
            guess.strength -= max(0.0, guess.strength - full) * SHRINKING
            units = (USUAL_UNITS[self.enemy, KIND[group]] - guess.units) * NEW_UNITS
            if units < 0:
                guess.units += units
            wanted[group] = (
                max(0.0, full - guess.strength) * REPLACEMENT_RATE * guess.units + max(0.0, units) * guess.strength,
                max(0.0, units),
            )
        needed = sum(points for points, _ in wanted.values())
        share = min(1.0, self.pool / needed) if needed > 0 else 0.0
        self.pool -= needed * share
        for group, (points, units) in wanted.items():
            guess = self.guesses[group]
            recruits = s.rules.recruits[s.year][typical(s.rules, group)]
            had, come = guess.strength * guess.units, points * share
            if come > 0:
                guess.units += units * share
                guess.strength = (had + come) / guess.units
                if recruits < guess.experience:
                    guess.experience += (recruits - guess.experience) * come / (had + come) * DILUTED[self.enemy]

    def _most(self, s: State, group: Group) -> int:
        """Greatest strength of the units that are taken to be in a group."""
        return s.rules.most[s.year][typical(s.rules, group)]

    # -- what is believed ------------------------------------------------------------------------------

    def power(self, group: Group) -> float:
        """Believed combat strength of an enemy group."""
        guess = self.guesses.get(group)
        return guess.power() if guess else 0.0

    def now(self, s: State, group: Group) -> Estimate:
        """What is believed of a group that is seen, where it stands now; it may have marched since the last report."""
        guess = self.guesses.get(group)
        if guess is None:
            return self._fresh(s, group)[0]
        return guess if guess.hex == s.hex[group] else replace(guess, hex=s.hex[group], entrenchment=0.0)

    def margin(self, groups: Sequence[Estimate]) -> float:
        """By what factor the strength of some groups together may be wrong, with a likelihood of four in five."""
        total = sum(guess.power() for guess in groups)
        if not total:
            return 1.0
        own = sum((guess.power() / total) ** 2 * guess.doubt for guess in groups)
        exposed = sum(guess.power() / total * guess.shared for guess in groups)
        return exp(MOST_LIKELY_80 * sqrt(own + exposed * exposed * self.common))

    def imagine(self, s: State, *, for_fights: bool = True) -> State:
        """A complete position: what is seen, with the enemy's groups filled as estimated. For planning fights they are
        stronger than is likeliest, as those whom one meets have turned out to be, the more the greater the doubt."""
        t = s.copy()
        slot = self.enemy * UNITS_PER_SIDE
        last = slot + UNITS_PER_SIDE
        for group in groups_of(self.enemy, MECHANIZED, INFANTRY, AIR):
            if t.hex[group] == OFF or t.group_units[group]:
                continue  # or the game is played open
            guess = self.now(s, group)
            if KIND[group] == AIR:
                t.aircraft[group] = min(t.rules.limits.aircraft, int(guess.aircraft))
                t.supplied |= 1 << group
                continue
            unit = typical(t.rules, group)
            n = max(1, min(t.rules.limits.units, round(guess.units)))
            caution = exp(STRENGTH_BIAS + DOUBT_BIAS * guess.doubt) if for_fights and guess.doubt > NOISE else 1.0
            strength = min(STRONGEST, max(1, round(guess.strength * guess.units / n * caution)))
            for _ in range(n):
                if slot >= last:
                    break
                t.enlist(
                    slot,
                    unit,
                    1,
                    strength,
                    min(MOST_EXPERIENCE, max(1, round(guess.experience))),
                    min(t.rules.march.most - 1, round(guess.fatigue)),
                )
                t.join(slot, group)
                slot += 1
            t.entrench[group] = min(t.rules.entrenchment.most, int(guess.entrenchment + 0.3))
        t.supplied |= COMBAT_BITS[self.enemy]
        t.legal = None
        return t
