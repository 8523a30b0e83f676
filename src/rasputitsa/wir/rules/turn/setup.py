"""3.2: every scenario starts with groups, cities, rails and pools as in its year."""

from __future__ import annotations

from rasputitsa.wir.model.ruleset import Ruleset
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.tables import POOLS, UNITS_PER_SIDE
from rasputitsa.wir.model.theatre import SIDES


def initial_state(rules: Ruleset) -> State:
    """The position before the first turn, with no question open."""
    s = State(rules)
    board, year = rules.map, rules.setup_year
    s.rail = board.rail[year][:]
    s.control = board.control[year]
    for city in board.cities:
        s.take_city(city.number, city.owner[rules.year_index])
        for kind, value in enumerate(city.values[rules.year_index]):
            s.values[kind][city.number] = value
    for base in board.bases:
        if base.kind == "air" and board.passable >> base.hexes[rules.year_index] & 1:
            s.place(base.group, base.hexes[rules.year_index])
            s.aircraft[base.group] = base.points[rules.year_index]
    _raise_units(s)
    for side in (0, 1):
        for pool, name in enumerate(POOLS):
            s.pools[side][pool] = rules.scenario["pools"][SIDES[side]][name]
    return s


def _raise_units(s: State) -> None:
    slot = [0, UNITS_PER_SIDE]
    for line in s.rules.lines:
        if not s.rules.map.passable >> line.hex & 1:
            continue  # EVENING.Zone: who stands outside the part in play takes no part
        unit = slot[line.side]
        slot[line.side] += 1
        s.enlist(unit, line.type, s.rules.read_name(line.name), line.strength, line.experience, line.fatigue)
        if not s.group_units[line.group]:
            s.place(line.group, line.hex)
            s.entrench[line.group] = line.entrenched
            s.artillery[line.group] = line.artillery
        s.join(unit, line.group)
