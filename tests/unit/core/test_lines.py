"""A line of several orders is tried out without telling what is still to come."""

from __future__ import annotations

import random
from collections.abc import Iterable

import pytest

from rasputitsa.core.errors import RasputitsaError
from rasputitsa.core.lines import TOO_FAR
from rasputitsa.core.record.new import new_session
from rasputitsa.core.record.session import Session
from rasputitsa.wir.model import plot
from rasputitsa.wir.model.tables import KIND, groups_of

SEEDS = range(12)
TO_THE_LAST_PHASE = ["done", "done", "auto_supply", "done", "auto_supply"]
"""From the start of a week to the Axis movement phase."""


def week(seed: int, *, plots: bool = False) -> Session:
    """A first week up to the last order of the Axis; the Soviet plots are a matter of the seed."""
    session = new_session("wir", "barbarossa_short", seed=seed)
    for line in TO_THE_LAST_PHASE:
        session.play(line)
    if plots:
        for side, chooser in ((0, random.Random(0)), (1, random.Random(seed))):
            for group in session.state.on_map(groups_of(side)):
                session.state.plot[group] = chooser.choice((0, *plot.legal_plots(KIND[group])))
    return session


def answers(session: Session, lines: Iterable[str], seat: str = "axis") -> list[str]:
    """What each line is told; none of them is played."""
    said, before, counts = [], session.version, dict(session.dice.counts)
    for line in lines:
        with pytest.raises(RasputitsaError) as refused:
            session.play(line, seat)
        said.append(str(refused.value))
    assert session.version == before and session.dice.counts == counts
    return said


def test_what_follows_the_last_order_of_a_week_is_never_looked_at() -> None:
    """Each of these would be legal or not by the dice and by the plots of the enemy."""
    lines = [f"done; {rest}" for rest in ("done", "divide 12", "transfer 12 13: 1", "halt; done", "step 1", "get 1")]
    lines += [f"done; divide {group}" for group in range(1, 52)]
    told = [answers(week(seed, plots=True), lines) for seed in SEEDS]
    assert told[0] == [TOO_FAR] * len(lines)
    assert all(other == told[0] for other in told)


def test_the_position_those_lines_ask_about_does_differ() -> None:
    after = set()
    for seed in SEEDS:
        session = week(seed, plots=True)
        session.play("done", "axis")
        after.add(tuple(session.decision().options))  # type: ignore[union-attr]
    assert len(after) > 1


def test_a_line_ends_with_its_first_die() -> None:
    """Which unit is built for one of 1941 and 1942 is a matter of chance, and so is what is left to pay with."""
    line = "build Moscow inf RIFLE 90, RIFLE 90"
    for seed in SEEDS:
        session = new_session("wir", "barbarossa_short", seed=seed)
        session.play("done")
        session.state.pools[1] = [200] * len(session.state.pools[1])
        session.state.legal = None
        assert answers(session, [line, "build Moscow inf RIFLE 90; done"], "soviet") == [TOO_FAR] * 2
        orders = [entry.action.split()[0] for entry in session.play("build Moscow inf RIFLE 90", "soviet")]
        assert orders == ["build", "form", "type", "strength", "halt"]


def test_a_line_ends_with_its_phase() -> None:
    """What the supply depots did is told when they have done it."""
    session = new_session("wir", "barbarossa_short", seed=1)
    session.play("done")
    assert answers(session, ["done; skip", "done; supply"], "soviet") == [TOO_FAR] * 2
    session.play("done", "soviet")
    told = [answers(session, ["; ".join(["skip"] * n) + "; get 76"], "soviet") for n in range(1, 20)]
    depots = told.index([TOO_FAR]) + 1
    assert depots > 3
    session.play("; ".join(["skip"] * depots), "soviet")
    assert session.decision().kind == "movement"  # type: ignore[union-attr]


def test_out_of_turn_every_line_gets_the_same_answer() -> None:
    """Not even whether it can be read: short keys mean something only while a certain question is open."""
    lines = ["b", "1", "auto supply", "auto replace", "q", "done", "nonsense", "get 80", "p 1S"]
    told = set()
    session = new_session("wir", "barbarossa_short", seed=1)
    for line in ["done", "done", "skip", "skip"]:
        session.play(line)
        if session.decision().seat == "soviet":  # type: ignore[union-attr]
            told |= set(answers(session, lines, "axis"))
    assert told == {"it is soviet who must decide now, not axis"}


@pytest.mark.parametrize("seed", [1, 2])
def test_lines_without_a_die_are_played_as_before(seed: int) -> None:
    session = week(seed)
    played = [entry.action for entry in session.play("get 12; artillery; halt; get 13; halt", "axis")]
    assert played == ["get 12", "artillery", "halt", "get 13", "halt"]
    assert len(session.play("auto all", "axis")) > 3
    assert session.play("get 14; halt; done", "axis")[-1].dice


def test_whole_orders_of_the_board_game_are_played_as_before() -> None:
    session = new_session("portfolio", "june22", seed=1)
    session.play("done", "axis")
    session.play("done", "soviet")
    targets = [hex_["hex"] for hex_ in session.game.query(session.state, "axis", "reach", {"unit": "39Pz"})["plain"]]
    ways = [session.game.query(session.state, "axis", "route", {"unit": "39Pz", "to": t})["hexes"] for t in targets]
    way = max(ways, key=len)
    played = [entry.action.split()[0] for entry in session.play(f"move 39Pz {'-'.join(way)}", "axis")]
    assert len(way) > 2 and played[: len(way)] == ["move", *["to"] * (len(way) - 1)]
