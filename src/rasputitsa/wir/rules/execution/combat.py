"""7.4-7.7 Bombardments and assaults: strengths, odds, and how one attack is fought out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, Literal, NamedTuple

from rasputitsa.core.dice import ScriptedDice
from rasputitsa.core.events import Event, event
from rasputitsa.core.frames import Context
from rasputitsa.wir.model.figures import half_up
from rasputitsa.wir.model.indices import Group, GroupBits, Hex, Side, Unit
from rasputitsa.wir.model.marks import groups_marks, hex_mark
from rasputitsa.wir.model.shapes import AttackPreview, Modifier, OddsItem
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.tables import AIR, KIND, MECHANIZED, RAIN, VERY_COLD, WEATHER_NAMES, group_side
from rasputitsa.wir.model.theatre import FOREST, SOVIET, SWAMP, TERRAIN_NAMES
from rasputitsa.wir.rules.execution import casualties, retreat
from rasputitsa.wir.rules.execution.cancelled import PlotCancelled

UNIT: Final = 10_000
"""Strengths are summed as strength x experience x (100 - fatigue): this is one point (7.6)."""
NO_DEFENCE: Final = "no defence"
"""What is written for odds against air groups alone."""
MOST_ODDS: Final = 1000.0
"""Odds against a defender without any strength."""


class Defence(NamedTuple):
    """What some groups hold a hex with."""

    plain: float
    """Their strength without entrenchments."""
    total: float
    """With them (7.9)."""
    level: int
    """Highest entrenchment."""
    mechanized: float
    """The part of mechanized groups in the strength without entrenchments (7.6)."""


class OddsBreakdown(NamedTuple):
    """The odds of one assault."""

    attack: float
    defence: float
    odds: float
    level: int
    """Highest entrenchment among the defenders."""
    terrain: int
    mechanized: float
    """Multiple of mechanized attackers."""
    weather: float
    factors: tuple[float, ...]
    """For each attacking group all its multiples together."""


def strength(s: State, group: Group) -> int:
    """Adjusted combat strength of a group before terrain, weather and entrenchments, in ten-thousandths of a point."""
    power, learned, fatigue = s.strength, s.experience, s.fatigue
    return sum([power[u] * learned[u] * (100 - fatigue[u]) for u in s.group_units[group]])


def unit_strength(s: State, unit: Unit) -> float:
    """Adjusted combat strength of one unit (7.6)."""
    return adjusted(s.strength[unit], s.experience[unit], s.fatigue[unit])


def adjusted(points: float, experience: float, fatigue: float) -> float:
    """The combat strength of some strength points, adjusted by experience and fatigue (7.6)."""
    return points * experience * (100 - fatigue) / UNIT


def ground(s: State, hex_: Hex) -> int:
    """Terrain as combat sees it: a frozen swamp counts as forest (8.4)."""
    kind = s.terrain(hex_)
    return FOREST if kind == SWAMP and s.frozen else kind


def bites(s: State) -> bool:
    """Whether it is so cold that attacks count otherwise: in very cold weather, as long as armies are not used to it
    (8.4)."""
    return s.weather == VERY_COLD and s.rules.month(s.turn) <= s.rules.attack.very_cold_until


def weather_multiple(s: State, side: Side) -> float:
    """What the weather makes of a side's attacks (8.4, 10.0)."""
    rules = s.rules.attack
    if s.weather == RAIN:
        return rules.rain
    if bites(s):
        return rules.cold_attack[s.level] if side == SOVIET else rules.very_cold_axis
    return 1.0


def mechanized_attack(s: State, side: Side, terrain: int) -> bool:
    """Whether a side's mechanized groups attack with more strength (7.6)."""
    rules = s.rules.attack
    if terrain not in rules.mechanized_terrain or s.weather == RAIN:
        return False
    month = s.rules.month(s.turn)
    if side == SOVIET:
        return month >= rules.mechanized_soviet_from
    return s.weather != VERY_COLD or month >= rules.mechanized_axis_very_cold_from


def mechanized_multiple(s: State, side: Side, terrain: int, share: float) -> float:
    """The multiple of mechanized attackers; ``share`` is the mechanized part of the defence."""
    if not mechanized_attack(s, side, terrain):
        return 1.0
    if s.rules.options["mech_defence"] == "multiple":
        return s.rules.attack.mechanized * (1 - share)
    return 1 + (s.rules.attack.mechanized - 1) * (1 - share)


def terrain_divisor(s: State, here: Hex, there: Hex, terrain: int) -> int:
    """By what an attack from one hex into another is divided (8.3)."""
    rules = s.rules.attack
    divisor = rules.into[terrain] * rules.out_of[ground(s, here)]
    if s.across_river(here, there):
        divisor *= rules.river
    return divisor


def attack_multiple(
    s: State, group: Group, here: Hex, target: Hex, terrain: int, weather: float, mechanized: float
) -> float:
    """All multiples together of a group that attacks from one hex into another; ``weather`` and ``mechanized`` are
    those of its side in this attack."""
    found = weather / terrain_divisor(s, here, target, terrain)
    return found * mechanized if KIND[group] == MECHANIZED else found


def entrenched(s: State, power: float, level: int) -> float:
    """What the strength of a defender counts for behind entrenchments of a level (7.9)."""
    return power * s.rules.entrenchment.defence[level]


def defence_of(s: State, defenders: Iterable[tuple[Group, float, int]]) -> Defence:
    """What some groups hold a hex with, each with its strength and its level of entrenchment."""
    plain = total = mechanized = 0.0
    highest, multiples = 0, s.rules.entrenchment.defence
    for group, power, level in defenders:
        plain += power
        total += power * multiples[level]
        if KIND[group] == MECHANIZED:
            mechanized += power
        highest = max(highest, level)
    return Defence(plain, total, highest, mechanized / plain if plain else 0.0)


def defenders_in(s: State, target: Hex, side: Side) -> tuple[Group, ...]:
    """The groups of a side in a hex."""
    return tuple(g for g in s.at.get(target, ()) if group_side(g) == side)


def compute_odds(s: State, attackers: Sequence[Group], target: Hex) -> OddsBreakdown:
    """The odds of an assault as things stand, bombardments included."""
    side = group_side(attackers[0])
    terrain = ground(s, target)
    _, defence, level, share = defence_of(
        s,
        [
            (group, strength(s, group), s.entrench[group])
            for group in s.at.get(target, ())
            if KIND[group] != AIR and group_side(group) != side
        ],
    )
    weather = weather_multiple(s, side)
    multiple = mechanized_multiple(s, side, terrain, share)
    attack, factors = 0.0, []
    for group in attackers:
        factor = attack_multiple(s, group, s.hex[group], target, terrain, weather, multiple)
        factors.append(factor)
        attack += strength(s, group) * factor
    odds = min(MOST_ODDS, attack / defence) if defence else MOST_ODDS
    return OddsBreakdown(attack / UNIT, defence / UNIT, odds, level, terrain, multiple, weather, tuple(factors))


def gun_points(s: State, attackers: Iterable[Group], intrinsic: bool) -> float:
    """Artillery points that fire: those of the groups and, in assaults, a tenth of their units' strength (7.5)."""
    points = 0.0
    for group in attackers:
        points += s.artillery[group]
        if intrinsic:
            points += intrinsic_points(s, strength(s, group) / UNIT)
    return points


def intrinsic_points(s: State, power: float) -> float:
    """Artillery points that units of some strength fire by themselves in an assault (7.5)."""
    return power / s.rules.guns.intrinsic


def fire(s: State, context: Context, attackers: Sequence[Group], target: Hex, *, intrinsic: bool) -> None:
    """A bombardment of all enemies in a hex; each group uses up a quarter of its points (7.5, 8.10)."""
    points = gun_points(s, attackers, intrinsic)
    for group in attackers:
        if s.artillery[group]:
            s.artillery[group] -= half_up(s.artillery[group] * s.rules.guns.consumed / 100)
    if points:
        casualties.blast(s, context, target, 1 - group_side(attackers[0]), shells(s, points), 1.0)


def gun_weather(s: State) -> float:
    """What the weather leaves of shells."""
    return s.rules.raids.weather[s.weather] if s.rules.options["gun_weather"] == "reduced" else 1.0


def shells(s: State, points: float) -> float:
    """The German aircraft points that artillery points equal in the present weather (7.5)."""
    return points / s.rules.guns.aircraft_points * gun_weather(s)


def _shelling(s: State, attackers: Sequence[Group]) -> float:
    """The percentage that B plots of some groups take of units without entrenchments."""
    points = gun_points(s, attackers, s.rules.options["bombardment"] == "all")
    return casualties.blast_effect(s, shells(s, points))


def bombard(s: State, context: Context, group: Group, target: Hex) -> None:
    """A B plot: one group fires and does not assault (6.6)."""
    if not s.occ[1 - group_side(group)] >> target & 1:
        context.note(PlotCancelled(group, s.hex[group], "gone"))
        return
    context.note(Bombarded(group, target))
    fire(s, context, (group,), target, intrinsic=s.rules.options["bombardment"] == "all")


def assault(s: State, context: Context, attackers: Sequence[Group], target: Hex, standing: GroupBits = 0) -> GroupBits:
    """One attack from its bombardment to the advance; returns the groups that advanced, as bits.

    ``standing``: groups that stay where they are because their plot ends in an S.
    """
    side = group_side(attackers[0])
    fire(s, context, attackers, target, intrinsic=True)
    defenders = defenders_in(s, target, 1 - side)
    if defenders:
        _fight(s, context, attackers, target, defenders)
    if s.occ[1 - side] >> target & 1:
        for group in attackers:
            s.plot[group] = 0
        return 0
    return retreat.advance(s, context, attackers, target, standing)


def _fight(s: State, context: Context, attackers: Sequence[Group], target: Hex, defenders: tuple[Group, ...]) -> None:
    side = group_side(attackers[0])
    sums = compute_odds(s, attackers, target)
    odds, hexes = sums.odds, sum({1 << s.hex[g] for g in attackers})
    rules = s.rules.losses
    own_loss = casualties.attacker_percent(odds, sums.level, sums.defence, rules)
    own_loss = casualties.spread_attacker(context, own_loss, rules)
    loss = casualties.spread_defender(context, casualties.defender_percent(odds, rules), rules)
    tenths = round(own_loss * 10), round(loss * 10)
    context.note(Fought(target, tuple(attackers), rounded_odds(odds), defenders, *tenths))
    for group in attackers:
        casualties.suffer(s, context, group, own_loss, attacker=True)
    for group in defenders:
        if KIND[group] != AIR:
            casualties.suffer(s, context, group, loss, attacker=False)
            s.entrench[group] = casualties.entrenchment_left(s.entrench[group], odds, s.rules.entrenchment)
    retreat.drive_out(s, context, target, 1 - side, odds, hexes)


def preview(s: State, groups: Sequence[Group], target: Hex) -> AttackPreview:
    """What an assault by some groups would come to, dice apart; the position is not changed.

    The odds are those after the bombardment, whose effect is certain; None against a defender without strength.
    """
    t = s.copy()
    attackers = [g for g in sorted(groups) if t.hex[g] >= 0]
    before = compute_odds(t, attackers, target)
    points, shelling = gun_points(t, attackers, True), _shelling(t, attackers)
    fire(t, Context(ScriptedDice(())), attackers, target, intrinsic=True)
    after = compute_odds(t, attackers, target)
    stays = _stays(t, target, 1 - group_side(attackers[0]), after)
    alone = _aircraft_alone(defenders_in(s, target, 1 - group_side(attackers[0])))
    leave = 0.0 if stays else retreat.chance(after.odds, s.rules.flight)
    rules, factor = s.rules.losses, casualties.attack_fatigue(s)
    return {
        "odds_before": round(before.odds, 2) if before.defence else None,
        "odds_before_text": _text_of(before, alone),
        "odds": round(after.odds, 2) if after.defence else None,
        "odds_text": _text_of(after, alone),
        "attack": round(after.attack, 2),
        "defence": round(after.defence, 2),
        "items": _items(t, attackers, target, after),
        "modifiers": _modifiers(t, attackers, target, after),
        "artillery": round(points, 1),
        "shelling": round(shelling, 1),
        "entrenchment": after.level,
        "entrenchment_destroyed": casualties.destroyed(after.odds, s.rules.entrenchment),
        "retreat": leave,
        "advance": round(leave * retreat.advance_chance(s, attackers, target) / 100, 1),
        "losses": {
            "attacker": casualties.attacker_percent(after.odds, after.level, after.defence, rules),
            "defender": casualties.defender_percent(after.odds, rules),
        },
        "attacker_fatigue": [n * factor for n in rules.fatigue],
    }


def _stays(s: State, target: Hex, side: Side, sums: OddsBreakdown) -> bool:
    """Whether no combat group can be made to retreat at all, as in a fortified city (7.7)."""
    rules = s.rules.entrenchment
    left = [
        casualties.entrenchment_left(s.entrench[g], sums.odds, rules)
        for g in defenders_in(s, target, side)
        if KIND[g] != AIR
    ]
    return bool(left) and all(retreat.stands(s, target, level) for level in left)


def _items(s: State, attackers: Sequence[Group], target: Hex, sums: OddsBreakdown) -> list[OddsItem]:
    defenders = defenders_in(s, target, 1 - group_side(attackers[0]))
    sides: list[tuple[Literal["attack", "defence"], Group, float, str]] = [
        ("attack", g, factor, "7.6") for g, factor in zip(attackers, sums.factors, strict=True)
    ]
    sides += [
        ("defence", g, 0.0 if KIND[g] == AIR else s.rules.entrenchment.defence[s.entrench[g]], "7.9") for g in defenders
    ]
    return [
        {
            "side": side, "group": str(g), "text": f"Group {g}", "points": sum(s.strength[u] for u in s.group_units[g]),
            "strength": round(strength(s, g) / UNIT, 2),
            "multiple": round(multiple, 4), "value": round(strength(s, g) / UNIT * multiple, 2), "rule": rule,
        }
        for side, g, multiple, rule in sides
    ]  # fmt: skip


def _modifiers(s: State, attackers: Sequence[Group], target: Hex, sums: OddsBreakdown) -> list[Modifier]:
    found, rules = [], s.rules.attack
    defenders = defenders_in(s, target, 1 - group_side(attackers[0]))
    if rules.into[sums.terrain] > 1:
        found.append((TERRAIN_NAMES[sums.terrain].capitalize(), f"1/{rules.into[sums.terrain]}", "8.3"))
    for group in attackers:
        here = s.hex[group]
        leaving = ground(s, here)
        if rules.out_of[leaving] > 1:
            found.append((f"Group {group} out of {TERRAIN_NAMES[leaving]}", f"1/{rules.out_of[leaving]}", "8.3"))
        if s.across_river(here, target):
            found.append((f"Group {group} across a river", f"1/{rules.river}", "8.3"))
    if sums.weather != 1:
        found.append((f"Weather: {WEATHER_NAMES[s.weather]}", f"{sums.weather:g}", "8.4"))
    if sums.mechanized != 1 and any(KIND[g] == MECHANIZED for g in attackers):
        defended = any(KIND[g] == MECHANIZED and strength(s, g) for g in defenders)
        why = "Mechanized groups, less by mechanized defenders" if defended else "Mechanized groups"
        found.append((why, f"{sums.mechanized:.3g}", "7.6"))
    if gun_weather(s) != 1:
        found.append((f"Guns in {WEATHER_NAMES[s.weather]} weather", f"{gun_weather(s):.2g}", "7.1"))
    for group in defenders:
        entrenchment = s.entrench[group]
        if entrenchment and KIND[group] != AIR:
            stronger = entrenched(s, 1.0, entrenchment)
            found.append((f"Group {group} in entrenchments of level {entrenchment}", f"{stronger:g}", "7.9"))
            left = casualties.behind_entrenchment(s, 1.0, entrenchment)
            found.append((f"Guns on entrenchments of level {entrenchment}", f"{left:g}", "7.9"))
    if sums.level:
        more = casualties.against_works(sums.level, s.rules.losses) / 100
        found.append((f"Own losses against entrenchments of level {sums.level}", f"{more:g}", "7.10"))
    return [{"text": text, "value": value, "rule": rule} for text, value, rule in found]


def _text_of(sums: OddsBreakdown, aircraft_alone: bool) -> str:
    if aircraft_alone:
        return NO_DEFENCE
    return odds_text(rounded_odds(sums.odds)) if sums.defence else "?"


def _aircraft_alone(defenders: Sequence[Group]) -> bool:
    """Whether nobody defends a hex but air groups, which are no match for ground troops."""
    return bool(defenders) and all(KIND[g] == AIR for g in defenders)


def rounded_odds(odds: float) -> int:
    """Odds in thousandths, as exact as they are reported to both sides."""
    return round(odds * 100) * 10 if odds >= 1 else round(odds * 1000)


def odds_text(thousandths: int) -> str:
    """Odds as ``2.35-1``, or ``1-3.2`` below even."""
    if thousandths >= 1000:
        return f"{round(thousandths / 1000, 2 if thousandths < 10_000 else 1):.7g}-1"
    return f"1-{1000 / max(10, thousandths):.3g}"


@event("fight", "7.6", "hex", "units", "thousandths", "units", "tenths", "tenths", also={"odds_text": "text"})
class Fought(Event):
    """An attack is resolved."""

    target: Hex
    attackers: tuple[Group, ...]
    odds: int
    defenders: tuple[Group, ...]
    attackers_lose: int
    defenders_lose: int

    @property
    def odds_text(self) -> str:
        """The odds as the log writes them."""
        return NO_DEFENCE if _aircraft_alone(self.defenders) else odds_text(self.odds)

    def words(self, s: State) -> str:
        return (
            f"{groups_marks(s, self.attackers)} against {groups_marks(s, self.defenders)} "
            f"in {hex_mark(s, self.target)}{', ' if _aircraft_alone(self.defenders) else ' at '}{self.odds_text}: "
            f"the attack loses {self.attackers_lose / 10:g} %, the defence {self.defenders_lose / 10:g} %"
        )


@event("bombards", "7.5", "unit", "hex")
class Bombarded(Event):
    """A group bombards a hex."""

    group: Group
    target: Hex

    def words(self, s: State) -> str:
        return f"{groups_marks(s, (self.group,))} bombards {hex_mark(s, self.target)}"
