"""What a group was in the war: its formation, its army, its army group or front. No rule reads it."""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple

from rasputitsa.core.caching import kept_of_rules
from rasputitsa.core.errors import SetupError
from rasputitsa.wir.model.data_folder import read_toml
from rasputitsa.wir.model.indices import Group
from rasputitsa.wir.model.ruleset import Ruleset
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.theatre import SIDES

FILE = "history/commands.toml"
LEVELS = ("commands", "armies")
"""The tables of a side in that file."""


class Origin(NamedTuple):
    """Where a group stands in the order of battle; empty where nothing is known."""

    formation: str = ""
    army: str = ""
    command: str = ""


def origin(s: State, group: Group) -> Origin:
    """What the group was at the start of the scenario, while any of its first units is with it."""
    found, first = _origins(s.rules).get(group, (Origin(), frozenset[str]()))
    return found if any(s.rules.name(s.uname[unit]) in first for unit in s.group_units[group]) else Origin()


@kept_of_rules
def _origins(rules: Ruleset) -> dict[Group, tuple[Origin, frozenset[str]]]:
    units: dict[Group, set[str]] = defaultdict(set)
    formations: dict[Group, str] = {}
    for line in rules.lines:
        units[line.group].add(line.name)
        formations.setdefault(line.group, line.formation)
    try:
        above = read_toml(rules.folder, FILE).get(str(rules.setup_year), {})
        commands, armies = (_by_group(above, level) for level in LEVELS)
    except (AttributeError, TypeError) as problem:
        raise SetupError(f"{FILE} is not sound: {problem!r}; see rasputitsa validate") from problem
    return {
        group: (Origin(formations[group], armies.get(group, ""), commands.get(group, "")), frozenset(first))
        for group, first in units.items()
    }


def _by_group(table: dict[str, dict[str, dict[str, list[int]]]], level: str) -> dict[Group, str]:
    return {
        group: name
        for side in SIDES
        for name, groups in table.get(side, {}).get(level, {}).items()
        for group in groups
    }  # fmt: skip
