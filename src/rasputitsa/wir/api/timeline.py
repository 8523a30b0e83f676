"""What changes in the course of the war, month by month, for tables and clients: reinforcements, new kinds, chances."""

from __future__ import annotations

from rasputitsa.core.marks import times
from rasputitsa.wir.api.shapes import Coming
from rasputitsa.wir.model.figures import LEVELS
from rasputitsa.wir.model.ruleset import Ruleset, month_words
from rasputitsa.wir.model.theatre import AXIS, SIDES, SOVIET
from rasputitsa.wir.rules.adjustment.recruits import redesignations


def timeline(rules: Ruleset) -> list[Coming]:
    """Every change with its first month, the side it is for, and the levels of play at which it comes.

    What only stays as it was is left out.
    """
    sheet, attack = rules.sheet, rules.combat["attack"]
    found: list[tuple[str, int, str, str, tuple[int, ...]]] = []
    for month, percent in sheet["production"]["soviet_infantry"]:
        found.append((month, SOVIET, f"infantry recruits at {percent} % of the population points", "8.5", LEVELS))
    for year, percent in sheet["production"]["axis_fails"].items():
        found.append((f"{year}-01", AXIS, f"{percent} % of the weeks bring no production", "8.5", LEVELS))
    for month, names in sheet["build"]["elite"]:
        found.append((month, AXIS, f"elite SS divisions may be built: {', '.join(names)}", "4.9", LEVELS))
    supplies = sheet["lend_lease"]
    for year, (vehicle, aircraft) in supplies["size"].items():
        month = max(supplies["from"], f"{year}-01")
        words = f"Lend-Lease shipments of {vehicle} vehicle and {aircraft} aircraft points"
        if supplies["north"] != 1:
            words += f", from the north {times(supplies['north'])} that"
        found.append((month, SOVIET, words, "8.6", LEVELS))
    for year, rolls in sheet["partisans"]["rolls"].items():
        tries = "once" if rolls == 1 else f"{rolls} times"
        words = f"railways: partisans try {tries} a week to cut one, at {sheet['partisans']['chance']} %"
        found.append((f"{year}-01", AXIS, words, "8.7", LEVELS))
    for level, last in sheet["siberia"]["until"].items():
        words = f"a Siberian group a week at {rules.combat['siberia']['city']}, to {month_words(last)}"
        found.append((sheet["siberia"]["from"], SOVIET, words, "8.14", (int(level),)))
    words = f"mechanized groups attack in the open with {attack['mechanized']:g} times their strength"
    found.append((attack["mechanized_soviet_from"], SOVIET, words, "7.6", LEVELS))
    for month, old, new in redesignations(rules):
        found.append((month, AXIS, f"{old} become {new}", "8.13", LEVELS))
    score = sheet["victory"]
    words = f"{score['month']} victory points for each month survived"
    found.append((score["months_from"], AXIS, words, "9.1", LEVELS))
    said: set[str] = set()
    changes: list[Coming] = []
    for month, side, text, rule, levels in sorted(found):
        if text not in said:
            changes.append({"month": month, "side": SIDES[side], "text": text, "rule": rule, "levels": list(levels)})
        said.add(text)
    return changes
