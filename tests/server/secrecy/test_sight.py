"""What a seat is told of the entries of a match, and how it counts them."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from rasputitsa.core.record.new import new_session
from rasputitsa.core.record.session import Session
from rasputitsa.server.matches.archive import keep, pack
from rasputitsa.server.matches.match import Match
from rasputitsa.server.matches.orders import Orders, stored_line
from rasputitsa.server.matches.views import summary_of
from rasputitsa.server.matches.visibility import News, Sight
from rasputitsa.server.store import Store
from tests.property.test_wir_games import choose

SEATS = ("axis", "soviet")


def war(entries: int, seed: int = 1, **options: str) -> Session:
    """A game of War in Russia after some random orders."""
    session, chooser = new_session("wir", "barbarossa_short", options, seed=seed), random.Random(seed)
    while session.version < entries and (decision := session.decision()) is not None:
        session.play(session.game.format(session.state, choose(chooser, list(decision.options))))
    return session


def sight(session: Session, seat: str | None) -> Sight:
    return Sight(Orders(session), seat)


def test_secret_orders_are_one_item_for_others_when_they_are_given() -> None:
    session = new_session("wir", "barbarossa_short", seed=1)
    told = {seat: sight(session, seat) for seat in (*SEATS, None)}
    for line in ("divide 40; back", "divide 40; back"):
        session.play(line, "axis")
    assert [told[seat].count for seat in (*SEATS, None)] == [4, 0, 0]
    session.play("done", "axis")
    assert [told[seat].count for seat in (*SEATS, None)] == [5, 1, 1]
    (item,) = told["soviet"].items(0, 1)
    assert item.secret and item.entries == (0, 1, 2, 3, 4) and told["soviet"].entry_at(1) == 5
    assert told["soviet"].hides(session.decision()) is False and told["axis"].hides(session.decision())


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_reading_on_and_reading_at_once_come_to_the_same(seed: int) -> None:
    """However often somebody looks in between, and with what is done at the table anywhere."""
    session, chooser = new_session("wir", "barbarossa_short", seed=seed), random.Random(seed)
    follows = {seat: sight(session, seat) for seat in (*SEATS, None)}
    while session.state.turn < 4:
        if chooser.random() < 0.01:
            session.set_controller(chooser.choice(SEATS), f"human {session.version}")
        decision = session.decision()
        assert decision is not None
        session.play(session.game.format(session.state, choose(chooser, list(decision.options))))
        if chooser.random() < 0.05:
            for seat, known in follows.items():
                again, count = sight(session, seat), known.count
                assert count == again.count and known.items(0, count) == again.items(0, count)
                ends = [item.end for item in known.items(0, count)]
                assert ends == sorted(ends) and all(known.ply_at(end) >= ply for ply, end in enumerate(ends, 1))
    assert follows["axis"].count > follows[None].count > 9


def test_the_number_of_items_says_nothing_about_the_number_of_orders() -> None:
    """An item for each row, of however many orders: busy and idle players look alike."""
    counts = set()
    for orders in (0, 7, 30):
        session, chooser = new_session("wir", "barbarossa_short", seed=1), random.Random(orders)
        for _ in range(9):
            row = session.decision().seat, session.state.turn  # type: ignore[union-attr]
            given = 0
            while (decision := session.decision()) and (decision.seat, session.state.turn) == row:
                quiet = [o for o in decision.options if o.verb in ("get", "halt", "supply", "skip", "plot", "back")]
                given += 1
                last = [o for o in decision.options if o.verb in ("done", "skip", "halt")]
                action = chooser.choice(quiet) if quiet and given < orders else last[0]
                session.play(session.game.format(session.state, action))
        counts.add(sight(session, None).count)
    assert counts == {9}


def test_of_an_open_game_and_of_one_that_is_over_every_entry_is_shown() -> None:
    session = war(150, fog="open")
    assert sight(session, None).count == session.version
    session = new_session("wir", "barbarossa_short", seed=1)
    for line in ("divide 40; back", "end_game"):
        session.play(line, "axis")
    looks = sight(session, None)
    assert looks.count == 1, "a proposal is said aloud"
    session.play("agree", "soviet")
    assert looks.count == session.version == 4
    assert looks.since(1) == 3, "what came before it was laid open has been told"


def test_news_tell_whose_version_rises() -> None:
    session = new_session("wir", "barbarossa_short", seed=1)
    news = News(session, SEATS, 0)
    for line, rise, public in (("divide 40; back", 0, False), ("done", 1, True)):
        session.play(line, "axis")
        told = news.of("axis", [])
        assert (told.versions["soviet"], told.public) == (rise, public)
        news.apply(told)
    divide = next(o for o in session.decision().options if o.verb == "divide")  # type: ignore[union-attr]
    session.play(f"{session.game.format(session.state, divide)}; back", "soviet")
    news.apply(news.of("soviet", []))
    news.rewind(session.version - 1)
    session.rewind(session.version - 1)
    told = news.of("soviet", [])
    assert not told.public and told.versions["axis"] == 0, "a step taken back in secret"
    news.apply(told)
    assert news.changes == 1


def test_a_match_read_again_says_no_more_of_secret_orders_than_before(tmp_path: Path) -> None:
    store = Store(tmp_path / "matches.db")
    match = Match(store, keep(store, pack(new_session("wir", "barbarossa_short", seed=1))).number)
    match.act("axis", match.version("axis"), "divide 40; back")
    match.act("axis", match.version("axis"), "done")
    match.act("soviet", match.version("soviet"), "divide 64; back")
    known = {seat: match.version(seat) for seat in (*SEATS, None)}
    assert known[None] < match.entries
    again = Match(store, match.id)
    assert {seat: again.version(seat) for seat in (*SEATS, None)} == known


def test_a_line_of_the_journal_is_read_without_its_events() -> None:
    assert stored_line("axis", '{"seat":"axis","action":"get 12"}', '["22 June 1941","x"]') == (
        "axis", "get", "22 June 1941",
    )  # fmt: skip
    assert stored_line("axis", '{"seat": "axis", "action": "done"}', None) == ("axis", "done", "")


def test_the_list_of_matches_names_all_phases_of_secret_orders() -> None:
    """Its rows stay as they are until the orders are given."""
    session = new_session("wir", "barbarossa_short", seed=1)
    for line in ("done", "done", "auto supply", "done"):
        session.play(line)
    assert summary_of(session)["phase_label"] == "Supply and movement"
    session.play("auto supply")
    assert summary_of(session)["phase_label"] == "Supply and movement"
