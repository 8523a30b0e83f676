"""Games that people end at the table: by resigning, or by agreeing to a draw."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rasputitsa.core.errors import IllegalAction, SaveError
from rasputitsa.core.record.entries import DRAWN, RESIGNED
from rasputitsa.core.record.new import new_session
from rasputitsa.core.record.session import Session
from rasputitsa.core.record.snapshot import Snapshot


def begun() -> Session:
    session = new_session("portfolio", "june22", seed=3)
    session.play("done")
    return session


def rewritten(session: Session, *more: dict[str, object]) -> str:
    """The saved game with further entries before its end."""
    *lines, last = session.save().splitlines()
    added = [json.dumps(entry) for entry in more]
    return "\n".join([*lines, *added, json.dumps(json.loads(last) | {"end": session.version + len(more)})]) + "\n"


@pytest.mark.parametrize(
    ("seat", "how", "winner", "reason"),
    [
        ("axis", RESIGNED, "soviet", "the Axis resigned"),
        ("soviet", RESIGNED, "axis", "the Soviet Union resigned"),
        ("axis", DRAWN, None, "all players have agreed to a draw"),
    ],
)
def test_the_game_is_over_with_result_and_reason_also_when_it_is_read_again(
    seat: str, how: str, winner: str | None, reason: str
) -> None:
    session = begun()
    assert session.outcome() is None
    session.end(seat, how)
    again = Session.load(session.save())
    kept = Session(session.header, session.snapshot())
    for known in (session, again, kept):
        outcome = known.outcome()
        assert known.decision() is None and outcome is not None
        assert (outcome.winner, outcome.reason) == (winner, reason)
    assert again.game.fingerprint(again.state) == begun().game.fingerprint(session.state), "no piece has moved"


def test_nothing_is_played_after_the_end_but_the_table_may_be_cleared() -> None:
    session = begun()
    session.end("axis", RESIGNED)
    with pytest.raises(IllegalAction, match="over"):
        session.play("done")
    with pytest.raises(IllegalAction, match="over"):
        session.end("soviet", DRAWN)
    session.set_controller("soviet", "bot random")
    assert Session.load(session.save()).ending == session.ending


def test_a_step_back_before_the_end_opens_the_game_again() -> None:
    session = begun()
    before = session.version
    session.end("axis", RESIGNED)
    session.remark("axis", "@left")
    assert session.snapshot().ending == (before, "axis", RESIGNED)
    session.rewind(before)
    assert session.outcome() is None and session.decision() is not None and session.snapshot().ending is None


def test_a_saved_game_with_an_end_that_there_cannot_be_is_refused() -> None:
    end: dict[str, object] = {"seat": "axis", "action": RESIGNED}
    session = begun()
    assert Session.load(rewritten(session, end)).outcome()
    odd: list[tuple[tuple[dict[str, object], ...], str]] = [
        ((end, {"seat": "soviet", "action": "done"}), "after the end"),
        ((end, {"seat": "soviet", "action": DRAWN}), "after the end"),
        (({"seat": "nobody", "action": RESIGNED},), "no seat 'nobody'"),
        (({**end, "dice": [["luck", 3]]},), "casts none"),
    ]
    for more, words in odd:
        with pytest.raises(SaveError, match=words):
            Session.load(rewritten(session, *more))


def test_a_stored_position_with_an_odd_end_is_damaged() -> None:
    plain = json.loads(json.dumps(begun().snapshot()._asdict()))
    assert Snapshot.from_json(plain).ending is None
    assert Snapshot.from_json({key: value for key, value in plain.items() if key != "ending"}).ending is None
    damaged: list[Any] = [[1, "axis", "done"], [-1, "axis", DRAWN], [1, 2, DRAWN], {}, "axis", [1, "axis"]]
    for odd in damaged:
        with pytest.raises(SaveError):
            Snapshot.from_json({**plain, "ending": odd})
