"""A spy plays one seat and guesses what the enemy keeps secret, from whatever can be counted in what is sent there."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Iterator
from typing import Any

from starlette.testclient import TestClient

from rasputitsa.core.record.new import new_session
from tests.server.secrecy.test_twins import UNSEEN, some_orders, to_the_start_of_orders
from tests.server.secrecy.twins import Twin, Work, twins

MATCHES = int(os.environ.get("RASPUTITSA_SPY", "6"))
FEW, MANY = 2, 14
"""What the enemy does, as a coin falls: the spy is to guess which."""


def counted(twin: Twin, seat: str | None) -> dict[str, float]:
    """Everything about the answers to a seat that is a number."""
    params = twin.params(seat)
    found: dict[str, float] = {}
    for name, path, more in (
        ("view", "view", {}), ("log", "log", {}), ("past", "view", {"at": 0}), ("odds", "query", {"kind": "odds"}),
        ("supply", "query", {"kind": "supply"}), ("why", "query", {"kind": "why", "action": "done; done"}),
        ("course", "course", {}), ("export", "export", {}),
    ):  # fmt: skip
        answer = twin.spy.get(twin.players.url(path), params={**params, **more})
        found |= {f"{name} status": answer.status_code, f"{name} bytes": len(answer.content)}
        found |= {f"{name} {place}": value for place, value in numbers(answer.json())}
    row = next(row for row in twin.players.client.get("/api/matches").json() if row["id"] == twin.players.id)
    found["list bytes"] = len(json.dumps(row))
    return found


def numbers(value: Any, place: str = "") -> Iterator[tuple[str, float]]:
    """Every number, and the length of every list, in an answer, but for the name of the match."""
    if isinstance(value, (int, float)):
        yield place, float(value)
    elif isinstance(value, dict):
        for name, item in value.items():
            yield from numbers(item, f"{place}.{name}")
    elif isinstance(value, list):
        yield f"{place} length", float(len(value))


def overheard(twin: Twin, seat: str, mover: str, orders: int) -> dict[str, float]:
    """What the spy counts while the enemy gives some orders and when all are given, over what there was."""
    chooser = random.Random(orders)
    before = counted(twin, seat) | {f"onlooker {name}": value for name, value in counted(twin, None).items()}
    updated = twin.list_row()
    with twin.players.live(seat) as window:
        window.receive_json()
        some_orders(twin, mover, chooser, orders, UNSEEN)
        twin.settle()
        window.send_json({"type": "ping"})
        messages = 0
        while window.receive_json()["type"] != "pong":
            messages += 1
    during = counted(twin, seat) | {f"onlooker {name}": value for name, value in counted(twin, None).items()}
    stirred = float(twin.list_row() != updated)
    while (view := twin.players.view(mover))["decision"]["mine"]:
        actions = {option["action"] for option in view["decision"]["options"]}
        twin.players.act(mover, next(a for a in ("done", "skip", "halt", "back") if a in actions))
    after = counted(twin, seat) | {f"onlooker {name}": value for name, value in counted(twin, None).items()}
    told = {"messages": float(messages), "list stirred": stirred}
    told |= {f"during {name}": during[name] - before.get(name, 0) for name in during}
    return told | {f"after {name}": after[name] - before.get(name, 0) for name in after}


def best_guess(seen: list[tuple[int, dict[str, float]]]) -> tuple[str, float]:
    """The number by which the coin is guessed most often, whatever threshold serves best, and how often."""
    best = ("", 0.0)
    for name in {name for _, told in seen for name in told}:
        values = sorted({told.get(name, 0.0) for _, told in seen})
        for threshold in values:
            right = sum((told.get(name, 0.0) >= threshold) == bool(coin) for coin, told in seen) / len(seen)
            best = max(best, (name, right), (name, 1 - right), key=lambda guess: guess[1])
    return best


def test_a_spy_who_counts_everything_guesses_no_better_than_a_coin(house: tuple[TestClient, TestClient]) -> None:
    owner, spy = house
    seen: list[tuple[int, dict[str, float]]] = []
    for number in range(MATCHES):
        session = new_session("wir", "barbarossa_short", {}, seed=number)
        to_the_start_of_orders(session, random.Random(number), (1, 3)[number % 2])
        mover = session.decision().seat  # type: ignore[union-attr]
        seat = {"axis": "soviet", "soviet": "axis"}[mover]
        for coin, twin in enumerate(twins(owner, spy, session, Work())):
            seen.append((coin, overheard(twin, seat, mover, (FEW, MANY)[coin])))
    name, right = best_guess(seen)
    assert right == 0.5, f"{right:.0%} by {name}"


def test_the_spy_would_notice(house: tuple[TestClient, TestClient]) -> None:
    """Of a game that is played openly the spy tells every time."""
    owner, spy = house
    session = new_session("wir", "barbarossa_short", {"fog": "open"}, seed=1)
    to_the_start_of_orders(session, random.Random(1), 1)
    seen = [
        (coin, overheard(twin, "axis", "soviet", (FEW, MANY)[coin]))
        for coin, twin in enumerate(twins(owner, spy, session, Work()))
    ]
    assert best_guess(seen)[1] == 1.0
