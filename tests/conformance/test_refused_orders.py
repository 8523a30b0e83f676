"""Every order in every kind of question that the cases lead through: one that comes at the wrong time is refused by the
paragraph that the registers say (portfolio XIII.D.1, wir 3.3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from rasputitsa.core.actions import Action
from rasputitsa.core.conformance.conform import run_case
from rasputitsa.core.dice import Dice
from rasputitsa.core.errors import IllegalAction
from rasputitsa.core.events import Event
from rasputitsa.core.game import Game
from rasputitsa.portfolio.api.game import PortfolioGame
from rasputitsa.portfolio.model.actions import ORDER_TIMES
from rasputitsa.wir.api.game import WirGame
from rasputitsa.wir.model.actions import ADJUSTING, MOVING, PARAGRAPHS, SUPPLYING
from rasputitsa.wir.rules.turn.sequence import phase_of
from tests.conformance.test_conformance import CASES

ENOUGH = 3
"""Questions of one kind that are looked at, in positions of different cases."""

Refusals = dict[tuple[str, str], set[str]]
"""The paragraphs that refuse a verb in a kind of question."""


def watched(made: Game[Any], seen: list[tuple[Any, Any]]) -> Game[Any]:
    """The game, which notes the first questions of each kind that are answered."""
    counts: Counter[str] = Counter()
    apply = made.apply

    def noting(state: Any, action: Action, dice: Dice) -> list[Event]:
        decision = made.decision(state)
        if decision is not None and counts[decision.kind] < ENOUGH:
            counts[decision.kind] += 1
            seen.append((state.copy(), decision))
        return apply(state, action, dice)

    made.apply = noting  # type: ignore[method-assign]
    return made


def questions(made: Game[Any], game_id: str) -> list[tuple[Any, Any]]:
    seen: list[tuple[Any, Any]] = []
    game = watched(made, seen)
    for case in CASES:
        if case.game == game_id:
            run_case(case, game)
    return seen


def orders(game: Game[Any], state: Any, verb: str) -> Iterator[Action]:
    """An order with a unit and a hex of either side in it."""
    for side in (0, 1):
        unit = next((u for u, h in enumerate(state.pos) if h >= 0 and state.rules.roster.side[u] == side), 0)
        found = {"unit": unit, "hex": max(state.pos[unit], 0), "number": 1}
        yield Action(verb, tuple(found[kind] for kind in game.verbs[verb]))


BEFORE_ANOTHER: Mapping[tuple[str, str], str] = {
    ("replacement", "move"): "V.A", ("movement", "attack"): "V.B.1.a.2", ("movement", "step"): "XI.A.3",
    ("moving", "move"): "XI.A.3", ("attack", "resolve"): "XIII.A", ("resolve", "attack"): "XIII.C",
    ("attack", "with"): "XIII.A.2", ("attack", "also"): "XIII.A.2", ("attack", "ready"): "XIII.A.2",
    ("attack", "join"): "XIII.A", ("build_attack", "attack"): "XIII.A", ("build_attack", "withdraw"): "XIII.A",
    ("advance_step", "advance"): "XIII.E.2", ("retreat_length", "to"): "XIII.D.1",
}  # fmt: skip
"""Orders of the same phase that come before or after the one in question: the paragraph that says which comes first."""

OWN = {
    "reinforce": {"siberia"}, "replacement": {"replace", "reinforce", "rail", "sea", "reduce", "eliminate", "siberia"},
    "movement": {"move", "eliminate", "reduce", "stop"}, "moving": {"to", "step", "with", "move"},
    "attack": {"attack", "withdraw", "join", "offensive"},
    "build_attack": {"with", "without", "also", "amphibious", "ready", "drop"}, "isolation": {"reduce", "lose"},
    "breakthrough": {"attack", "join"}, "exchange": {"exchange", "decline"}, "deployment": {"place", "lift"},
}  # fmt: skip
"""Orders that answer a kind of question even where none of them is legal: what stands against them is named."""


def test_an_order_of_the_russian_portfolio_at_the_wrong_time_names_its_own_paragraph() -> None:
    game = PortfolioGame()
    kinds = set()
    for state, decision in questions(PortfolioGame(), "portfolio"):
        kinds.add(decision.kind)
        asides = {action for seat in state.rules.seats for action in game.asides(state, seat.id)}
        offered = {option.verb for option in decision.options} | OWN.get(decision.kind, set())
        for verb, (_, rule) in ORDER_TIMES.items():
            if verb in offered:
                continue
            for action in orders(game, state, verb):
                if action in asides:
                    continue
                refused = game.refusal(state, action)
                battle_first = state.battle is not None and rule.startswith(("XIII.A.7", "XIII.C", "XIII.D", "XIII.E"))
                wanted = BEFORE_ANOTHER.get((decision.kind, verb), decision.rule if battle_first else rule)
                assert refused.rule == wanted, (decision.kind, verb, refused)
    assert len(kinds) >= 32, kinds


SENDING = {"transfer": {"send", "guns"}, "naval": {"send"}, "raise": {"type", "strength"}}
"""Orders that go on with what was begun, and are refused by what bars them."""
NO_OWN_TIME = {(1, "get"): "4.0", (1, "supply"): "4.0", (3, "end_game"): "6.1"}
"""Orders that the menu of the phase refuses, since no paragraph of theirs says when they are given."""
PHASE_ORDERS = {1: ADJUSTING, 2: SUPPLYING, 3: MOVING}


def test_an_order_of_war_in_russia_at_the_wrong_time_names_the_paragraph_that_the_register_says() -> None:
    game = WirGame()
    kinds = set()
    for state, decision in questions(WirGame(), "wir"):
        kinds.add(decision.kind)
        now, _ = phase_of(state)
        offered = {option.verb for option in decision.options} | SENDING.get(decision.kind, set())
        for verb, args in game.verbs.items():
            action = Action(verb, (12, 13)[: len(args)])
            phases = [phase for phase, verbs in PHASE_ORDERS.items() if verb in verbs]
            if phases and now not in phases:
                wanted = NO_OWN_TIME.get((now, verb), PARAGRAPHS[verb])
                assert game.refusal(state, action).rule == wanted, (decision.kind, verb)
            elif now != 3 and verb not in offered and decision.kind not in ("adjust", "depot"):
                # at the root of a phase, its orders are refused by whatever rule stands against them
                assert game.refusal(state, action).rule == PARAGRAPHS.get(verb, decision.rule), (decision.kind, verb)
    assert kinds == {
        "adjust", "divide", "transfer", "aircraft", "build", "raise", "factory", "naval", "proposal", "depot",
        "movement", "orders",
    }  # fmt: skip


@pytest.mark.parametrize("game", [PortfolioGame(), WirGame()])
def test_a_refusal_changes_nothing(game: PortfolioGame | WirGame) -> None:
    for state, decision in questions(type(game)(), game.id):
        before = game.fingerprint(state)
        for verb, kinds in game.verbs.items():
            if verb not in {option.verb for option in decision.options}:
                assert isinstance(game.refusal(state, Action(verb, (1,) * len(kinds))), IllegalAction)
        assert game.fingerprint(state) == before
