"""Signatures say what a whole number stands for: a hex, a unit, a group, a side, or a set of them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[3] / "src" / "rasputitsa"
GAMES = ("portfolio", "wir", "ai/portfolio", "ai/wir", "envs/sheets")
NAMED = re.compile(r"^(?:\w+_)?(?:hex|unit|group|side|bits|here|there|depot|target|subject)_?$|^(?:units|groups)$")
"""A parameter of such a name is one of the types of ``model/indices.py``."""
KEYED = re.compile(r"\b(?:set|frozenset)\[int\]|\bdict\[int, ")
"""Sets and tables of whole numbers, as parameters and as names with an annotation."""
SETS = re.compile(r"\b(?:list|set|frozenset|Iterable|Sequence|Iterator)\[int\]|\bdict\[int, ")
"""What a function returns of whole numbers, many at a time: of what, its signature says."""
NUMBERS = {
    "ai/wir/evaluation/situation.py: _city_distances -> tuple[tuple[CityNumber, list[int]], ...]": "distances, by city",
    "ai/wir/evaluation/situation.py: distances -> list[int]": "distances",
    "ai/wir/planning/assignment.py: assign -> list[int]": "columns",
    "ai/wir/planning/assignment.py: _assign -> list[int]": "columns",
    "ai/wir/planning/line.py: _way -> list[int]": "distances",
    "ai/wir/planning/rear.py: raid_steps -> list[int]": "distances",
    "ai/portfolio/evaluation/static_knowledge.py: field -> list[int]": "distances",
    "ai/portfolio/evaluation/static_knowledge.py: spread_field -> list[int]": "distances",
    "ai/portfolio/planning/deployment.py: border_field -> list[int]": "distances",
    "ai/portfolio/search/racing.py: drawn -> Sequence[int]": "numbers of worlds",
    "portfolio/rules/combat/announcement.py: culprits -> list[int]": "numbers of attacks",
    "portfolio/rules/combat/odds.py: helped_by -> list[int]": "places in a list",
    "ai/portfolio/evaluation/danger.py: self.starts: dict[int, HexBits]": "distances",
    "ai/portfolio/players/greedy.py: self._tried: set[int]": "units and hexes, as options name them",
    "ai/portfolio/players/greedy.py: __init__(tried: set[int])": "the same",
    "ai/portfolio/search/racing.py: values: dict[int, float]": "numbers of worlds",
    "envs/sheets/sheet.py: bits_of(numbers: set[int])": "hexes, units or groups",
    "envs/sheets/sheet.py: bits_of -> int": "hexes, units or groups",
    "wir/rules/adjustment/naval.py: _used_bit -> int": "sides and seas",
    "portfolio/api/chart_shapes.py: arrivals_per_hex: int": "how many",
    "portfolio/model/ruleset.py: above_corps: int": "how many",
    "portfolio/model/ruleset.py: front: int": "how many",
    "portfolio/model/ruleset.py: units: int": "how many",
    "portfolio/rules/combat/odds.py: swamp: int": "columns",
    "wir/rules/supply/supply.py: penalty: int": "hexes that a depot has entered off the line",
    "portfolio/model/ruleset.py: self.crt: dict[int, list[str]]": "faces of the die",
    "wir/api/notation.py: _numbers -> list[int]": "whatever was typed",
    "wir/model/ruleset.py: _by_year -> dict[int, tuple[int, ...]]": "figures by year",
    "wir/model/theatre.py: self.of_base: dict[int, HexBits]": "numbers of bases",
    "wir/model/theatre.py: self._within: dict[int, list[HexBits]]": "distances",
    "wir/rules/adjustment/adjust.py: free_forms -> list[int]": "menu numbers",
    "wir/rules/adjustment/adjust.py: _sendable -> list[int]": "places in a list",
    "wir/rules/adjustment/adjust.py: _portions -> list[int]": "points",
    "wir/rules/adjustment/build.py: FORMS: Final[dict[int, int]]": "menu numbers, and kinds of groups",
    "wir/rules/adjustment/naval.py: _passengers -> list[int]": "places in a list",
    "wir/rules/adjustment/recruits.py: menu -> list[int]": "menu numbers",
    "wir/rules/movement/strategic_move.py: directions -> list[int]": "directions, 1 to 6",
    "wir/rules/movement/strategic_move.py: directions_of -> list[int]": "directions, 1 to 6",
}
"""Numbers that are neither hexes nor units, groups, sides or sets of them, or not always, and what they are."""


def sets(module: ast.Module) -> set[str]:
    """Names of attributes that a module reads bit by bit: ``reach.plain >> hex_ & 1``, ``~battle.handled``."""
    found = set()
    for node in ast.walk(module):
        match node:
            case ast.BinOp(ast.BinOp(ast.Attribute() as one, ast.RShift()), ast.BitAnd(), ast.Constant(1)):
                found.add(one.attr)
            case ast.UnaryOp(ast.Invert(), ast.Attribute() as one):
                found.add(one.attr)
    return found


def made_of_bits(function: ast.FunctionDef) -> bool:
    """Whether a function returns what it has put together with ``|`` or ``<<``."""
    grown = {
        ast.unparse(node.target)
        for node in ast.walk(function)
        if isinstance(node, ast.AugAssign) and isinstance(node.op, ast.BitOr)
    }
    values = [node.value for node in ast.walk(function) if isinstance(node, ast.Return) and node.value]
    return any(
        ast.unparse(value) in grown
        or (isinstance(value, ast.BinOp) and isinstance(value.op, (ast.BitAnd, ast.BitOr, ast.LShift)))
        for value in values
    )


def plain(module: ast.Module, tested: set[str]) -> Iterator[str]:
    """Fields and returns that say no more than ``int`` though they are sets, or bear the name of a hex, a unit ...

    ``tested``: names of attributes that are used as sets somewhere in the game.
    """
    named = {
        node.arg
        for node in ast.walk(module)
        if isinstance(node, ast.arg) and node.annotation and ast.unparse(node.annotation).endswith("Bits")
    }
    for node in ast.walk(module):
        match node:
            case ast.AnnAssign(ast.Name(name) | ast.Attribute(attr=name), ast.Name("int")):
                if name in tested or (NAMED.match(name) and not name.endswith("s")):
                    yield f"{name}: int"
            case ast.FunctionDef(name=name, returns=ast.Name("int")) if made_of_bits(node):
                yield f"{name} -> int"
            case ast.arg(name, ast.Name("int")) if name in named:
                yield f"{name}: int"


def unnamed(module: ast.Module) -> Iterator[str]:
    """The annotations of a module that say ``int`` for a hex, a unit, a group, a side, or a set of them."""
    for node in ast.walk(module):
        if isinstance(node, ast.AnnAssign) and KEYED.search(said := ast.unparse(node.annotation)):
            yield f"{ast.unparse(node.target)}: {said}"
        if not isinstance(node, ast.FunctionDef):
            continue
        for argument in [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]:
            said = ast.unparse(argument.annotation) if argument.annotation else ""
            if (NAMED.match(argument.arg) and re.search(r"\bint\b", said)) or KEYED.search(said):
                yield f"{node.name}({argument.arg}: {said})"
        said = ast.unparse(node.returns) if node.returns else ""
        if SETS.search(said) or (node.name == "seat" and said == "int"):
            yield f"{node.name} -> {said}"


def test_signatures_name_what_their_numbers_stand_for() -> None:
    found = set()
    paths = sorted(path for game in GAMES for path in (SOURCE / game).rglob("*.py"))
    modules = {path.relative_to(SOURCE).as_posix(): ast.parse(path.read_text(encoding="utf-8")) for path in paths}
    tested = {
        game: set[str]().union(*(sets(module) for place, module in modules.items() if game in place.split("/")[:2]))
        for game in ("portfolio", "wir")
    }
    for place, module in modules.items():
        attributes = next(
            (tested[game] for game in tested if place.startswith((f"{game}/model", f"{game}/rules"))), set()
        )
        found |= {f"{place}: {one}" for one in (*unnamed(module), *plain(module, attributes))}
    assert found == set(NUMBERS), "name the type, or the numbers in the list above"


def test_an_unnamed_number_is_found() -> None:
    module = ast.parse("def ways(hex_: int, many: int, free: set[int]) -> list[int]: ...\nfound: dict[int, str] = {}")
    assert set(unnamed(module)) == {
        "ways(hex_: int)",
        "ways(free: set[int])",
        "ways -> list[int]",
        "found: dict[int, str]",
    }


def test_a_plain_field_or_return_that_holds_a_set_is_found() -> None:
    module = ast.parse(
        "class Reach:\n    plain: int\n    many: int\n    here: int\n"
        "def likely(reach: Reach) -> int:\n    found = 0\n    found |= reach.plain >> 3 & 1\n    return found\n"
        "def count(may: int) -> int: return may + 1\ndef other(may: UnitBits) -> None: ..."
    )
    assert set(plain(module, sets(module))) == {"plain: int", "here: int", "likely -> int", "may: int"}
