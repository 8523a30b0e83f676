"""Pictures of the board."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Mapping
from typing import Any

import pytest

from rasputitsa.core.registry import get_game
from rasputitsa.render.board import Board, _edge
from rasputitsa.render.palette import NATIONS, SIDES, SIZE_MARKS, TERRAIN
from rasputitsa.render.png import png
from rasputitsa.render.terminal import text_map, unit_list

NS = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def static() -> Mapping[str, Any]:
    return get_game("portfolio").static("june22")


@pytest.fixture(scope="module")
def view() -> Mapping[str, Any]:
    game = get_game("portfolio")
    return game.observe(game.setup("june22", {}), None)


def texts(svg: str) -> list[str]:
    return [element.text or "" for element in ET.fromstring(svg).iter(f"{NS}text")]


def test_every_hex_place_and_unit_is_drawn(static: dict[str, Any], view: dict[str, Any]) -> None:
    found = texts(Board(static).svg(view, "A title"))
    assert "A title" in found
    for h in static["map"]["hexes"]:
        assert h["id"] in found
    for place in static["map"]["places"]:
        assert any(text.startswith(place["name"]) for text in found)
    for unit in view["units"]:
        assert (unit["id"] in found) == (unit["hex"] is not None)
    assert len([text for text in found if text == "D"]) == sum(u["dispersed"] for u in view["units"] if u["hex"])


def test_every_kind_of_thing_has_its_look(static: dict[str, Any]) -> None:
    assert {h["terrain"] for h in static["map"]["hexes"]} <= set(TERRAIN)
    assert {s["kind"] for s in static["map"]["sides"]} <= set(SIDES)
    assert {u["nation"] for u in static["units"]} <= set(NATIONS)
    assert {u["size"] for u in static["units"]} <= set(SIZE_MARKS)


def test_a_side_is_drawn_where_two_hexes_meet(static: dict[str, Any]) -> None:
    hexes = {h["id"]: (h["x"], h["y"]) for h in static["map"]["hexes"]}
    for side in static["map"]["sides"]:
        for x, y in _edge(hexes[side["a"]], hexes[side["b"]]):
            for name in (side["a"], side["b"]):
                cx, cy = hexes[name]
                assert abs((x - cx) ** 2 + (y - cy) ** 2 - 1 / 3) < 1e-3, "a corner of both"


def test_names_are_escaped(static: dict[str, Any]) -> None:
    place = {**static["map"]["places"][0], "name": "<b> & 'c'"}
    board = Board({**static, "map": {**static["map"], "places": [place]}})
    assert any("<b> & 'c'" in text for text in texts(board.svg(title="1 < 2")))


def test_the_picture_becomes_a_png(static: dict[str, Any], view: dict[str, Any]) -> None:
    picture = png(Board(static).svg(view), 400)
    assert picture[:8] == b"\x89PNG\r\n\x1a\n"
    assert int.from_bytes(picture[16:20], "big") == 400
    assert len(picture) > 20_000, "something is on it"


def test_the_text_map_has_a_place_for_every_hex(static: dict[str, Any], view: dict[str, Any]) -> None:
    lines = text_map(static, view).plain.splitlines()
    assert len(lines) == 1 + 40
    assert lines[0].split() == [str(n) for n in range(1, 29)]
    assert lines[1].split()[0] == "A" and lines[1].index("6Fi") == 4 + 16 * 4, "A17"
    assert lines[2].index("GrO") == 4 + 13 * 4 + 2, "B14, half a hex to the right"


def test_the_list_names_units_factors_and_status(static: dict[str, Any], view: dict[str, Any]) -> None:
    lines = unit_list(static, view)
    assert lines[0].startswith("A17: 6Fin")
    assert "A25 (Archangelsk): 28A 4-4-3 dispersed" in lines
    assert sum(line.count(",") + 1 for line in lines) == sum(u["hex"] is not None for u in view["units"])
