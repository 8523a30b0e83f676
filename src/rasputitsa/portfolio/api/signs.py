"""What signs on map and counters stand for, in words, as the data of a game say it: the key of its map."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rasputitsa.core.marks import NUMBERS, counted, listed
from rasputitsa.core.shapes import Ground, Sign
from rasputitsa.portfolio.model.ruleset import Ruleset, Weather
from rasputitsa.portfolio.model.terrain_chart import terrain_chart
from rasputitsa.portfolio.model.theatre import SEA_TITLES

Table = Mapping[str, Any]
FIXED = {
    "spent": ("VII.A", "Has acted; defends fully and keeps its zone of control."),
    "dispersed": ("VII.B", "Cannot act, has no zone of control, and results against it are read one column higher."),
    "exchange": (
        "XIII.C.Exchange",
        "In an exchange the defender gives up units, and the attackers lose at least as many factors.",
    ),
    "dispersing": ("XI.C", "There a unit arrives Dispersed, as on its bonus into an enemy zone of control."),
    "picked_number": ("IX.B.3", "The Soviet side sees it only when its die is cast."),
    "hold": (
        "XIII.B.6",
        "Such a unit makes no retreat in this player-turn; a result that asks for one is read as a worse one.",
    ),
}
CLASSES = {
    "infantry_type": "infantry-type unit", "infantry_army": "infantry army", "infantry_corps": "infantry corps",
    "soviet_army": "Soviet army", "front": "front",
}  # fmt: skip
FROZEN = {
    "swamp": "swamps", "mountain": "mountains", "river": "rivers", "lake": "lakes", "kerch": "the Kerch Strait",
    "kronshtadt": "the Kronshtadt channel",
}  # fmt: skip
FULL = "full"


def signs(rules: Ruleset) -> dict[str, Sign]:
    """What each sign of the map stands for."""
    once = {"offensive": ("VI.B.3", _offensive(rules)), "siberia": ("IX.B.3", _siberia(rules))}
    told = {**FIXED, **once, **dict(_weathers(rules)), **dict(_ground(rules)), **dict(_places(rules))}
    return {sign: {"text": text, "rule": rule} for sign, (rule, text) in told.items() if text}


def _offensive(rules: Ruleset) -> str:
    """What the Soviet side declares once in a game."""
    chart = rules.charts["winter_offensive"]
    turns = counted(chart["turns"], "turn")
    return (
        f"The Winter Offensive, begun once, lasts {turns}: Soviet attacks on Axis units beyond the Arctic Weather Line "
        f"are read {_columns(chart['column_shift'])}."
    )


def _siberia(rules: Ruleset) -> str:
    """What it may cost to call the Siberian Reserve in early."""
    return f"Before turn {rules.charts['siberia']['safe_turn']} the Siberian Reserve is a gamble."


def grounds(rules: Ruleset) -> dict[str, Ground]:
    """What the land looks like in each kind of weather: what freezes lies beyond the Arctic Weather Line (VI.B.1)."""
    return {
        name: {
            "snow": "cold zone" if weather.freezes else "none",
            "wet": not weather.freezes and _slow(weather),
            "ice": weather.freezes,
        }
        for name, weather in rules.weather.items()
    }


def _slow(weather: Weather) -> bool:
    return any(factor != FULL for factor in weather.movement)


def _weathers(rules: Ruleset) -> Iterator[tuple[str, tuple[str, str]]]:
    """Of each look of the land what the first kind of weather that brings it does."""
    looks = grounds(rules)
    frozen = [words for name, words in FROZEN.items() if name in terrain_chart(rules.folder).freezing]
    freeze = f"North and east of the Arctic Weather Line {listed(frozen)} freeze." if frozen else ""
    for name, weather in reversed(rules.weather.items()):
        if looks[name]["wet"]:
            yield "mud", ("VI.B.2", _weather(weather))
        if looks[name]["snow"] != "none":
            yield "snow", ("VI.B.1", " ".join(filter(None, (freeze, _weather(weather)))))


def _weather(weather: Weather) -> str:
    """What a kind of weather does to movement and overruns."""
    slow = _whom([factor != FULL for factor in weather.movement], "{0}movement halved")
    barred = _whom([not may for may in weather.overrun], "no {0}overruns")
    return _sentence(", ".join(filter(None, (slow, barred))))


def _whom(sides: Sequence[bool], words: str) -> str:
    if not any(sides):
        return ""
    return words.format("" if all(sides) else "Axis " if sides[0] else "Soviet ")


def _ground(rules: Ruleset) -> Iterator[tuple[str, tuple[str, str]]]:
    terrain, feature = rules.charts["terrain"], rules.charts["feature"]
    yield "swamp", ("X.B.9", _defence(terrain["swamp"]))
    yield "hills", ("X.B.10", _defence(terrain["hills"]))
    yield "mountain", ("X.B.11", _defence(terrain["mountain"]))
    costs = f"costs {rules.river_surcharge} more to cross in a move that ends in an enemy zone of control"
    shift = f"an attack all across it is read {_columns(feature['river']['column_shift'])}"
    yield "river", ("X.B.2", _sentence("; ".join([costs] * bool(rules.river_surcharge) + [shift])))
    yield "lake", ("X.B.4", _water(rules, "lake"))
    yield "kerch", ("X.B.4", _water(rules, "kerch"))
    yield "stalin", ("X.B.3", _defence({**feature["stalin"], "overrun": True}, "against attacks all across it"))


def _places(rules: Ruleset) -> Iterator[tuple[str, tuple[str, str]]]:
    feature, charts = rules.charts["feature"], rules.charts
    yield "city", ("X.B.7", _defence(feature["city"]))
    yield "major", ("X.B.5", _defence(feature["major"]))
    yield "fortress", ("X.B.8", _defence(feature["fortress"]))
    own = counted(feature["victory"]["intrinsic"], "factor", "factors")
    yield "victory", ("X.B.6", f"Adds {own} to the defence for each of its points, until the Axis takes it.")
    points = counted(charts["production"]["factory_points"], "armor point", "armor points")
    gives = f"{points} a turn while it is Soviet, supplied and reached by trains"
    yield "factory", ("IX.A.1.b.1", _sentence(gives))
    thirsty, left = rules.roster.titles(lambda kind: kind.fuelled), rules.fuel_short_factor
    yield "fuel", ("XIV.D", f"Without a supply line to it {thirsty} units have a movement factor of {left}.")


def _water(rules: Ruleset, name: str) -> str:
    """What an arm of water does to those who cross it."""
    alone = f"{'Unfrozen, c' if name in terrain_chart(rules.folder).freezing else 'C'}rossed by a move of one hex only"
    barred = f"{rules.roster.titles(lambda kind: not kind.crosses_water)} units do not fight across it"
    others = "others attack with half their factors"
    if shift := rules.charts["feature"][name].get("controlled_column_shift"):
        sea = SEA_TITLES.get(rules.kerch_sea, rules.kerch_sea)
        others += f", or {_columns(shift)} where their side controls the {sea}"
    return f"{alone}; {barred}, {others}."


def _defence(table: Table, when: str = "") -> str:
    """What ground gives to its defenders, and whether armor overruns them there."""
    bonuses = [
        f"{_how_many(bonus['number'])} {' or '.join(CLASSES[who] for who in bonus['who'])} +{bonus['factors']}"
        for bonus in table.get("bonus", ())
    ]
    defence = f"Defence of {listed(bonuses)}{f' {when}' if when else ''}." if bonuses else ""
    return " ".join(filter(None, (defence, "" if table.get("overrun", True) else "No overruns.")))


def _how_many(number: int) -> str:
    """Of how many units a bonus is; 0 stands for each."""
    return "every" if not number else NUMBERS[number] if 0 < number < len(NUMBERS) else str(number)


def _columns(shift: int) -> str:
    return f"{counted(abs(shift), 'column', 'columns')} {'down' if shift < 0 else 'up'}"


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}." if words else ""
