"""Moves as text: ``to N6``, and whole orders such as ``move 39Pz+56Pz N4-N5-N6`` or ``attack N7: 39Pz,56Pz``."""

from __future__ import annotations

import re
from typing import NamedTuple

from rasputitsa.core.actions import Action
from rasputitsa.core.caching import cached_up_to
from rasputitsa.core.errors import NotationError
from rasputitsa.core.game import NO_DETAILS, Details
from rasputitsa.core.lines import MOST_LETTERS
from rasputitsa.portfolio.model.actions import BARE, VERBS
from rasputitsa.portfolio.model.indices import Hex, Unit
from rasputitsa.portfolio.model.ruleset import Ruleset

ALIASES = {"stand-all": "stand_all", "exchange-first": "exchange_first", "end": "done", "pass_": "pass"}
MOVE_ORDER = re.compile(r"move\s+(?P<units>\S+)\s+(?P<way>[A-Za-z]{1,2}\d+(?:-[A-Za-z]{1,2}\d+)*)$", re.I)
ATTACK_ORDER = re.compile(r"attack\s+(?P<hexes>[A-Za-z0-9+]+)\s*:\s*(?P<units>.+)$", re.I)
ALL_ORDER = re.compile(r"(?:attack\s+(?P<hexes>[A-Za-z0-9+]+)\s*:\s*|with\s+)all$", re.I)
ADVANCE_ORDER = re.compile(r"advance\s+(?P<unit>\S+)\s+(?P<way>[A-Za-z]{1,2}\d+(?:-[A-Za-z]{1,2}\d+)*)$", re.I)
PLACE_ORDER = re.compile(
    r"(?P<verb>replace|reinforce|rail|sea|place|displace)\s+(?P<unit>\S+)\s+(?:at\s+|\w+-)(?P<hex>\w+)$", re.I
)
REDUCE_ORDER = re.compile(r"reduce\s+(?P<front>\S+)\s+(?:as|to)\s+(?P<army>\S+)$", re.I)


def read_unit(rules: Ruleset, text: str) -> Unit:
    """A unit by its id or designation; raises ``NotationError``."""
    unit = rules.roster.find(text)
    if unit is None:
        raise NotationError(f"there is no unit {text!r:.40}, or the name fits several")
    return unit


def read_hex(rules: Ruleset, text: str) -> Hex:
    """A hex by its name; raises ``NotationError``."""
    found = rules.grid.find(text.upper())
    if found is None:
        raise NotationError(f"there is no hex {text!r:.40} on the map")
    return found


def _line(text: str) -> str:
    line = text.strip().removeprefix("/").lstrip()
    if len(line) > MOST_LETTERS:
        raise NotationError("the line is too long")
    return line


def parse(rules: Ruleset, text: str) -> list[Action]:
    """One line, but for whole moves, as one or more actions; raises ``NotationError``. Legality is not looked at."""
    line = _line(text)
    for pattern, reader in (
        (ATTACK_ORDER, _attack_order),
        (PLACE_ORDER, _place_order),
        (REDUCE_ORDER, _reduce_order),
    ):
        found = pattern.match(line)
        if found:
            return reader(rules, found)
    return [_single(rules, line)]


def _single(rules: Ruleset, line: str) -> Action:
    words = line.split()
    if not words:
        raise NotationError("the line is empty")
    verb = ALIASES.get(words[0].lower(), words[0].lower())
    kinds = VERBS.get(verb)
    if kinds is None:
        raise NotationError(f"{words[0]!r:.40} is no order; known: {', '.join(sorted(VERBS))}")
    if len(words) - 1 != len(kinds):
        needs = " ".join(kind.upper() for kind in kinds) or "nothing"
        raise NotationError(f"after {verb!r} comes {needs}, not {' '.join(words[1:])!r:.40}")
    return Action(verb, tuple(_argument(rules, kind, word) for kind, word in zip(kinds, words[1:], strict=True)))


def _argument(rules: Ruleset, kind: str, word: str) -> int:
    if kind == "unit":
        return read_unit(rules, word)
    if kind == "hex":
        return read_hex(rules, word)
    if not word.isascii() or not word.isdigit() or len(word) > 4:
        raise NotationError(f"{word!r:.40} is not a number")
    return int(word)


class MoveOrder(NamedTuple):
    """A whole move as typed. ``start`` is None where the line names the target alone."""

    units: tuple[Unit, ...]
    start: Hex | None
    way: tuple[Hex, ...]


def move_order(rules: Ruleset, text: str) -> MoveOrder | None:
    """The whole move that a line orders, if it orders one; raises ``NotationError``."""
    found = MOVE_ORDER.match(_line(text))
    if not found:
        return None
    units = tuple(read_unit(rules, name) for name in found["units"].split("+"))
    way = tuple(read_hex(rules, name) for name in found["way"].split("-"))
    return MoveOrder(units, way[0], way[1:]) if len(way) > 1 else MoveOrder(units, None, way)


class AllOrder(NamedTuple):
    """An attack by everybody who can join. Without hexes: the one being put together."""

    hexes: tuple[Hex, ...] = ()


def all_order(rules: Ruleset, text: str) -> AllOrder | None:
    """The attack by all that a line orders, if it orders one; raises ``NotationError``."""
    found = ALL_ORDER.match(_line(text))
    if not found:
        return None
    return AllOrder(tuple(read_hex(rules, name) for name in (found["hexes"] or "").split("+") if name))


class AdvanceOrder(NamedTuple):
    """A whole advance as typed: the hexes in the order they are entered."""

    unit: Unit
    way: tuple[Hex, ...]


def advance_order(rules: Ruleset, text: str) -> AdvanceOrder | None:
    """The whole advance that a line orders, if it orders one; raises ``NotationError``."""
    found = ADVANCE_ORDER.match(_line(text))
    if not found:
        return None
    return AdvanceOrder(read_unit(rules, found["unit"]), tuple(read_hex(rules, h) for h in found["way"].split("-")))


def _attack_order(rules: Ruleset, found: re.Match[str]) -> list[Action]:
    """``attack N7+N8: 39Pz,56Pz``: allocate an attack."""
    hexes = [read_hex(rules, name) for name in found["hexes"].split("+")]
    names = [name for name in re.split(r"[,+\s]+", found["units"].strip()) if name]
    return [
        Action("attack", (hexes[0],)),
        *(Action("also", (hex_,)) for hex_ in hexes[1:]),
        *(Action("with", (read_unit(rules, name),)) for name in names),
        Action("ready"),
    ]


def _place_order(rules: Ruleset, found: re.Match[str]) -> list[Action]:
    """``replace 8A at Q19``, ``rail 8A Q19-N18``."""
    return [
        Action(found["verb"].lower(), (read_unit(rules, found["unit"]),)),
        Action("at", (read_hex(rules, found["hex"]),)),
    ]


def _reduce_order(rules: Ruleset, found: re.Match[str]) -> list[Action]:
    return [
        Action("reduce", (read_unit(rules, found["front"]),)),
        Action("as", (read_unit(rules, found["army"]),)),
    ]


@cached_up_to(1 << 12)
def format_action(rules: Ruleset, action: Action) -> str:
    """The notation of an action."""
    words = [action.verb]
    for kind, number in zip(VERBS[action.verb], action.args, strict=True):
        if kind == "unit":
            words.append(rules.units[number].id)
        elif kind == "hex":
            words.append(rules.grid.names[number])
        else:
            words.append(str(number))
    return " ".join(words)


OF_ATTACKS = ("withdraw", "resolve", "cancel")
"""Verbs whose number is that of an announced attack."""

LABELS = {
    "done": "Done", "back": "Back", "halt": "Halt here", "stand": "Stand", "stand_all": "Stand for the whole phase",
    "ready": "Attack is ready", "drop": "Drop this attack", "offensive": "Begin the Winter Offensive",
    "siberia": "Call in the Siberian Reserve", "cast": "Cast the die", "stop": "End the game",
    "continue": "Play on", "decline": "Decline the exchange", "exchange_first": "Exchange first",
    "refrain": "No exchange", "amphibious": "Amphibious tanks", "pass": "Pass",
    "replace": "Build {0}", "reinforce": "Bring in {0}", "rail": "{0} by rail", "sea": "{0} by sea",
    "reduce": "Reduce {0}", "as": "Becomes {0}", "eliminate": "Give up {0}", "displace": "Displace {0}",
    "pick": "Number {0}", "move": "Move {0}", "with": "with {0}", "without": "without {0}", "to": "to {0}",
    "step": "straight to {0}", "retreat": "Retreat {0}",
    "attack": "Attack {0}", "also": "also {0}", "withdraw": "Take back attack {0}",
    "hold": "No retreat: {0}", "resolve": "Resolve attack {0}", "cancel": "Cancel attack {0}",
    "lose": "Lose {0}", "exchange": "Exchange {0}", "advance": "Advance {0}", "join": "{0} joins attack {1}",
    "airlift": "Supply {0} by air", "place": "Set up {0}", "lift": "Take up {0}", "at": "at {0}",
}  # fmt: skip
TITLES = {
    **{verb: LABELS[verb] for verb in BARE},
    "place": "Set up", "lift": "Take up", "at": "Put at",
    "replace": "Build replacements", "reinforce": "Bring in reinforcements", "rail": "By rail", "sea": "By sea",
    "reduce": "Reduce a front", "as": "Army in its place", "eliminate": "Give up a unit", "displace": "Displace",
    "pick": "Pick a number", "move": "Move", "with": "Together with", "without": "Leave out", "to": "Go to",
    "step": "One hex", "retreat": "Retreat", "attack": "Attack", "also": "Also attack",
    "withdraw": "Take back an attack", "hold": "No retreat!", "resolve": "Resolve an attack",
    "cancel": "Cancel an attack", "lose": "Lose", "exchange": "Exchange", "advance": "Advance",
    "join": "Join an attack", "airlift": "Supply by air",
}  # fmt: skip
"""What all actions of a verb have in common; one that names nothing is called by its label."""


@cached_up_to(1 << 12)
def label(rules: Ruleset, action: Action) -> str:
    """The action in plain words."""
    return LABELS[action.verb].format(*format_action(rules, action).split()[1:])


@cached_up_to(1 << 12)
def details(rules: Ruleset, action: Action) -> Details:
    """What is to be known of an action besides its label."""
    if action.verb in OF_ATTACKS:
        return Details(attack=action.args[0])
    kinds = VERBS[action.verb]
    if action.verb not in LABELS or not {"unit", "hex"} & set(kinds):
        return NO_DETAILS
    words = format_action(rules, action).split()[1:]
    marked = (word if kind == "number" else f"{{{kind}:{word}}}" for kind, word in zip(kinds, words, strict=True))
    return Details(marked=LABELS[action.verb].format(*marked))
