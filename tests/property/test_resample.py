"""Positions drawn for search under hidden information: a seat cannot tell them from the true one."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from rasputitsa.core.dice import SeededDice
from rasputitsa.core.game import Game
from rasputitsa.core.registry import get_game
from rasputitsa.wir.api.game import WirGame
from rasputitsa.wir.model.state import State
from rasputitsa.wir.model.tables import AIR, COMBAT_BITS, KIND, groups_of
from rasputitsa.wir.model.theatre import SIDES
from rasputitsa.wir.rules.movement.movement import why_not_plot
from rasputitsa.wir.rules.turn import sequence
from tests.property.test_wir_games import assert_sound, choose
from tests.property.test_wir_secrecy import scrambled
from tests.support import GAME as BOARD
from tests.support import choose as choose_on_board

GAME = WirGame()
CAMPAIGNS = [
    (1, "barbarossa_short", {}, 8),
    (2, "case_blue", {"ledger": "shown"}, 6),
    (3, "zitadelle", {"level": "1"}, 6),
    (4, "kursk_south", {}, 4),
    (5, "barbarossa", {"fog": "open"}, 2),
]


def assert_alike(game: Game[Any], s: Any, t: Any, seat: str | None) -> None:
    """A seat is shown, and may do, the same in two positions."""
    assert json.dumps(game.observe(s, seat)) == json.dumps(game.observe(t, seat))
    assert game.freeze(game.view_of(s, seat)) == game.freeze(game.view_of(t, seat))
    assert game.to_move(s) == game.to_move(t)
    if game.to_move(s) == seat:
        assert game.decision(s) == game.decision(t)


def drawn(game: Game[Any], s: Any, seat: str | None, seed: int) -> Any:
    return game.resample(s, seat, random.Random(seed))


@pytest.mark.parametrize(("seed", "scenario", "options", "weeks"), CAMPAIGNS)
def test_what_is_drawn_looks_to_the_seat_as_what_there_is(
    seed: int, scenario: str, options: dict[str, str], weeks: int
) -> None:
    chooser, dice = random.Random(seed), SeededDice(seed)
    s, count, kinds = GAME.setup(scenario, options), 0, set()
    while s.outcome is None and s.turn <= weeks:
        GAME.apply(s, choose(chooser, GAME.legal(s)), dice)
        count += 1
        if count % 31 == 0 and s.outcome is None:
            before = GAME.freeze(s)
            for seat in (*SIDES, None):
                t = drawn(GAME, s, seat, count)
                assert_alike(GAME, s, t, seat)
                assert_sound(t)
                assert GAME.freeze(GAME.thaw(GAME.freeze(t), *GAME.begun_with(t))) == GAME.freeze(t)
                kinds.add((sequence.phase_of(s)[0], GAME.to_move(s) == seat))
            assert GAME.freeze(s) == before
    assert len(kinds) == 6  # each phase of secret orders, with the seat asked and not


@pytest.mark.parametrize(("seed", "scenario", "weeks"), [(1, "barbarossa_short", 6), (2, "case_blue", 6)])
def test_what_is_hidden_makes_no_difference_to_what_is_drawn(seed: int, scenario: str, weeks: int) -> None:
    chooser, dice = random.Random(seed), SeededDice(seed)
    s, count, compared = GAME.setup(scenario, {}), 0, 0
    while s.outcome is None and s.turn <= weeks:
        GAME.apply(s, choose(chooser, GAME.legal(s)), dice)
        count += 1
        if count % 101 == 0 and s.outcome is None:
            for side, seat in enumerate(SIDES):
                twin = scrambled(s, 1 - side, chooser)
                assert GAME.freeze(twin) != GAME.freeze(s)
                draws = [GAME.freeze(drawn(GAME, t, seat, count)) for t in (s, twin, GAME.view_of(s, seat))]
                assert draws[0] == draws[1] == draws[2]
                assert draws[0] != GAME.freeze(drawn(GAME, s, seat, count + 1))
                compared += 1
    assert compared > 10


@pytest.mark.parametrize("lesson", [info.id for info in GAME.lessons()])
def test_a_lesson_can_be_played_to_its_end_from_what_is_drawn(lesson: str) -> None:
    state = GAME.load_position(GAME.lesson(lesson))
    ends = set()
    for seed, seat in enumerate((*SIDES, None)):
        chooser, dice, t = random.Random(seed), SeededDice(seed), drawn(GAME, state, seat, seed)
        while t.outcome is None:
            GAME.apply(t, choose(chooser, GAME.legal(t)), dice)
        assert_sound(t)
        ends.add(GAME.fingerprint(t))
    assert len(ends) == 3


def late(weeks: int) -> State:
    """A game of some weeks, where the Axis is about to move, and the Soviets have given their orders."""
    chooser, dice = random.Random(7), SeededDice(7)
    s = GAME.setup("barbarossa", {})
    while s.turn <= weeks or sequence.phase_of(s) != (sequence.MOVEMENT, 0):
        GAME.apply(s, choose(chooser, GAME.legal(s)), dice)
    return s


def test_orders_that_have_been_given_are_drawn_and_legal() -> None:
    s = late(2)
    plotted, striking = set(), 0
    for seed in range(10):
        t = drawn(GAME, s, "axis", seed)
        for group in t.on_map(groups_of(1)):
            if KIND[group] == AIR:
                striking += bool(t.strike[group])
            elif t.plot[group]:
                assert why_not_plot(t, group, t.plot[group]) is None
                plotted.add((group, t.plot[group]))
        assert not any(drawn(GAME, s, "soviet", seed).plot[group] for group in groups_of(0))  # none are given yet
    assert len(plotted) > 100 and striking > 5


def test_strengths_differ_from_draw_to_draw_about_what_is_known() -> None:
    """In the first week everybody knows the order of battle; later nobody knows how much of it is left."""
    s = GAME.setup("barbarossa", {})
    first = {bytes(drawn(GAME, s, "axis", seed).strength) for seed in range(4)}
    assert first == {bytes(s.strength)}
    s = late(3)
    totals = [sum(drawn(GAME, s, "axis", seed).strength[199:]) for seed in range(8)]
    assert len(set(totals)) > 5 and max(totals) < 2 * min(totals)
    own = bytes(s.strength[:199])
    assert all(bytes(drawn(GAME, s, "axis", seed).strength[:199]) == own for seed in range(3))


def test_everybody_has_units_where_a_side_has_no_number_left() -> None:
    """4.9: a side has 199 units at most, however many groups stand on the map."""
    s = late(1)
    ground = iter([h for h in range(s.rules.grid.size) if s.rules.map.passable >> h & 1 and h not in s.at])
    for group in groups_of(1):
        if COMBAT_BITS[1] >> group & 1 and s.hex[group] < 0:
            s.place(group, next(ground))
    for seed in range(5):
        t = drawn(GAME, s, "axis", seed)
        assert len(t.units_of(1)) <= 199
        assert all(t.group_units[group] for group in t.on_map(groups_of(1)) if COMBAT_BITS[1] >> group & 1)


def test_a_proposal_is_known_to_who_made_it() -> None:
    s = GAME.setup("barbarossa", {})
    GAME.apply(s, GAME.read(s, "level 2"), SeededDice(1))
    for seat in SIDES:
        t = drawn(GAME, s, seat, 1)
        assert GAME.to_move(t) == "soviet" and [GAME.format(t, action) for action in GAME.legal(t)] == [
            "agree",
            "decline",
        ]
        assert_alike(GAME, s, t, seat)
        assert GAME.freeze(drawn(GAME, GAME.view_of(s, seat), seat, 1)) == GAME.freeze(t)


def test_when_a_game_is_over_nothing_is_drawn() -> None:
    s = GAME.setup("barbarossa", {})
    for line in ("end_game", "agree"):
        GAME.apply(s, GAME.read(s, line), SeededDice(1))
    assert GAME.freeze(drawn(GAME, s, "axis", 1)) == GAME.freeze(s)


@pytest.mark.parametrize("players", ("2", "4"))
def test_the_number_of_the_roulette_is_drawn_for_those_who_do_not_know_it(players: str) -> None:
    chooser, dice = random.Random(11), SeededDice(11)
    s, picked = BOARD.setup("june22", {"players": players}), 0
    seats = [seat.id for seat in BOARD.seats({"players": players})]
    while s.outcome is None and picked < 2:
        options = BOARD.legal(s)
        calling = [action for action in options if action.verb == "siberia"]
        BOARD.apply(s, calling[0] if calling else choose_on_board(chooser, list(options)), dice)
        for seat in (*seats, None) if s.secret or chooser.random() < 0.01 else ():
            twin = BOARD.copy(s)
            knows = seat is not None and BOARD.observe(s, seat)["siberia"]["picked"] is not None
            if s.secret and not knows:
                twin.secret = s.secret % 6 + 1
            found = [drawn(BOARD, s, seat, seed) for seed in range(60)]
            assert [t.secret for t in found] == [drawn(BOARD, twin, seat, seed).secret for seed in range(60)]
            assert {t.secret for t in found} == ({s.secret} if knows or not s.secret else set(range(1, 7)))
            for t in found[:3]:
                assert_alike(BOARD, s, t, seat)
        picked += bool(s.secret)
    assert picked == 2


def test_a_board_game_can_be_played_to_its_end_from_what_is_drawn() -> None:
    chooser, dice = random.Random(2), SeededDice(2)
    s = drawn(BOARD, BOARD.setup("june22", {}), "soviet", 1)
    while s.outcome is None:
        BOARD.apply(s, choose_on_board(chooser, list(BOARD.legal(s))), dice)
    assert s.outcome.rule


def test_every_game_that_is_installed_can_be_drawn() -> None:
    for name in ("portfolio", "wir"):
        game = get_game(name)
        for info in game.scenarios():
            state = game.setup(info.id, {})
            for seat in (*[seat.id for seat in game.seats({})], None):
                assert_alike(game, state, drawn(game, state, seat, 1), seat)
