"""What is kept of rulesets has an end: there are more sets of options than memory."""

from __future__ import annotations

import functools
import inspect
import sys
from typing import Any

import pytest

from rasputitsa.core.caching import cached, cached_up_to
from rasputitsa.core.record.new import new_session
from rasputitsa.core.registry import get_game


def caches(package: str) -> dict[str, Any]:
    """The functions of a game that remember their answers, by their names."""
    modules = [module for name, module in sorted(sys.modules.items()) if name.startswith(f"{package}.")]
    return {
        f"{module.__name__}.{name}": value
        for module in modules
        for name, value in vars(module).items()
        if hasattr(value, "cache_info") and value.__module__ == module.__name__
    }


@pytest.mark.parametrize("game_id", ["portfolio", "wir"])
def test_no_function_of_a_ruleset_keeps_without_end(game_id: str) -> None:
    game = get_game(game_id)
    session = new_session(game_id, game.scenarios()[0].id, seed=1)
    game.static(session.header.scenario)
    of_rules = {
        name: cache
        for name, cache in caches(f"rasputitsa.{game_id}").items()
        if list(inspect.signature(cache).parameters)[:1] in (["rules"], ["scenario_id"])
    }
    assert len(of_rules) > 4
    for name, cache in of_rules.items():
        assert cache.cache_info().maxsize is not None, name


def test_answers_are_kept_as_those_of_functools_are() -> None:
    """Nothing stands between a caller and what is kept: calls of such functions are the most frequent of all."""
    asked: list[tuple[int, int]] = []

    @cached
    def total(a: int, b: int = 0) -> int:
        asked.append((a, b))
        return a + b

    @cached_up_to(1)
    def last(a: int) -> int:
        asked.append((a, -1))
        return a

    assert [type(total), type(last)] == [type(functools.cache(len))] * 2  # noqa: TID251
    assert total(1, b=2) == total(1, b=2) == 3
    assert asked == [(1, 2)]
    assert [last(1), last(2), last(1)] == [1, 2, 1]
    assert asked[1:] == [(1, -1), (2, -1), (1, -1)]
