"""Colours and measures of the board, in one place. The unit of length is the width of a hex."""

from __future__ import annotations

TERRAIN = {
    "clear": "#f3ecd2",
    "forest": "#cfdcb4",
    "swamp": "#c5d5ac",
    "hills": "#e2c9a0",
    "mountain": "#bd9a6c",
    "sea": "#b5d3e6",
    "lake": "#9fc6df",
}
UNKNOWN_TERRAIN = "#ffffff"
NEUTRAL_VEIL = "#8c8c84"

SIDES: dict[str, tuple[str, float, str]] = {
    # kind: colour, width, dashes
    "lake": ("#6fa8cf", 0.13, ""),
    "sea": ("#2f5f8f", 0.11, ""),
    "river": ("#3f7fb5", 0.075, ""),
    "river_oneway": ("#3f7fb5", 0.075, "0.1 0.06"),
    "kerch": ("#8a5fa8", 0.1, "0.1 0.06"),
    "kronshtadt": ("#8a5fa8", 0.1, ""),
    "impassable": ("#222222", 0.13, ""),
    "stalin": ("#7a2e22", 0.05, ""),
    "border": ("#a03030", 0.035, "0.09 0.07"),
    "arctic_line": ("#7d7fae", 0.03, "0.02 0.06"),
}

RAILS = ("#3d3d38", "#8a3d2c")
"""The gauges of the first and the second side."""

NATIONS = {
    # ground, ink
    "DE": ("#b4b9ae", "#1c1f1b"),
    "RO": ("#e3cf8e", "#2a2410"),
    "HU": ("#c9b48f", "#2a2013"),
    "IT": ("#b9c9a4", "#1b2413"),
    "FI": ("#dfe8ef", "#17324d"),
    "SU": ("#b5674f", "#ffffff"),
}
OTHER_NATION = ("#dddddd", "#111111")

CONTROL_VEIL = "#3c4a3c"
INK = "#2b2a26"
FAINT = "#8d8674"
STAR = "#a3241b"

SIZE_MARKS = {"division": "XX", "corps": "XXX", "army": "XXXX", "front": "XXXXX"}
