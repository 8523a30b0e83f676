"""Edited data: either the check says what is wrong with them, or a game can be begun and played with them."""

from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rasputitsa.core.dice import SeededDice
from rasputitsa.core.registry import game_with_data
from rasputitsa.portfolio.api import validate as portfolio
from rasputitsa.wir.api import validate as wir

VALUE = re.compile(r"""(?m)^\w+ = .*$|"[^"\n]*"|(?<![\w.-])-?\d+(?:\.\d+)?(?![\w.])|true|false|(?<=,)[^,"\n]*(?=,)""")
OTHERS = ("", "x", '"x"', "-1", "0", "1", "3", "255", "256", "99999", "2.5", "[]", "true", "A", "é", "0101")


@pytest.mark.parametrize(("game", "check"), [("portfolio", portfolio), ("wir", wir)])
@given(draw=st.data())
@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_data_that_pass_the_check_can_be_played(
    tmp_path_factory: pytest.TempPathFactory, game: str, check: ModuleType, draw: st.DataObject
) -> None:
    shipped: Path = check.DATA_DIR
    files = sorted(p for p in shipped.rglob("*.*") if p.parent.name not in ("lessons", "history"))
    name = draw.draw(st.sampled_from(files), "file").relative_to(shipped)
    text = (shipped / name).read_text(encoding="utf-8")
    found = draw.draw(st.sampled_from(list(VALUE.finditer(text))), "value")
    other = draw.draw(st.sampled_from(OTHERS), "instead")
    folder = tmp_path_factory.mktemp("edited")
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).write_text(text[: found.start()] + other + text[found.end() :], encoding="utf-8")
    problems = check.unsound(folder)
    assert all(p.file and p.line and p.message and p.hint for p in problems)
    if not problems:
        begin(game, folder)


def begin(game: str, folder: Path) -> None:
    rules = game_with_data(game, folder)
    for scenario in rules.scenarios():
        state, dice = rules.setup(scenario.id, {}), SeededDice(1)
        for _ in range(20):
            decision = rules.decision(state)
            assert decision is not None
            rules.apply(state, decision.options[-1], dice)
        rules.observe(state, None)
