"""Positions with accepted answers: the sets, how answers are judged, and a part of them played."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from rasputitsa.ai.contests.positions import Accept, Problem, holds, laid, problems, read, solve
from rasputitsa.ai.players import WorkClock
from rasputitsa.cli.main import main
from rasputitsa.core.errors import SetupError
from rasputitsa.hexes.grid import members
from rasputitsa.portfolio.rules.logistics import supply
from rasputitsa.portfolio.rules.movement.reach import moving_stack, reach
from tests.support import GAME

SET = problems("portfolio")
NAMES = [problem.id for problem in SET]
THOUGHT = 8.0
"""Seconds of a clock that counts looks: enough for a few units, and the same on every machine."""
PLAYED = ("Garrisons", "Take what stands open", "Stand or withdraw", "Play for the goal")
HEAD = 'theme = "t"\n[[positions]]\nid = "x"\ntitle = "t"\nreason = "r"\nseat = "axis"\n'


def problem(name: str) -> Problem:
    return next(p for p in SET if p.id == name)


def test_there_are_fifty_with_names_of_their_own() -> None:
    assert len(SET) >= 50
    assert len(set(NAMES)) == len(NAMES)
    assert problems("duel") == []


@pytest.mark.parametrize("name", NAMES)
def test_a_position_asks_its_seat_and_can_be_solved(name: str) -> None:
    """Some unit reaches each hex that is to be held, and no answer about supply is given by doing nothing."""
    found = problem(name)
    state = laid(GAME, found)
    cut = {state.rules.units[u].id for side in (0, 1) for u in members(supply.unsupplied_units(state, side))}
    own = members(state.units_in(state.occ[state.side]))
    for accept in found.accept:
        assert not accept.cut or not cut.issuperset(accept.cut)
        for hex_ in accept.held:
            goal = 1 << state.rules.grid.index(hex_)
            assert any((reach(state, moving_stack(state, (u,), 0, 0)).plain | 1 << state.pos[u]) & goal for u in own)


@pytest.mark.parametrize("name", [p.id for p in SET if p.theme in PLAYED])
def test_the_planner_is_right(name: str) -> None:
    solution = solve(GAME, problem(name), "planner", WorkClock(THOUGHT))
    assert solution.right, solution.answers


def accept(**conditions: Any) -> Accept:
    return Accept(**{"at": {}, "away": {}, **conditions})


@pytest.mark.parametrize(
    ("conditions", "right"),
    [
        ({"held": ("Q1",)}, True),
        ({"held": ("Q1", "Q2")}, False),
        ({"held": ("P4",)}, False),  # an enemy stands there
        ({"empty": ("P4", "Q2")}, True),
        ({"empty": ("Q1",)}, False),
        ({"at": {"59Inf": ("Q1", "Q2")}}, True),
        ({"at": {"59Inf": ("Q2",)}}, False),
        ({"away": {"59Inf": ("Q2",)}}, True),
        ({"away": {"59Inf": ("Q1",)}}, False),
        ({"acts": ("move *", "to Q1")}, True),
        ({"acts": ("attack *",)}, False),
        ({"never": ("attack *",)}, True),
        ({"never": ("to *",)}, False),
        ({"fed": ("59Inf",)}, True),
        ({"fed": ("20Inf",)}, False),
        ({"cut": ("20Inf",)}, True),
        ({"cut": ("59Inf",)}, False),
        ({"held": ("Q1",), "acts": ("attack *",)}, False),
    ],
)
def test_an_answer_is_right_when_all_its_conditions_hold(conditions: Mapping[str, Any], right: bool) -> None:
    units = {"59Inf": "Q1", "6CosK": "P4", "20Inf": "X19"}
    state = GAME.load_position({"empty": "gone", "turn": 3, "phase": "movement", "side": "axis", "units": units})
    assert holds(GAME, state, "axis", accept(**conditions), ["move 59Inf", "to Q1"]) is right


def test_without_a_kind_to_wait_for_one_answer_is_given() -> None:
    assert len(solve(GAME, problem("bucharest_holds"), "greedy", WorkClock(1)).answers) == 1


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("positions = [", "Invalid"),
        ("theme = 'x'\nwrong = 1\n", "wrong"),
        (HEAD, "accepted answer"),
        (HEAD.replace('reason = "r"\n', "") + "[[positions.accept]]\nheld = ['Q1']\n", "reason"),
        (HEAD + "[[positions.accept]]\nhold = ['Q1']\n", "hold"),
        (HEAD + "[[positions.accept]]\nheld = 'Q1'\n", "held"),
    ],
)
def test_a_file_that_is_no_set_is_refused_in_words(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "set.toml"
    path.write_text(text)
    with pytest.raises(SetupError, match=told):
        read(path)


def test_a_position_in_which_somebody_else_is_asked_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "set.toml"
    path.write_text(
        HEAD + '[positions.position]\nphase = "movement"\nside = "soviet"\n[[positions.accept]]\nheld = ["Q1"]\n'
    )
    with pytest.raises(SetupError, match="axis is not asked"):
        laid(GAME, read(path)[0])


def command(monkeypatch: pytest.MonkeyPatch, *args: object) -> int:
    """Run ``rasputitsa positions`` in this process; its exit code."""
    monkeypatch.setattr(sys, "argv", ["rasputitsa", "positions", *map(str, args)])
    with pytest.raises(SystemExit) as left:
        main()
    return left.value.code if isinstance(left.value.code, int) else 0


def test_the_command_prints_a_table(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    line = ("portfolio", "-p", "random", "-p", "planner", "--only", "bucharest_holds", "-n", 2, "--answers")
    assert command(monkeypatch, *line) == 0
    told = capsys.readouterr().out
    assert re.search(r"bucharest_holds: Hopeless odds at Bucharest +\d of 2 +2 of 2", told)
    assert "planner, bucharest_holds, seed 2, right: stand" in told
    assert command(monkeypatch, "--only", "bucharest_rider", "-p", "steady", "--strict", "-n", 3) == 1


def test_what_does_not_exist_is_refused(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    for line, told in (
        (("portfolio", "--only", "nowhere"), "no such positions"),
        (("wir", "--only", "nowhere"), "no such positions"),
        (("chess",), "no game 'chess'"),
        (("-p", "napoleon"), "no computer player 'napoleon'"),
        (("--clock", "sun"), "no clock 'sun'"),
    ):
        assert command(monkeypatch, *line) == 1
        assert told in capsys.readouterr().err


def test_a_program_whose_time_would_never_run_out_is_not_asked(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command(monkeypatch, "-p", "external:no-such-program", "--only", "bucharest_holds") == 1
    assert "choose the clock wall" in capsys.readouterr().err
    command(monkeypatch, "-p", "external:no-such-program", "--only", "bucharest_holds", "--clock", "wall")
    assert "cannot be started" in capsys.readouterr().err
