"""Several people do whatever they can think of with seats, links and keys: a seat is never two people's."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from starlette.testclient import TestClient

from rasputitsa.server.config import ServerConfig
from tests.server.conftest import connect, rooms_of
from tests.server.player import Duelist

GAMES = int(os.environ.get("RASPUTITSA_SEAT_GAMES", "12"))
STEPS = 60
SEATS = ("axis_north", "axis_south", "soviet_north", "soviet_south")
BOT = {"kind": "bot", "bot": "random"}


@dataclass
class Person:
    """Somebody with all the keys they were ever given; old ones are tried again and again."""

    name: str
    keys: list[tuple[str, str]] = field(default_factory=list)

    def learn(self, keys: dict[str, str]) -> None:
        self.keys += keys.items()

    def newest(self, dice: random.Random) -> dict[str, str]:
        """A seat and a key, mostly one that still fits."""
        if not self.keys:
            return {"seat": dice.choice(SEATS), "key": "none"}
        seat, key = dice.choice(self.keys[-4:] if dice.random() < 0.8 else self.keys)
        return {"seat": seat, "key": key}


class Crowd:
    """Three people and a match; every link lies open for everybody."""

    def __init__(self, client: TestClient, dice: random.Random, owner: bool) -> None:
        self.client, self.dice, self.owner = client, dice, owner
        guests = dice.sample(SEATS, dice.randint(0, 3))
        bots = {seat: BOT for seat in SEATS if seat not in guests and dice.random() < 0.3}
        self.duel = Duelist.start(
            client, game="portfolio", scenario="june22", players=4, guests=guests, controllers=bots
        )  # fmt: skip
        self.people = [Person("creator"), Person("guest"), Person("other")]
        self.people[0].learn(self.duel.keys)
        self.links = list(self.duel.links.values())
        self.told: list[str] = []

    def holders(self) -> dict[str, set[str]]:
        """Who has a key that opens a seat."""
        seats = rooms_of(self.client).store.seats(int(self.duel.id))
        return {
            seat: {person.name for person in self.people if any(s == seat and row.opens(k) for s, k in person.keys)}
            for seat, row in seats.items()
        }

    def step(self) -> tuple[str, Person, set[str]]:
        """Somebody does something; gives what, who, and the seats that may change hands by it."""
        person = self.dice.choice(self.people)
        acts: list[Callable[[Person], set[str]]] = [
            self.invite, self.revoke, self.claim, self.claim, self.renew, self.leave, self.hand, self.take, self.agree,
            self.sit,
        ]  # fmt: skip
        act = self.dice.choice(acts)
        before = self.holders()
        changed = act(person)
        self.told.append(f"{person.name} {act.__name__} {before} -> {self.holders()}")
        return act.__name__, person, changed

    def post(self, path: str, body: dict[str, Any]) -> Any:
        url = path if path.startswith("/") else self.duel.url(path)
        response = self.client.post(url, json=body)
        assert response.status_code < 500, response.text
        return response.json() if response.status_code < 300 else None

    def invite(self, person: Person) -> set[str]:
        kind = self.dice.choice(["guest", "guest", "device"])
        of = self.dice.choice(SEATS)
        answer = self.post("invitations", {**person.newest(self.dice), "of": of, "kind": kind})
        if answer and kind == "guest":
            self.links.append(answer["token"])
        elif answer:  # nobody gives the link to their own device away
            mine = self.post("/api/invitations/claim", {"token": answer["token"], "request_id": os.urandom(9).hex()})
            person.learn({mine["seat"]: mine["key"]})
        return set()

    def revoke(self, person: Person) -> set[str]:
        self.post("invitations/revoke", {**person.newest(self.dice), "of": self.dice.choice(SEATS)})
        return set()

    def claim(self, person: Person) -> set[str]:
        if not self.links:
            return set()
        body = {"token": self.dice.choice(self.links), "request_id": f"{person.name} says this"}
        answer = self.post("/api/invitations/claim", body)  # sent again, it is answered again
        if not answer:
            return set()
        person.learn({answer["seat"]: answer["key"]})
        return {answer["seat"]}

    def renew(self, person: Person) -> set[str]:
        who = person.newest(self.dice)
        answer = self.post("keys", who)
        if answer:
            person.learn({who["seat"]: answer["key"]})
            self.post("keys/only", {**who, **answer})
        return set()

    def leave(self, person: Person) -> set[str]:
        who = person.newest(self.dice)
        return set() if self.post("leave", who) is None else {who["seat"]}

    def hand(self, person: Person) -> set[str]:
        self.post("controllers", {**person.newest(self.dice), "controller": self.dice.choice([BOT, {"kind": "human"}])})
        return set()

    def take(self, person: Person) -> set[str]:
        who, of = person.newest(self.dice), self.dice.choice(SEATS)
        answer = self.post("controllers", {**who, "of": of, "controller": {"kind": "human"}, "opens": True})
        if not answer or not answer["keys"]:
            return set()
        person.learn(answer["keys"])
        return {of}

    def agree(self, person: Person) -> set[str]:
        of = self.dice.choice(SEATS)
        computer = {"topic": "computer", "of": of, "bot": "random"}
        topic = self.dice.choice([{"topic": "hints"}, {"topic": "invite", "of": of}, computer])
        who: dict[str, str] = {} if self.owner and self.dice.random() < 0.3 else person.newest(self.dice)
        answer = self.post("agree", {**topic, **who})
        if answer and answer.get("token"):
            self.links.append(answer["token"])
        return set()

    def sit(self, person: Person) -> set[str]:
        """On one's own machine everybody is its owner, so only the creator looks there."""
        if person.name == "creator":
            self.people[0].learn(self.post("sit", {})["keys"])
        return set()


@pytest.mark.parametrize("seed", range(GAMES))
def test_a_seat_is_never_two_peoples_and_nobody_loses_theirs(config: ServerConfig, seed: int) -> None:
    dice = random.Random(seed)
    owner = seed % 2 == 0
    with connect(config, host="127.0.0.1" if owner else "10.0.0.9") as client:
        rooms_of(client).bots.close()
        crowd = Crowd(client, dice, owner)
        for _ in range(STEPS):
            before = crowd.holders()
            what, person, changed = crowd.step()
            for seat, holders in crowd.holders().items():
                told = "\n".join(crowd.told[-6:])
                assert len(holders) <= 1, f"{seat} is open to {holders}\n{told}"
                if seat not in changed:
                    assert before[seat] <= holders, f"{seat} was taken from {before[seat]} by {what}\n{told}"
                    gained = holders - before[seat]
                    assert not gained, f"{gained} got {seat} by {what} of {person.name}\n{told}"
            response = client.get(crowd.duel.url("seats"))
            assert response.status_code == 200, response.text
