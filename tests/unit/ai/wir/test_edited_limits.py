"""Players of War in Russia with edited data: their orders are legal by the edited figures."""

from __future__ import annotations

from pathlib import Path

from rasputitsa.ai.memory import MemoryTracker
from rasputitsa.ai.players import TimedClock, player
from rasputitsa.ai.wir.players.planner import PhasePlayer
from rasputitsa.core.dice import SeededDice
from rasputitsa.wir.api.game import WirGame
from rasputitsa.wir.model.data_folder import DATA
from tests.support import AMPLE

LIMITS = (
    ("radius = 2\n", "radius = 1\n"), ("stack = 2\n", "stack = 3\n"), ("per_group = 6\n", "per_group = 4\n"),
    ("aircraft_per_group = 255", "aircraft_per_group = 60"), ("least = 10\n", "least = 40\n"),
    ("pool = { infantry = 2550, vehicle = 2550", "pool = { infantry = 400, vehicle = 300"),
)  # fmt: skip


def test_planners_play_a_week_by_edited_limits(tmp_path: Path) -> None:
    text = (DATA / "tables.toml").read_text(encoding="utf-8")
    for old, new in LIMITS:
        assert text.count(old) == 1
        text = text.replace(old, new)
    (tmp_path / "tables.toml").write_text(text, encoding="utf-8")
    game = WirGame(tmp_path)
    s, dice = game.setup("case_blue", {}), SeededDice(3)
    minds = {side: player("planner", game, {}, n) for n, side in enumerate(("axis", "soviet"))}
    onlookers = MemoryTracker(game, {}, s)
    onlookers.introduce(minds)
    while s.turn < 2:
        decision = game.decision(s)
        assert decision is not None
        action = minds[decision.seat].choose(game.view_of(s, decision.seat), decision, TimedClock(AMPLE))
        assert action in decision.options
        onlookers.apply(s, action, dice)
    for mind in minds.values():
        assert isinstance(mind, PhasePlayer)
        assert mind.failures == mind.upset == []
