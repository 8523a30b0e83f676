"""Orders as text: single ones such as ``plot 2B`` or ``step 3``, the manual's keys, and whole orders on one line.

    transfer 12 13: 2 4            units 2 and 4 of group 12 go to group 13; ``: 2 guns 30`` or ``: guns 30`` with guns
    divide 12 inf: 1 3             they form a new infantry group
    aircraft 52 53 20              20 points; ``aircraft R 53 20`` from the pool
    build Moscow inf RIFLE 50      a new group with one unit
    factory Gorki vehicle          dismantle Kharkov
    naval 12 13: 2                 unit 2 sails
    move 12 2 3                    get 12, step 2, step 3, halt
    plot 12 2S   rail 12 1814      strike 53 1814 bomb   replace 12 2 30   artillery 12
    depot Minsk                    supply Minsk: go there and supply
    auto supply   auto replace   auto all     the staff's orders, one by one

Several orders may stand on one line, with semicolons between.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from rasputitsa.core.actions import Action
from rasputitsa.core.errors import NotationError
from rasputitsa.core.lines import MOST_LETTERS
from rasputitsa.wir.model import plot
from rasputitsa.wir.model.actions import HALT, VERBS, act
from rasputitsa.wir.model.indices import Group, Hex
from rasputitsa.wir.model.ruleset import Ruleset
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.tables import GROUPS, INFANTRY, KIND_NAMES, MECHANIZED
from rasputitsa.wir.model.theatre import PLANT_NAMES, PLANTS
from rasputitsa.wir.rules.adjustment import build
from rasputitsa.wir.rules.movement import movement
from rasputitsa.wir.rules.supply import auto_orders, supply

SHORT = {MECHANIZED: ("mech", "m"), INFANTRY: ("inf", "i")}
FORM_NUMBERS = {
    word: form for form, kind in build.FORMS.items() for word in (KIND_NAMES[kind], *SHORT[kind], str(form))
}
FACTORY_NUMBERS = {word: plant for plant in PLANTS for word in (*PLANT_NAMES[plant].split(), str(plant))}
"""The words for what the menus number."""
MENU_KEYS = {
    "depot": {"b": "rail", "a": "abort", "s": "supply"},
    "orders": {"a": "abort", "q": "halt", "p": "plot", "x": "railmove", "b": "bomb", "g": "ground", "r": "replace"},
    "movement": {"g": "get"},
}
"""The manual's keys, by the question that is open."""
LINES = {
    "auto": "'auto supply', 'auto replace' or 'auto all'",
    "move": "'move' with a group and its directions, such as 'move 12 2 3'",
    "strike": "'strike' with an air group, a hex, and 'bomb' or 'ground', such as 'strike 53 1814 bomb'",
}
"""Words that begin a whole order, and how it is written."""


def read_group(text: str) -> Group:
    """A group by its number; raises ``NotationError``."""
    value = _whole(text)
    if not 0 < value < GROUPS:
        raise NotationError(f"group numbers run from 1 to {GROUPS - 1}, and {text!r:.20} is none")
    return value


def read_hex(rules: Ruleset, text: str) -> Hex:
    """A hex by its name, or by the name of its city; raises ``NotationError``."""
    found = rules.grid.find(text)
    if found is not None:
        return found
    for name, city in rules.map.city_named.items():
        if name.lower() == text.lower():
            return rules.map.cities[city].hex
    raise NotationError(f"there is no hex or city {text!r:.40} on the map; hexes are column and row, such as 1814")


def _whole(text: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 4:
        raise NotationError(f"{text!r:.40} is not a number")
    return int(text)


def parse(s: State, text: str) -> list[Action]:
    """One line as one or more actions; raises ``NotationError``. Whether they are legal is not looked at."""
    line = " ".join(text.split())
    if len(line) > MOST_LETTERS:
        raise NotationError("the line is too long")
    if not line:
        raise NotationError("the line is empty")
    kind = s.stack[-1].kind if s.stack else ""
    orders: list[Action] = []
    for part in line.split(";"):
        orders += _order(s, part.strip(), kind)
        kind = ""  # what will be asked then is not known yet, so the short keys serve at the start only
    return orders


def read_action(s: State, text: str) -> Action:
    """One order as ``format_action`` writes it, which means the same in every position."""
    known = s.rules.written.get(text)
    if known is not None:
        return known
    action, *more = parse(s, text)
    if more:
        raise NotationError(f"{text!r:.40} is more than one order")
    if format_action(s.rules, action) == text:
        s.rules.written[text] = action
    return action


def _order(s: State, line: str, kind: str) -> list[Action]:
    if not line:
        raise NotationError("there is an empty order in the line")
    for pattern, reader in WHOLE_ORDERS:
        found = pattern.fullmatch(line)
        if found:
            return _taken_up(s, reader(s, found), kind)
    return _taken_up(s, [_single(s, line.split(), kind)], kind)


def _taken_up(s: State, orders: list[Action], kind: str) -> list[Action]:
    """With a group in hand: orders for that group go on, those for another one put it down first."""
    if kind != "orders" or orders[0].verb != "get":
        return orders
    if orders[0].args != s.stack[-1].about(s).units:
        return [HALT, *orders]
    return orders[1:] or orders


def _single(s: State, words: list[str], kind: str) -> Action:
    first = words[0].lower()
    if kind in ("depot", "orders") and len(words) == 1 and first in "123456" and len(first) == 1:
        return act("step", int(first))
    if kind == "orders" and first == "r" and words[1:] == ["6"]:
        return act("artillery")
    verb = MENU_KEYS.get(kind, {}).get(first, first)
    kinds = VERBS.get(verb)
    if first in LINES and (kinds is None or words[1:]):
        raise NotationError(f"the whole order is written {LINES[first]}, not {' '.join(words)!r:.40}")
    if kinds is None:
        raise NotationError(f"{words[0]!r:.40} is no order; known: {', '.join(sorted({*VERBS, *LINES}))}")
    if len(words) - 1 != len(kinds):
        needs = " ".join(kind.upper() for kind in kinds) or "nothing"
        raise NotationError(f"after {verb!r} comes {needs}, not {' '.join(words[1:])!r:.40}")
    if verb == "plot":
        return act("plot", plot.read(words[1]))
    return act(verb, *(_argument(s.rules, kind, word) for kind, word in zip(kinds, words[1:], strict=True)))


def _argument(rules: Ruleset, kind: str, word: str) -> int:
    if kind == "unit":
        return read_group(word)
    return read_hex(rules, word) if kind == "hex" else _whole(word)


# ---------------------------------------------------------------------- whole orders


def _numbers(text: str) -> list[int]:
    """List numbers from the highest down, so that the others keep theirs while the list shrinks."""
    return sorted({_whole(word) for word in re.split(r"[,+ ]+", text.strip())}, reverse=True)


def _sent(found: re.Match[str]) -> list[Action]:
    units = _numbers(found["units"]) if found["units"] else []
    guns = [act("guns", _whole(found["guns"]))] if found["guns"] else []
    return [*(act("send", n) for n in units), *guns, HALT]


def _transfer(s: State, found: re.Match[str]) -> list[Action]:
    return [act("transfer", read_group(found["a"]), read_group(found["b"])), *_sent(found)]


def _divide(s: State, found: re.Match[str]) -> list[Action]:
    return [act("divide", read_group(found["a"])), act("form", _form(found["form"])), *_sent(found)]


def _form(text: str) -> int:
    if text.lower() not in FORM_NUMBERS:
        raise NotationError(f"{text!r:.20} is no type of group; write mech or inf")
    return FORM_NUMBERS[text.lower()]


def _aircraft(s: State, found: re.Match[str]) -> list[Action]:
    target, points = read_group(found["b"]), act("points", _whole(found["points"]))
    if found["a"].upper() == "R":
        return [act("reinforce", target), points]
    return [act("aircraft", read_group(found["a"]), target), points]


def _build(s: State, found: re.Match[str]) -> list[Action]:
    orders = [act("build", read_hex(s.rules, found["city"])), act("form", _form(found["form"]))]
    menu = {name.lower(): n for n, name in enumerate(s.rules.recruiting.menus[s.side], start=1)}
    for part in found["units"].split(","):
        name, _, points = part.strip().rpartition(" ")
        if not name:
            raise NotationError(
                f"after the kind of group come units with their points, as in 'RIFLE 90', not {part!r:.40}"
            )
        if name.lower() not in menu:
            raise NotationError(f"{name!r:.20} is not built by this side; it builds {', '.join(menu)}", "4.9")
        orders += [act("type", menu[name.lower()]), act("strength", _whole(points))]
    return [*orders, HALT]


def _factory(s: State, found: re.Match[str]) -> list[Action]:
    number = FACTORY_NUMBERS.get(found["works"].lower())
    if number is None:
        raise NotationError(
            f"{found['works']!r:.20} is no factory; write industry, vehicle, artillery or aircraft", "4.8"
        )
    return [act("factory", read_hex(s.rules, found["city"])), act("works", number)]


def _naval(s: State, found: re.Match[str]) -> list[Action]:
    return [act("naval", read_group(found["a"]), read_group(found["b"])), act("send", _whole(found["unit"]))]


def _move(s: State, found: re.Match[str]) -> list[Action]:
    steps = [act("step", int(d)) for d in found["way"].replace(" ", "")]
    return [act("get", read_group(found["a"])), *steps, HALT]


def _plot(s: State, found: re.Match[str]) -> list[Action]:
    return [act("get", read_group(found["a"])), act("plot", plot.read(found["plot"])), HALT]


def _rail(s: State, found: re.Match[str]) -> list[Action]:
    return [act("get", read_group(found["a"])), act("railmove", read_hex(s.rules, found["hex"]))]


def _strike(s: State, found: re.Match[str]) -> list[Action]:
    verb = found["manner"].lower()
    return [act("get", read_group(found["a"])), act(verb, read_hex(s.rules, found["hex"])), HALT]


def _replace(s: State, found: re.Match[str]) -> list[Action]:
    return [
        act("get", read_group(found["a"])), act("replace", _whole(found["unit"]), _whole(found["points"])), HALT,
    ]  # fmt: skip


def _artillery(s: State, found: re.Match[str]) -> list[Action]:
    return [act("get", read_group(found["a"])), act("artillery"), HALT]


def _supply(s: State, found: re.Match[str]) -> list[Action]:
    return [act("depot", read_hex(s.rules, found["hex"])), act("supply")]


def _auto(s: State, found: re.Match[str]) -> list[Action]:
    what = found["what"].lower()
    top = s.stack[-1] if s.stack else None
    if what == "supply" and isinstance(top, supply.Depot):
        orders = supply.supply_orders(s)
    elif what != "supply" and isinstance(top, movement.Movement):
        give = auto_orders.all_orders if what == "all" else auto_orders.replacement_orders
        orders = give(s, top.side)
    else:
        raise NotationError(f"the staff does that in the {'supply' if what == 'supply' else 'movement'} phase")
    return orders or [act(f"auto_{what}")]


def _pattern(text: str) -> re.Pattern[str]:
    """A pattern in which ``{name}`` stands for a word."""
    return re.compile(re.sub(r"{(\w+)}", r"(?P<\1>[^\\s:]+)", text), re.I)


SENT = r":\s*(?=\S)(?P<units>\d[\d ,+]*?)?(?:\s*\bguns\s+(?P<guns>\d+))?"
WHOLE_ORDERS: tuple[tuple[re.Pattern[str], Callable[[State, re.Match[str]], list[Action]]], ...] = (
    (_pattern(r"transfer {a} {b}" + SENT), _transfer),
    (_pattern(r"divide {a} {form}" + SENT), _divide),
    (_pattern(r"aircraft {a} {b} {points}"), _aircraft),
    (_pattern(r"build {city} {form} (?P<units>.+)"), _build),
    (_pattern(r"factory {city} {works}"), _factory),
    (_pattern(r"naval {a} {b}:\s*{unit}"), _naval),
    (_pattern(r"move {a} (?P<way>[1-6](?: ?[1-6])*)"), _move),
    (_pattern(r"plot {a} {plot}"), _plot),
    (_pattern(r"rail {a} {hex}"), _rail),
    (_pattern(r"strike {a} {hex} (?P<manner>bomb|ground)"), _strike),
    (_pattern(r"replace {a} {unit} {points}"), _replace),
    (_pattern(r"artillery {a}"), _artillery),
    (_pattern(r"supply {hex}"), _supply),
    (_pattern(r"auto[ _](?P<what>supply|replace|all)"), _auto),
)


def format_action(rules: Ruleset, action: Action) -> str:
    """The notation of an action."""
    if action.verb == "plot":
        return f"plot {plot.text(action.args[0])}"
    words = [action.verb]
    for kind, number in zip(VERBS[action.verb], action.args, strict=True):
        words.append(rules.grid.names[number] if kind == "hex" else str(number))
    return " ".join(words)
