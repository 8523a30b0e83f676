"""Every kind of event is a record, and what is noted in whole games is what the record says."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Sequence
from pathlib import Path
from random import Random

import jsonschema
import pytest

from rasputitsa.core.actions import Action
from rasputitsa.core.conformance.register import paragraphs
from rasputitsa.core.dice import SeededDice
from rasputitsa.core.errors import SaveError
from rasputitsa.core.events import PLAIN, Event, event, named, schema_of
from rasputitsa.core.record.session import Session
from rasputitsa.core.record.snapshot import events_from_json, events_to_json
from rasputitsa.core.registry import get_game
from rasputitsa.portfolio.model.dispersal import WHY_DISPERSED
from tests.grammar import mismatched, plural_of_one

ROOT = Path(__file__).resolve().parent.parent.parent
GAMES = ("portfolio", "wir")
CORPUS = sorted((ROOT / "tests" / "corpus").glob("*/*.jsonl.gz"))
"""Recorded matches; every sixth is looked at, of all scenarios and options."""
EXAMPLES = ROOT / "web" / "test" / "recorded" / "events.jsonl"
MARK = re.compile(r"\{(unit|hex|rule):[^{}]+\}")
"""What clients put names in place of."""
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
def test_each_kind_names_its_paragraph(name: str) -> None:
    known = {paragraph.id for paragraph in paragraphs(ROOT / "docs" / "rules" / f"{name}.md")}
    events = get_game(name).events()
    assert len(events) > 40
    assert {kind: event.rule for kind, event in events.items() if event.rule not in known and kind != "goal"} == {}


@pytest.mark.parametrize("name", GAMES)
def test_each_kind_is_told_in_words_of_its_own(name: str) -> None:
    events = get_game(name).events()
    assert {kind for kind, event in events.items() if event.words is Event.words} == set()


@pytest.mark.parametrize("name", GAMES)
def test_each_class_of_the_rules_is_found_under_its_kind(name: str) -> None:
    declared = [
        kind
        for path in (ROOT / "src" / "rasputitsa" / name).rglob("*.py")
        for kind in re.findall(r"^@event\(\s*\"([a-z_]+)\"", path.read_text(), re.M)
    ]
    assert len(declared) == len(set(declared))
    assert {*declared, "goal"} == set(get_game(name).events())


@pytest.mark.parametrize("name", GAMES)
def test_events_of_a_random_game_match_their_records(name: str) -> None:
    game, rng = get_game(name), Random(7)
    schemas = {kind: schema_of(event) for kind, event in game.events().items()}
    dice = SeededDice(7)
    state = game.setup(game.scenarios()[0].id, {})
    seen: set[str] = set()
    for _ in range(STEPS):
        decision = game.decision(state)
        if decision is None:
            break
        for told in game.apply(state, choose(rng, decision.options), dice):
            jsonschema.validate(game.event_data(state, told), schemas[told.kind])
            seen.add(told.kind)
    assert len(seen) > 15


@pytest.mark.parametrize("path", CORPUS[::6], ids=lambda path: f"{path.parent.name}-{path.name.split('.')[0]}")
def test_events_of_recorded_games_match_their_records(path: Path) -> None:
    session = Session.load(gzip.decompress(path.read_bytes()).decode())
    game = session.game
    schemas = {kind: schema_of(event) for kind, event in game.events().items()}
    for told in (told for events in session.events for told in events):
        jsonschema.validate(game.event_data(session.state, told), schemas[told.kind])
        words = told.words(session.state)
        assert words.strip(), told
        assert not set("{}") & set(MARK.sub("", words)), f"a screen reader would read the marks of {words!r}"
    for events in session.events:
        assert events_from_json(game.events(), json.loads(json.dumps(events_to_json(events)))) == events


@pytest.mark.parametrize("name", GAMES)
def test_the_client_is_tested_with_an_example_of_each_kind(name: str) -> None:
    events = get_game(name).events()
    lines = map(json.loads, EXAMPLES.read_text(encoding="utf-8").splitlines())
    examples = {line["kind"]: line for line in lines if line.get("game") == name}
    assert set(examples) == set(events)
    for kind, told in examples.items():
        assert told["rule"] == events[kind].rule
        jsonschema.validate(told["data"], schema_of(events[kind]))


def told(name: str, kind: str, many: int) -> str:
    """An event of a kind in words, each number and each list of units as long as told."""
    game = get_game(name)
    state = game.setup(game.scenarios()[0].id, {})
    made = game.events()[kind]
    city = next(iter(state.rules.map.places if name == "portfolio" else state.rules.map.city_at))
    texts = {
        "reason": {"portfolio": next(iter(WHY_DISPERSED)), "wir": "terrain"}[name],
        "phase": {"portfolio": "movement", "wir": "adjust"}[name],
    }
    values = {
        "unit": 3, "units": (3, 4)[:many], "hex": city, "hexes": (city, city), "place": 0, "side": 0, "unit_type": 1,
        "works": 4, "segment": 3, "manner": 0, "texts": ("1:1",) * 2, "flag": True, "number": many,
        "tenths": 10 * many, "thousandths": 1000 * many,
    }  # fmt: skip
    return game.describe(
        state, made(*(texts.get(field, "D1") if of == "text" else values[of] for field, of in made.values.items()))
    )


@pytest.mark.parametrize("name", GAMES)
def test_one_is_told_in_the_singular_and_one_unit_does_what_several_do(name: str) -> None:
    for kind in get_game(name).events():
        one, two = told(name, kind, 1), told(name, kind, 2)
        assert (plural_of_one(one), mismatched(one), mismatched(two)) == ("", "", ""), f"{one}; {two}"


@event("crossed", "XI.A", "unit", "number")
class Crossed(Event):
    """A unit has crossed a river with a die."""

    unit: int
    die: int

    def words(self, s: str) -> str:
        return f"{s}{self.unit} crosses: {self.die}"


def test_fields_are_named_and_counted() -> None:
    crossed = Crossed(3, die=4)
    encode = {**PLAIN, "unit": lambda s, unit: f"{s}{unit}"}
    assert named(crossed, encode, "u") == {"unit": "u3", "die": 4}
    assert (crossed.kind, crossed.rule, crossed.args) == ("crossed", "XI.A", (3, 4))
    assert crossed.words("u") == "u3 crosses: 4"
    assert crossed == Crossed(3, 4) != Crossed(4, 3)
    assert len({crossed, Crossed(3, 4)}) == 1
    with pytest.raises(ValueError, match="2 fields, but kinds of 1"):
        event("crossed", "XI.A", "unit")(type("Other", (Event,), {"__annotations__": {"unit": int, "die": int}}))
    with pytest.raises(ValueError, match="no kind of value: thing"):
        event("crossed", "XI.A", "thing")


@pytest.mark.parametrize(
    "raw", [["crossed", 3], ["crossed", 3, 4, 5], ["flown", 3, 4], [7, 3, 4], [], {}, "crossed", None]
)
def test_written_events_of_another_form_are_refused(raw: object) -> None:
    known = {"crossed": Crossed}
    assert events_from_json(known, [["crossed", 3, 4]]) == [Crossed(3, 4)]
    with pytest.raises(SaveError):
        events_from_json(known, [raw])
