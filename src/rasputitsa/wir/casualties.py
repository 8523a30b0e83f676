"""7.9, 7.10 Losses of assaults, bombardments and air attacks, and what entrenchments keep off."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rasputitsa.core.frames import Play
from rasputitsa.wir import groups, levels
from rasputitsa.wir.chance import between
from rasputitsa.wir.fatigue import tire
from rasputitsa.wir.figures import COMBAT, by_weather, half_up
from rasputitsa.wir.marks import groups_marks, hex_mark, number
from rasputitsa.wir.tables import AIR, FINE, KIND, group_side
from rasputitsa.wir.theatre import SOVIET

if TYPE_CHECKING:
    from rasputitsa.wir.state import State

_LOSSES: dict[str, Any] = COMBAT["casualties"]
_WORKS: dict[str, Any] = COMBAT["entrenchment"]
_GUNS = COMBAT["bombardment"]
_FIGHT = COMBAT["combat"]

SHELTER: tuple[int, ...] = tuple(_WORKS["bombardment"])
"""By level of entrenchment: percent of a bombardment or air attack that takes effect."""
DEFENCE: tuple[float, ...] = tuple(_WORKS["defence"])
"""By level of entrenchment: the multiple of the defender's strength."""
AIR_WEATHER = tuple(1 - reduction / 100 for reduction in by_weather(COMBAT["air"]["reduction"]))
"""By weather: what is left of the effect of an air attack (7.1)."""
PER_EFFECT: int = _GUNS["per_effect"]
PER_AIRCRAFT: int = _GUNS["per_aircraft"]
LEAST_FATIGUE, MOST_FATIGUE = _FIGHT["fatigue"]
BAD_WEATHER: int = _FIGHT["attacker_fatigue_bad_weather"]
ATTACKER: float = _LOSSES["attacker"]
DEFENDER: float = _LOSSES["defender"]
ATTACKER_MOST: float = _LOSSES["attacker_most"]
DEFENDER_MOST: float = _LOSSES["defender_most"]
PER_LEVEL: int = _LOSSES["per_entrenchment"]
NEGLIGIBLE: float = _LOSSES["negligible"]
DESTROYED: float = _WORKS["destroyed"]
DESTROYED_LEAST: float = _WORKS["destroyed_least"]
MOST_EXPERIENCE: int = _FIGHT["experience_most"]


def _lessons(extra: int) -> bytes:
    steps: list[list[int]] = _FIGHT["experience"]

    def learned(n: int) -> int:
        gain = next((points for below, points in steps if n < below), 0)
        return max(n, min(MOST_EXPERIENCE, n + gain + extra))

    return bytes(learned(n) for n in range(256))


LESSONS = (_lessons(0), _lessons(_FIGHT["low_level_soviet_bonus"]))
"""By experience: what it is after one combat; for most units, and for the Soviets at levels 1 and 2."""


def attacker_percent(odds: float, level: int, defence: float) -> float:
    """Average loss of the attackers; ``level`` is the defender's entrenchment, ``defence`` his strength (7.10)."""
    if defence <= _LOSSES["negligible_strength"]:
        return NEGLIGIBLE
    plain = ATTACKER / odds if odds > 0 else ATTACKER_MOST
    return min(float(ATTACKER_MOST), plain * (100 + PER_LEVEL * level) / 100)


def defender_percent(odds: float) -> float:
    """Average loss of the defenders."""
    return min(float(DEFENDER_MOST), DEFENDER * odds)


def spread(play: Play, percent: float, most: float) -> float:
    """A loss around the average."""
    low, high = _LOSSES["spread"]
    return min(most, percent * between(play, "combat", low, high) / 100)


def spread_attacker(play: Play, percent: float) -> float:
    """The loss of the attackers in one assault: never more than half."""
    return percent if percent <= NEGLIGIBLE else spread(play, percent, ATTACKER_MOST)


def spread_defender(play: Play, percent: float) -> float:
    """The loss of the defenders in one assault."""
    return spread(play, percent, DEFENDER_MOST)


def destroyed(odds: float) -> float:
    """Percent of the defender's entrenchments that an assault destroys (7.7)."""
    if odds > _WORKS["destroyed_all_above"]:
        return 100.0
    return max(float(DESTROYED_LEAST), DESTROYED * odds)


def works_left(level: int, odds: float) -> int:
    """What is left of a level of entrenchment after an assault, fractions dropped."""
    return int(level * (10_000 - round(destroyed(odds) * 100)) // 10_000)


def suffer(s: State, play: Play, group: int, percent: float, *, attacker: bool) -> None:
    """The units of a group lose strength, tire and learn in an assault (7.10, 8.1, 8.2)."""
    weary = between(play, "combat", LEAST_FATIGUE, MOST_FATIGUE)
    if attacker and s.weather != FINE:
        weary *= BAD_WEATHER
    strength, experience = s.strength, s.experience
    lessons = LESSONS[group_side(group) == SOVIET and levels.faster(s)]
    share = percent / 100
    for unit in s.crew[group]:
        left = strength[unit] - half_up(strength[unit] * share)
        if left <= 0:
            _perish(s, unit, play)
            continue
        strength[unit] = left
        experience[unit] = lessons[experience[unit]]
        tire(s, unit, weary, play)


def _perish(s: State, unit: int, play: Play) -> None:
    """A unit is wiped out; with the last unit of a group its guns are lost too."""
    group = s.ugroup[unit]
    if len(s.crew[group]) == 1:
        s.artillery[group] = 0
    groups.lose_unit(s, unit, play)


def blast(s: State, play: Play, target: int, side: int, points: float, weather: float) -> None:
    """The effect of German aircraft points, or of what equals them, on all groups of a side in a hex (7.1, 7.5).

    Each unit of each group suffers the full effect. ``weather`` is the part that bad weather leaves.
    """
    points *= weather
    hit = tuple(g for g in s.at.get(target, ()) if group_side(g) == side)
    if not hit:
        return
    play.note("blast", target, hit, round(points / PER_EFFECT * 10))
    for group in hit:
        if KIND[group] == AIR:
            s.aircraft[group] -= min(s.aircraft[group], half_up(points / PER_AIRCRAFT))
        else:
            _shell(s, play, group, points / PER_EFFECT * SHELTER[s.entrench[group]] / 100)


def _shell(s: State, play: Play, group: int, effect: float) -> None:
    weary, share, strength = half_up(effect), min(1.0, effect / 100), s.strength
    if s.artillery[group]:
        s.artillery[group] -= half_up(s.artillery[group] * share)
    for unit in s.crew[group]:
        left = strength[unit] - half_up(strength[unit] * share)
        if left <= 0:
            _perish(s, unit, play)
            continue
        strength[unit] = left
        tire(s, unit, weary, play)


def _blast_words(s: State, args: tuple[object, ...]) -> str:
    effect = number(args[2]) / 10
    return f"Bombs and shells on {groups_marks(s, args[1])} in {hex_mark(s, args[0])}: {effect:g} % without cover"


DESCRIBE = {"blast": _blast_words}
