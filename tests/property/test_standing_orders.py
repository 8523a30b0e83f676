"""Standing orders in games played at random: whatever is asked, each policy answers with what is legal."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from rasputitsa.core.actions import Action
from rasputitsa.core.dice import SeededDice
from rasputitsa.core.game import AS_COMPUTER, Game
from rasputitsa.core.registry import game_ids, get_game
from tests.support import choose

ORDERS = 3000


def answers(game: Game[Any], scenario: str, seed: int) -> Counter[tuple[str, str, str]]:
    """What each policy answered in a game played at random: order, policy and verb."""
    chooser, dice, found = random.Random(seed), SeededDice(seed), Counter[tuple[str, str, str]]()
    known = {order.id: order for order in game.standing_orders()}
    state = game.setup(scenario, {})
    for _ in range(ORDERS):
        decision = game.decision(state)
        if decision is None:
            break
        view = game.view_of(state, decision.seat)
        if topic := game.standing_order(view):
            before = game.fingerprint(view)
            for policy in known[topic].policies:
                if policy != AS_COMPUTER:
                    action = game.standing_answer(view, policy.id)
                    assert action is not None and action in decision.options, (topic, policy.id, decision)
                    found[topic, policy.id, action.verb] += 1
            assert game.fingerprint(view) == before, "to answer changes nothing"
        game.apply(state, choose(chooser, list(decision.options)), dice)
    return found


@pytest.mark.parametrize("seed", range(3))
def test_policies_of_the_russian_portfolio_answer_with_legal_actions(seed: int) -> None:
    found = answers(get_game("portfolio"), "june22", seed)
    assert {topic for topic, _, _ in found} >= {"withdraw", "hold", "leave", "way"}
    assert {verb for topic, policy, verb in found if (topic, policy) == ("withdraw", "never")} == {"stand"}
    assert {verb for topic, policy, verb in found if (topic, policy) == ("hold", "never")} == {"done"}
    assert {verb for topic, policy, verb in found if (topic, policy) == ("hold", "always")} == {"hold"}
    assert {verb for topic, policy, verb in found if (topic, policy) == ("leave", "never")} == {"stand"}
    assert {verb for topic, policy, verb in found if (topic, policy) == ("leave", "always")} == {"retreat"}


def test_proposals_in_war_in_russia_are_declined() -> None:
    game = get_game("wir")
    state = game.setup("zitadelle", {})
    assert game.standing_order(state) == "" and game.standing_answer(state, "decline") is None
    (proposal,) = (option for option in game.legal(state) if option.verb == "end_game")
    game.apply(state, proposal, SeededDice(1))
    assert game.standing_order(state) == "proposal"
    assert game.standing_answer(game.view_of(state, "soviet"), "decline") == Action("decline")


@pytest.mark.parametrize("game_id", game_ids())
def test_orders_and_policies_have_names_of_their_own(game_id: str) -> None:
    orders = get_game(game_id).standing_orders()
    assert len({order.id for order in orders}) == len(orders)
    for order in orders:
        assert order.title and order.rule and len({policy.id for policy in order.policies}) == len(order.policies) > 0
