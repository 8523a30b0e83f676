"""Seats that change hands, and what the people of a match agree on."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from starlette.testclient import TestClient

from rasputitsa.server.config import ServerConfig
from rasputitsa.server.matches import match as match_module
from rasputitsa.server.routes import table as table_routes
from rasputitsa.server.store.uptimes import Uptime
from tests.server.conftest import connect, rooms_of
from tests.server.player import TURN, Duelist, claim
from tests.server.seats.test_seats import post, refused

BOT = {"kind": "bot", "bot": "random"}
HUMAN = {"kind": "human"}


def table(duel: Duelist, seat: str | None = None) -> dict[str, Any]:
    response = duel.client.get(duel.url("seats"), params=duel.auth(seat) if seat else {})
    assert response.status_code == 200, response.text
    found: dict[str, Any] = response.json()
    return found


def states(duel: Duelist, seat: str | None = None) -> list[str]:
    seats = table(duel, seat)["seats"]
    return [seats[name]["state"] for name in ("red", "blue")]


def actions(duel: Duelist) -> list[str]:
    items = duel.client.get(duel.url("log"), params=duel.auth("red")).json()
    return [item["action"] for item in items if item["action"].startswith("@")]


def four(client: TestClient, **body: Any) -> Duelist:
    """A match for four, of which North holds one seat and guests come to the others."""
    guests = ["axis_south", "soviet_north", "soviet_south"]
    return Duelist.start(client, game="portfolio", scenario="june22", players=4, guests=guests, **body)


def sit_down(duel: Duelist, *seats: str, **guest: Any) -> None:
    for seat in seats:
        duel.keys[seat] = claim(duel.client, duel.links[seat], **guest)["key"]


def test_everybody_sees_who_is_there_and_who_is_still_to_come(config: ServerConfig) -> None:
    with connect(config, host="10.0.0.9") as client:
        duel = Duelist.start(client, guests=["blue"])
        assert states(duel, "red") == ["yours", "waiting"] and states(duel) == ["person", "waiting"]
        assert table(duel, "red")["seats"]["blue"] | {"silent": False} == {
            "state": "waiting", "silent": False, "near": False, "link": True, "wish": None, "inviter": ["red"],
        }  # fmt: skip
        assert not table(duel, "red")["alone"]
        post(duel, "invitations/revoke", "red", of="blue")
        assert not table(duel, "red")["seats"]["blue"]["link"]
        duel.keys["blue"] = claim(client, post(duel, "invitations", "red", of="blue").json()["token"])["key"]
        assert states(duel, "red") == ["yours", "person"] and states(duel, "blue") == ["person", "yours"]
        assert states(Duelist.start(client, controllers={"blue": BOT}), None) == ["person", "computer"]


# -- taking seats over ---------------------------------------------------------------------------------


def test_whoever_takes_the_computers_seat_too_is_asked_first_and_the_match_says_so(client: TestClient) -> None:
    duel = Duelist.start(client, controllers={"blue": BOT})
    assert not table(duel, "red")["opened"]
    refused(post(duel, "controllers", "red", of="blue", controller=HUMAN), 409, "opens_match")
    assert duel.view("red")["controllers"]["blue"] == BOT and states(duel, "red") == ["yours", "computer"]
    duel.take_over("blue", by="red")
    assert table(duel, "red")["opened"] and states(duel, "red") == ["yours", "yours"]
    assert post(duel, "controllers", "blue", controller=BOT).status_code == 200
    assert table(duel, "red")["opened"], "what was seen cannot be unseen"
    assert actions(duel) == ["@opened", "@control human", "@control bot random"]
    log = duel.client.get(duel.url("log"), params=duel.auth("red")).json()
    assert [item["events"][0]["text"] for item in log if item["action"].startswith("@")] == [
        "From here on one person sees both sides",
        "Blue: a person plays from here on",
        "Blue: the computer plays from here on",
    ]
    saved = client.get(duel.url("export")).content
    again = client.post("/api/import", content=saved, headers={"content-type": "application/x-ndjson"})
    assert again.status_code == 201, again.text


def test_the_mark_of_an_open_match_outlives_going_back(client: TestClient) -> None:
    duel = Duelist.start(client, controllers={"blue": BOT})
    duel.take_over("blue", by="red")
    duel.act("red", "hide 3")
    duel.undo("red", to=0), duel.undo("blue", to=0)
    assert duel.view("red")["phase"]["id"] == "hide" and "@opened" in actions(duel)
    assert table(duel, "red")["opened"]


def test_ones_own_seat_goes_to_the_computer_and_back_at_will(client: TestClient) -> None:
    duel = Duelist.between_two(client)
    assert post(duel, "controllers", "red", controller=BOT).status_code == 200
    assert states(duel, "blue") == ["person", "yours"], "it is still Red's"
    refused(post(duel, "controllers", "blue", of="red", controller=HUMAN, opens=True), 403, "not_yours")
    assert post(duel, "controllers", "red", controller=HUMAN).status_code == 200
    assert not table(duel, "red")["opened"]


def test_nobody_takes_a_computers_seat_while_others_play(client: TestClient) -> None:
    body = {"controllers": {seat: {"kind": "bot", "bot": "random"} for seat in ("axis_south", "soviet_south")}}
    duel = Duelist.start(client, game="portfolio", scenario="june22", players=4, guests=["soviet_north"], **body)
    for _ in range(2):
        for of in ("axis_south", "soviet_south"):
            taking = post(duel, "controllers", "axis_north", of=of, controller=HUMAN, opens=True)
            refused(taking, 409, "others_play")
        if "soviet_north" not in duel.keys:
            sit_down(duel, "soviet_north")


def test_a_further_seat_of_ones_own_side_opens_nothing(client: TestClient) -> None:
    seats = ("axis_south", "soviet_north", "soviet_south")
    duel = Duelist.start(
        client, game="portfolio", scenario="june22", players=4,
        controllers={seat: {"kind": "bot", "bot": "random"} for seat in seats},
    )  # fmt: skip
    assert post(duel, "controllers", "axis_north", of="axis_south", controller=HUMAN).status_code == 200
    assert not table(duel, "axis_north")["opened"]
    refused(post(duel, "controllers", "axis_north", of="soviet_south", controller=HUMAN), 409, "opens_match")


def test_matches_at_one_screen_are_open_from_the_start(client: TestClient) -> None:
    assert table(Duelist.start(client), "red")["opened"]
    assert table(Duelist.start(client, controllers={"red": BOT, "blue": BOT}), "red")["opened"]
    assert not table(Duelist.between_two(client), "red")["opened"]


# -- seats left ----------------------------------------------------------------------------------------


def test_a_seat_given_up_is_offered_again_by_those_who_remain(client: TestClient) -> None:
    duel = four(client)
    sit_down(duel, "axis_south", "soviet_north", "soviet_south")
    wanted = {"topic": "invite", "of": "soviet_south"}
    refused(post(duel, "agree", "axis_north", **wanted), 403, "not_yours")
    old = dict(duel.keys)
    assert post(duel, "leave", "soviet_south").status_code == 200
    refused(client.get(duel.url("view"), params={"seat": "soviet_south", "key": old["soviet_south"]}), 403, "bad_key")
    assert post(duel, "agree", "axis_north", **wanted).json() == {"done": False}
    assert post(duel, "agree", "soviet_north", **wanted).json() == {"done": False}
    assert post(duel, "agree", "soviet_north", **wanted, yes=False).json() == {"done": False}
    assert post(duel, "agree", "axis_south", **wanted).json() == {"done": False}
    answer = post(duel, "agree", "soviet_north", **wanted).json()
    assert answer["done"]
    told = client.get(duel.url("log"), params=duel.auth("axis_north")).json()[-1]
    assert told["events"][0]["text"] == "Soviet south: the player has given up the seat"
    duel.keys["soviet_south"] = claim(client, answer["token"])["key"]
    duel.view("soviet_south")


def test_a_seat_given_up_goes_to_the_computer_when_the_one_who_remains_wishes(config: ServerConfig) -> None:
    with connect(config, host="10.0.0.9") as client:
        duel = Duelist.between_two(client)
        assert post(duel, "leave", "blue").status_code == 200
        refused(post(duel, "controllers", "red", of="blue", controller=BOT), 400, "bad_request")
        refused(post(duel, "agree", "red", topic="computer", of="blue", bot="none"), 400, "bad_request")
        refused(client.post(duel.url("agree"), json={"topic": "invite", "of": "blue"}), 403, "bad_key")
        assert post(duel, "agree", "red", topic="computer", of="blue", bot="random").json() == {"done": True}
        assert duel.view("red")["controllers"]["blue"] == BOT and table(duel, "red")["alone"]
        assert client.get(duel.url("export"), params=duel.auth("red")).status_code == 200, "Red plays alone now"


DAY_MS = 86_400_000


def stay_up(duel: Duelist, days: float) -> None:
    """The server is there for so long."""
    store = rooms_of(duel.client).store
    store.up = Uptime(store.up.ms() + int(days * DAY_MS))


def set_clock(monkeypatch: pytest.MonkeyPatch, days: float) -> None:
    """The clock of the machine is set."""
    shown = time.time_ns() + int(days * DAY_MS) * 1_000_000
    monkeypatch.setattr("time.time_ns", lambda: shown)


def test_whoever_has_been_silent_for_long_can_be_replaced(client: TestClient) -> None:
    duel = Duelist.between_two(client)
    duel.act("red", "hide 3")
    days = 14
    stay_up(duel, days - 0.01)
    assert not table(duel, "red")["seats"]["blue"]["silent"]
    refused(post(duel, "agree", "red", topic="invite", of="blue"), 403, "not_yours")
    assert days * DAY_MS == table_routes.SILENT_MS
    stay_up(duel, 0.02)
    assert table(duel, "red")["seats"]["blue"]["silent"]
    refused(post(duel, "agree", "blue", topic="invite", of="blue"), 403, "not_yours")
    refused(post(duel, "agree", "blue", topic="computer", of="red", bot="random"), 403, "not_yours")
    token = post(duel, "agree", "red", topic="invite", of="blue").json()["token"]
    old = duel.keys["blue"]
    duel.keys["blue"] = claim(client, token)["key"]
    duel.view("blue")
    refused(client.get(duel.url("view"), params={"seat": "blue", "key": old}), 403, "bad_key")
    assert not table(duel, "red")["seats"]["blue"]["silent"], "who has just come"


def test_a_clock_that_jumps_makes_nobody_silent(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ahead for a moment; or behind while the last order was given, and then set right."""
    duel = Duelist.between_two(client)
    with monkeypatch.context() as behind:
        set_clock(behind, -20)
        duel.act("red", "hide 3")
    for days in (0, 15, 400):
        with monkeypatch.context() as ahead:
            set_clock(ahead, days)
            rooms_of(client).store.note_up()
            assert not table(duel, "red")["seats"]["blue"]["silent"]
            refused(post(duel, "agree", "red", topic="computer", of="blue", bot="random"), 403, "not_yours")
    assert duel.view("blue")["seat"] == "blue"


def test_while_the_server_was_off_nobody_was_silent(config: ServerConfig) -> None:
    """What it was up is kept, each time added to the last."""
    with connect(config) as client:
        duel = Duelist.between_two(client)
        duel.act("red", "hide 3")
        stay_up(duel, 10)
        rooms_of(client).store.note_up()
    with connect(config) as client:
        duel.client = client
        stay_up(duel, 3.9)
        assert not table(duel, "red")["seats"]["blue"]["silent"]
        stay_up(duel, 0.2)
        assert table(duel, "red")["seats"]["blue"]["silent"]


def test_who_gives_orders_in_secret_is_not_silent(client: TestClient) -> None:
    """They change no time that others see, and are heard all the same."""
    duel = Duelist.start(client, game="wir", scenario="barbarossa_short", guests=["soviet"])
    duel.keys["soviet"] = claim(client, duel.links["soviet"])["key"]
    store = rooms_of(client).store
    before = store.match(int(duel.id)).updated_ms
    stay_up(duel, 15)
    assert table(duel, "soviet")["seats"]["axis"]["silent"], "so far nothing was heard of Axis"
    options = duel.view("axis")["decision"]["options"]
    duel.act("axis", next(option["action"] for option in options if option["verb"] != "done"))
    assert store.match(int(duel.id)).updated_ms == before, "a secret order"
    assert not table(duel, "soviet")["seats"]["axis"]["silent"]
    refused(post(duel, "agree", "soviet", topic="computer", of="axis", bot="random"), 403, "not_yours")
    assert duel.view("axis")["seat"] == "axis", "and the key is good"


def test_whoever_takes_another_key_is_not_silent(client: TestClient) -> None:
    duel = Duelist.between_two(client)
    duel.act("red", "hide 3")
    stay_up(duel, 15)
    assert post(duel, "keys", "blue").status_code == 201
    assert not table(duel, "red")["seats"]["blue"]["silent"]


def test_whoever_speaks_to_all_is_not_silent_and_whoever_notes_something_down_is(config: ServerConfig) -> None:
    """Silent is whom the others have not heard; what was said to one's own side they have not."""
    with connect(config, host="10.0.0.9") as client:
        duel = four(client)
        sit_down(duel, "axis_south", "soviet_north", "soviet_south")
        asked = duel.view(None)["decision"]["seat"]
        other = next(seat for seat in duel.keys if seat != asked)
        stay_up(duel, 15)
        post(duel, "notes", asked, text="I am still here")
        message = {"text": "One moment, please.", "request_id": "x" * 20}
        assert post(duel, "talk", asked, **message, to="side").status_code == 201
        assert table(duel, other)["seats"][asked]["silent"]
        assert post(duel, "talk", asked, **{**message, "request_id": "y" * 20}).status_code == 201
        assert not table(duel, other)["seats"][asked]["silent"]
        stay_up(duel, 30)
        assert post(duel, "talk", asked, **{**message, "request_id": "y" * 20}).status_code == 201
        assert table(duel, other)["seats"][asked]["silent"], "a message that comes again is none"


def test_the_owner_of_the_machine_decides_about_seats_that_were_left(client: TestClient) -> None:
    duel = Duelist.between_two(client)
    owner = {"topic": "computer", "of": "blue", "bot": "random"}
    refused(client.post(duel.url("agree"), json=owner), 403, "not_yours")
    post(duel, "leave", "blue")
    assert client.post(duel.url("agree"), json=owner).json() == {"done": True}
    assert states(duel, "red") == ["yours", "computer"]


# -- hints ---------------------------------------------------------------------------------------------


STAND_IN = {"topic": "computer", "bot": "random"}


def agreed(duel: Duelist, seats: list[str], of: str, **topic: str) -> list[bool]:
    """Whether it was done with the consent of each of these seats."""
    answers = [post(duel, "agree", seat, of=of, **topic) for seat in seats]
    assert all(answer.status_code == 200 for answer in answers), [answer.text for answer in answers]
    return [answer.json()["done"] for answer in answers]


def test_what_was_agreed_about_a_seat_is_void_when_somebody_takes_it(config: ServerConfig) -> None:
    """A player who comes later is not replaced by consent that was about somebody else."""
    with connect(config, host="10.0.0.9") as client:
        duel = four(client)
        sit_down(duel, "axis_south", "soviet_north", "soviet_south")
        others = ["axis_north", "axis_south", "soviet_north"]
        post(duel, "leave", "soviet_south")
        assert agreed(duel, others[:2], "soviet_south", **STAND_IN) == [False, False]
        assert table(duel)["agreed"] == {"computer:soviet_south:random": others[:2]}
        assert agreed(duel, others[:2], "soviet_south", topic="invite") == [False, False]
        answer = post(duel, "agree", others[2], of="soviet_south", topic="invite").json()
        duel.keys["soviet_south"] = claim(client, answer["token"])["key"]
        post(duel, "leave", "soviet_south")
        assert table(duel)["agreed"] == {}
        assert agreed(duel, others[2:], "soviet_south", **STAND_IN) == [False]
        assert agreed(duel, others[:2], "soviet_south", **STAND_IN) == [False, True]


def test_whoever_is_heard_of_again_is_replaced_by_new_consent_alone(config: ServerConfig) -> None:
    with connect(config, host="10.0.0.9") as client:
        duel = four(client)
        sit_down(duel, "axis_south", "soviet_north", "soviet_south")
        asked = duel.view(None)["decision"]["seat"]
        first, *others = [seat for seat in duel.keys if seat != asked]
        stay_up(duel, 15)
        assert agreed(duel, [first], asked, **STAND_IN) == [False] and table(duel)["agreed"]
        assert post(duel, "keys", asked).status_code == 201
        assert table(duel)["agreed"] == {}
        stay_up(duel, 15)
        assert agreed(duel, others, asked, **STAND_IN) == [False, False], "the first consent was given weeks ago"
        assert agreed(duel, [first], asked, **STAND_IN) == [True]


def test_consent_about_a_seat_is_kept_once_however_it_is_put(config: ServerConfig) -> None:
    with connect(config, host="10.0.0.9") as client:
        duel = four(client)
        sit_down(duel, "axis_south", "soviet_north", "soviet_south")
        post(duel, "leave", "soviet_south")
        for number in range(5):
            agreed(duel, ["axis_north"], "soviet_south", topic="invite", bot=f"no. {number}")
        assert table(duel)["agreed"] == {"invite:soviet_south": ["axis_north"]}
        store = rooms_of(client).store
        assert len([topic for topic in store.agreements(int(duel.id)) if "soviet_south" in topic]) == 1


def test_nobody_keeps_others_from_acting_by_what_is_put_on_record_at_the_table(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each such entry makes the version that others act on an old one, and may be sent forty times a second."""
    monkeypatch.setattr(match_module, "TABLE_RATE", 1e-9)
    duel = Duelist.between_two(client)
    answers = [post(duel, "controllers", "blue", controller={**HUMAN, "name": f"B{n}"}) for n in range(70)]
    assert [answer.status_code for answer in answers] == [200] * 60 + [429] * 10
    assert answers[-1].json()["error"]["code"] == "too_many" and "retry-after" in answers[-1].headers
    for yes in (True, True, False, True, False, True):
        for seat in ("red", "blue"):
            post(duel, "agree", seat, topic="hints", yes=yes)
    assert post(duel, "controllers", "red", controller={**HUMAN, "name": "R"}).status_code == 200, "for each by itself"
    duel.act("red", "hide 3")


def test_nobody_passes_a_seat_on_without_end(client: TestClient) -> None:
    """Each time the dice come from another source, and all of them are kept."""
    duel = Duelist.between_two(client)
    for _ in range(11):
        token = post(duel, "invitations", "blue", of="blue").json()["token"]
        duel.keys["blue"] = claim(client, token)["key"]
    token = post(duel, "invitations", "blue", of="blue").json()["token"]
    request = {"token": token, "request_id": "x" * 20}
    refused(client.post("/api/invitations/claim", json=request), 429, "too_many")
    duel.play([("red", "hide 3"), ("blue", "guess 2")])


def hint(duel: Duelist, seat: str) -> Any:
    return post(duel, "hint", seat)


def test_between_people_there_are_hints_only_when_all_agree(client: TestClient) -> None:
    duel = Duelist.start(client, game="portfolio", scenario="june22", guests=["soviet"])
    refused(hint(duel, "axis"), 403, "hints_off")
    sit_down(duel, "soviet")
    for ask in (hint(duel, "axis"), post(duel, "course", "axis"), post(duel, "course", "soviet")):
        refused(ask, 403, "hints_off")
    refused(client.get(duel.url("course"), params=duel.auth("axis")), 403, "hints_off")
    assert post(duel, "agree", "axis", topic="hints").json() == {"done": False}
    refused(hint(duel, "axis"), 403, "hints_off")
    assert table(duel, "soviet")["agreed"] == {"hints": ["axis"]} and not table(duel, "soviet")["hints"]
    assert post(duel, "agree", "soviet", topic="hints").json() == {"done": True}
    begun = hint(duel, "axis")
    assert begun.status_code == 202
    assert post(duel, "agree", "axis", topic="hints", yes=False).json() == {"done": False}
    refused(hint(duel, "axis"), 403, "hints_off")
    looked = client.get(duel.url(f"analysis/{begun.json()['id']}"), params=duel.auth("axis"))
    refused(looked, 403, "hints_off")
    log = client.get(duel.url("log"), params=duel.auth("axis")).json()
    assert [item["action"] for item in log] == ["@hints on", "@hints off"]


def test_hints_agreed_at_the_start_are_told_with_the_invitation(client: TestClient) -> None:
    duel = Duelist.start(client, game="portfolio", scenario="june22", guests=["soviet"], hints=True)
    assert client.post("/api/invitations/look", json={"token": duel.links["soviet"]}).json()["hints"]
    assert hint(duel, "axis").status_code == 202
    sit_down(duel, "soviet", hints=True)
    assert hint(duel, "axis").status_code == 202
    # a player who comes later was told of no hints if somebody else has withdrawn
    other = Duelist.start(client, game="portfolio", scenario="june22", guests=["soviet"], hints=True)
    post(other, "agree", "axis", topic="hints", yes=False)
    assert not client.post("/api/invitations/look", json={"token": other.links["soviet"]}).json()["hints"]
    sit_down(other, "soviet")
    post(other, "agree", "axis", topic="hints")
    refused(hint(other, "axis"), 403, "hints_off")


@pytest.mark.parametrize("way", ["link", "list"])
def test_a_guest_agrees_to_what_was_looked_at(client: TestClient, way: str) -> None:
    """Hints that the host turns on between the look and the claim are not agreed to unseen."""
    wish = {"publish": {"pace": "day"}} if way == "list" else {}
    duel = Duelist.start(client, game="portfolio", scenario="june22", guests=["soviet"], **wish)
    link, open_seat = {"token": duel.links["soviet"]}, {"match": duel.id, "seat": "soviet"}
    looked, taken = ("tables/look", "tables/take") if way == "list" else ("invitations/look", "invitations/claim")
    seen = client.post(f"/api/{looked}", json=open_seat if way == "list" else link).json()
    assert post(duel, "agree", "axis", topic="hints").status_code == 200
    guest = {"request_id": "sitting down at a table", "hints": seen["hints"]}
    answer = client.post(f"/api/{taken}", json={**(open_seat if way == "list" else link), **guest})
    assert answer.status_code == 200, answer.text
    refused(hint(duel, "axis"), 403, "hints_off")


def test_alone_and_at_one_screen_there_are_hints(config: ServerConfig) -> None:
    with connect(config, host="10.0.0.9") as client:
        solo = {"controllers": {"soviet": {"kind": "bot", "bot": "random"}}}
        for body in ({}, solo):
            duel = Duelist.start(client, game="portfolio", scenario="june22", **body)
            assert hint(duel, "axis").status_code == 202


def test_a_saved_game_may_tell_of_hints_but_of_nothing_else(client: TestClient) -> None:
    duel = Duelist.start(client)
    lines = client.get(duel.url("export")).text.splitlines()
    for remark, status in (("@hints on", 201), ("@opened", 201), ("@hints", 422), ("@opened now", 422)):
        entry = json.dumps({"seat": "red", "action": remark})
        end = json.dumps({**json.loads(lines[-1]), "end": 1})
        text = "\n".join([lines[0], entry, end])
        response = client.post("/api/import", content=text, headers={"content-type": "application/x-ndjson"})
        assert response.status_code == status, response.text


def test_when_it_is_over_everything_is_shown_to_everybody(client: TestClient) -> None:
    duel = Duelist.between_two(client)
    duel.play(TURN * 2)
    assert client.get(duel.url("course"), params=duel.auth("blue")).status_code == 200
    assert client.get(duel.url("export"), params=duel.auth("blue")).status_code == 200


# -- going back ----------------------------------------------------------------------------------------


def test_nobody_goes_back_alone_while_the_computer_plays_for_somebody(client: TestClient) -> None:
    """A player who hands a seat to the computer for a while still has a say in what is taken back."""
    duel = Duelist.between_two(client)
    duel.play(TURN[:3])
    assert post(duel, "controllers", "blue", controller=BOT).status_code == 200
    before = duel.view("red")["ply"]
    assert duel.undo("red", to=0).json()["view"]["ply"] == before
    assert duel.undo("blue", to=0).json()["view"]["phase"]["id"] == "hide"


def test_who_waits_in_vain_plays_the_guests_seat(client: TestClient) -> None:
    duel = Duelist.start(client, guests=["blue"])
    refused(post(duel, "controllers", "red", of="blue", controller=HUMAN), 409, "opens_match")
    duel.take_over("blue", by="red")
    look = client.post("/api/invitations/look", json={"token": duel.links["blue"]})
    refused(look, 404, "unknown_invitation")
    assert table(duel, "red")["alone"]
