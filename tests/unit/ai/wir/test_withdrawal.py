"""Steps back from an enemy that is stronger: out of a pocket, and by groups that are worn out."""

from __future__ import annotations

import pytest

from rasputitsa.ai.wir.evaluation.situation import Situation
from rasputitsa.ai.wir.planning.line import Line
from rasputitsa.ai.wir.planning.movement_planner import line_policy_of
from rasputitsa.ai.wir.planning.withdrawal import withdrawals
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.theatre import SOVIET
from rasputitsa.wir.rules.execution import retreat
from tests.unit.wir.board import base, board, h, rifles, tanks

PANZERS = [f"{n} PZ 150 75 0" for n in range(1, 4)]
FATIGUED = "1 RIFLE 90 40 70"


def line_of(s: State) -> Line:
    """The Soviet line."""
    return Line(s, SOVIET, Situation(s, SOVIET), line_policy_of(s, SOVIET))


def stepping(s: State, group: int = 80) -> str:
    """Where a group steps back to, or nothing."""
    line = line_of(s)
    found = withdrawals(line, [group])
    if group in found:
        assert line.exits(found[group].hex) > line.exits(s.hex[group])
        assert s.rules.grid.distance(s.hex[group], found[group].hex) == 1
    return s.rules.grid.names[found[group].hex] if group in found else ""


def before_an_army(crew: str, **more: int) -> State:
    return board({1: tanks("1921", *PANZERS), 2: tanks("1821", "4 PZ 150 75 0"), 80: rifles("1922", crew, **more)},
                 side="soviet", turn=8)  # fmt: skip


def test_whoever_is_worn_out_steps_back() -> None:
    assert stepping(before_an_army(FATIGUED)) in ("1923", "2022")


@pytest.mark.parametrize(
    ("others", "ways"),
    [
        ({}, 3),
        ({81: rifles("1923"), 82: rifles("1923")}, 2),
        ({52: base("1923")}, 0),
        ({81: rifles("2021", entrench=1)}, 4),
    ],
    ids=["empty hexes", "a full hex", "an enemy air group", "entrenched friends"],
)
def test_a_way_out_is_what_the_rules_let_a_group_retreat_into(others: dict[int, dict[str, object]], ways: int) -> None:
    s = board({1: tanks("1921"), 80: rifles("1922"), **others}, side="soviet", turn=8)
    here = s.hex[80]
    assert line_of(s).exits(here) == retreat.open_hexes(s, 80).bit_count() == ways


@pytest.mark.parametrize("units", ["1 RIFLE 90 40 10"])
def test_fresh_groups_stand_as_long_as_they_have_a_way_out(units: str) -> None:
    assert stepping(before_an_army(units)) == ""


def test_whoever_has_dug_in_stays() -> None:
    assert stepping(before_an_army(FATIGUED, entrench=3)) == ""


def test_a_pocket_is_left_by_its_last_exit() -> None:
    """Panzers north and south: fresh or not, next week the corps surrenders."""
    s = board({1: tanks("1921", *PANZERS), 2: tanks("1923", "4 PZ 150 75 0", "5 PZ 150 75 0"),
               3: tanks("1821", "6 PZ 150 75 0"), 80: rifles("1922")}, side="soviet", turn=8)  # fmt: skip
    assert stepping(s) in ("2021", "2022")


def test_a_city_is_not_given_up() -> None:
    s = board({1: tanks("1721", *PANZERS), 2: tanks("1621", "4 PZ 150 75 0"), 80: rifles("1722", FATIGUED)},
              side="soviet", turn=8)  # fmt: skip
    assert h(s, "1722") == s.hex[80]
    assert stepping(s) == ""
