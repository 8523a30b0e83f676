"""The mapmaker's part for War in Russia. Runs with the ``map`` dependency group."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

for needed in ("h5py", "numpy", "PIL", "pyproj", "shapely"):
    pytest.importorskip(
        needed, reason="needs the map group: uv run --group map pytest tests/unit/mapmaker/test_mapmaker_wir.py"
    )

import numpy as np

from tools.mapmaker.board import Board
from tools.mapmaker.wir.build import INPUTS, SHARED, rivers_wanted
from tools.mapmaker.wir.cities import City, read_cities, settle
from tools.mapmaker.wir.frame import Frame, wir_board
from tools.mapmaker.wir.fronts import behind, read_fronts
from tools.mapmaker.wir.rails import Line, RailLayer, read_stations


@pytest.fixture(scope="module")
def board() -> Board:
    return wir_board()


@pytest.fixture(scope="module")
def frame() -> Frame:
    return Frame(INPUTS / "frame.toml")


# ---------------------------------------------------------------- frame


def test_moscow_is_the_centre_of_its_hex(board: Board, frame: Frame) -> None:
    assert frame.point(37.62, 55.75) == pytest.approx(board.centre("1814"), abs=1e-9)


@pytest.mark.parametrize(("lon", "lat"), [(37.6, 55.7), (19.0, 47.5), (33.0, 69.0), (49.9, 40.4), (56.0, 54.7)])
def test_the_globe_is_found_back(frame: Frame, lon: float, lat: float) -> None:
    assert frame.to_globe(*frame.point(lon, lat)) == pytest.approx((lon, lat), abs=1e-6)


def test_the_frame_keeps_to_50_miles_in_the_middle_and_less_at_the_edges(board: Board, frame: Frame) -> None:
    a, b = frame.point(32.0, 53.0), frame.point(32.0, 54.0)
    assert frame.kilometres(a, b) == pytest.approx(111.3, rel=0.02)
    a, b = frame.point(32.0, 66.0), frame.point(32.0, 67.0)
    assert frame.kilometres(a, b) < 60
    assert frame.columns.scale(15.0) == pytest.approx(1.0)
    assert frame.rows.scale(4.0) == pytest.approx(0.51, abs=0.01)


def test_the_board_lies_on_its_side(board: Board) -> None:
    (x, y), (south, _), (_, east) = board.centre("1713"), board.centre("1714"), board.centre("1813")
    assert south == x + 1 and east > y
    assert board.centre("1813")[0] == x + 0.5, "even columns stand half a hex lower"


# ---------------------------------------------------------------- cities


def city(**changes: Any) -> City:
    values: dict[str, Any] = {
        "name": "Town", "lon": 37.62, "lat": 55.75, "fixed": "", "port": "", "fortified": False, "scores": True,
        "owner": "S", "history": (("A", "1941-10-01"), ("S", "1942-12-01")), "values": (10, 8, 6, 4, 2, 7),
        "later": {1943: (11, 9, 7, 5, 3)}, "source": "history", "confidence": "reconstructed", "note": "",
    }  # fmt: skip
    return City(**{**values, **changes})


def test_a_capture_leaves_half_of_the_supply_centers() -> None:
    town = city()
    assert (town.on("1941-06-22").owner, town.on("1941-06-22").values) == ("S", (10, 8, 6, 4, 2, 7))
    assert (town.on("1942-06-28").owner, town.on("1942-06-28").values) == ("A", (0, 0, 0, 0, 0, 3))
    assert (town.on("1943-07-04").owner, town.on("1943-07-04").values) == ("S", (0, 0, 0, 0, 0, 1))


def test_a_city_never_taken_grows() -> None:
    town = city(history=())
    assert town.on("1942-06-28").values == (10, 8, 6, 4, 2, 7)
    assert town.on("1943-07-04").values == (11, 9, 7, 5, 3, 7)


def test_two_cities_in_one_hex_are_refused(board: Board, frame: Frame) -> None:
    assert settle([city()], board, frame)[0].hex == "1814"
    with pytest.raises(ValueError, match="Other has no free hex"):
        settle([city(), city(name="Other")], board, frame)


def test_cities_stand_at_most_two_thirds_of_a_hex_from_their_place(board: Board, frame: Frame) -> None:
    for town in settle(read_cities(INPUTS / "cities.csv"), board, frame):
        x, y = frame.point(town.lon, town.lat)
        away = np.hypot(x - board.centre(town.hex)[0], y - board.centre(town.hex)[1])
        assert away < (1.0 if town.fixed else 0.6), town.name


# ---------------------------------------------------------------- railways, fronts, rivers


def test_a_railway_runs_hex_by_hex_and_follows_an_older_one(board: Board) -> None:
    layer = RailLayer(board, set(board.hexes), {"1514"}, {"1316", "1814"})
    first = layer.lay(Line("first", ("1316", "1814"), 0), {})
    assert all(b in board.around(a) for a, b in pairwise(first))
    assert "1514" not in first, "it goes round a mountain where that costs little"
    second = layer.lay(Line("second", ("1316", "1814"), 0), {})
    assert second == first
    assert [line.name for line in layer.hexes[first[2]]] == ["first", "second"]


def test_a_railway_cannot_cross_what_is_closed(board: Board) -> None:
    closed = {f"15{row:02d}" for row in range(1, 33)}
    layer = RailLayer(board, set(board.hexes) - closed, set(), set())
    with pytest.raises(ValueError, match="no railway can run from 1316 to 1814"):
        layer.lay(Line("none", ("1316", "1814"), 0), {})


def test_stations_are_on_the_map(board: Board, frame: Frame) -> None:
    stations = read_stations(INPUTS / "stations.csv", board, frame)
    assert stations["Vyazma"] == board.hex_at(*frame.point(34.3, 55.2))
    assert set(stations.values()) <= set(board.hexes)


def test_the_front_of_1943_lies_west_of_that_of_1942_but_for_kursk(board: Board, frame: Frame) -> None:
    fronts = read_fronts(INPUTS / "fronts.toml")
    held = {year: behind(front, board, frame) for year, front in fronts.items()}
    assert "1316" in held[1942] & held[1943], "Smolensk"
    assert "1720" in held[1942] - held[1943], "Kursk"
    assert "1515" in held[1942] - held[1943], "the salient of Rzhev and Vyazma"
    assert "1814" not in held[1942] | held[1943]


def test_rivers_taken_over_may_join_another_main_river() -> None:
    rivers = {river.id: river for river in rivers_wanted(INPUTS / "rivers.toml", SHARED / "rivers.toml")}
    assert rivers["Oka"].parent == "Volga"
    assert all(river.parent in ("", *rivers) for river in rivers.values())
