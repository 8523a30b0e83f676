"""The computer players of The Russian Portfolio."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from rasputitsa.ai.contests.contest import Job, play_contest
from rasputitsa.ai.players import TimedClock, player
from rasputitsa.ai.portfolio.evaluation.crt_expectation import Stakes
from rasputitsa.ai.portfolio.evaluation.targets import Arena
from rasputitsa.ai.portfolio.planning.assault import Assault
from rasputitsa.ai.portfolio.planning.battle import Fight
from rasputitsa.ai.portfolio.planning.default_policy import haven
from rasputitsa.ai.portfolio.planning.garrisons import garrison, guards
from rasputitsa.ai.portfolio.players.planner import PlannerPlayer
from rasputitsa.ai.portfolio.search.answers import withdrawals
from rasputitsa.core.actions import Action
from rasputitsa.core.dice import SeededDice
from rasputitsa.core.game import Decision
from rasputitsa.core.registry import get_game
from rasputitsa.hexes.grid import members
from rasputitsa.portfolio.api.game import PortfolioGame
from rasputitsa.portfolio.model.data_folder import DATA
from rasputitsa.portfolio.rules.combat.eligibility import attackable
from rasputitsa.portfolio.rules.combat.odds import odds
from tests.support import AMPLE


def play(name: str, seed: int, most: int) -> list[tuple[str, Action]]:
    """The first choices of a game in which one player holds every seat; each must be legal."""
    game = get_game("portfolio")
    state = game.setup("june22", {})
    minds = {seat.id: player(name, game, {}, seed + n) for n, seat in enumerate(game.seats({}))}
    dice = SeededDice(seed)
    chosen: list[tuple[str, Action]] = []
    while len(chosen) < most and (decision := game.decision(state)) is not None:
        action = minds[decision.seat].choose(game.view_of(state, decision.seat), decision, TimedClock(AMPLE))
        assert action in decision.options
        chosen.append((decision.kind, action))
        game.apply(state, action, dice)
    for mind in minds.values():
        assert getattr(mind, "failures", []) == []
    return chosen


@pytest.mark.parametrize("name", ["greedy", "planner"])
def test_every_choice_is_legal_and_nothing_fails(name: str) -> None:
    assert len(play(name, 3, 250)) == 250


def test_greedy_plays_a_whole_game() -> None:
    played = play_contest(Job("x", "portfolio", {"axis": "greedy", "soviet": "greedy"}, 5))
    assert (played.winner in ("axis", "soviet"), played.fault) == (True, "")


def test_the_same_seed_gives_the_same_game() -> None:
    assert play("greedy", 11, 400) == play("greedy", 11, 400)


def test_a_player_that_fails_still_answers_legally(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*args: Any) -> Action:
        raise RuntimeError("broken")

    game = get_game("portfolio")
    state = game.setup("june22", {})
    decision = game.decision(state)
    assert decision is not None
    mind = PlannerPlayer(game, {}, 1)
    monkeypatch.setattr(mind, "_choose", broken)
    assert mind.choose(state, decision, TimedClock(AMPLE)) in decision.options
    assert mind.failures


def test_the_view_of_the_soviets_hides_the_number_picked() -> None:
    game = get_game("portfolio")
    state = game.setup("june22", {})
    state.secret = 4
    assert game.view_of(state, "soviet").secret == 0
    assert game.view_of(state, "axis").secret == 4


def position(**table: Any) -> Any:
    return get_game("portfolio").load_position({"empty": True, "turn": 3, "phase": "movement", **table})


def test_an_open_bucharest_under_threat_gets_a_garrison() -> None:
    state = position(side="axis", units={"3RomA": "HH2", "9A": "HH5"})
    units, grid = state.rules.roster, state.rules.grid
    army, bucharest = units.find("3RomA"), grid.index("HH1")
    posted = garrison(state, 0, {army: 1 << bucharest | 1 << state.pos[army]}, 1 << units.find("9A"))
    assert posted == {army: bucharest}


@pytest.mark.parametrize(("hex_", "leaves"), [("GG1", True), ("HH1", False), ("GG2", False), ("Q1", False)])
def test_nobody_withdraws_from_where_the_game_or_the_fuel_would_be_lost(hex_: str, leaves: bool) -> None:
    """A weak corps that is as good as lost leaves a town, but not Bucharest, Ploesti or Warsaw."""
    around = {"GG1": "GG2 HH2 FF1 FF2", "HH1": "HH2 GG1 GG2 II2", "GG2": "HH3 GG3 FF2 HH2", "Q1": "Q2 R2 P2 P1"}[hex_]
    enemies = dict(zip(("9A", "10A", "4MK", "5A"), around.split(), strict=True))
    state = position(side="soviet", units={"RomMtn": hex_, **enemies})
    fight = Fight(state, Decision("axis", "axis", "window", "", "", []), 0)
    assert fight.doomed(state.rules.roster.find("RomMtn")) == leaves
    unit = state.rules.roster.find("RomMtn")
    assert bool(withdrawals(state, [Action("retreat", (unit,))])) == leaves


def test_an_open_ploesti_under_threat_gets_a_corps() -> None:
    state = position(side="axis", units={"RomMtn": "GG1", "9A": "GG5"})
    corps, ploesti = state.rules.roster.find("RomMtn"), state.rules.grid.index("GG2")
    hostile = 1 << state.rules.roster.find("9A")
    assert garrison(state, 0, {corps: 1 << ploesti | 1 << state.pos[corps]}, hostile) == {corps: ploesti}


def test_nobody_is_posted_where_no_enemy_can_come() -> None:
    state = position(side="axis", units={"3RomA": "HH2", "9A": "Q19"})
    units, grid = state.rules.roster, state.rules.grid
    army = units.find("3RomA")
    assert garrison(state, 0, {army: 1 << grid.index("HH1")}, 1 << units.find("9A")) == {}


def test_bucharest_gets_the_pair_that_can_hold_it_rather_than_the_two_cheapest_units() -> None:
    state = position(side="axis", units={"RomMtn": "HH2", "3RomA": "GG2", "6AOK": "GG3", "7Inf": "HH3",
                                         "9A": "HH4", "10A": "GG4", "4MK": "II4"})  # fmt: skip
    roster, bucharest = state.rules.roster, state.rules.grid.index("HH1")
    able = {roster.find(name): 1 << bucharest for name in ("RomMtn", "3RomA", "6AOK", "7Inf")}
    hostile = sum(1 << roster.find(name) for name in ("9A", "10A", "4MK"))
    posted = garrison(state, 0, able, hostile)
    assert {u for u, hex_ in posted.items() if hex_ == bucharest} == {roster.find("6AOK"), roster.find("7Inf")}


def test_a_corps_stays_near_warsaw_even_when_no_enemy_is_near() -> None:
    state = position(side="axis", units={"59Inf": "R1", "47Pz": "Q2", "24Pz": "Q1", "9A": "Q19"})
    roster, grid = state.rules.roster, state.rules.grid
    ready = {roster.find(name): grid.board for name in ("59Inf", "47Pz", "24Pz")}
    kept = guards(state, ready, 1 << roster.find("9A"))
    assert list(kept) == [roster.find("59Inf")]
    assert all(grid.distance(hex_, grid.index("Q1")) <= 3 for hex_ in members(kept[roster.find("59Inf")]))


def test_a_beaten_enemy_is_not_driven_towards_bucharest() -> None:
    state = position(side="axis", units={"6AOK": "DD7", "9A": "EE5"})
    fight = Fight(state, Decision("axis", "axis", "retreat", "", "", []), 0)
    army, grid = state.rules.roster.find("9A"), state.rules.grid
    assert fight.refuge(army, grid.index("GG4")) - haven(state, army, grid.index("GG4")) > 2.0
    assert fight.refuge(army, grid.index("DD20")) == haven(state, army, grid.index("DD20"))


def test_a_lone_enemy_is_attacked_from_two_sides() -> None:
    state = position(side="axis", units={"3Pz": "S10", "48Pz": "S10", "19A": "S12"})
    roster, grid = state.rules.roster, state.rules.grid
    target = grid.index("S12")
    panzers = [roster.find("3Pz"), roster.find("48Pz")]
    ring = grid.adjacent[target]
    search = Assault(
        Arena(state, 0, Stakes(), [0.5] * grid.size), dict.fromkeys(panzers, ring | 1 << grid.index("S10")),
        lambda unit, hex_: 0.0, lambda unit: 0.0, sum(1 << u for u in panzers), random.Random(1),
    )  # fmt: skip
    search.build()
    search.improve(500, lambda: True)
    team = search.striking[target]
    assert {unit for unit, _ in team} == set(panzers)
    assert len({hex_ for _, hex_ in team}) == 2


def test_a_soviet_may_end_the_game_when_asked() -> None:
    state = position(side="soviet", units={"3RomA": "HH2", "9A": "Q19"})
    decision = Decision("soviet", "soviet", "stop", "XVI.A", "", [Action("stop"), Action("continue")])
    mind = PlannerPlayer(get_game("portfolio"), {}, 1)
    assert mind.choose(state, decision, TimedClock(AMPLE)) == Action("stop")


@pytest.mark.parametrize(("reading", "need"), [("total", 14), ("others", 10)])
def test_the_planner_reads_the_armor_overrun_as_the_rules_do(reading: str, need: int) -> None:
    table = {
        "empty": True, "turn": 3, "phase": "attack", "side": "axis", "options": {"overrun": reading},
        "units": {"24Pz": "V23", "40Pz": "V23", "22A": "V24", "2TG": "V24"},
    }  # fmt: skip
    state = get_game("portfolio").load_position(table)
    grid = state.rules.grid
    arena = Arena(state, 0, Stakes(), [0.0] * grid.size)
    assert arena.targets[grid.index("V24")].overrun_need == need


def test_the_planner_shifts_columns_as_edited_charts_say(tmp_path: Path) -> None:
    text = (DATA / "charts.toml").read_text(encoding="utf-8")
    (tmp_path / "charts.toml").write_text(text.replace("surprise_shift = 1", "surprise_shift = 3"), encoding="utf-8")
    columns = []
    for game in (PortfolioGame(), PortfolioGame(tmp_path)):
        state = game.setup("june22", {})
        arena = Arena(state, 0, Stakes(), [0.0] * state.rules.grid.size)
        unit = next(u for u in state.on_map(0) if attackable(state, u) & state.occ[1])
        hex_ = min(members(attackable(state, unit)))
        column, _, _ = arena.odds(arena.targets[hex_], [(unit, state.pos[unit])])
        assert column == odds(state, (hex_,), (unit,)).columns[0]
        columns.append(column)
    assert columns[1] == columns[0] + 2


SEVERAL = {"39Pz": "N9", "RomMtn": "N9", "24MK": "N10"}
ACROSS_KERCH = {"7Inf": "JJ13", "24MK": "II14"}
RIVALS: dict[str, dict[str, Any]] = {
    "surprise by any": {"turn": 1, "units": SEVERAL},
    "surprise by Germans alone": {"turn": 1, "options": {"surprise": "all"}, "units": SEVERAL},
    "Kerch": {"turn": 3, "units": ACROSS_KERCH},
    "Kerch with the Black Sea": {"turn": 3, "units": ACROSS_KERCH, "control": {"axis": ["JJ10"]}},
}  # fmt: skip


@pytest.mark.parametrize("name", RIVALS)
def test_the_planner_counts_odds_as_the_rules_do(name: str) -> None:
    state = get_game("portfolio").load_position({"empty": True, "phase": "attack", "side": "axis", **RIVALS[name]})
    units = tuple(state.on_map(0))
    (target,) = members(state.occ[1])
    arena = Arena(state, 0, Stakes(), [0.0] * state.rules.grid.size)
    told = odds(state, (target,), units)
    column, attack, defence = arena.odds(arena.targets[target], [(unit, state.pos[unit]) for unit in units])
    assert (column, attack, defence) == (told.columns[0], told.attack, told.defence)
