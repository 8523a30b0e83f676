"""Every kind of question and every request there is, asked of twins: a new one cannot be forgotten."""

from __future__ import annotations

import random
from typing import Any

import pytest
from starlette.testclient import TestClient

from rasputitsa.core.record.new import new_session
from rasputitsa.core.record.session import Session
from tests.server.secrecy.everything import (
    ARGUMENTS,
    OUTSIDE,
    answerable,
    ask_all,
    at_the_table,
    differing,
    kinds_of,
    look_around,
    session_of,
)
from tests.server.secrecy.test_twins import roulette, some_orders
from tests.server.secrecy.twins import Twin, Work, assert_alike, spy_on, twins

Pair = tuple[Twin, Twin]


def plotted(house: tuple[TestClient, TestClient], work: Work) -> tuple[Session, Pair, str, str]:
    """Twins of War in Russia in which the Soviet side has given other orders in secret; the Axis is asked."""
    session = new_session("wir", "barbarossa_short", {}, seed=1)
    for line in ("done", "done", "auto supply"):
        session.play(line)
    pair = twins(*house, session, work)
    for twin, seed in zip(pair, (1, 2), strict=True):
        some_orders(twin, "soviet", random.Random(seed), 5, {"replace"})
        for group in random.Random(seed).sample(range(64, 73), 4):
            _plot(twin, group, random.Random(seed))
        twin.players.act("soviet", "done")
    return session, pair, "soviet", "axis"


def _plot(twin: Twin, group: int, chooser: random.Random) -> None:
    """One of the plots that a group may be given."""
    twin.players.act("soviet", f"get {group}")
    options = [option["action"] for option in twin.players.view("soviet")["decision"]["options"]]
    twin.players.act("soviet", chooser.choice([action for action in options if action.startswith("plot ")]))
    twin.players.act("soviet", "halt")


def picked(house: tuple[TestClient, TestClient], work: Work) -> tuple[Session, Pair, str, str]:
    """Twins of The Russian Portfolio in which the Axis has picked other numbers of the roulette."""
    session = roulette()
    pair = twins(*house, session, work)
    for twin, number in zip(pair, (1, 6), strict=True):
        twin.players.act("axis", f"pick {number}")
    return session, pair, "axis", "soviet"


TWINS = pytest.mark.parametrize("made", [plotted, picked], ids=["wir", "portfolio"])


def description(house: tuple[TestClient, TestClient]) -> Any:
    return house[0].get("/api/openapi.json").json()


@TWINS
def test_every_request_there_is_is_answered_alike(house: tuple[TestClient, TestClient], work: Work, made: Any) -> None:
    session, pair, _, spy = made(house, work)
    answers: list[list[dict[str, tuple[int, str, int]]]] = []
    for twin in pair:
        told = []
        for seat in (None, spy):
            spy_on(twin, session, seat, 1, 1, asked=seat == spy)
            look_around(twin, seat)
            if seat == spy:
                twin.ask("undo", "POST", "undo", json={**twin.params(spy), "version": 0})
                twin.ask("hint", "POST", "hint", json=twin.params(spy))
                at_the_table(twin, spy)
            told.append(dict(twin.answers))
        answers.append(told)
    for first, second in zip(*answers, strict=True):
        assert_alike(first, second)
    known = {(method.upper(), path) for path, methods in description(house)["paths"].items() for method in methods}
    assert set(OUTSIDE) <= known
    for twin in pair:
        assert twin.asked == known - set(OUTSIDE)


@TWINS
def test_every_kind_of_question_is_answered_alike(house: tuple[TestClient, TestClient], work: Work, made: Any) -> None:
    """At several moments of the spy's own turn, with every argument that a question looks at."""
    _, pair, mover, spy = made(house, work)
    own = ("auto supply",) if made is plotted else ()
    kinds = kinds_of(description(house), session_of(pair[0]).game.id)
    about = differing(pair, mover)
    assert about or made is picked, "a number that is picked is no unit's"
    answered: set[str] = set()
    chooser = random.Random(1)
    for line in (*own, ""):
        for seat in (spy,) if line else (spy, None):
            questions, names = answerable(session_of(pair[0]), seat, kinds, about, chooser)
            assert names <= ARGUMENTS, "an argument that no spy gives"
            for twin in pair:
                twin.answers.clear()
                answered |= ask_all(twin, seat, questions)
            assert_alike(pair[0].answers, pair[1].answers)
        for twin in pair if line else ():
            twin.players.act(spy, line)
    assert answered == set(kinds)
