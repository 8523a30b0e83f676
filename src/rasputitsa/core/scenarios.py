"""What every game tells of its scenarios, and how a scenario of an evening is checked.

hours = 1.5                    # about how long two players sit over it
zone = ["K4-K20", "L4-L20"]    # the hexes in play; all of them without it
[history]
text = "What happened then, in a paragraph."
sources = ["where that can be read"]
[position]                     # the start, written as in a position file, with the goal that decides the game
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from rasputitsa.core.data.files import Problem, Toml
from rasputitsa.core.errors import SetupError
from rasputitsa.core.game import ScenarioInfo

LONGEST_TITLE, LONGEST_SUMMARY = 80, 300
"""Letters that fit into lists."""
MAX_HOURS = 1000.0
"""Hours that no scenario takes."""


def scenario_info(name: str, table: Mapping[str, Any], date: str, turns: int, hours_a_turn: float) -> ScenarioInfo:
    """A scenario for lists; where it does not say how long it takes, its turns do."""
    history = table.get("history", {})
    return ScenarioInfo(
        name, table["title"], table["summary"], date, turns, table.get("hours", round(hours_a_turn * turns)),
        " ".join(history.get("text", "").split()), tuple(history.get("sources", ())),
    )  # fmt: skip


def in_order(infos: Iterable[ScenarioInfo]) -> list[ScenarioInfo]:
    """The first scenario stays the first, which is the usual one; the others follow, the shortest first."""
    usual, *others = infos
    return [usual, *sorted(others, key=lambda info: (info.hours, info.title))]


def laid_over(opening: Mapping[str, Any], table: Mapping[str, Any]) -> dict[str, Any]:
    """A position file laid over the start of its scenario: what it does not name stays as that says."""
    inner = {
        name: {**opening[name], **value}
        for name, value in table.items()
        if isinstance(value, Mapping) and isinstance(opening.get(name), Mapping)
    }
    return {**opening, **table, **inner}


def check_evening(scenario: Toml) -> None:
    """Check that title and summary fit into lists, and what only a scenario of an evening has."""
    for key, most in (("title", LONGEST_TITLE), ("summary", LONGEST_SUMMARY)):
        text = scenario.data.get(key)
        if isinstance(text, str) and len(text) > most:
            scenario.bad(key, f"it has {len(text)} letters", f"it may have {most}")
    hours = scenario.data.get("hours", 1)
    if isinstance(hours, bool) or not isinstance(hours, (int, float)) or not 0 < hours < MAX_HOURS:
        scenario.bad("hours", f"{hours!r:.20} is no length of a game", "give hours, such as 1.5")
    if "zone" in scenario.data:
        scenario.texts("zone")
    if "history" in scenario.data:
        if not scenario.get("history.text", str):
            scenario.bad("history.text", "there is no text", "tell in a paragraph what happened")
        if not scenario.texts("history.sources"):
            scenario.bad("history.sources", "there is no source", "name the books")
    if "position" in scenario.data:
        for key, kind in (("goal.side", str), ("goal.text", str), ("goal.last_turn", int)):
            scenario.get(f"position.{key}", kind)


def check_starts(folder: Path, problems: list[Problem], start: Callable[[str], Any]) -> None:
    """Set every scenario up that names its own position or zone: the loader knows what may stand where."""
    for path in sorted((folder / "scenarios").glob("*.toml")):
        scenario = Toml(folder, f"scenarios/{path.name}", problems)
        if not {"position", "zone"} & set(scenario.data):
            continue
        try:
            start(path.stem)
        except SetupError as problem:
            scenario.bad("position", str(problem), "see the position files in the documents")
