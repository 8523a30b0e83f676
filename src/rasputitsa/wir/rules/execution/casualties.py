"""7.9, 7.10 Losses of assaults, bombardments and air attacks, and what entrenchments keep off."""

from __future__ import annotations

from rasputitsa.core.chance import between
from rasputitsa.core.events import Event, event
from rasputitsa.core.frames import Context
from rasputitsa.wir.model import groups, levels
from rasputitsa.wir.model.figures import Entrenchment, Losses, half_up
from rasputitsa.wir.model.indices import Group, Hex, Side, Unit
from rasputitsa.wir.model.marks import groups_marks, hex_mark
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.tables import AIR, FINE, KIND, group_side
from rasputitsa.wir.model.theatre import SOVIET
from rasputitsa.wir.rules.movement.fatigue import tire


def attacker_percent(odds: float, level: int, defence: float, rules: Losses) -> float:
    """Average loss of the attackers; ``level`` is the defender's entrenchment, ``defence`` its strength (7.10)."""
    if defence <= rules.negligible_strength:
        return rules.negligible
    plain = rules.attacker / odds if odds > 0 else rules.attacker_most
    return min(rules.attacker_most, plain * against_works(level, rules) / 100)


def against_works(level: int, rules: Losses) -> float:
    """The losses of attackers of a defender behind entrenchments of a level, in percent of those in the open (7.10)."""
    return 100 + rules.per_entrenchment * level


def defender_percent(odds: float, rules: Losses) -> float:
    """Average loss of the defenders."""
    return min(rules.defender_most, rules.defender * odds)


def spread_attacker(context: Context, percent: float, rules: Losses) -> float:
    """The loss of the attackers in one assault around the average: never more than half."""
    return percent if percent <= rules.negligible else _spread(context, percent, rules.attacker_most, rules)


def spread_defender(context: Context, percent: float, rules: Losses) -> float:
    """The loss of the defenders in one assault."""
    return _spread(context, percent, rules.defender_most, rules)


def _spread(context: Context, percent: float, most: float, rules: Losses) -> float:
    return min(most, percent * between(context, "combat", *rules.spread) / 100)


def destroyed(odds: float, rules: Entrenchment) -> float:
    """Percent of the defender's entrenchments that an assault destroys (7.7)."""
    if odds > rules.destroyed_all_above:
        return 100.0
    return max(rules.destroyed_least, rules.destroyed * odds)


def entrenchment_left(level: int, odds: float, rules: Entrenchment) -> int:
    """What is left of a level of entrenchment after an assault, fractions dropped."""
    return int(level * (10_000 - round(destroyed(odds, rules) * 100)) // 10_000)


def attack_fatigue(s: State) -> int:
    """How many times the fatigue of an assault is counted for attackers in the present weather (8.1)."""
    return 1 if s.weather == FINE else s.rules.losses.bad_weather


def lessons_of(s: State, side: Side) -> bytes:
    """By experience, what it is after one combat for the units of a side (8.2)."""
    return s.rules.losses.lessons[side == SOVIET and levels.faster(s)]


def suffer(s: State, context: Context, group: Group, percent: float, *, attacker: bool) -> None:
    """The units of a group lose strength, tire and learn in an assault (7.10, 8.1, 8.2)."""
    fatigue = between(context, "combat", *s.rules.losses.fatigue)
    if attacker:
        fatigue *= attack_fatigue(s)
    strength, experience = s.strength, s.experience
    lessons = lessons_of(s, group_side(group))
    share = percent / 100
    for unit in s.group_units[group]:
        left = strength[unit] - half_up(strength[unit] * share)
        if left <= 0:
            _perish(s, unit, context)
            continue
        strength[unit] = left
        experience[unit] = lessons[experience[unit]]
        tire(s, unit, fatigue, context)


def _perish(s: State, unit: Unit, context: Context) -> None:
    """A unit is wiped out; with the last unit of a group its guns are lost too."""
    group = s.ugroup[unit]
    if len(s.group_units[group]) == 1:
        s.artillery[group] = 0
    groups.lose_unit(s, unit, context)


def blast_effect(s: State, points: float) -> float:
    """Percent of a unit without entrenchments that German aircraft points, or what equals them, destroy (7.1, 7.5)."""
    return points / s.rules.guns.per_effect


def points_of(s: State, effect: float) -> float:
    """The aircraft points that have an effect: the reverse of ``blast_effect``."""
    return effect * s.rules.guns.per_effect


def wrecked(s: State, points: float) -> float:
    """Aircraft points on the ground that German aircraft points, or what equals them, destroy (7.1)."""
    return points / s.rules.guns.per_aircraft


def behind_entrenchment(s: State, effect: float, level: int) -> float:
    """What entrenchments of a level leave of what bombs and shells destroy (7.9)."""
    return effect * s.rules.entrenchment.shelter[level] / 100


def blast(s: State, context: Context, target: Hex, side: Side, points: float, weather: float) -> None:
    """The effect of German aircraft points, or of what equals them, on all groups of a side in a hex (7.1, 7.5).

    Each unit of each group suffers the full effect. ``weather`` is the part that bad weather leaves.
    """
    points *= weather
    effect = blast_effect(s, points)
    hit = tuple(g for g in s.at.get(target, ()) if group_side(g) == side)
    if not hit:
        return
    context.note(GunsHit(target, hit, round(effect * 10)))
    for group in hit:
        if KIND[group] == AIR:
            s.aircraft[group] -= min(s.aircraft[group], half_up(wrecked(s, points)))
        else:
            _shell(s, context, group, behind_entrenchment(s, effect, s.entrench[group]))


def _shell(s: State, context: Context, group: Group, effect: float) -> None:
    """What a bombardment or a strike leaves of a group's units and of its guns (7.5, 8.10)."""
    fatigue, share, strength = half_up(effect), min(1.0, effect / 100), s.strength
    if s.artillery[group]:
        s.artillery[group] -= half_up(s.artillery[group] * share)
    for unit in s.group_units[group]:
        left = strength[unit] - half_up(strength[unit] * share)
        if left <= 0:
            _perish(s, unit, context)
            continue
        strength[unit] = left
        tire(s, unit, fatigue, context)


@event("blast", "7.10", "hex", "units", "tenths")
class GunsHit(Event):
    """Bombs or shells fall on the groups in a hex."""

    hex: Hex
    groups: tuple[Group, ...]
    percent: int

    def words(self, s: State) -> str:
        where = f"{groups_marks(s, self.groups)} in {hex_mark(s, self.hex)}"
        return f"Bombs and shells on {where}: up to {self.percent / 10:g} % of each unit, less behind entrenchments"
