"""Pictures of War in Russia: hexes that stand on a side, groups, gauges of rail."""

from __future__ import annotations

import re
from collections.abc import Mapping
from math import hypot
from xml.etree import ElementTree

from rasputitsa.core.symbols import SYMBOLS
from rasputitsa.render.board import Board
from rasputitsa.render.counters import counter
from rasputitsa.render.terminal import GLYPHS, text_map, unit_list
from rasputitsa.wir.api.game import WirGame
from rasputitsa.wir.model.state import OFF, State

GAME = WirGame()
STATIC = GAME.static("barbarossa")
SVG = "{http://www.w3.org/2000/svg}"


def seen(s: State) -> Mapping[str, object]:
    return GAME.observe(s, "axis")


def start() -> State:
    return GAME.setup("barbarossa", {})


def test_every_terrain_has_a_letter_and_every_group_its_place() -> None:
    plain = text_map(STATIC, seen(start())).plain
    assert "?" not in plain
    assert {h["terrain"] for h in STATIC["map"]["hexes"]} <= set(GLYPHS)
    lines = plain.splitlines()
    assert len(lines) == 1 + 2 * 32
    row = next(line for line in lines if line.startswith(" 14") and " 12+" in line)
    assert row.index("12+") - 4 == 3 * 3, "0414: the fourth column, three letters a column"


def test_every_symbol_is_drawn_unlike_the_others() -> None:
    unit = {"id": "1", "nation": "SU", "type": "militia", "size": "corps"}
    assert len({counter({**unit, "symbol": symbol}, {}, 0, 0) for symbol in SYMBOLS}) == len(SYMBOLS)


def test_columns_stand_half_a_hex_apart() -> None:
    lines = text_map(STATIC).plain.splitlines()[1:]
    assert all(line[4 + 3 : 4 + 6].strip() == "" for line in lines[::2]), "even columns are on the lines between"
    assert lines[0].split()[0] == lines[1].split()[0] == "01"


def test_the_list_says_what_is_known() -> None:
    words = "\n".join(unit_list(STATIC, seen(start())))
    assert re.search(r"0418.*6 mechanized \(17 PZ 135; 18 PZ 135; 29 MOT 90\)", words)
    assert re.search(r"0517: 85 infantry$", words, re.MULTILINE), "the enemy's units are not told"


def test_the_picture_holds_every_group_and_rail() -> None:
    s = start()
    root = ElementTree.fromstring(Board(STATIC).svg(GAME.observe(s, "soviet"), "June"))
    texts = [element.text for element in root.iter(f"{SVG}text")]
    for group, hex_ in enumerate(s.hex):
        if hex_ != OFF:
            assert str(group) in texts
    assert "Moscow [F]" in texts and "June" in texts
    dashes = [element for element in root.iter(f"{SVG}line") if element.get("stroke-dasharray") == "0.12 0.05"]
    assert len(dashes) > 200
    for rail in dashes:
        x1, y1, x2, y2 = (float(rail.get(name, "0")) for name in ("x1", "y1", "x2", "y2"))
        assert 0.9 < hypot(x1 - x2, y1 - y2) < 1.1, "from a hex to the next"


def test_hexes_stand_on_a_side_and_fit_together() -> None:
    root = ElementTree.fromstring(Board(STATIC).svg())
    shape = next(element.get("d", "") for element in root.iter(f"{SVG}path"))
    points = [tuple(map(float, pair.split())) for pair in re.findall(r"-?[\d.]+ -?[\d.]+", shape)]
    assert len(points) == 6
    heights = sorted({round(y, 2) for _, y in points})
    assert len(heights) == 3 and sum(round(y, 2) == heights[0] for _, y in points) == 2, "two corners at the top"
