"""Strength, odds and who has no way to retreat, as tables for the layers of a map."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from rasputitsa.core.record.session import Session
from rasputitsa.portfolio.rules.combat import special_results
from rasputitsa.portfolio.rules.combat.eligibility import attackable
from rasputitsa.portfolio.rules.combat.retreat import FORCED, ability
from tests.support import random_session


@pytest.fixture(scope="module")
def played() -> Session:
    return random_session(4, 300)


def ask(session: Session, kind: str) -> Mapping[str, Any]:
    return session.game.query(session.state, "axis", kind, {})


def test_every_hex_with_units_has_its_strength(played: Session) -> None:
    s, rules = played.state, played.state.rules
    found = {row["hex"]: row for row in ask(played, "strengths")["hexes"]}
    assert set(found) == {rules.grid.names[hex_] for hex_, units in s.at.items() if units}
    for hex_, units in s.at.items():
        if units:
            attack, defence = found[rules.grid.names[hex_]]["text"].split("-")
            assert int(attack) == sum(rules.roster.af[u] for u in units)
            assert int(defence) >= sum(rules.roster.df[u] for u in units), "the ground only helps"


def test_how_far_a_unit_must_be_able_to_retreat_is_asked_of_the_rules(
    played: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(special_results, "LEAST_RETREAT", 1)
    assert {row["text"] for row in ask(played, "trapped")["units"]} == {"Has no way to retreat: D4 and DX eliminate it"}


def test_which_results_eliminate_whoever_has_no_way_is_asked_of_the_rules(
    played: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(special_results.STUCK, "D4", "BR")
    assert all(row["text"].endswith("to retreat: DX eliminate it") for row in ask(played, "trapped")["units"])


def test_who_has_no_way_to_retreat_can_retreat_no_two_hexes(played: Session) -> None:
    s = played.state
    found = {row["unit"]: row for row in ask(played, "trapped")["units"]}
    on_map = {unit for unit, here in enumerate(s.pos) if here >= 0}
    assert set(found) == {s.rules.units[u].id for u in on_map if ability(s, u, 0, FORCED) < 2}
    assert 0 < len(found) < len(on_map)
    assert {row["rule"] for row in found.values()} == {"XIII.D.6"}
    index, sides = {unit.id: n for n, unit in enumerate(s.rules.units)}, s.rules.roster.side
    for unit, row in found.items():
        here, side = s.pos[index[unit]], sides[index[unit]]
        assert row["pressed"] is any(attackable(s, u) >> here & 1 for u in on_map if sides[u] != side)
    assert {row["pressed"] for row in found.values()} == {True, False}


def test_odds_of_all_are_those_of_the_attack_by_everybody() -> None:
    session = random_session(3, 60)
    while not session.decision() or session.decision().kind != "attack":  # type: ignore[union-attr]
        session.play(session.game.format(session.state, session.decision().options[-1]))  # type: ignore[union-attr]
    rows = ask(session, "all_odds")["hexes"]
    assert rows
    for row in rows:
        told = session.game.query(session.state, "axis", "odds", {"targets": row["hex"], "units": "all"})
        assert row["text"] in str(told), row
