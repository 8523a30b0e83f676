"""The examples in the docstrings are true, and ``import rasputitsa`` offers what they show."""

from __future__ import annotations

import doctest
import subprocess
import sys
from importlib import import_module

import pytest

import rasputitsa

EXAMPLES = (
    "rasputitsa", "rasputitsa.ai.match", "rasputitsa.core.actions", "rasputitsa.core.dice", "rasputitsa.core.game",
    "rasputitsa.core.record.session", "rasputitsa.core.registry",
)  # fmt: skip
WEB = ("fastapi", "starlette", "uvicorn", "sqlalchemy", "typer", "rich", "rasputitsa.server", "rasputitsa.cli")


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_in_docstrings_are_true(name: str) -> None:
    found = doctest.testmod(import_module(name), optionflags=doctest.FAIL_FAST | doctest.ELLIPSIS)
    assert found.attempted > 0
    assert found.failed == 0


def test_all_that_is_offered_is_there() -> None:
    assert all(getattr(rasputitsa, name) is not None for name in rasputitsa.__all__)
    assert set(rasputitsa.__all__) <= set(dir(rasputitsa))
    with pytest.raises(AttributeError, match="no attribute 'tanks'"):
        _ = rasputitsa.tanks


def test_a_match_against_the_computer_loads_nothing_of_the_server() -> None:
    program = (
        "import rasputitsa, sys\n"
        "early = [name for name in sys.modules if name.startswith('rasputitsa.')]\n"
        "match = rasputitsa.new_match('portfolio', seed=1)\n"
        "rasputitsa.ComputerPlayer(match, 'random').play()\n"
        f"print(early, [name for name in {WEB!r} if name in sys.modules])"
    )
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert told.stdout.split("\n")[0] == "[] []"


def test_a_computer_player_plays_a_match_out() -> None:
    match = rasputitsa.new_match("portfolio", "june22", seed=3)
    computer = rasputitsa.ComputerPlayer(match, "random", seed=3)
    while rasputitsa.legal_actions(match):
        computer.play()
    assert match.game.outcome(match.state) is not None
    with pytest.raises(rasputitsa.IllegalAction, match="over"):
        computer.play()


def test_an_unknown_computer_player_is_refused_at_once() -> None:
    match = rasputitsa.new_match("wir", "zitadelle", seed=3)
    with pytest.raises(rasputitsa.RasputitsaError, match="napoleon"):
        rasputitsa.ComputerPlayer(match, "napoleon")
