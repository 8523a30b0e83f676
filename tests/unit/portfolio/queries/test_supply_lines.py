"""How each unit is supplied, and where the loss of one hex would cut it off."""

from __future__ import annotations

from itertools import pairwise

import pytest

from rasputitsa.core.errors import NotationError
from rasputitsa.core.record.new import new_session
from rasputitsa.hexes.grid import members
from rasputitsa.portfolio.api.supply_lines import line, supply_line
from rasputitsa.portfolio.model.state import State
from rasputitsa.portfolio.model.theatre import AXIS
from rasputitsa.portfolio.rules.logistics import supply
from tests.support import GAME, random_session


def on_map(s: State) -> list[int]:
    return [u.number for u in s.rules.units if s.pos[u.number] >= 0]


def test_a_line_leads_from_the_unit_to_a_source() -> None:
    state = random_session(3, 900).state
    lines = {unit: line(state, unit) for unit in on_map(state)}
    assert sum(bool(way) for way in lines.values()) > 20
    for unit, way in lines.items():
        found = supply_line(state, unit)
        assert found["supplied"] == (not supply.unsupplied_units(state, state.rules.roster.side[unit]) >> unit & 1)
        if not way:
            continue
        assert way[0] == state.pos[unit]
        behind = supply.joined_behind(state, state.rules.roster.side[unit])
        for a, b in pairwise(way):
            assert state.rules.grid.adjacent[a] >> b & 1 or (behind >> a & 1 and behind >> b & 1)
        assert state.rules.supply_edge(state.rules.units[unit].nation) >> way[-1] & 1


def test_no_other_hex_would_cut_it_off() -> None:
    state = random_session(3, 900).state
    names, cuts = state.rules.grid.names, 0
    for unit in on_map(state):
        found = supply_line(state, unit)
        if not found["supplied"]:
            continue
        side = state.rules.roster.side[unit]
        lost = set()
        for hex_ in members(state.controlled(side) & state.rules.map.ground[1].land & ~(1 << state.pos[unit])):
            after = state.copy()
            after.control = state.control & ~(1 << hex_) if side == AXIS else state.control | 1 << hex_
            if supply.unsupplied_units(after, side) >> unit & 1:
                lost.add(names[hex_])
        assert set(found["cut"]) == lost
        cuts += len(lost)
    assert cuts


def test_who_is_not_on_the_map_has_no_line() -> None:
    match = new_session("portfolio", "june22", {}, seed=1)
    absent = next(u.id for u in match.state.rules.units if match.state.pos[u.number] < 0)
    with pytest.raises(NotationError, match="not on the map"):
        GAME.query(match.state, "axis", "line", {"unit": absent})
