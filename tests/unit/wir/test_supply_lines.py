"""The way of the depot that reaches a group best, and where an enemy would bar it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rasputitsa.core.caching import cached
from rasputitsa.core.record.new import new_session
from rasputitsa.wir.api.supply_lines import supply_line
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.tables import INFANTRY, MECHANIZED, groups_of
from rasputitsa.wir.rules.supply.supply import Depot
from tests.unit.wir.board import base, board, give, inf, kind


@cached
def summer() -> State:
    state: State = new_session("wir", "case_blue", {}, seed=1).state
    return state


def axis(state: State) -> list[int]:
    return list(state.on_map(groups_of(0, MECHANIZED, INFANTRY)))


def told_with_enemy(state: State, group: int, hex_: int) -> Mapping[str, Any]:
    """What is supply_line once a Soviet group stands in a hex."""
    after = state.copy()
    intruder = next(g for g in after.on_map(groups_of(1, MECHANIZED)) if after.group_units[g])
    after.place(intruder, hex_)
    return supply_line(after, group)


def test_a_way_leads_from_near_the_group_to_the_depots_home() -> None:
    state = summer()
    found = {group: supply_line(state, group) for group in axis(state)}
    assert sum(line["supplied"] for line in found.values()) > 20
    grid = state.rules.grid
    for group, line in found.items():
        if not line["supplied"]:
            assert (line["hexes"], line["cut"]) == ([], [])
            continue
        way = [hex_ for name in line["hexes"] if (hex_ := grid.find(name)) is not None]
        assert len(way) == len(line["hexes"])
        assert grid.distance(way[0], state.hex[group]) <= 2
        assert way[-1] in state.rules.depot_hex.values()
        assert "depot" in line["text"] and "% of the fatigue" in line["text"]


def test_an_enemy_in_such_a_hex_does_cut_it_off() -> None:
    state = summer()
    cut = kept = 0
    for group in axis(state)[::3]:
        line = supply_line(state, group)
        for name in line["hexes"]:
            hex_ = state.rules.grid.find(name)
            if hex_ is None or state.at.get(hex_) or hex_ == state.hex[group]:
                continue
            after = told_with_enemy(state, group, hex_)
            assert after["supplied"] == (name not in line["cut"])
            cut, kept = cut + (name in line["cut"]), kept + (name not in line["cut"])
    assert cut and kept


def test_it_is_said_when_a_depot_can_come_and_air_groups_have_no_fatigue() -> None:
    groups = {12: inf("1121"), 52: base("1121")}
    told = {
        phase: [supply_line(board(groups, phase=phase), g)["text"] for g in groups] for phase in ("adjust", "movement")
    }
    (now, air), (later, _) = told["adjust"], told["movement"]
    assert now.startswith("depot ") and later == f"next week {now}"
    assert "fatigue" in now and "fatigue" not in air


def moving(state: State) -> int:
    """The depot that is to be moved now."""
    top = state.stack[-1]
    assert isinstance(top, Depot)
    return top.depot


def test_while_depots_move_only_those_count_that_have_not_moved_yet() -> None:
    """5.2: a depot supplies once a week, and the lower numbers go first."""
    state = board({12: inf("0216"), 13: inf("2618")}, phase="supply")
    told = {}
    while kind(state) == "depot":
        told[moving(state)] = {group: supply_line(state, group)["text"] for group in (12, 13)}
        give(state, "skip")
    assert told[58][12].startswith("depot 58 can come near")
    assert told[59][12].startswith("depot 59 can come near")
    assert told[63][12] == "no depot that is still to move can come within two hexes"
    assert told[58][13] == "no depot that is still to move can come within two hexes"


def test_what_is_supplied_already_looks_to_next_week() -> None:
    state = board({12: inf("0216")}, phase="supply")
    give(state, "supply")
    assert moving(state) == 59
    assert supply_line(state, 12)["text"].startswith("next week depot 58 can come near")
