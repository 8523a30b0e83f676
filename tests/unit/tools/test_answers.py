"""What a function answers is what the list of shapes, and so the OpenAPI document, says of its kind of question."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from rasputitsa.core.shapes import Shapes
from rasputitsa.wir.api import queries as wir_queries
from rasputitsa.wir.api.shapes import SHAPES as WIR

GAMES = {"wir": (wir_queries.KINDS, wir_queries._why, WIR)}
COMPLETED = {"PlainOdds": "Odds"}
"""Answers that are completed by estimates of what is hidden before they are given."""


@pytest.mark.parametrize("game", GAMES)
def test_an_answer_has_the_shape_of_its_kind(game: str) -> None:
    asked: tuple[Mapping[str, Callable[..., Any]], Callable[..., Any], Shapes] = GAMES[game]
    kinds, why, shapes = asked
    returned = {kind: str(answer.__annotations__["return"]) for kind, answer in {**kinds, "why": why}.items()}
    described = {kind: getattr(shape, "__name__", "") for kind, shape in shapes.answers.items()}
    described["forecast"] = str(shapes.answers["forecast"])
    assert {kind: COMPLETED.get(name, name) for kind, name in returned.items()} == described
