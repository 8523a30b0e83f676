"""Looking back: what was secret stays so while a match goes on, and is laid open when it is over."""

from __future__ import annotations

from fastapi.testclient import TestClient

from tests.server.player import TURN, Duelist

HIDDEN = int(TURN[0][1].split()[1])


def test_once_a_match_is_over_its_past_is_laid_open(duel: Duelist) -> None:
    steps = [*TURN, *TURN]
    for seat, action in steps[:-1]:
        duel.act(seat, action)
        assert duel.view("blue", at=1)["secret"] is None, "the match goes on"
    assert duel.view("red", at=1)["secret"] == HIDDEN
    duel.act(*steps[-1])
    assert duel.view("blue")["outcome"] is not None
    assert duel.view("blue", at=1)["secret"] == HIDDEN
    # both agree to go back: there are secrets again
    for seat in ("red", "blue"):
        duel.undo(seat, to=len(steps) - 1)
    assert duel.view("blue")["outcome"] is None
    assert duel.view("blue", at=1)["secret"] is None


def test_a_week_of_a_war_that_is_over_shows_both_armies(client: TestClient) -> None:
    people = {seat: {"kind": "human"} for seat in ("axis", "soviet")}
    body = {"game": "wir", "scenario": "zitadelle", "options": {}, "players": 2, "controllers": people, "seed": 3}
    made = client.post("/api/matches", json=body).json()
    war = Duelist(client, made["id"], made["keys"])

    def known(side: str, at: int | None = None) -> set[bool]:
        """Whether groups of one side are known to the other."""
        view = war.view("soviet" if side == "axis" else "axis", **({} if at is None else {"at": at}))
        return {"crew" in unit for unit in view["units"] if unit["side"] == side and unit["type"] != "air"}

    war.act("axis", "end_game")
    assert known("axis") == known("soviet") == known("soviet", at=0) == {False}
    war.act("soviet", "agree")
    assert war.view("axis")["outcome"] is not None
    assert known("axis", at=0) == known("soviet", at=0) == known("soviet", at=1) == {True}
