"""The board as text: a map for the terminal, and lists that need no map."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from math import sqrt
from typing import Any

from rich.text import Text

GLYPHS = {"clear": "·", "forest": "♣", "swamp": "≈", "hills": "^", "mountain": "▲", "sea": "~", "lake": "≋"}
COLOURS = {
    "clear": "bright_black",
    "forest": "green",
    "swamp": "green",
    "hills": "yellow",
    "mountain": "yellow",
    "sea": "blue",
    "lake": "blue",
}
SIDE_STYLES = ("bold black on white", "bold white on red", "bold white on blue", "bold black on green")
LETTERS = 3
CELL = 4
FLAT_CELL = 3
"""Letters from one column to the next, where the hexes stand on a side or on a corner."""
LEGEND = "· clear  ♣ forest  ≈ swamp  ^ hills  ▲ mountain  ~ sea  ≋ lake  ★ counts for victory  # major city  o city"


def text_map(static: Mapping[str, Any], view: Mapping[str, Any] | None = None) -> Text:
    """A line a row of hexes: terrain and cities, or the number and name of the units in a hex.

    Where the hexes stand on a side every column is half a hex higher or lower than the next, and so is its line.
    """
    flat = static["map"].get("orientation") == "flat"
    cell, along, down = (FLAT_CELL, 2 / sqrt(3), 2.0) if flat else (CELL, 1.0, 2 / sqrt(3))
    rows: dict[int, list[Mapping[str, Any]]] = defaultdict(list)
    for h in static["map"]["hexes"]:
        rows[round(h["y"] * down)].append(h)
    west = min(h["x"] for h in static["map"]["hexes"])
    places = {place["hex"]: place for place in static["map"]["places"]}
    sides = {unit["id"]: unit["side"] for unit in static.get("units", ())}
    styles = dict(zip(dict.fromkeys(sides.values()), SIDE_STYLES, strict=False))
    stacks = _stacks(view["units"] if view else ())
    picture = Text(_column_numbers(static, cell, along), "bright_black")
    for _, hexes in sorted(rows.items()):
        hexes.sort(key=lambda h: h["x"])
        label = hexes[0]["id"][2:] if flat else hexes[0]["id"].rstrip("0123456789")
        picture.append(f"{label:>3} ", "bright_black")
        at = 0
        for h in hexes:
            column = round((h["x"] - west) * along * cell)
            picture.append(" " * (column - at))
            stack = stacks.get(h["id"])
            if stack:
                words, style = _stack_text(stack), styles.get(sides.get(stack[0], ""), "bold")
            else:
                words, style = _ground_text(h, places.get(h["id"]))
            picture.append(words.center(LETTERS), style)
            at = column + LETTERS
        picture.append("\n")
    return picture


def _column_numbers(static: Mapping[str, Any], cell: int, along: float) -> str:
    columns = int(static["map"]["width"] * along)
    return " " * 4 + "".join(f"{n:^{cell}}" for n in range(1, columns + 1)).rstrip() + "\n"


def _stacks(units: Iterable[Mapping[str, Any]]) -> dict[str, list[str]]:
    stacks: dict[str, list[str]] = defaultdict(list)
    for unit in units:
        if unit.get("hex"):
            stacks[unit["hex"]].append(unit["id"])
    return stacks


def _stack_text(stack: list[str]) -> str:
    """Up to three letters: the unit's name, or its beginning and a plus when there are more."""
    return stack[0][:LETTERS] if len(stack) == 1 else f"{stack[0][: LETTERS - 1]}+"


def _ground_text(h: Mapping[str, Any], place: Mapping[str, Any] | None) -> tuple[str, str]:
    if place is not None and place.get("victory"):
        return "★", "bold red"
    if place is not None and place["kind"] in ("major", "fortified", "city", "source"):
        return ("#" if place["kind"] in ("major", "fortified") else "o"), "bold"
    return GLYPHS.get(h["terrain"], "?"), COLOURS.get(h["terrain"], "")


def unit_list(static: Mapping[str, Any], view: Mapping[str, Any]) -> list[str]:
    """A line a hex, from north to south: who stands there, in what state."""
    units = {unit["id"]: unit for unit in static["units"]}
    order = {h["id"]: n for n, h in enumerate(static["map"]["hexes"])}
    names = {place["hex"]: place["name"] for place in static["map"]["places"]}
    lines: dict[str, list[str]] = defaultdict(list)
    for unit in view["units"]:
        if unit.get("hex"):
            lines[unit["hex"]].append(_unit_words(units[unit["id"]], unit))
    return [
        f"{hex_name}{f' ({names[hex_name]})' if hex_name in names else ''}: {', '.join(found)}"
        for hex_name, found in sorted(lines.items(), key=lambda item: order[item[0]])
    ]


def _unit_words(unit: Mapping[str, Any], status: Mapping[str, Any]) -> str:
    marks = [mark for mark in ("spent", "dispersed") if status.get(mark)]
    return " ".join([str(unit["id"]), *_figures(unit, status), *marks])


def _figures(unit: Mapping[str, Any], status: Mapping[str, Any]) -> list[str]:
    """Printed factors, or the kind of a group and what is known of it."""
    if "af" in unit:
        return [f"{unit['af']}-{unit['df']}-{unit['mf']}"]
    words = [str(unit["type"])]
    if "aircraft" in status:
        words.append(f"{status['aircraft']} aircraft")
    if "units" in status:
        words.append("(" + "; ".join(f"{u['label']} {u['strength']}" for u in status["units"]) + ")")
    for name in ("artillery", "entrench"):
        if status.get(name):
            words.append(f"{name} {status[name]}")
    return words
