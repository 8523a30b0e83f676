"""What functions say to clients has a named shape: the one that the OpenAPI document describes for its kind."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from rasputitsa.core import queries
from rasputitsa.core.shapes import Shapes
from rasputitsa.portfolio.api import queries as portfolio_queries
from rasputitsa.portfolio.api.shapes import SHAPES as PORTFOLIO
from rasputitsa.wir.api import queries as wir_queries
from rasputitsa.wir.api.shapes import SHAPES as WIR

Asked = tuple[Mapping[str, Callable[..., Any]], Callable[..., Any], Shapes]
GAMES: Mapping[str, Asked] = {
    "portfolio": (portfolio_queries.KINDS, queries.why, PORTFOLIO),
    "wir": (wir_queries.KINDS, wir_queries._why, WIR),
}
COMPLETED = {"PlainOdds": "Odds"}
"""Answers that are completed by estimates of what is hidden before they are given."""
SOURCES = Path(__file__).parents[3] / "src" / "rasputitsa"
ROOMS = (
    "portfolio",
    "wir",
    "server",
    "ai/advice",
    "ai/wir/evaluation/attack_estimate.py",
    "ai/wir/evaluation/layer_estimates.py",
)
UNNAMED = re.compile(r"\b(dict|Mapping)\[str, (Any|object)\]")
FREE = {
    "portfolio/api/game.py: dump_position",
    "portfolio/api/game.py: freeze",
    "portfolio/api/game.py: lesson",
    "portfolio/api/game.py: query",
    "portfolio/api/position.py: dump",
    "portfolio/api/queries.py: answer",
    "portfolio/model/charts.py: charts",
    "portfolio/model/ruleset.py: scenario",
    "portfolio/rules/combat/announcement.py: extra",
    "portfolio/rules/combat/breakthrough.py: extra",
    "portfolio/rules/logistics/siberia.py: instalments",
    "portfolio/rules/turn/goal.py: dump",
    "server/letters/board.py: query",
    "server/matches/memories.py: notes_of",
    "server/matches/open_match.py: query",
    "server/matches/rebuilding.py: _last",
    "server/matches/screens.py: _shown",
    "server/matches/view_defaults.py: _whole",
    "server/matches/views.py: asked_of",
    "server/routes/letters.py: query",
    "server/routes/live.py: _said",
    "server/routes/matches.py: query",
    "server/routes/matches.py: query_args",
    "server/routes/matches.py: work",
    "server/shapes/document.py: document",
    "server/shapes/document.py: event_schemas",
    "server/shapes/document.py: game_schemas",
    "server/store/store.py: analysis",
    "server/store/summaries.py: _table",
    "wir/api/checks/sheet.py: _asked_of",
    "wir/api/game.py: dump_position",
    "wir/api/game.py: freeze",
    "wir/api/game.py: lesson",
    "wir/api/game.py: query",
    "wir/api/position.py: _group",
    "wir/api/position.py: dump",
    "wir/api/queries.py: answer",
    "wir/model/figures.py: combat_sheet",
    "wir/model/ruleset.py: scenario",
    "wir/model/tables.py: sheet",
    "wir/rules/turn/goal.py: dump",
}
"""Functions whose tables have no one shape: they read files or requests, or make stored forms or the document, or
answer any kind of question."""


@pytest.mark.parametrize("game", GAMES)
def test_an_answer_has_the_shape_of_its_kind(game: str) -> None:
    kinds, why, shapes = GAMES[game]
    returned = {kind: str(answer.__annotations__["return"]) for kind, answer in {**kinds, "why": why}.items()}
    described = {
        kind: shape.__name__ if isinstance(shape, type) and shape.__module__ != "builtins" else str(shape)
        for kind, shape in shapes.answers.items()
    }
    assert {kind: COMPLETED.get(name, name) for kind, name in returned.items()} == described


def unnamed(source: str) -> Iterator[str]:
    """The functions of a module that return a table, or a list of tables, of any shape."""
    for node in ast.walk(ast.parse(source)):
        if (
            isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
            and node.returns
            and UNNAMED.search(ast.unparse(node.returns))
        ):
            yield node.name


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("def _zoc(s: State) -> dict[str, Any]: ...", ["_zoc"]),
        ("class A:\n    def rows(self) -> list[dict[str, Any]]: ...", ["rows"]),
        ("def _depot(s: State) -> dict[str, Any] | None: ...", ["_depot"]),
        ("def _zoc(table: dict[str, Any]) -> Hexes: ...", []),
        ("def answer(s: State) -> Mapping[str, object]: ...", ["answer"]),
        ("async def look(room: Room) -> dict[str, Any]: ...", ["look"]),
        ("def sit() -> Sat:\n    def work(match: Match) -> dict[str, Any]: ...", ["work"]),
        ("def forecast(s: State) -> dict[str, int]: ...", []),
    ],
)
def test_a_table_of_any_shape_would_be_found(source: str, found: list[str]) -> None:
    assert list(unnamed(source)) == found


def test_whatever_is_said_to_clients_has_a_named_shape() -> None:
    rooms = [SOURCES / room for room in ROOMS]
    modules = [module for room in rooms for module in ([room] if room.suffix else sorted(room.rglob("*.py")))]
    found = {
        f"{module.relative_to(SOURCES).as_posix()}: {name}"
        for module in modules
        for name in unnamed(module.read_text(encoding="utf-8"))
    }
    assert len(modules) > len(ROOMS)
    assert found == FREE
