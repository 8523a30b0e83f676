"""How far a seat may go back by itself, found without reading a long record again after every entry."""

from __future__ import annotations

import random

import pytest

from rasputitsa.core.record import undo
from rasputitsa.core.record.entries import Entry
from rasputitsa.core.record.new import new_session
from rasputitsa.core.record.session import Session


def plainly(session: Session, seat: str) -> int | None:
    """The same, entry by entry."""
    if not session.can_undo(seat):
        return None
    version = session.version
    while version > session.floor and undo.is_free(session.entries[version - 1], seat):
        version -= 1
    return version


@pytest.mark.parametrize(("game", "scenario"), [("wir", "barbarossa_short"), ("portfolio", "june22")])
@pytest.mark.parametrize("seed", range(3))
def test_it_is_found_as_by_counting(game: str, scenario: str, seed: int) -> None:
    session, chooser = new_session(game, scenario, seed=seed), random.Random(seed)
    seats, found = [seat.id for seat in session.game.seats({})], set[int]()
    for _ in range(400):
        decision = session.decision()
        if decision is None:
            break
        if chooser.random() < 0.2 and session.can_undo():
            session.rewind(chooser.randrange(max(session.version - 5, session.floor), session.version))
        elif chooser.random() < 0.02:
            session.set_controller(seats[0], f"human {session.version}")
        else:
            session.play(session.game.format(session.state, chooser.choice(list(decision.options))))
        for seat in chooser.sample(seats, chooser.randrange(len(seats) + 1)):
            floor = session.undo_floor(seat)
            assert floor == plainly(session, seat)
            found.add(floor or 0)
    assert len(found) > 5


def test_a_long_row_of_orders_is_not_read_again_after_each(monkeypatch: pytest.MonkeyPatch) -> None:
    session, chooser = new_session("wir", "barbarossa", seed=1), random.Random(1)
    looked, free = 0, undo.is_free

    def counted(entry: Entry, seat: str) -> bool:
        nonlocal looked
        looked += 1
        return free(entry, seat)

    monkeypatch.setattr(undo, "is_free", counted)
    orders = 0
    while orders < 200 and (decision := session.decision()) is not None:
        option = chooser.choice([o for o in decision.options if o.verb != "done"] or list(decision.options))
        session.play(session.game.format(session.state, option))
        session.undo_floor(decision.seat)
        orders += 1
    assert looked < 5 * orders
