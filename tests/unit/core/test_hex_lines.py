"""Each hex says the row or column that its name begins with."""

from __future__ import annotations

import pytest

from rasputitsa.core.registry import get_game


@pytest.mark.parametrize(
    ("game_id", "scenario", "lines"),
    [("portfolio", "june22", {"N6": "N", "KK12": "KK"}), ("wir", "barbarossa", {"1814": "18", "0120": "01"})],
)
def test_a_hex_says_its_row_or_column(game_id: str, scenario: str, lines: dict[str, str]) -> None:
    told = {hex_["id"]: hex_.get("line") for hex_ in get_game(game_id).static(scenario)["map"]["hexes"]}
    assert {name: told[name] for name in lines} == lines
    assert all(line and name.startswith(line) for name, line in told.items())
