"""X.B, XIII.B Combat odds, item by item."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from rasputitsa.core.caching import kept_of_rules
from rasputitsa.hexes.grid import members
from rasputitsa.portfolio.model.charts import CRT_COLUMNS
from rasputitsa.portfolio.model.control import sea_holder
from rasputitsa.portfolio.model.indices import Hex, HexBits, Side, Unit, UnitBits
from rasputitsa.portfolio.model.ruleset import Ruleset
from rasputitsa.portfolio.model.state import State
from rasputitsa.portfolio.model.terrain import ground
from rasputitsa.portfolio.model.theatre import AXIS, SOVIET
from rasputitsa.portfolio.rules.combat.eligibility import (
    mask_of,
    origins,
    sides_now,
)

TOP: Final = CRT_COLUMNS - 1
"""The last column, 10:1."""
WHEN_DISPERSED: Final = 1
"""How many columns higher the result of a Dispersed defender is read (VII.B)."""
RIVER: Final = "X.B.2"
"""On the terrain effects chart: TEC.CrossRiver."""
ALL: Final = -1
"""The set of every hex, or of every unit."""


class Item(NamedTuple):
    """One line of the calculation of odds."""

    text: str
    value: int
    rule: str


class Bonus(NamedTuple):
    """Defence factors that terrain gives to a class of units; to ``number`` of them, or to all (0)."""

    text: str
    rule: str
    who: UnitBits
    number: int
    factors: int


class HexDefence(NamedTuple):
    """The defence of one hex."""

    hex: Hex
    units: tuple[Unit, ...]
    own: tuple[int, ...]
    """Factors of each unit with its own bonuses."""
    intrinsic: int
    """Factors of the victory city itself (X.B.6)."""
    total: int
    items: tuple[Item, ...]


class Odds(NamedTuple):
    """The whole calculation. Columns count from 0 (1:4) to 10 (10:1); below 0 are 1:5, 1:6 .."""

    attack: int
    items: tuple[Item, ...]
    hexes: tuple[HexDefence, ...]
    defence: int
    basic: int
    shifts: tuple[tuple[Item, ...], ...]
    """For each attacked hex."""
    columns: tuple[int, ...]
    """Final column for each attacked hex, for its undispersed defenders."""
    reason: str
    rule: str

    @property
    def legal(self) -> bool:
        """Whether the odds allow the attack."""
        return not self.reason


TERRAIN_RULES = {
    "swamp": "X.B.9", "hills": "X.B.10", "mountain": "X.B.11", "fortress": "X.B.8", "major": "X.B.5", "city": "X.B.7",
    "stalin": "X.B.3", "town": "TEC.Town", "clear": "TEC",
}  # fmt: skip
"""What grounds add to a defence. On the terrain effects chart: TEC.Swamp, TEC.Hills, TEC.Mountains, TEC.Fortress,
TEC.MajorCity, TEC.City, TEC.StalinLine; a town adds nothing (TEC.Town), as clear terrain."""


def _classes(rules: Ruleset) -> dict[str, int]:
    roster = rules.roster
    armies = mask_of(u.number for u in rules.units if u.size == "army")
    return {
        "soviet_army": armies & roster.of_side[SOVIET],
        "front": roster.front,
        "infantry_type": roster.infantry_type,
        "infantry_army": roster.infantry_type & armies,
        "infantry_corps": roster.infantry_type & ~roster.above_corps,
    }


def _read(rules: Ruleset, table: dict[str, Any], kind: str) -> list[Bonus]:
    classes, title = _classes(rules), FEATURES.get(kind) or table["title"]
    return [
        Bonus(title, TERRAIN_RULES[kind], mask_of_classes(classes, entry["who"]), entry["number"], entry["factors"])
        for entry in table["bonus"]
    ]


FEATURES = {"fortress": "Fortress", "major": "Major city", "city": "City", "town": "Town", "stalin": "Stalin Line"}


def mask_of_classes(classes: dict[str, int], names: list[str]) -> UnitBits:
    """Units in any of the named classes."""
    found = 0
    for name in names:
        found |= classes[name]
    return found


@kept_of_rules
def hex_bonuses(rules: Ruleset, frozen: bool) -> dict[Hex, tuple[Bonus, ...]]:
    """The bonuses of each hex that has any, apart from its Stalin Line."""
    board, charts = rules.map, rules.charts
    kinds = board.ground[frozen].kinds
    towns = board.towns & ~board.majors & ~board.cities
    places = {"major": board.majors, "city": board.cities, "town": towns, "fortress": board.fortresses}
    found: dict[Hex, tuple[Bonus, ...]] = {}
    given = [(where, _read(rules, charts["terrain"][kind], kind)) for kind, where in kinds.items()]
    given += [(where, _read(rules, charts["feature"][kind], kind)) for kind, where in places.items()]
    for hex_ in board.terrain:
        bonuses = [bonus for where, of_kind in given if where >> hex_ & 1 for bonus in of_kind]
        if bonuses:
            found[hex_] = tuple(bonuses)
    return found


@kept_of_rules
def stalin_bonuses(rules: Ruleset) -> tuple[Bonus, ...]:
    """What the Stalin Line gives to those behind it."""
    return tuple(_read(rules, rules.charts["feature"]["stalin"], "stalin"))


# ---------------------------------------------------------------------- strengths


def helped_by(bonus: Bonus, units: Sequence[Unit], standing: UnitBits, df: Sequence[int]) -> list[int]:
    """Which of the units of a hex get a bonus, by their places in the list: undispersed ones, the strongest first."""
    able = bonus.who & standing
    eligible = [n for n, u in enumerate(units) if able >> u & 1]
    return sorted(eligible, key=lambda n: -df[units[n]])[: bonus.number] if bonus.number else eligible


def only_through(front: HexBits, attackers: HexBits) -> bool:
    """Whether all attackers stand in hexes from which they come through the Stalin Line (X.B.3)."""
    return bool(front) and bool(attackers) and not attackers & ~front


def _bonuses(s: State, hex_: Hex, behind_line: bool) -> tuple[Bonus, ...]:
    """What the ground of a hex gives to its defenders; ``behind_line``: its Stalin Line counts as well."""
    bonuses = hex_bonuses(s.rules, s.weather.freezes).get(hex_, ())
    return bonuses + stalin_bonuses(s.rules) if behind_line else bonuses


def defence_factors(s: State, hex_: Hex, units: Sequence[Unit], standing: UnitBits) -> int:
    """The defence of a hex if these units stood there, ``standing`` of them undispersed, against attackers who all come
    through the Stalin Line where there is one."""
    df = s.rules.roster.df
    total = sum([df[unit] for unit in units]) + _intrinsic(s, hex_, units)
    for bonus in _bonuses(s, hex_, bool(sides_now(s).stalin[hex_])):
        total += len(helped_by(bonus, units, standing, df)) * bonus.factors
    return total


def defence_of(s: State, hex_: Hex, attackers: HexBits) -> HexDefence:
    """The defence of all units of a hex (XIII.A.6) against attackers standing in the given hexes (XIII.B.2)."""
    rules = s.rules
    units = s.at.get(hex_, ())
    df = rules.roster.df
    own = [df[u] for u in units]
    items = [Item(rules.units[u].name, df[u], "XIII.B.2") for u in units]
    for bonus in _bonuses(s, hex_, only_through(sides_now(s).stalin[hex_], attackers)):
        for n in helped_by(bonus, units, ~s.dispersed, df):
            own[n] += bonus.factors
            items.append(Item(f"{bonus.text}: {rules.units[units[n]].name}", bonus.factors, bonus.rule))
    intrinsic = _intrinsic(s, hex_, units)
    if intrinsic:
        items.append(Item(f"{rules.map.places[hex_].name} itself", intrinsic, "X.B.6"))
    return HexDefence(hex_, units, tuple(own), intrinsic, sum(own) + intrinsic, tuple(items))


@kept_of_rules
def city_factors(rules: Ruleset) -> dict[Hex, int]:
    """The factors with which victory cities defend themselves (X.B.6)."""
    factor: int = rules.charts["feature"]["victory"]["intrinsic"]
    return {hex_: rules.map.places[hex_].victory * factor for hex_ in members(rules.map.victory_cities)}


def _intrinsic(s: State, hex_: Hex, units: Sequence[Unit]) -> int:
    if s.captured >> hex_ & 1 or not units or s.rules.roster.side[units[0]] != SOVIET:
        return 0
    return city_factors(s.rules).get(hex_, 0)


def _kerch_sea_is_ours(s: State, side: Side) -> bool:
    return sea_holder(s, s.rules.kerch_sea) == side


def halved_from(s: State, target: Hex, side: Side) -> HexBits:
    """The hexes from which a side attacks a hex across a lake or strait with half its strength.

    X.B.4, TEC.CrossLake, TEC.Kerch.
    """
    table = sides_now(s)
    straits, kerch = table.straits[target], table.kerch[target]
    return straits & ~kerch if kerch and _kerch_sea_is_ours(s, side) else straits


def with_halves(full: int, halved: int) -> int:
    """Attack factors, some of them across lakes and straits, which are halved in their sum (X.B.4)."""
    return full + halved // 2


def attack_strength(s: State, targets: tuple[Hex, ...], units: tuple[Unit, ...]) -> tuple[int, tuple[Item, ...]]:
    """The attack factors, those across lakes and straits halved in their sum (X.B.4)."""
    rules = s.rules
    side = rules.roster.side[units[0]] if units else s.side
    halving = 0
    for target in targets:
        halving |= halved_from(s, target, side)
    af = rules.roster.af
    full = halved = 0
    items = []
    for unit in units:
        items.append(Item(rules.units[unit].name, af[unit], "XIII.B.1"))
        if halving and s.pos[unit] >= 0 and halving >> s.pos[unit] & 1:
            halved += af[unit]
        else:
            full += af[unit]
    if halved:
        items.append(Item("half strength across the water", halved // 2 - halved, "X.B.4"))
    return with_halves(full, halved), tuple(items)


# ---------------------------------------------------------------------- odds and shifts


@kept_of_rules
def ratios(rules: Ruleset) -> tuple[tuple[int, int], ...]:
    """The columns of the table as attack and defence parts."""
    return tuple((int(a), int(d)) for a, d in (name.split(":") for name in rules.columns))


def lowest_column(rules: Ruleset, more: int, less: int) -> int:
    """The first column of at least these odds, wherever the table has it; beyond the last if there is none."""
    return next((column for column, (a, d) in enumerate(ratios(rules)) if a * less >= more * d), TOP + 1)


def basic_column(rules: Ruleset, attack: int, defence: int) -> int:
    """XIII.B.3-4: the nearest column that is not higher; 10:1 at most, below 1:4 in whole steps.

    Ruling: columns below 1:4 (1:5 is -1, 1:6 is -2) exist for shifts to start from.
    """
    parts = ratios(rules)
    for column in range(TOP, -1, -1):
        a, d = parts[column]
        if attack * d >= defence * a:
            return column
    return parts[0][1] - -(-defence // attack)


def shifted(basic: int, shifts: int) -> int:
    """The final column: the basic one with all its shifts, 10:1 at most (XIII.B.5)."""
    return min(TOP, basic + shifts)


def column_name(rules: Ruleset, column: int) -> str:
    """``3:1``, also for columns below the table."""
    return rules.columns[min(column, TOP)] if column >= 0 else f"1:{ratios(rules)[0][1] - column}"


def may_be_amphibious(s: State, targets: tuple[Hex, ...], units: tuple[Unit, ...]) -> bool:
    """XVI.B.2: whether amphibious tanks could spare this attack a river penalty."""
    if (
        not (s.first_turn() and s.reserve == 0 and s.side == AXIS)
        or s.amphibious_used
        or not s.rules.amphibious_attacks
    ):
        return False
    if any(attack.amphibious and attack.state == "open" for attack in s.attacks):
        return False
    attackers = origins(s, units)
    return bool(mask_of(units) & s.rules.roster.german) and any(across_river(s, t, attackers) for t in targets)


def across_river(s: State, target: Hex, attackers: HexBits) -> bool:
    """Whether everybody who attacks a hex from these hexes does so across a river (X.B.2, X.D.1)."""
    return bool(attackers) and not attackers & ~sides_now(s).river[target]


class Shifts(NamedTuple):
    """Column shifts of the charts."""

    surprise: int
    river: int
    kerch: int
    swamp: int
    winter: int


@kept_of_rules
def column_shifts(rules: Ruleset) -> Shifts:
    """The column shifts of a ruleset."""
    charts, feature = rules.charts, rules.charts["feature"]
    return Shifts(
        charts["first_turn"]["surprise_shift"], feature["river"]["column_shift"],
        feature["kerch"]["controlled_column_shift"], charts["terrain"]["swamp"]["armor_column_shift"],
        charts["winter_offensive"]["column_shift"],
    )  # fmt: skip


def winter_offensive(s: State) -> bool:
    """VI.B.3: whether the Winter Offensive is on in this turn."""
    began, turns = s.offensive, s.rules.charts["winter_offensive"]["turns"]
    return bool(began) and began <= s.turn < began + turns and offensive_weather(s)


def offensive_weather(s: State) -> bool:
    """VI.B.3: whether the weather is that of the Winter Offensive."""
    return bool(s.weather.id == s.rules.charts["winter_offensive"]["weather"])


class Shift(NamedTuple):
    """A column shift against one hex, and what the attack has to be for it to count."""

    item: Item
    within: HexBits = ALL
    """All attackers stand in these hexes."""
    alone: UnitBits = ALL
    """All of them are of these units."""
    among: UnitBits = ALL
    """One of them is of these units."""

    def counts(self, units: UnitBits, attackers: HexBits) -> bool:
        """Whether it counts for units that attack from these hexes."""
        return not attackers & ~self.within and not units & ~self.alone and bool(units & self.among)


def shifts_against(s: State, target: Hex, side: Side, winter: bool) -> tuple[Shift, ...]:
    """XIII.B.5: the column shifts that attacks of a side on a hex may have; ``winter``: with that of VI.B.3."""
    rules, table, shifts = s.rules, sides_now(s), column_shifts(s.rules)
    roster, found = rules.roster, list[Shift]()
    if s.first_turn():
        surprise = Item("Surprise", shifts.surprise, "XVI.B.1")
        by_any = rules.options["surprise"] == "any"
        found.append(Shift(surprise, among=roster.german) if by_any else Shift(surprise, alone=roster.german))
    if table.river[target]:
        found.append(Shift(Item("Across a river", shifts.river, RIVER), within=table.river[target]))
    kerch = table.kerch[target]
    if kerch and _kerch_sea_is_ours(s, side):
        found.append(Shift(Item("Across the Kerch Straits", shifts.kerch, "X.B.4"), within=kerch))
    if ground(s).kinds["swamp"] >> target & 1 and rules.options["swamp_shift"] == "armor":
        found.append(Shift(Item("Armor alone into swamp", shifts.swamp, "X.B.9"), alone=roster.armor_type))
    if winter and side == SOVIET and rules.map.arctic >> target & 1:
        found.append(Shift(Item("Winter Offensive", shifts.winter, "VI.B.3")))
    return tuple(found)


def odds(s: State, targets: tuple[Hex, ...], units: tuple[Unit, ...], amphibious: bool = False) -> Odds:
    """The odds of an attack by these units on these hexes; nothing but the odds themselves is judged."""
    rules = s.rules
    attackers = origins(s, units)
    attack, items = attack_strength(s, targets, units)
    hexes = tuple(defence_of(s, target, attackers) for target in targets)
    defence = sum(h.total for h in hexes)
    if not units or attack <= 0 or defence <= 0:
        reason = "an attack needs at least one attack factor" if units else "no unit takes part yet"
        rule = "XIII.B.4" if units else "XIII.A.4"
        return Odds(attack, items, hexes, defence, -ratios(rules)[0][1], ((),) * len(targets), (), reason, rule)
    basic = basic_column(rules, attack, defence)
    side, together, winter = rules.roster.side[units[0]], mask_of(units), winter_offensive(s)
    shifts = tuple(
        tuple(
            shift.item
            for shift in shifts_against(s, target, side, winter)
            if shift.counts(together, attackers) and not (amphibious and shift.item.rule == RIVER)
        )
        for target in targets
    )
    columns = tuple(shifted(basic, sum(item.value for item in found)) for found in shifts)
    reason = rule = ""
    if min(columns) < 0:
        reason = f"final odds of {column_name(rules, min(columns))} are below 1:4"
        rule = "XIII.B.4"
    return Odds(attack, items, hexes, defence, basic, shifts, columns, reason, rule)
