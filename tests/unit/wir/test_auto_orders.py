"""What automatic orders do, and that they say so beforehand, with what they leave to the player."""

from __future__ import annotations

from typing import Any

import pytest

from rasputitsa.core.actions import Action
from rasputitsa.core.dice import SeededDice
from rasputitsa.core.errors import NotationError
from rasputitsa.core.record.entries import Header
from rasputitsa.core.record.new import new_session
from rasputitsa.core.record.session import Session
from tests.unit.wir.board import GAME, board, inf, rifles

DIVISIONS = ["1 INF 40 70 0"] * 2


def movement(**fields: Any) -> Any:
    """Two groups in contact in the movement phase, one of them in works."""
    s = board(
        {
            12: inf("1922", *DIVISIONS, entrench=2, supplied=True),
            13: inf("1821", *DIVISIONS, supplied=True),
            80: rifles("1921", "1 RIFLE 70 45 0"),
        },
        **fields,
    )
    s.pools[0] = [200] * len(s.pools[0])
    return s


def play(s: Any, line: str) -> list[str]:
    actions = GAME.parse(s, line)
    for action in actions:
        GAME.apply(s, action, SeededDice(1))
    return [GAME.format(s, action) for action in actions]


def test_the_staff_pins_no_group_that_has_no_works_to_stay_in() -> None:
    """Who adds artillery may not move any more (6.5): all groups in contact were given some."""
    s = movement()
    told = GAME.query(s, "axis", "staff", {"what": "all"})
    played = play(s, "auto all")
    assert s.added_artillery == 1 << 12
    assert "get 12" in played
    assert any("artillery for group 12, which stay" in text for text in told["does"])
    assert any("yours to order" in text for text in told["leaves"])


def test_one_order_of_the_staff_does_what_its_line_writes_out() -> None:
    at_once, written = movement(), movement()
    play(written, "auto all")
    GAME.apply(at_once, Action("auto_all"), SeededDice(1))
    assert at_once == written


def test_matches_of_earlier_rules_keep_the_guns_that_their_staff_gave() -> None:
    assert new_session("wir", "barbarossa_short", seed=1).state.rules.options["staff_guns"] == "works"
    for version in (1, 2):
        old = Session(Header("wir", "barbarossa_short", rules_version=version))
        assert old.state.rules.options["staff_guns"] == "all"
    s = movement(options={"staff_guns": "all"})
    told = GAME.query(s, "axis", "staff", {"what": "all"})
    GAME.apply(s, Action("auto_all"), SeededDice(1))
    assert s.added_artillery == 1 << 12 | 1 << 13
    assert any("artillery for groups 12, 13, which stay where" in text for text in told["does"])


@pytest.mark.parametrize(("guns", "state"), [("works", "is entrenched"), ("all", "has no plot")])
def test_the_staff_says_which_groups_could_add_artillery(guns: str, state: str) -> None:
    s = movement(options={"staff_guns": guns})
    s.pools[0] = [0] * len(s.pools[0])
    told = GAME.query(s, "axis", "staff", {"what": "all"})
    assert f"no artillery: no group that {state} and is in contact can add any (6.5)" in told["does"]


def test_the_staff_says_how_many_replacements_it_gives() -> None:
    s = movement()
    before = sum(s.strength[u] for g in (12, 13) for u in s.group_units[g])
    told = GAME.query(s, "axis", "staff", {"what": "replace"})
    play(s, "auto replace")
    given = sum(s.strength[u] for g in (12, 13) for u in s.group_units[g]) - before
    assert given > 0 and told["does"][0].startswith(f"{given} points of replacements for 4 units")
    assert "artillery (6.5)" in told["leaves"]


def test_the_staff_says_that_no_rail_is_marked_and_who_stays_out_of_reach() -> None:
    session = new_session("wir", "barbarossa_short", seed=1)
    while session.decision().kind != "depot":  # type: ignore[union-attr]
        session.play("done")
    seat = session.decision().seat  # type: ignore[union-attr]
    told = session.game.query(session.state, seat, "staff", {"what": "supply"})
    assert "no rail hex is marked this week (5.3)" in told["leaves"]
    session.play("auto supply", seat)
    scan = session.game.query(session.state, seat, "supply", {"side": seat})
    (short,) = [text for text in told["leaves"] if text.startswith("out of reach")] or ["out of reach (5.2): groups "]
    named = short.split("groups " if "groups " in short else "group ")[1]
    assert scan["unsupplied_units"] == [g for g in named.split(", ") if g]


def test_the_staff_answers_in_its_own_phase_alone() -> None:
    for what in ("supply", "", "guns"):
        with pytest.raises(NotationError):
            GAME.query(movement(), "axis", "staff", {"what": what})
