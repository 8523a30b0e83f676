"""Every kind of event has its record, and what is noted in whole games is what the record says."""

from __future__ import annotations

import gzip
import re
from collections.abc import Sequence
from pathlib import Path
from random import Random

import jsonschema
import pytest

from rasputitsa.core.actions import Action
from rasputitsa.core.conformance.register import paragraphs
from rasputitsa.core.dice import SeededDice
from rasputitsa.core.event_records import named, record, schema_of
from rasputitsa.core.event_text import words_of
from rasputitsa.core.record.session import Session
from rasputitsa.core.registry import get_game

ROOT = Path(__file__).resolve().parent.parent.parent
GAMES = ("portfolio", "wir")
CORPUS = sorted((ROOT / "tests" / "corpus").glob("*/*.jsonl.gz"))
"""Recorded matches; every sixth is looked at, of all scenarios and options."""
STEPS = 3000
ASIDE = {"end_game", "level"}
"""Orders that would end the game before much has happened."""


def choose(rng: Random, options: Sequence[Action]) -> Action:
    """An order at random: first the verb, so that long lists do not crowd out the rest."""
    verbs: dict[str, list[Action]] = {}
    for action in options:
        if action.verb not in ASIDE:
            verbs.setdefault(action.verb, []).append(action)
    return rng.choice(verbs[rng.choice(list(verbs))])


@pytest.mark.parametrize("name", GAMES)
def test_each_kind_that_is_described_has_a_record_and_its_paragraph(name: str) -> None:
    records = get_game(name).event_records()
    assert set(records) == set(words_of(f"rasputitsa.{name}.model", f"rasputitsa.{name}.rules"))
    known = {paragraph.id for paragraph in paragraphs(ROOT / "docs" / "rules" / f"{name}.md")}
    assert {kind: entry.rule for kind, entry in records.items() if entry.rule not in known and kind != "goal"} == {}


@pytest.mark.parametrize("name", GAMES)
def test_each_kind_that_the_rules_note_has_a_record(name: str) -> None:
    noted = {
        kind
        for path in (ROOT / "src" / "rasputitsa" / name).rglob("*.py")
        for kind in re.findall(r"\.note\(\s*\"([a-z_]+)\"", path.read_text())
    }
    assert noted
    assert noted <= set(get_game(name).event_records())


@pytest.mark.parametrize("name", GAMES)
def test_events_of_a_random_game_match_their_records(name: str) -> None:
    game, rng = get_game(name), Random(7)
    schemas = {kind: schema_of(entry) for kind, entry in game.event_records().items()}
    dice = SeededDice(7)
    state = game.setup(game.scenarios()[0].id, {})
    seen: set[str] = set()
    for _ in range(STEPS):
        decision = game.decision(state)
        if decision is None:
            break
        for event in game.apply(state, choose(rng, decision.options), dice):
            jsonschema.validate(game.event_data(state, event), schemas[event.kind])
            seen.add(event.kind)
    assert len(seen) > 15


@pytest.mark.parametrize("path", CORPUS[::6], ids=lambda path: f"{path.parent.name}-{path.name.split('.')[0]}")
def test_events_of_recorded_games_match_their_records(path: Path) -> None:
    session = Session.load(gzip.decompress(path.read_bytes()).decode())
    game = session.game
    schemas = {kind: schema_of(entry) for kind, entry in game.event_records().items()}
    for event in (event for events in session.events for event in events):
        jsonschema.validate(game.event_data(session.state, event), schemas[event.kind])


def test_arguments_are_named_and_counted() -> None:
    entry = record("XI.A", unit="unit", die="number")
    encode = {"unit": lambda s, unit: f"{s}{unit}", "number": lambda s, value: int(value)}
    assert named(entry, encode, "u", (3, 4)) == {"unit": "u3", "die": 4}
    with pytest.raises(ValueError, match="zip"):
        named(entry, encode, "u", (3,))
    with pytest.raises(ValueError, match="no kind"):
        record("XI.A", unit="thing")
