"""5.2 The way and the reach of depots, against a plain search hex by hex; and menus listed in the quick way."""

from __future__ import annotations

import random
from collections.abc import Iterator
from heapq import heappop, heappush

import pytest

from rasputitsa.core.actions import Action
from rasputitsa.core.dice import SeededDice
from rasputitsa.hexes.grid import members
from rasputitsa.wir.api.game import WirGame
from rasputitsa.wir.model.actions import act, at_hexes
from rasputitsa.wir.model.state import State
from rasputitsa.wir.rules.adjustment import reinforce
from rasputitsa.wir.rules.movement import strategic_move
from rasputitsa.wir.rules.movement.movement import Orders
from rasputitsa.wir.rules.supply import depots

GAME = WirGame()
SELDOM = ("end_game", "level")


def positions(scenario: str, seed: int, every: int, most: int) -> Iterator[State]:
    """Positions of a game in which phases end sooner than chance would end them."""
    chooser, dice, s = random.Random(seed), SeededDice(seed), GAME.setup(scenario, {})
    for number in range(most):
        options = [a for a in GAME.legal(s) if a.verb not in SELDOM]
        action = chooser.choice(options)
        if options[0].verb in ("done", "halt") and chooser.random() < 0.2:
            action = options[0]
        GAME.apply(s, action, dice)
        if s.outcome is not None:
            return
        if number % every == 0:
            yield s


def cheapest(s: State, start: int, land: depots.Ground) -> dict[int, tuple[int, int]]:
    """For each hex within reach the fewest penalty hexes, and hexes with that number."""
    best = {start: (0, 0)}
    queue = [(0, 0, start)]
    while queue:
        penalty, length, here = heappop(queue)
        if (penalty, length) != best[here]:
            continue
        for there in members(s.rules.map.reach[here] & (land.line | land.penalty)):
            cost = (penalty + (land.penalty >> there & 1), length + 1)
            if there not in best or cost < best[there]:
                best[there] = cost
                heappush(queue, (*cost, there))
    return best


@pytest.mark.parametrize("scenario", ["barbarossa", "case_blue", "zitadelle"])
def test_ways_and_reach_are_the_cheapest(scenario: str) -> None:
    chooser = random.Random(7)
    for s in positions(scenario, 3, every=60, most=1200):
        for side in (0, 1):
            land = depots.ground(s, side)
            start = chooser.choice(members(s.rules.map.passable))
            best = cheapest(s, start, land)
            for n, wave in enumerate(depots.waves(s, start, 0, land)):
                assert members(wave) == sorted(h for h, (penalty, _) in best.items() if penalty == n)
            near = [h for h, (penalty, _) in best.items() if 0 <= penalty <= s.rules.relief.most_penalty and h != start]
            for target in chooser.sample(near, min(3, len(near))):
                path, here, paid = depots.way(s, start, target, land), start, 0
                for there in path:
                    assert s.rules.map.reach[here] >> there & 1
                    here, paid = there, paid + (land.penalty >> there & 1)
                assert here == target
                assert (paid, len(path)) == best[target]


def test_there_is_no_way_over_water() -> None:
    s = GAME.setup("barbarossa", {})
    start, target = s.rules.grid.index("1814"), members(s.rules.grid.board & ~s.rules.map.passable)[0]
    with pytest.raises(ValueError, match="no depot"):
        depots.way(s, start, target, depots.ground(s, 1))


def test_actions_at_hexes_leave_one_out() -> None:
    hexes = 1 << 5 | 1 << 70 | 1 << 900
    assert at_hexes("depot", hexes) == [act("depot", 5), act("depot", 70), act("depot", 900)]
    assert at_hexes("depot", hexes, but=70) == [act("depot", 5), act("depot", 900)]
    assert at_hexes("depot", hexes, but=6) == at_hexes("depot", hexes)
    at_hexes("depot", hexes).clear()
    assert len(at_hexes("depot", hexes)) == 3


def test_the_menu_of_a_group_is_what_nothing_forbids() -> None:
    """Each order of the menu is refused by no paragraph, and each that is missing is refused by one."""
    kinds = set()
    for s in positions("zitadelle", 6, every=3, most=2500):
        if not isinstance(s.stack[-1], Orders):
            continue
        group, legal = s.stack[-1].group, GAME.legal(s)
        kinds.add(strategic_move.rooted(s, group) or reinforce.no_guns(s, group))
        assert (Action("artillery") in legal) == (reinforce.why_no_guns(s, group) is None)
        assert bool(strategic_move.rooted(s, group)) == (strategic_move.why_rooted(s, group) is not None)
        assert any(a.verb == "step" for a in legal) <= (strategic_move.why_rooted(s, group) is None)
        for n, unit in enumerate(s.group_units[group], start=1):
            most = 0 if reinforce.why_none(s, group) else max(0, reinforce.most(s, unit))
            assert [a for a in legal if a.verb == "replace" and a.args[0] == n] == [
                Action("replace", (n, points)) for points in range(10, most + 1, 10)
            ]
    assert {"", "plot", "moved", "unsupplied"} <= kinds
