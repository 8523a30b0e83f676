"""Two who play The Russian Portfolio by letters, and two who play War in Russia."""

from __future__ import annotations

import random

import pytest

from rasputitsa.mail.desk import Desk
from tests.mail.pair import decide, play, sealed_at_once, seated


@pytest.fixture
def board_game() -> list[Desk]:
    """Some letters into a game; the next is the first person's, and its orders are given."""
    desks = seated("portfolio", "june22")
    chooser = random.Random(5)
    play(desks, chooser, 6)
    while desks[0].match.due != 0:
        play(desks, chooser, 1)
    decide(desks[0], chooser)
    return desks


@pytest.fixture
def secret_game() -> list[Desk]:
    """The Axis has written its first orders under seal, and the Soviets have read that."""
    desks = seated("wir", "kursk_south")
    desks[1].read(sealed_at_once(desks[0]))
    return desks
