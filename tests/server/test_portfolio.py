"""The Russian Portfolio through the server: what the engine says is what arrives."""

from __future__ import annotations

import json
import random
import time
from typing import Any

import pytest
from starlette.testclient import TestClient

from rasputitsa.core.record.new import new_session
from rasputitsa.core.record.session import Session
from rasputitsa.server.matches.match import MOST_INTERRUPTIONS
from tests.server.player import Duelist
from tests.support import PATIENCE

FIELDS = {
    "match", "game", "scenario", "title", "version", "ply", "seat", "turn", "phase", "order", "units", "control",
    "points", "victory", "seas", "siberia", "offensive", "attacks", "last_events", "decision", "outcome", "can_undo",
    "controllers", "dice", "options",
}  # fmt: skip


def start(client: TestClient, **body: Any) -> Duelist:
    return Duelist.start(client, **{"game": "portfolio", "scenario": "june22", **body})


@pytest.mark.parametrize("players", [2, 4])
def test_a_random_game_is_played_to_its_end_and_replays(client: TestClient, players: int) -> None:
    match = start(client, players=players, seed=4)
    assert len(match.keys) == players
    dice = random.Random(players)
    entries, seat = 0, "axis" if players == 2 else "axis_north"
    while entries < 1500:
        view = match.view(seat)
        assert set(view) >= FIELDS
        assert view["decision"]["mine"]
        action = dice.choice(view["decision"]["options"])["action"]
        after = match.send(match.body(seat, action)).json()["view"]
        entries += 1
        assert after["ply"] == entries
        assert [item["action"] for item in after["last_events"]] == [action]
        if after["decision"] is None:
            break
        seat = after["decision"]["seat"]
    session = Session.load(client.get(match.url("export")).text)
    assert session.version == entries
    assert (session.decision() is None) == (after["outcome"] is not None)
    items = client.get(match.url("log"), params={"from": 0}).json()
    assert len(items) == entries
    assert all(item["turn"] and item["phase"] for item in items)


def test_options_tell_what_they_are_about(client: TestClient) -> None:
    match = start(client)
    view = match.view("axis")
    static = client.get("/api/games/portfolio/static?scenario=june22").json()
    units = {unit["id"] for unit in static["units"]}
    hexes = {h["id"] for h in static["map"]["hexes"]}
    for option in view["decision"]["options"]:
        assert option["verb"] in static["verbs"]
        assert set(option["units"]) <= units
        assert option["hex"] is None or option["hex"] in hexes
        assert option["label"]
    assert view["decision"]["rule"] and view["decision"]["prompt"]


def test_the_engine_answers_questions(client: TestClient) -> None:
    match = start(client)
    url, axis = match.url("query"), match.auth("axis")
    while (view := match.view("axis"))["phase"]["id"] != "movement":
        match.act(view["decision"]["seat"], "done")
    reach = client.get(url, params={**axis, "kind": "reach", "unit": "4PzG"}).json()
    assert {"plain", "dispersed"} <= set(reach)
    assert all({"hex", "cost"} <= set(found) for found in reach["plain"])
    why = client.get(url, params={**axis, "kind": "why", "action": "move 8A"}).json()
    assert why["legal"] is False and why["reason"] and "rule" in why
    for kind in ("zoc", "supply"):
        answer = client.get(url, params={**axis, "kind": kind, "side": "soviet"})
        assert answer.status_code == 200 and answer.json()
    for params in (
        {"kind": "reach"},
        {"kind": "reach", "unit": "Nobody"},
        {"kind": "odds", "targets": "ZZ1"},
        {"kind": "x"},
    ):
        refused = client.get(url, params={**axis, **params})
        assert refused.status_code == 422, refused.text
        assert refused.json()["error"]["message"]


def test_a_refusal_names_the_paragraph(client: TestClient) -> None:
    match = start(client)
    while (view := match.view("axis"))["phase"]["id"] != "movement":
        match.act(view["decision"]["seat"], "done")
    match.act("axis", "move 4PzG")
    error = match.refused("axis", "to A25", 422, "illegal")
    assert error["rule"] and error["message"]
    assert error["view"]["decision"]["mine"]


def test_a_move_written_in_one_line_is_one_answer(client: TestClient) -> None:
    match = start(client)
    while (view := match.view("axis"))["phase"]["id"] != "movement":
        match.act(view["decision"]["seat"], "done")
    url, question = match.url("query"), {**match.auth("axis"), "units": "4PzG"}
    reach = client.get(url, params={**question, "kind": "reach"}).json()
    goal = max(reach["plain"], key=lambda found: found["cost"])["hex"]
    route = client.get(url, params={**question, "kind": "route", "to": goal}).json()
    assert (route["hexes"][0], route["hexes"][-1]) == ("L4", goal)
    before = view["ply"]
    view = match.act("axis", f"move 4PzG {goal}")
    assert view["ply"] >= before + 2
    assert next(unit for unit in view["units"] if unit["id"] == "4PzG")["hex"] == goal


def a_game_before_the_roulette() -> Session:
    """A random game up to the decision in which the Axis picks its number."""
    for seed in range(1, 100):
        session, dice = new_session("portfolio", "june22", seed=seed), random.Random(seed)
        while (decision := session.decision()) is not None and session.version < 600:
            if decision.kind == "pick":
                return session
            session.play(session.game.format(session.state, dice.choice(decision.options)))
    raise AssertionError("no game came to the roulette")


def test_the_number_picked_for_the_roulette_stays_hidden(client: TestClient) -> None:
    session = a_game_before_the_roulette()
    headers = {"content-type": "application/x-ndjson"}
    seen = []
    for choice in (0, 1):
        made = client.post("/api/import", content=session.save(), headers=headers).json()
        match = Duelist(client, made["id"], made["keys"])
        option = match.view("axis")["decision"]["options"][choice]
        assert match.act("axis", option["action"])["siberia"]["picked"] == option["number"]
        texts = []
        for who in (match.auth("soviet"), {}):
            view = client.get(match.url("view"), params=who).json()
            assert view["siberia"]["picked"] is None
            assert view["last_events"][-1]["action"] == ""
            log = client.get(match.url("log"), params=who).text
            texts += [json.dumps({**view, "match": ""}), log]
        seen.append(texts)
    assert seen[0] == seen[1]


def test_two_bots_play_a_whole_game(client: TestClient) -> None:
    bot = {"kind": "bot", "bot": "random"}
    match = start(client, controllers={"axis": bot, "soviet": bot}, seed=2)
    end = time.monotonic() + PATIENCE
    while not (view := match.view("axis"))["outcome"]:
        assert time.monotonic() < end, f"stuck at ply {view['ply']}: {view['decision']}"
        time.sleep(0.1)
    assert Session.load(client.get(match.url("export")).text).decision() is None


def test_the_rules_are_served(client: TestClient) -> None:
    paragraphs = client.get("/api/games/portfolio/rules").json()["paragraphs"]
    ids = {paragraph["id"] for paragraph in paragraphs}
    assert {"XI.B", "XIII.D.4.b"} <= ids or len(ids) > 50
    assert all(paragraph["text"] and paragraph["title"] for paragraph in paragraphs)


def test_a_front_is_reduced_while_the_enemy_is_to_move(client: TestClient) -> None:
    """XIV.C: an aside of the seat that is not asked; the other one goes on where it was."""
    match = axis_to_move(client)
    offered = client.get(match.url("query"), params={**match.auth("soviet"), "kind": "asides"}).json()["options"]
    assert [o["action"] for o in offered] == ["reduce WestF"]
    assert client.get(match.url("query"), params={"kind": "asides"}).json() == {"options": []}
    match.refused("soviet", "move 8A", 409, "not_your_turn")
    error = match.refused("soviet", "eliminate 8A", 409, "not_your_turn")
    assert (error["rule"], error["message"]) == (
        "XIV.C", "a player gives up units of their own, in a player-turn of their own",
    )  # fmt: skip
    match.act("axis", "move 2AOK")
    after = match.act("soviet", "reduce WestF as 3A")
    assert after["decision"]["seat"] == "axis"
    assert {u["id"]: u["hex"] for u in after["units"] if u["hex"]} == {"2AOK": "V23", "8A": "V27", "3A": "Q20"}
    match.act("axis", "back")
    loaded = Session.load(client.get(match.url("export")).text)
    assert [(e.seat, e.action) for e in loaded.entries][1:3] == [("soviet", "reduce WestF"), ("soviet", "as 3A")]


def test_who_is_asked_orders_no_unit_of_the_other_side(client: TestClient) -> None:
    """XIV.C: in the Soviet attack phase the Axis is asked whether it withdraws."""
    match = begun(
        client, "attack", "soviet", {"2AOK": "V23", "8A": "V24", "WestF": "V27", "1Inf": "K17", "56RK": "K16"}
    )
    for order in ("eliminate 8A", "reduce WestF", "reduce WestF as 3A"):
        assert match.refused("axis", order, 422, "illegal")["rule"] == "XIV.C"
    assert {u["id"] for u in match.view("axis")["units"] if u["hex"]} == {"2AOK", "8A", "WestF", "1Inf", "56RK"}


def axis_to_move(client: TestClient) -> Duelist:
    """A position in which the Soviets may reduce a front at any time."""
    return begun(client, "movement", "axis", {"2AOK": "V23", "8A": "V27", "WestF": "Q20"})


def begun(client: TestClient, phase: str, side: str, units: dict[str, str]) -> Duelist:
    """A match that begins in the third game-turn with these units alone."""
    place = {"scenario": "june22", "empty": True, "turn": 3, "phase": phase, "side": side, "units": units}
    save = new_session("portfolio", "june22", seed=1, position=place).save()
    made = client.post("/api/import", content=save, headers={"content-type": "application/x-ndjson"}).json()
    return Duelist(client, made["id"], made["keys"])


def test_nobody_interrupts_whoever_is_asked_without_end(client: TestClient) -> None:
    """By beginning what may be done at any time again and again, and taking it back."""
    match = axis_to_move(client)
    for _ in range(MOST_INTERRUPTIONS // 2):
        match.play([("soviet", "reduce WestF"), ("soviet", "back"), ("soviet", "reduce WestF")])
        assert match.undo("soviet").status_code == 200
    error = match.refused("soviet", "reduce WestF", 409, "not_your_turn")
    assert error["message"] == "axis was interrupted 12 times, and is to answer first"
    match.act("axis", "move 2AOK")
    match.act("soviet", "reduce WestF as 3A")


def test_nobody_goes_back_to_before_an_own_die_alone(client: TestClient) -> None:
    """Also by naming the ply, and with own steps after the die."""
    units = {"39Pz": "V23", "8A": "V24", "2AOK": "Q20", "3A": "Q21"}
    place = {"scenario": "june22", "empty": True, "turn": 3, "phase": "attack", "side": "axis", "units": units}
    save = new_session("portfolio", "june22", seed=1, position=place).save()
    made = client.post("/api/import", content=save, headers={"content-type": "application/x-ndjson"}).json()
    match = Duelist(client, made["id"], made["keys"])
    match.play([("soviet", "stand_all"), ("axis", "attack V24: 39Pz"), ("axis", "attack Q21: 2AOK"), ("axis", "done")])
    match.act("soviet", "done")
    before = match.view("axis")["ply"]
    view = match.act("axis", "resolve 1")
    while view["decision"]["seat"] == "axis" and view["ply"] < before + 3:
        view = match.act("axis", view["decision"]["options"][0]["action"])  # the first steps of the advance
    assert view["ply"] > before + 1
    assert match.undo("axis", to=before).json()["view"]["ply"] == view["ply"], "the other one has not agreed"
