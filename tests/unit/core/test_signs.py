"""What map keys say of the signs on the map, and what verbs and places are called: the engine says it."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from rasputitsa.portfolio.api.game import PortfolioGame
from rasputitsa.wir.api.game import WirGame

ASKED = re.compile(r'sign(?:: |=)"(\w+)"')
ROOT = Path(__file__).resolve().parents[3]
GAMES: dict[str, tuple[Callable[..., PortfolioGame | WirGame], str]] = {
    "portfolio": (PortfolioGame, "june22"), "wir": (WirGame, "barbarossa"),
}  # fmt: skip
EDITS = [
    (
        "portfolio", "charts.toml", 'bonus = [{ who = ["infantry_type"], number = 0, factors = 1 }]', "bonus = []",
        "hills", "No overruns.",
    ),
    (
        "portfolio", "charts.toml", "column_shift = -1\nfreezes", "column_shift = -2\nfreezes",
        "river", "all across it is read two columns down.",
    ),
    (
        "portfolio", "charts.toml", 'soviet_movement = "half_down"', 'soviet_movement = "full"',
        "mud", "Axis movement halved, no overruns.",
    ),
    (
        "portfolio", "charts.toml", "rough = true\nfreezes = true", "rough = true\nfreezes = false",
        "snow", "Weather Line rivers and lakes freeze. Movement halved, no Axis overruns.",
    ),
    ("portfolio", "charts.toml", "turns = 3\ncolumn", "turns = 2\ncolumn", "offensive", "two turns:"),
    ("portfolio", "charts.toml", "safe_turn = 10 ", "safe_turn = 11 ", "siberia", "Before turn 11 the"),
    ("portfolio", "types.toml", "fuelled = true", "fuelled = false", "fuel", "line to it no units have"),
    ("portfolio", "charts.toml", "number = 1, factors = 2", "number = 11, factors = 2", "major", "11 infantry army"),
    ("portfolio", "types.toml", 'title = "Cavalry"', 'title = "Horsemen"', "lake", "cavalry and horsemen units"),
    ("portfolio", "charts.toml", 'controlled_sea = "Black Sea"', 'controlled_sea = "Azov"', "kerch", "Sea of Azov."),
    ("portfolio", "charts.toml", "fuel_short_factor = 2", "fuel_short_factor = 1", "fuel", "factor of 1."),
    ("wir", "combat.toml", "swamp = 2, mountain = 3 }", "swamp = 1, mountain = 4 }", "mountain", "counts a quarter."),
    ("wir", "combat.toml", '"clear", "rail"]', '"clear", "rail", "forest"]', "forest", ""),
    ("wir", "tables.toml", '"very cold" = 3, rain = 4 }', '"very cold" = 3, rain = 6 }', "rain", "costs six times"),
    ("wir", "tables.toml", "most = 5\nunsupplied_most", "most = 4\nunsupplied_most", "entrenchment", "Four levels"),
    ("wir", "tables.toml", "step = 30\n", "step = 40\n", "guns", "Up to 40 points"),
    ("wir", "combat.toml", "80, 70, 60, 50]", "80, 70, 60, 40]", "shelter", "level 5 leaves 40 %."),
    ("wir", "combat.toml", "[100, 90, 80, 70, 60, 50]", "[100, 100, 100, 100, 100, 100]", "shelter", ""),
]  # fmt: skip


@pytest.mark.parametrize("game", GAMES)
def test_the_client_asks_for_the_signs_that_there_are(game: str) -> None:
    make, scenario = GAMES[game]
    client = [path for path in (ROOT / "web/src/games" / game).rglob("*") if path.suffix in (".ts", ".svelte")]
    asked = {sign for path in client for sign in ASKED.findall(path.read_text(encoding="utf-8"))}
    assert sorted(asked) == sorted(make().static(scenario)["signs"])


@pytest.mark.parametrize(("game", "name", "old", "new", "sign", "says"), EDITS)
def test_edited_data_are_what_the_key_says(
    tmp_path: Path, game: str, name: str, old: str, new: str, sign: str, says: str
) -> None:
    make, scenario = GAMES[game]
    shipped = ROOT / "src/rasputitsa" / game / "data" / name
    shutil.copy(shipped, tmp_path)
    text = shipped.read_text(encoding="utf-8")
    assert old in text
    (tmp_path / name).write_text(text.replace(old, new), encoding="utf-8")
    told = make(tmp_path).static(scenario)["signs"]
    assert says in told.get(sign, {"text": ""})["text"]
    assert (sign in told) == bool(says)


@pytest.mark.parametrize("name", GAMES)
def test_every_verb_has_a_title(name: str) -> None:
    made, scenario = GAMES[name]
    game = made()
    told = game.static(scenario)["verbs"]
    assert told.keys() == game.verbs.keys()
    assert len({about["title"] for about in told.values()}) == len(told), "no two are called alike"
    for verb, about in told.items():
        title = about["title"]
        assert title[:1].isupper() and "{" not in title and "_" not in title, verb


def test_what_the_map_shows_by_an_id_has_a_title() -> None:
    told = PortfolioGame().static("june22")["map"]
    countries = {hex_["country"] for hex_ in told["hexes"] if hex_["country"]}
    seas = {hex_["sea"] for hex_ in told["hexes"] if hex_["sea"]} | {
        sea for hex_ in told["hexes"] for sea in hex_["coast"]
    }
    assert countries <= told["titles"]["countries"].keys()
    assert {sea for sea in seas if " " not in sea} <= told["titles"]["seas"].keys()
