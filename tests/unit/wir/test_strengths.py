"""Strength, odds and who has no way to retreat, as tables for the layers of a map, from what a seat knows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rasputitsa.wir.model.state import State
from tests.unit.wir.board import GAME, board, inf, rifles, tanks

AROUND = ("1921", "2021", "2022", "1923", "1822", "1821")
"""All hexes next to 1922."""


def ask(s: State, kind: str, seat: str = "axis", **args: str) -> Mapping[str, Any]:
    return GAME.query(s, seat, kind, args)


def ring(*, works: int = 0) -> State:
    """A Soviet group with Germans on three sides of it, and perhaps friends who have dug in behind it."""
    groups = {85: rifles("1922"), 22: inf("1921"), 23: inf("2022"), 24: inf("1822")}
    return board({**groups, **({86: rifles("1923", entrench=works)} if works else {})})


def trapped(s: State, seat: str) -> list[str]:
    return [row["unit"] for row in ask(s, "trapped", seat)["units"]]


def test_a_group_in_zones_of_control_all_around_is_trapped() -> None:
    s = ring()
    assert trapped(s, "soviet") == trapped(s, "axis") == ["85"]
    (row,) = ask(s, "trapped")["units"]
    assert row["rule"] == "7.7" and "surrenders" in row["text"]


def test_who_has_no_way_to_retreat_is_pressed_by_those_that_could_drive_it_out() -> None:
    assert [row["pressed"] for row in ask(ring(), "trapped")["units"]] == [True]
    beside = {22: inf("1921", "1 INF 1 10 0"), 23: inf("2022", "2 INF 1 10 0"), 24: inf("1822", "3 INF 1 10 0")}
    weak = ask(board({85: rifles("1922"), **beside}, options={"fog": "open"}), "trapped")["units"]
    assert [(row["unit"], row["pressed"]) for row in weak] == [("85", False)]


def test_works_of_friends_keep_a_way_open_and_hidden_ones_may() -> None:
    s = ring(works=3)
    assert "85" not in trapped(s, "soviet")
    assert "85" not in trapped(s, "axis"), "the Axis cannot be certain"


def test_strength_of_an_enemy_is_told_only_where_it_is_known() -> None:
    s = board({85: rifles("1922"), 22: tanks("1921")}, options={"fog": "manual"})
    rows = {row["hex"]: row for row in ask(s, "strengths")["hexes"]}
    assert rows["1921"]["value"] > 0 and rows["1921"]["text"] == f"{rows['1921']['value']:.0f}"
    assert (rows["1922"]["value"], rows["1922"]["text"], rows["1922"]["side"]) == (None, "?", "soviet")
    assert [row["value"] for row in ask(s, "all_odds", side="axis")["hexes"]] == [None]


def test_odds_are_those_of_the_preview_with_all_beside() -> None:
    s = board({85: rifles("1922"), 22: tanks("1921"), 23: inf("2022"), 24: inf("2626")}, options={"fog": "open"})
    (row,) = ask(s, "all_odds", side="axis")["hexes"]
    told = ask(s, "odds", units="22,23", target="1922")
    assert row["hex"] == "1922" and row["value"] == told["odds"] and row["value"] > 1
