"""Two who play The Russian Portfolio by letters, and two who play War in Russia."""

from __future__ import annotations

import random

import pytest

from rasputitsa.mail.correspondent import Correspondent
from tests.mail.pair import decide, play, sealed_at_once, seated


@pytest.fixture
def board_game() -> list[Correspondent]:
    """Some letters into a game; the next is the first person's, and its orders are given."""
    correspondents = seated("portfolio", "june22")
    chooser = random.Random(5)
    play(correspondents, chooser, 6)
    while correspondents[0].match.due != 0:
        play(correspondents, chooser, 1)
    decide(correspondents[0], chooser)
    return correspondents


@pytest.fixture
def secret_game() -> list[Correspondent]:
    """The Axis has written its first orders under seal, and the Soviets have read that."""
    correspondents = seated("wir", "kursk_south")
    correspondents[1].read(sealed_at_once(correspondents[0]))
    return correspondents
