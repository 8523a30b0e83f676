"""The mapmaker's machinery. Runs with the ``map`` dependency group: ``uv run --group map pytest``."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

for needed in ("h5py", "numpy", "pyproj", "shapely"):
    pytest.importorskip(
        needed, reason="needs the map group: uv run --group map pytest tests/unit/mapmaker/test_mapmaker.py"
    )

import numpy as np

from tools.mapmaker.__main__ import CACHE, check, main
from tools.mapmaker.board import Board, portfolio_board
from tools.mapmaker.build import INPUTS
from tools.mapmaker.fit import Anchor, Fit, read_anchors
from tools.mapmaker.regions import read_regions
from tools.mapmaker.shoreline import Line, sample
from tools.mapmaker.sources import Package, SourceError, _ar_member, _download
from tools.mapmaker.trace import Tracer, densify, longest_stretch_inside
from tools.mapmaker.waterways import Network


@pytest.fixture(scope="module")
def board() -> Board:
    return portfolio_board()


@pytest.fixture(scope="module")
def fit(board: Board) -> Fit:
    return Fit(board, read_anchors(INPUTS / "anchors.csv"))


# ---------------------------------------------------------------- board


def test_neighbouring_centres_are_one_hex_apart(board: Board) -> None:
    for a, b in board.sides:
        (ax, ay), (bx, by) = board.centre(a), board.centre(b)
        assert np.hypot(ax - bx, ay - by) == pytest.approx(1)


def test_two_nearest_agrees_with_measuring_every_centre(board: Board) -> None:
    random = np.random.default_rng(41)
    x, y = random.uniform(1.5, 28, 400), random.uniform(1.5, 33, 400)
    first, second, to_first, to_second = board.two_nearest(x, y)
    for i in range(len(x)):
        distance = np.hypot(board.centres[:, 0] - x[i], board.centres[:, 1] - y[i])
        order = np.argsort(distance)
        assert (first[i], to_first[i]) == (order[0], pytest.approx(distance[order[0]]))
        assert to_second[i] == pytest.approx(distance[order[1]])
        assert distance[second[i]] == pytest.approx(distance[order[1]])


def test_three_sides_meet_at_an_inner_corner(board: Board) -> None:
    counts = sorted({len(sides) for sides in board.sides_at.values()})
    assert counts == [1, 3]  # one at the rim of the map
    corner = set(board.corners_of[board.side("N5", "N6")]) & set(board.corners_of[board.side("N5", "M6")])
    assert len(corner) == 1


def test_sides_are_only_between_neighbours(board: Board) -> None:
    assert board.parse_side("K27/K26") == ("K26", "K27")
    with pytest.raises(ValueError, match="not adjacent"):
        board.side("K26", "K28")


# ---------------------------------------------------------------- fit


def test_the_fit_puts_each_anchor_into_its_hex(board: Board, fit: Fit) -> None:
    for anchor in read_anchors(INPUTS / "anchors.csv"):
        if anchor.used and "/" not in anchor.where:
            assert board.hex_at(*fit.point(anchor.lon, anchor.lat)) == anchor.where, anchor.name


def test_the_plain_fit_is_as_documented(board: Board, fit: Fit) -> None:
    used = [a for a in read_anchors(INPUTS / "anchors.csv") if a.used]
    squares = [fit.residual(anchor, board, sheet=False) ** 2 for anchor in used]
    assert (sum(squares) / len(squares)) ** 0.5 == pytest.approx(0.64, abs=0.01)
    assert abs(fit.turn) == pytest.approx(1.021, abs=0.001)
    assert np.degrees(np.angle(fit.turn)) == pytest.approx(17.0, abs=0.05)


def test_the_globe_is_found_back(fit: Fit) -> None:
    for lon, lat in ((37.62, 55.75), (36.55, 45.3), (21.01, 52.23), (44.5, 48.7)):
        assert fit.to_globe(*fit.point(lon, lat)) == pytest.approx((lon, lat), abs=1e-6)


def test_the_kerch_straits_fall_on_their_side(board: Board, fit: Fit) -> None:
    x, y = fit.point(36.55, 45.30)
    assert (x, y) == pytest.approx(board.middle(board.side("II14", "JJ13")), abs=0.01)


def test_a_perfect_set_of_anchors_is_fitted_exactly(board: Board, fit: Fit) -> None:
    lonlat = [fit.to_globe(*board.centre(name)) for name in ("C3", "Q20", "KK8", "DD25")]
    anchors = [
        Anchor(name, name, lon, lat, True, "")
        for name, (lon, lat) in zip(("C3", "Q20", "KK8", "DD25"), lonlat, strict=True)
    ]
    again = Fit(board, anchors)
    assert all(again.residual(anchor, board, sheet=True) < 0.6 for anchor in anchors)


# ---------------------------------------------------------------- shorelines, regions


def square(level: int, west: float, south: float, east: float, north: float) -> Line:
    corners = [(west, south), (east, south), (east, north), (west, north), (west, south)]
    return Line(level, np.array(corners, dtype=float))


def test_levels_nest_sea_land_lake_island() -> None:
    lines = [square(1, 20.01, 50.01, 30.01, 60.01), square(2, 23.01, 53.01, 27.01, 57.01)]
    lines.append(square(3, 24.51, 54.51, 25.51, 55.51))
    samples = sample(lines)

    def level(lon: float, lat: float) -> int:
        return int(samples.level[np.argmin(np.hypot(samples.lon - lon, samples.lat - lat))])

    assert [level(15, 45), level(21, 51), level(23.5, 54), level(25, 55)] == [0, 1, 2, 3]
    assert [level(40, 55), level(29, 55), level(26.5, 55)] == [0, 1, 2]


def test_land_that_runs_over_the_edge_of_the_window() -> None:
    samples = sample([square(1, 5.0, 50.01, 70.0, 60.01)])
    assert samples.level[(samples.lat > 51) & (samples.lat < 59)].min() == 1
    assert samples.level[samples.lat < 49].max() == 0


@pytest.mark.parametrize(
    ("lon", "lat", "sea"),
    [
        (19.5, 56.0, "Baltic"), (26.0, 59.8, "Gulf of Finland"), (33.0, 44.0, "Black Sea"), (36.0, 46.0, "Azov"),
        (38.0, 64.5, "White Sea"), (48.5, 45.0, "Caspian"),
    ],
)  # fmt: skip
def test_seas(lon: float, lat: float, sea: str) -> None:
    assert read_regions(INPUTS / "regions.toml").sea_at(lon, lat) == sea


def test_the_arctic_line_is_drawn_south_of_moscow_and_north_of_odessa() -> None:
    regions = read_regions(INPUTS / "regions.toml")
    assert regions.is_arctic(37.6, 55.75)
    assert not regions.is_arctic(30.7, 46.5)


# ---------------------------------------------------------------- lines onto sides


def test_a_chain_follows_a_line_along_sides(board: Board) -> None:
    tracer = Tracer(board)
    wanted = [board.parse_side(text) for text in ["M10/N10", "N10/N11", "M11/N11"]]
    corners = [set(board.corners_of[side]) for side in wanted]
    start, goal = (corners[0] - corners[1]).pop(), (corners[2] - corners[1]).pop()
    line = densify(np.array([board.corner_points[start], board.corner_points[goal]]))
    chain = tracer.chain(tracer.costs(line), start, goal)
    assert all(set(board.corners_of[a]) & set(board.corners_of[b]) for a, b in pairwise(chain))
    assert len(chain) <= 4


def test_forbidden_sides_are_gone_round(board: Board) -> None:
    tracer = Tracer(board)
    side = board.side("N10", "N11")
    start, goal = board.corners_of[side]
    even = dict.fromkeys(board.sides, 1.0)
    assert tracer.chain(even, start, goal) == [side]
    round_it = tracer.chain({**even, side: 10.0}, start, goal)
    assert side not in round_it and len(round_it) == 5
    line = densify(np.array([board.corner_points[start], board.corner_points[goal]]))
    assert tracer.costs(line, [side])[side] == pytest.approx(tracer.costs(line)[side] + 90)


def test_only_the_longest_stretch_on_the_map_counts(board: Board) -> None:
    line = densify(np.array([[-5.0, 10.0], [8.0, 10.0], [8.0, -5.0], [9.0, -5.0], [9.0, 3.0]]))
    stretch, to_its_end = longest_stretch_inside(board, line)
    assert stretch[0][0] > 0 and stretch[-1][1] > 0
    assert not to_its_end


def test_rivers_follow_the_data_where_they_have_it_and_waypoints_where_not() -> None:
    bend = np.array([[30.0, 50.0], [30.5, 50.4], [31.0, 50.0]])
    network = Network([Line(0, bend)])
    followed = network.follow(np.array([[30.0, 50.0], [31.0, 50.0]]))
    assert [30.5, 50.4] in followed.tolist()
    straight = network.follow(np.array([[40.0, 50.0], [41.0, 50.0]]))
    assert straight.tolist() == [[40.0, 50.0], [41.0, 50.0]]


# ---------------------------------------------------------------- geography, the whole


def test_a_file_that_is_not_the_one_the_map_was_made_from_is_refused(tmp_path: Path) -> None:
    (tmp_path / "thing.deb").write_bytes(b"something else")
    with pytest.raises(SourceError, match="is not the file the map was made from"):
        _download(Package("pool/thing.deb", "0" * 64, ()), tmp_path)


def test_members_of_a_debian_package() -> None:
    def member(name: str, content: bytes) -> bytes:
        header = f"{name:<16}{0:<12}{0:<6}{0:<6}{100644:<8}{len(content):<10}`\n".encode()
        return header + content + b"\n" * (len(content) % 2)

    archive = b"!<arch>\n" + member("debian-binary", b"2.0") + member("data.tar.xz", b"tar")
    assert _ar_member(archive, "data.tar") == b"tar"
    with pytest.raises(SourceError, match="no member"):
        _ar_member(archive, "control.tar")


@pytest.mark.skipif(not (CACHE / "dcw-gmt.nc").exists(), reason="the geography is not in the cache: run make map")
def test_the_shipped_map_is_what_the_mapmaker_makes(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--check", "--report"]) == 0
    assert "hexes.csv: as made" in capsys.readouterr().out


def test_a_map_that_differs_fails_the_check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "hexes.csv").write_text("hex,terrain\nQ19,swamp\n", encoding="utf-8")
    assert check({"hexes.csv": "hex,terrain\nQ19,swamp\n"}, tmp_path) == 0
    assert check({"hexes.csv": "hex,terrain\nQ19,clear\n"}, tmp_path) == 1
    assert "-Q19,swamp\n+Q19,clear" in capsys.readouterr().out
