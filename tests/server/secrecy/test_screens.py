"""What is shown is worked out once for a change and a seat, and told as a difference to those who have the last one."""

from __future__ import annotations

import gc
import json
import random
import tracemalloc
from contextlib import ExitStack
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient

from bench.load.changes import apply
from rasputitsa.core.record.new import new_session
from rasputitsa.server.config import ServerConfig
from rasputitsa.server.encoding import dumps
from rasputitsa.server.matches.archive import keep, pack
from rasputitsa.server.matches.differences import difference
from rasputitsa.server.matches.match import Match
from rasputitsa.server.matches.screens import Screens
from rasputitsa.server.store import Store
from tests.server.conftest import connect, rooms_of
from tests.server.player import TURN, Duelist

values = st.recursive(
    st.none() | st.booleans() | st.integers(0, 3) | st.sampled_from(["", "a", "id"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=6,
)
rows = st.lists(
    st.fixed_dictionaries({"id": st.sampled_from(["u1", "u2", "u3", "u4", "u5"])}, optional={"hex": values}), max_size=6
)
views = st.dictionaries(st.sampled_from(["units", "cities", "score", "goal"]), values | rows, max_size=4)


@given(views, views)
def test_a_difference_leads_from_one_view_to_the_other(old: dict[str, Any], new: dict[str, Any]) -> None:
    change = json.loads(json.dumps(difference(old, new)))
    assert apply(old, change) == new


def test_a_difference_tells_what_changed_and_no_more() -> None:
    old = {"units": [{"id": "a", "hex": 1}, {"id": "b", "hex": 2}, {"id": "c", "hex": 3}], "score": 1, "goal": None}
    new = {"units": [{"id": "a", "hex": 1}, {"id": "c", "hex": 4}, {"id": "d", "hex": 5}], "score": 1, "phase": "x"}
    rows = {"units": {"put": [{"id": "c", "hex": 4}, {"id": "d", "hex": 5}], "drop": ["b"]}}
    assert difference(old, new) == {"put": {"phase": "x"}, "drop": ["goal"], "rows": rows}
    assert difference(new, new) == {"put": {}, "drop": [], "rows": {}}


def settled(view: dict[str, Any]) -> dict[str, Any]:
    """A view without what depends on when one last looked."""
    return {name: value for name, value in view.items() if name != "last_events"}


def test_an_answer_tells_what_changed_to_those_who_have_the_last_view(duel: Duelist) -> None:
    shown = duel.view("red")
    answer = duel.send({**duel.body("red", "hide 3"), "have": shown["tag"]}).json()
    assert list(answer) == ["change"]
    assert answer["change"]["base"] == shown["tag"]
    assert "units" not in answer["change"]["put"]
    now = apply(shown, answer["change"])
    assert [item["action"] for item in now["last_events"]] == ["hide 3"]
    assert settled(now) == settled(duel.view("red"))


def test_a_tag_that_nobody_knows_is_answered_with_the_whole_view(duel: Duelist) -> None:
    onlooker = duel.view(None)["tag"]
    for number, have in enumerate(("", "nonsense", onlooker)):
        seat, action = TURN[number]
        answer = duel.send({**duel.body(seat, action), "have": have}).json()
        assert settled(answer["view"]) == settled(duel.view(seat))


def test_a_window_that_takes_differences_comes_to_the_same_views(duel: Duelist) -> None:
    with duel.live("red", have="") as red, duel.live(None, have="") as onlooker:
        shown = {"red": red.receive_json()["view"], None: onlooker.receive_json()["view"]}
        for seat, action in TURN * 2:
            duel.act(seat, action)
            for who, window in (("red", red), (None, onlooker)):
                message = window.receive_json()
                assert message["type"] == "change"
                shown[who] = apply(shown[who], message["change"])
                assert settled(shown[who]) == settled(duel.view(who))
                told = "" if who is None and action.startswith("hide") else action.partition(" ")[0]
                assert shown[who]["last_events"][-1]["action"].partition(" ")[0] == told


def test_a_window_that_missed_something_asks_for_the_whole_view(duel: Duelist) -> None:
    with duel.live("red", have="") as red:
        red.receive_json()
        red.send_json({"type": "view"})
        assert settled(red.receive_json()["view"]) == settled(duel.view("red"))
        duel.act("red", "hide 3")
        assert red.receive_json()["type"] == "change"


def test_a_window_that_comes_back_is_told_what_it_missed(duel: Duelist) -> None:
    with duel.live("blue", have="") as blue:
        shown = blue.receive_json()["view"]
    with duel.live("blue", have=shown["tag"]) as blue:
        assert blue.receive_json()["change"] == {"base": shown["tag"], "put": {}, "drop": [], "rows": {}}
    duel.act("red", "hide 3")
    duel.act("blue", "guess 1")
    with duel.live("blue", have=shown["tag"]) as blue:
        message = blue.receive_json()
        now = apply(shown, message["change"]) if message["type"] == "change" else message["view"]
        assert settled(now) == settled(duel.view("blue"))
        assert [item["ply"] for item in now["last_events"]] == [0, 1]


def test_what_is_kept_ready_for_a_seat_is_what_that_seat_may_see(client: TestClient) -> None:
    """After every action, each seat is asked in another order; a match read again tells the same."""
    duel = Duelist.start(client)
    store = rooms_of(client).store
    orders: list[list[str | None]] = [["red", "blue", None], [None, "blue", "red"], ["blue", "red", None]]
    for number, (seat, action) in enumerate(TURN * 2):
        duel.act(seat, action)
        fresh = Match(store, int(duel.id))
        for who in orders[number % 3]:
            told = duel.view(who)
            told.pop("tag")
            assert told == json.loads(json.dumps(fresh.view(who)))


def test_the_tag_follows_from_what_a_seat_is_shown_alone(client: TestClient) -> None:
    """It can be worked out from the view, so it tells nothing else, such as how often a hidden order was changed."""
    duel = Duelist.start(client)
    duel.act("red", "hide 3")
    for seat in ("red", "blue", None):
        view = duel.view(seat)
        shown = {name: value for name, value in view.items() if name not in ("match", "tag", "last_events")}
        assert view["tag"] == blake2b(dumps(shown), digest_size=12).hexdigest()


@pytest.mark.parametrize(("game", "scenario"), [("portfolio", "june22"), ("wir", "barbarossa_short")])
def test_what_a_match_is_thought_to_weigh_is_about_what_it_weighs(tmp_path: Path, game: str, scenario: str) -> None:
    store = Store(tmp_path / "matches.db")

    def played(entries: int, number: int) -> tuple[Match, Screens]:
        dice = random.Random(number)
        match, screens = Match(store, keep(store, pack(new_session(game, scenario, seed=7))).number), Screens()
        while match.session.version < entries:
            decision = match.session.decision()
            assert decision is not None
            seat = decision.seat
            asked = screens.look(match, seat).view["decision"]
            assert asked is not None
            options = [option for option in asked["options"] if option["verb"] not in ("end_game", "draw")]
            match.act(seat, match.version(seat), dice.choice(options)["action"])
        for who in [*match.seats, None]:
            screens.look(match, who)
        return match, screens

    for number in range(4):
        played(120, number)  # what is kept once for all matches
    for entries in (25, 120):
        gc.collect()
        tracemalloc.start()
        matches = [played(entries, number) for number in range(4)]
        gc.collect()
        taken = tracemalloc.get_traced_memory()[0]
        tracemalloc.stop()
        thought = sum(match.weight() + screens.weight() for match, screens in matches)
        print(f"{entries} entries: {taken / 4:,.0f} bytes a match, thought to be {thought / 4:,.0f}")
        assert 0.6 * taken < thought < 2 * taken
    store.close()


def test_a_window_that_shows_a_former_view_keeps_no_text_of_it(client: TestClient) -> None:
    """Texts are some sixty kilobytes in a real game, and every window keeps its last view to compare with."""
    duel = Duelist.start(client)
    match, screens = Match(rooms_of(client).store, int(duel.id)), Screens()
    former, text = screens.message(match, "red", None, True, 1)
    assert json.loads(text)["type"] == "view"
    match.act("red", match.version("red"), "hide 3")
    now, change = screens.message(match, "red", former, True, 2)
    assert json.loads(change)["type"] == "change"
    assert now is not former
    assert (former.weight, former.texts) == (0, {})
    assert now.weight > 0


# -- many matches --------------------------------------------------------------------------------------

MANY = 300


@pytest.mark.parametrize("cache_bytes", [1, 8_000_000, None])
def test_of_many_matches_each_window_is_told_of_every_change(config: ServerConfig, cache_bytes: int | None) -> None:
    """However few of the matches are in memory at a time."""
    settings = config if cache_bytes is None else replace(config, cache_bytes=cache_bytes)
    with connect(settings) as client, ExitStack() as opened:
        duels = [Duelist.start(client) for _ in range(MANY)]
        windows = [opened.enter_context(duel.live("blue", have="")) for duel in duels]
        shown = [window.receive_json()["view"] for window in windows]
        for seat, action in TURN[:3]:
            for duel in duels:
                duel.act(seat, action)
            for number, window in enumerate(windows):
                message = window.receive_json()
                change = message.get("change")
                shown[number] = apply(shown[number], change) if change else message["view"]
            assert [view["decision"]["kind"] for view in shown] == [duels[0].view("blue")["decision"]["kind"]] * MANY
        assert {view["ply"] for view in shown} == {3}
        in_memory = sum(room.match is not None for room in rooms_of(client)._rooms.values())
        assert in_memory == MANY if cache_bytes is None else in_memory < MANY / 2
