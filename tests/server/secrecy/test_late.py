"""Twins late in a game: advice, answers to an offer of a draw, and windows open while a seat changes hands."""

from __future__ import annotations

import asyncio
import json
import random
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from starlette.testclient import TestClient, WebSocketTestSession

from rasputitsa.ai.advice.analysis import evaluate
from rasputitsa.core.caching import cached
from rasputitsa.core.record.new import new_session
from rasputitsa.core.record.session import Session
from rasputitsa.server.workers import analysis_jobs
from rasputitsa.server.workers.analysis_jobs import AnalysisJobs, CourseTask, HintTask, Job
from rasputitsa.server.workers.bot_turn import BotTurn
from rasputitsa.server.workers.bots import BotPool, Choice
from tests.property.test_wir_games import choose as choose_wir
from tests.server.player import claim
from tests.server.secrecy.test_twins import UNSEEN, some_orders
from tests.server.secrecy.twins import Twin, Work, assert_alike, scrubbed, spy_on, twins
from tests.support import choose as choose_portfolio

LAST_WEEKS = 38
"""Of 41 of the first winter."""
LATE_TURN = 9


@cached
def last_weeks() -> str:
    """A game of War in Russia whose last weeks have come; the side that plots first is to plot."""
    session, chooser = new_session("wir", "barbarossa_short", {}, seed=3), random.Random(3)
    while (decision := session.decision()) is not None:
        turn = session.state.turn
        if turn >= LAST_WEEKS and decision.kind == "movement":
            return session.save()
        options = [option for option in decision.options if option.verb not in ("end_game", "level")]
        ends = [option for option in options if option.verb in ("done", "auto_supply")]
        action = ends[0] if ends and chooser.random() < 0.8 else choose_wir(chooser, options)
        session.play(session.game.format(session.state, action))
    raise AssertionError("the game was over before")


@cached
def late_roulette() -> str:
    """A long game of The Russian Portfolio in which the Axis is about to pick its number."""
    for seed in range(20):
        session, chooser = new_session("portfolio", "june22", seed=seed), random.Random(seed)
        while (decision := session.decision()) is not None:
            late = session.game.observe(session.state, None)["turn"]["number"] >= LATE_TURN
            if late and decision.kind == "pick":
                return session.save()
            called = [option for option in decision.options if option.verb == "siberia"]
            options = [option for option in decision.options if option.verb != "siberia"]
            action = called[0] if called and late else choose_portfolio(chooser, options)
            session.play(session.game.format(session.state, action))
    raise AssertionError("no game came to the roulette so late")


def plotted(house: tuple[TestClient, TestClient]) -> tuple[tuple[Twin, Twin], str, str]:
    """Twins whose Soviet side has given other orders in secret; the Axis is asked."""
    session = Session.load(last_weeks())
    mover = session.decision().seat  # type: ignore[union-attr]
    pair = twins(*house, session, Work())
    for twin, number in zip(pair, (2, 20), strict=True):
        some_orders(twin, mover, random.Random(number), number, UNSEEN)
        finish(twin, mover)
    assert pair[0].players.view(mover)["units"] != pair[1].players.view(mover)["units"]
    return pair, mover, {"axis": "soviet", "soviet": "axis"}[mover]


def finish(twin: Twin, mover: str) -> None:
    """End the phase of a side that has orders in hand."""
    while (view := twin.players.view(mover))["decision"]["mine"]:
        actions = [option["action"] for option in view["decision"]["options"]]
        twin.players.act(mover, next((action for action in ("halt", "back") if action in actions), "done"))


def picked(house: tuple[TestClient, TestClient]) -> tuple[tuple[Twin, Twin], str, str]:
    """Twins in which the Axis has picked another number of the roulette."""
    pair = twins(*house, Session.load(late_roulette()), Work())
    for twin, number in zip(pair, (1, 6), strict=True):
        twin.players.act("axis", f"pick {number}")
    return pair, "axis", "soviet"


TWINS = pytest.mark.parametrize("made", [plotted, picked], ids=["wir", "portfolio"])


class Worker:
    """Does what the computer is asked in place of its process, and lets the one who asked look at every step of it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._job = Job("x", 0, "", "hint", 0)
        self._tasks: list[HintTask | CourseTask] = []

        def start(
            _: AnalysisJobs, match: int, seat: str, ply: int, task: HintTask | CourseTask, *_rest: Any, **_named: Any
        ) -> Job:
            self._tasks.append(task)
            self._job = Job("x", match, seat, "hint" if isinstance(task, HintTask) else "course", ply)
            return self._job

        monkeypatch.setattr(AnalysisJobs, "start", start)
        monkeypatch.setattr(AnalysisJobs, "job", lambda _, job_id: self._job)

    def told(self, twin: Twin, what: str, seat: str) -> list[Any]:
        """What a seat finds at each step of the answer to its question; no time is given to think."""
        players, found = twin.players, list[Any]()
        asked = players.client.post(players.url(what), json=players.auth(seat))
        assert asked.status_code == 202, asked.text

        def heard(message: tuple[Any, ...]) -> None:
            analysis_jobs._take(self._job, message)
            found.append(players.client.get(players.url("analysis/x"), params=players.auth(seat)).json())

        pipe: Any = SimpleNamespace(send=heard)
        analysis_jobs._answer(replace(self._tasks[-1], seconds=0.0), pipe)
        assert self._job.state == "done", self._job.text
        return [asked.json(), *found]


@TWINS
def test_advice_late_in_a_game_is_the_same_whatever_is_hidden(
    house: tuple[TestClient, TestClient], monkeypatch: pytest.MonkeyPatch, made: Any
) -> None:
    """What a hint and the course of the match tell, also on the way, and how far they say they have come."""
    worker = Worker(monkeypatch)
    pair, mover, spy = made(house)
    found: list[list[Any]] = []
    for twin in pair:
        for seat in (mover, spy):
            body = {**twin.players.auth(seat), "topic": "hints"}
            assert twin.players.client.post(twin.players.url("agree"), json=body).status_code == 200
        found.append([told for what in ("course", "hint") for told in worker.told(twin, what, spy)])
    assert len(found[0]) > 20, "a long game has a long course"
    for first, second in zip(*found, strict=True):
        assert first == second


@TWINS
def test_the_computer_answers_an_offer_of_a_draw_alike_whatever_it_hides(
    house: tuple[TestClient, TestClient], monkeypatch: pytest.MonkeyPatch, made: Any
) -> None:
    """It has taken the seat of somebody who had given orders in secret."""
    values: list[float] = []

    def noted(*args: Any) -> float:
        values.append(evaluate(*args))
        return values[-1]

    monkeypatch.setattr("rasputitsa.server.routes.ending.evaluate", noted)
    pair, mover, spy = made(house)
    answers = []
    for twin in pair:
        players = twin.players
        for path, seat, body in (
            ("leave", mover, {}),
            ("agree", spy, {"topic": "computer", "of": mover, "bot": "random"}),
            ("end", spy, {"how": "draw"}),
        ):
            answer = players.client.post(players.url(path), json={**players.auth(seat), **body})
            assert answer.status_code == 200, answer.text
        answers.append(answer.json())
    assert answers[0] == answers[1]
    assert len(values) == 2 and values[0] == values[1]


def told(twin: Twin, window: WebSocketTestSession) -> dict[str, list[Any]]:
    """What a window has been told, by type, without what names the match; what came twice in a row counts once.

    Whether a view comes before or after a notice tells how busy the server was, and nothing else."""
    twin.settle()
    window.send_json({"type": "ping"})
    found: dict[str, list[Any]] = {}
    while (message := window.receive_json())["type"] != "pong":
        if message["type"] == "view":
            message["view"].pop("tag")
        of_type = found.setdefault(message["type"], [])
        of_type += [message] if (message := scrubbed(message)) not in of_type[-1:] else []
    return found


def plot(twin: Twin, mover: str, many: bool) -> None:
    number = 12 if many else 2
    some_orders(twin, mover, random.Random(number), number, UNSEEN)


def pick(twin: Twin, mover: str, many: bool) -> None:
    if twin.players.view(mover)["decision"]["mine"]:
        twin.players.act(mover, f"pick {6 if many else 1}")


@pytest.mark.parametrize(("game", "secret"), [(last_weeks, plot), (late_roulette, pick)], ids=["wir", "portfolio"])
def test_windows_are_told_the_same_when_a_seat_with_secrets_changes_hands(
    house: tuple[TestClient, TestClient], monkeypatch: pytest.MonkeyPatch, game: Any, secret: Any
) -> None:
    """Few orders in one twin, many in the other: given up, taken by a guest, given up again, taken by the computer."""
    monkeypatch.setattr(BotPool, "choose", think)
    session = Session.load(game())
    mover = session.decision().seat  # type: ignore[union-attr]
    spy = {"axis": "soviet", "soviet": "axis"}[mover]
    frames: list[list[Any]] = []
    answers: list[list[dict[str, tuple[int, str, int]]]] = []
    for twin, many in zip(twins(*house, session, Work()), (False, True), strict=True):
        seen: list[Any] = []
        with twin.players.live(spy) as enemy, twin.players.live(None) as onlooker:
            for step in ("orders", "leave", "claim", "orders", "leave", "computer"):
                if step == "orders":
                    secret(twin, mover, many)
                    asked = twin.players.view(spy)["decision"]["mine"]
                    answers.append([spy_on(twin, session, seat, 1, 1, asked=asked) for seat in (spy, None)])
                elif step == "leave":
                    with twin.players.live(mover) as window:
                        assert "view" in told(twin, window)
                        post(twin, "leave", mover)
                        assert {frame["type"] for frame in to_the_last(window)} <= {"seats", "error"}
                elif step == "claim":
                    link = post(twin, "agree", spy, topic="invite", of=mover)["token"]
                    twin.players.keys[mover] = claim(twin.spy, link, name="Somebody")["key"]
                else:
                    post(twin, "agree", spy, topic="computer", of=mover, bot="random")
                seen += [told(twin, enemy), told(twin, onlooker)]
        frames.append(seen)
    assert {name for step in frames[0] for name in step} >= {"view", "seats"}
    for first, second in zip(*frames, strict=True):
        assert first == second
    for before, after in zip(answers[:2], answers[2:], strict=True):
        for one, other in zip(before, after, strict=True):
            assert_alike(one, other)


def post(twin: Twin, path: str, seat: str, **body: Any) -> Any:
    answer = twin.players.client.post(twin.players.url(path), json={**twin.players.auth(seat), **body})
    assert answer.status_code == 200, answer.text
    twin.settle()
    return answer.json()


async def think(_: BotPool, turn: BotTurn, report: Any) -> Choice:
    """A computer player that comes to no end."""
    for done in range(len(turn.decision.options)):
        report(done, len(turn.decision.options), "thinking of secrets")
    await asyncio.Event().wait()
    raise AssertionError


def to_the_last(window: WebSocketTestSession) -> list[Any]:
    """What a window is told until it is closed."""
    found = []
    while (message := window.receive())["type"] == "websocket.send":
        found.append(json.loads(message["text"]))
    return found
