"""The form of OpenSpiel: what its algorithms and its own tests take for granted."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

pytest.importorskip("gymnasium")

from rasputitsa.core.errors import IllegalAction, SetupError
from rasputitsa.envs.openspiel import CHANCE, TERMINAL, SpielGame, SpielState

FIGHTING = ("attack", "with", "ready", "resolve")
CASES = [("portfolio", "first_attack", None), ("portfolio", "winter", 3), ("wir", "first_attack", 3)]


def made(name: str, lesson: str, seed: int | None) -> SpielGame:
    return SpielGame(name, lesson=lesson, seed=seed)


def played(
    game: SpielGame, seed: int, watch: Callable[[SpielState], None] | None = None, most: int = 400
) -> SpielState:
    """A random game, as far as it comes."""
    rng, state = random.Random(seed), game.new_initial_state()
    for _ in range(most):
        if state.is_terminal():
            break
        if watch is not None:
            watch(state)
        if state.is_chance_node():
            faces, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(faces, chances)[0])
        else:
            legal = state.legal_actions()
            eager = [action for action in legal if state.action_to_string(action).split()[0] in FIGHTING]
            state.apply_action(rng.choice(eager if eager and rng.random() < 0.7 else legal))
    return state


@pytest.mark.parametrize(("name", "lesson", "seed"), CASES)
def test_a_state_keeps_the_conventions(name: str, lesson: str, seed: int | None) -> None:
    game, nodes = made(name, lesson, seed), {"chance": 0, "player": 0}

    def look(state: SpielState) -> None:
        player, legal = state.current_player(), state.legal_actions()
        assert legal and legal == sorted(set(legal))
        assert state.returns() == state.rewards() == [0.0, 0.0]
        assert [state.is_terminal(), state.is_chance_node(), state.is_player_node()].count(True) == 1
        if player == CHANCE:
            nodes["chance"] += 1
            assert legal == [face for face, _ in state.chance_outcomes()]
            assert abs(sum(chance for _, chance in state.chance_outcomes()) - 1) < 1e-9
            assert state.legal_actions(0) == state.legal_actions(1) == []
            return
        nodes["player"] += 1
        assert 0 <= player < game.num_players() and state.chance_outcomes() == []
        assert state.legal_actions(1 - player) == [] and state.legal_actions(player) == legal
        assert max(legal) < game.num_distinct_actions() == len(state.legal_actions_mask())
        assert [n for n, one in enumerate(state.legal_actions_mask()) if one] == legal
        words = [state.action_to_string(player, action) for action in legal]
        assert len(set(words)) == len(words)
        assert state.string_to_action(words[-1]) == legal[-1]
        assert state.action_to_string(legal[0]) == words[0]

    for number in range(5):
        end = played(game, number, look, most=100)
    assert nodes["player"] > 3 and bool(nodes["chance"]) == (seed is None)
    if lesson == "first_attack" and name == "portfolio":
        assert end.is_terminal() and end.current_player() == TERMINAL
        assert end.legal_actions() == [] and sorted(end.returns()) == [-1.0, 1.0]
        assert sum(end.returns()) == game.utility_sum() and end.player_return(0) == end.returns()[0]


@pytest.mark.parametrize(("name", "lesson", "seed"), CASES)
def test_its_history_leads_to_it_again(name: str, lesson: str, seed: int | None) -> None:
    game = made(name, lesson, seed)
    end, again = played(game, 2, most=120), game.new_initial_state()
    for player, action in end.full_history():
        assert again.current_player() == player
        again.apply_action(action)
    assert again.history() == end.history() and again.history_str() == end.history_str() and str(again) == str(end)
    assert [again.information_state_string(p) for p in (0, 1)] == [end.information_state_string(p) for p in (0, 1)]


@pytest.mark.parametrize(("name", "lesson", "seed"), CASES)
def test_a_clone_goes_its_own_way(name: str, lesson: str, seed: int | None) -> None:
    def look(state: SpielState) -> None:
        before = (state.history(), state.legal_actions(), state.observation_string(0))
        other = state.child(state.legal_actions()[0])
        assert (state.history(), state.legal_actions(), state.observation_string(0)) == before
        assert other.history() == [*before[0], state.legal_actions()[0]] and other.get_game() is state.get_game()

    played(made(name, lesson, seed), 3, look, most=60)


def test_what_is_not_legal_changes_nothing() -> None:
    state = made("portfolio", "first_attack", None).new_initial_state()
    before = state.information_state_string(0)
    for wrong in (-1, 10**9, next(n for n in range(10**5) if n not in state.legal_actions())):
        with pytest.raises(IllegalAction):
            state.apply_action(wrong)
    with pytest.raises(IllegalAction, match="not legal now"):
        state.string_to_action("fly")
    assert state.history() == [] and state.information_state_string(0) == before


def test_dice_are_chance_nodes_that_decide_what_comes_of_an_action() -> None:
    game = made("portfolio", "first_attack", None)
    chances: list[SpielState] = []
    for seed in range(5):
        played(game, seed, lambda state: chances.append(state.clone()) if state.is_chance_node() else None)
    first = chances[0]
    ends = {first.child(face).observation_string(0) for face, _ in first.chance_outcomes()}
    assert len(first.chance_outcomes()) == 6 and len(ends) > 1
    assert first.action_to_string(CHANCE, 2) == "die shows 3"


def test_information_is_what_the_seat_knows_and_no_more() -> None:
    """Two games that differ in the secret orders of one side alone are one to the other."""
    game = made("wir", "hold", 1)
    state = game.new_initial_state()
    mover = state.current_player()
    names = {action: state.action_to_string(action) for action in state.legal_actions()}
    orders = [action for action, name in names.items() if not name.startswith(("done", "auto"))]  # phases are public
    ways = [state.child(action) for action in orders]
    assert len(ways) > 3
    assert len({way.information_state_string(mover) for way in ways}) == len(ways)
    assert len({way.information_state_string(1 - mover) for way in (state, *ways)}) == 1


def test_a_resampled_state_is_the_same_to_the_player() -> None:
    game, rng, compared = made("wir", "hold", 1), random.Random(5), 0

    def look(state: SpielState) -> None:
        nonlocal compared
        player = state.current_player()
        drawn = state.resample_from_infostate(player, rng.random)
        assert drawn.information_state_string(player) == state.information_state_string(player)
        assert drawn.legal_actions() == state.legal_actions() and drawn.history() == state.history()
        assert drawn.observation_string(1 - player) != state.observation_string(1 - player)
        compared += 1

    played(game, 5, look, most=40)
    assert compared == 40


def test_four_players_win_by_sides() -> None:
    game = SpielGame("portfolio", "june22", options={"players": "4"}, seed=1)
    assert game.num_players() == 4 and game.new_initial_state().returns() == [0.0] * 4
    assert (game.min_utility(), game.max_utility()) == (-1.0, 1.0) and game.max_game_length() > 1000
    with pytest.raises(SetupError, match="a lesson brings its own"):
        SpielGame("portfolio", "june22", lesson="winter")


def test_the_search_of_openspiel_plays_it() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    mcts = pytest.importorskip("open_spiel.python.algorithms.mcts")
    assert (int(pyspiel.PlayerId.CHANCE), int(pyspiel.PlayerId.TERMINAL)) == (CHANCE, TERMINAL)
    import numpy as np

    game = made("portfolio", "first_attack", None)
    luck = np.random.RandomState(1)
    bot = mcts.MCTSBot(game, 2.0, 5, mcts.RandomRolloutEvaluator(1, luck), random_state=luck)
    state = game.new_initial_state()
    action = bot.step(state)
    assert action in state.legal_actions() and state.history() == []
