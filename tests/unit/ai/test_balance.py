"""The balance report, its charts and its front lines."""

from __future__ import annotations

import re
import xml.etree.ElementTree as Tree
from collections.abc import Mapping
from typing import Any

import pytest

from rasputitsa.ai.contests.balance import Reason, control, course, holders, of_side, reasons, turns, wins
from rasputitsa.hexes.grid import members
from rasputitsa.portfolio.model.data_folder import DATA
from rasputitsa.portfolio.model.ruleset import ruleset
from rasputitsa.render.chart import Bar, Series, bars, lines
from rasputitsa.render.front import front_board, row_differences
from tests.support import GAME

STATIC = GAME.static("june22")
FRONTS = STATIC["history"]["fronts"]


def game(winner: str | None, *points: float) -> dict[str, Any]:
    samples = [
        {
            "turn": n, "date": f"turn {n}", "points": value, "control": {"axis": ["Q1", "Q2"][: n + 1]},
            "strength": {"axis": 10 * value},
        }
        for n, value in enumerate(points)
    ]  # fmt: skip
    return {"winner": winner, "level": "victory", "samples": samples}


GAMES = [game("axis", 0, 2, 4), game("soviet", 0, 1), game("soviet", 0, 0, 1), game(None, 0)]


def test_wins_and_endings() -> None:
    (axis, soviet) = wins(GAMES, ["axis", "soviet"])
    assert (axis.wins, soviet.wins, axis.games) == (1, 2, 4)
    assert 0 < axis.low < 0.25 < axis.high < 0.75
    assert [(told.winner, told.words, told.games) for told in reasons(GAMES)] == [
        ("soviet", "victory", 2), ("axis", "victory", 1), ("nobody", "victory", 1),
    ]  # fmt: skip


def test_courses_are_of_the_games_that_got_so_far() -> None:
    reached = turns(GAMES)
    assert (reached.numbers, reached.games) == ([0, 1, 2], [4, 3, 2])
    points = course(GAMES, reached.numbers, lambda sample: float(sample["points"]))
    assert points.mean == [0, 1, 2.5]
    assert (points.low[1], points.high[1]) == (0, 2)
    assert course(GAMES, [1], of_side("strength", "axis")).mean == [10]
    assert course(GAMES, [1], of_side("strength", "soviet")).mean == [None]


def test_control_is_a_share_of_games() -> None:
    assert control(GAMES, 1) == ("axis", {"Q1": 1.0, "Q2": 1.0}, 3)
    assert control(GAMES, 9) == ("", {}, 0)


def test_ways_to_end_are_counted_without_their_figures() -> None:
    told = [
        ("axis", "supply lines reach victory cities", 7), ("axis", "supply lines reach victory cities", 9),
        ("soviet", "Soviet forces hold Bucharest", 5), ("soviet", "the goal was reached", 3),
    ]  # fmt: skip
    games = [
        {"winner": winner, "ending": ending, "reason": f"{ending} {turn}", "turn": turn}
        for winner, ending, turn in told
    ]
    assert reasons(games) == [
        Reason("axis", "supply lines reach victory cities", 2, 8.0),
        Reason("soviet", "Soviet forces hold Bucharest", 1, 5.0),
        Reason("soviet", "the goal was reached", 1, 3.0),
    ]


def test_a_city_is_held_in_a_share_of_the_games_that_got_so_far() -> None:
    assert holders(GAMES, [0, 1, 9], "Q2") == [0.0, 1.0, None]


def shapes(svg: str, name: str) -> list[Tree.Element]:
    return Tree.fromstring(svg).findall(f".//{{http://www.w3.org/2000/svg}}{name}")


def test_charts_are_well_formed_and_true_to_scale() -> None:
    banded, lone = Series("one", [0, 5, 10], [0, 4, 9], [1, 6, 10]), Series("two", [None, 1, None])
    svg = lines("Points & more", ["a", "b", "c"], [banded, lone])
    assert len(shapes(svg, "path")) == 3
    assert "Points &amp; more" in svg
    line = next(p for p in shapes(svg, "path") if p.get("fill") == "none")
    heights = [float(y) for y in re.findall(r"[ML][\d.]+ ([\d.]+)", line.get("d") or "")]
    assert heights[0] - heights[1] == pytest.approx(heights[1] - heights[2], abs=0.01)
    picture = bars("Wins", [Bar("axis", 0.25, 0.1, 0.5), Bar("soviet", 0.75, 0.5, 0.9, "3 of 4")])
    low, high = (float(r.get("height") or 0) for r in shapes(picture, "rect")[1:])
    assert high == pytest.approx(3 * low, rel=0.01)


# ---------------------------------------------------------------- the historical front


def test_five_dates_stand_in_the_data_with_their_turns() -> None:
    assert [front["date"] for front in FRONTS] == [
        "22 June 1941", "1 August 1941", "1 October 1941", "1 December 1941", "1 April 1942",
    ]  # fmt: skip
    track = {turn["number"]: turn["date"] for turn in STATIC["charts"]["turns"]}
    for front in FRONTS:
        day, month, year = front["date"].split()
        assert track[front["turn"]] == f"{day} {month[:3]} {year[2:]}"
        assert front["source"]


@pytest.mark.parametrize("front", FRONTS, ids=lambda front: str(front["date"]))
def test_a_historical_line_has_one_land_hex_a_row_in_order(front: dict[str, Any]) -> None:
    at = {h["id"]: h for h in STATIC["map"]["hexes"]}
    assert all(at[name]["terrain"] not in ("sea", "lake") and not at[name]["neutral"] for name in front["line"])
    rows = [at[name]["y"] for name in front["line"]]
    assert rows == sorted(set(rows))


def ahead(front: Mapping[str, Any], place: str) -> bool:
    """Whether a place lay on the Axis side of a historical line."""
    at = {h["id"]: h for h in STATIC["map"]["hexes"]}
    hex_ = next(p["hex"] for p in STATIC["map"]["places"] if p["name"] == place)
    last = next(at[name] for name in front["line"] if at[name]["y"] == at[hex_]["y"])
    return bool(at[hex_]["x"] <= last["x"])


@pytest.mark.parametrize(
    ("place", "held"),
    [  # on 22 June, 1 August, 1 October, 1 December, 1 April
        ("Minsk", "01111"), ("Smolensk", "01111"), ("Kiev", "00111"), ("Kharkov", "00011"), ("Kalinin", "00010"),
        ("Moscow", "00000"), ("Voronezh", "00000"), ("Bryansk", "00011"), ("Vitebsk", "01111"), ("Rzhev", "00011"),
    ],
)  # fmt: skip
def test_the_lines_agree_with_where_towns_lay(place: str, held: str) -> None:
    found = "".join(str(int(ahead(front, place))) for front in FRONTS if _row_known(front, place))
    assert found == held[-len(found) :]
    assert len(found) >= 4


def _row_known(front: Mapping[str, Any], place: str) -> bool:
    at = {h["id"]: h for h in STATIC["map"]["hexes"]}
    hex_ = next(p["hex"] for p in STATIC["map"]["places"] if p["name"] == place)
    return any(at[name]["y"] == at[hex_]["y"] for name in front["line"])


def test_differences_count_hexes_in_a_row() -> None:
    line = FRONTS[3]["line"]
    at = {h["id"]: h for h in STATIC["map"]["hexes"]}

    def held(shift: int) -> dict[str, float]:
        ends = {at[name]["y"]: at[name]["x"] + shift for name in line}
        return {
            name: 1.0 for name, h in at.items()
            if h["terrain"] not in ("sea", "lake") and not h["neutral"] and h["x"] <= ends.get(h["y"], -9)
        }  # fmt: skip

    assert set(row_differences(STATIC, held(0), line).values()) == {0.0}
    assert row_differences(STATIC, held(2), line)["Q18"] == 2.0
    assert row_differences(STATIC, held(-3), line)["Q18"] == -3.0


def test_a_front_is_drawn_between_what_two_sides_held() -> None:
    rules = ruleset("june22", {}, DATA)
    names = [rules.grid.names[h] for h in members(rules.home[0])]
    plain = shapes(front_board(STATIC, {}, [], "Nothing"), "line")
    svg = front_board(STATIC, dict.fromkeys(names, 1.0), FRONTS[0]["line"], "The frontier")
    drawn = shapes(svg, "line")
    assert len(drawn) > len(plain) + 60
    assert "The frontier" in svg
