"""Players of War in Russia with edited data: their orders are legal by the edited figures."""

from __future__ import annotations

from pathlib import Path

from rasputitsa.ai.memory import MemoryTracker
from rasputitsa.ai.players import TimedClock, player
from rasputitsa.ai.wir.evaluation.opponent_model import OpponentModel
from rasputitsa.ai.wir.evaluation.situation import Situation
from rasputitsa.ai.wir.planning.production import Production
from rasputitsa.ai.wir.players.planner import PhasePlayer
from rasputitsa.core.dice import SeededDice
from rasputitsa.wir.api.game import WirGame
from rasputitsa.wir.model.data_folder import DATA
from rasputitsa.wir.model.tables import AIR, KIND, groups_of
from rasputitsa.wir.model.theatre import AXIS, SOVIET
from tests.support import AMPLE

LIMITS = (
    ("radius = 2\n", "radius = 1\n"), ("stack = 2\n", "stack = 3\n"), ("per_group = 6\n", "per_group = 4\n"),
    ("aircraft_per_group = 255", "aircraft_per_group = 60"), ("least = 10\nstep = 10\n", "least = 40\nstep = 20\n"),
    ("most = 5\nunsupplied_most = 3\n", "most = 2\nunsupplied_most = 2\n"),
    ("most_fatigue = 95\n", "most_fatigue = 90\n"),
    ("pool = { infantry = 2550, vehicle = 2550", "pool = { infantry = 400, vehicle = 300"),
)  # fmt: skip


def edited(folder: Path) -> WirGame:
    text = (DATA / "tables.toml").read_text(encoding="utf-8")
    for old, new in LIMITS:
        assert text.count(old) == 1
        text = text.replace(old, new)
    (folder / "tables.toml").write_text(text, encoding="utf-8")
    return WirGame(folder)


def test_planners_play_weeks_by_edited_limits(tmp_path: Path) -> None:
    game = edited(tmp_path)
    s, dice = game.setup("case_blue", {}), SeededDice(3)
    minds = {side: player("planner", game, {}, n) for n, side in enumerate(("axis", "soviet"))}
    onlookers = MemoryTracker(game, {}, s)
    onlookers.introduce(minds)
    replaced: list[int] = []
    while s.turn < 3:
        decision = game.decision(s)
        assert decision is not None
        action = minds[decision.seat].choose(game.view_of(s, decision.seat), decision, TimedClock(AMPLE))
        assert action in decision.options
        if action.verb == "replace":
            replaced.append(action.args[1])
        onlookers.apply(s, action, dice)
    assert 40 in replaced, "a unit lacks 50, which is no number of whole steps"
    for mind in minds.values():
        assert isinstance(mind, PhasePlayer)
        assert mind.failures == mind.upset == []


def test_nobody_is_imagined_beyond_edited_limits(tmp_path: Path) -> None:
    game = edited(tmp_path)
    view, model = game.view_of(game.setup("case_blue", {}), "axis"), OpponentModel(AXIS)
    model.start(view)
    for guess in model.guesses.values():
        guess.entrenchment, guess.fatigue = 5.0, 95.0
    seen = model.imagine(view)
    groups = [group for group in groups_of(SOVIET) if seen.group_units[group] and KIND[group] != AIR]
    assert groups
    for group in groups:
        assert seen.entrench[group] <= 2
        assert all(seen.fatigue[unit] <= 90 for unit in seen.group_units[group])


def test_the_soviets_spare_the_vehicles_that_make_depots_better(tmp_path: Path) -> None:
    text = (DATA / "tables.toml").read_text(encoding="utf-8")
    spare = []
    for needed in (1000, 600):
        folder = tmp_path / str(needed)
        folder.mkdir()
        edited = text.replace("vehicles_per_bonus = 1000\n", f"vehicles_per_bonus = {needed}\n")
        (folder / "tables.toml").write_text(edited, encoding="utf-8")
        s = WirGame(folder).setup("barbarossa", {})
        spare.append(Production(s, SOVIET, Situation(s, SOVIET))._spare()[1])
    assert spare[1] - spare[0] == 400
