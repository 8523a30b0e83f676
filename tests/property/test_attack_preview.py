"""The preview of an attack against its resolution: every face of the die, in random attacks from random positions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from random import Random
from typing import Any

import pytest

from rasputitsa.core.actions import Action
from rasputitsa.core.dice import DIE, Draw, SeededDice
from rasputitsa.core.events import Event
from rasputitsa.hexes.grid import members
from rasputitsa.portfolio.api.attack_preview import attack_preview
from rasputitsa.portfolio.model.frames import Context, settle
from rasputitsa.portfolio.model.state import State
from rasputitsa.portfolio.rules.combat import attack_phase
from rasputitsa.portfolio.rules.combat.announcement import BuildAttack
from rasputitsa.portfolio.rules.combat.attack_phase import ResolveNext
from rasputitsa.portfolio.rules.combat.breakthrough import BuildBreakthrough
from rasputitsa.portfolio.rules.combat.losses import LoseUnits
from rasputitsa.portfolio.rules.combat.retreat import RetreatStep
from tests.property.test_attack_phases import WEIGHTS, crowd
from tests.unit.portfolio.board import Floor

Preview = Mapping[str, Any]


class Fixed:
    """Dice that always show the same: one face for the battle, luck for the rest."""

    def __init__(self, face: int, luck: int = 1) -> None:
        self.face, self.luck = face, luck
        self.drawn: list[Draw] = []

    def roll(self, stream: str, sides: int = DIE) -> int:
        """The face for a battle."""
        return self.face if stream == "combat" else self.luck


def answered(s: State, action: Action, dice: Fixed) -> tuple[State, Context]:
    """What an answer leads to, on a copy."""
    fork, play = s.copy(), Context(dice)
    fork.legal = None
    fork.stack[-1].apply(fork, action, play)
    settle(fork, play)
    return fork, play


def names(s: State, units: Any) -> list[str]:
    """Ids of units."""
    return [s.rules.units[u].id for u in units]


def check(s: State, action: Action, preview: Preview, seen: Counter[str]) -> None:
    """Every face of the preview comes true; without faces no die is cast."""
    if not preview["faces"]:
        assert preview["reason"]
        assert answered(s, action, Fixed(1))[1].events[0].kind in ("follow_up", "lapsed")
        seen["without a die"] += 1
        return
    faces = preview["faces"]
    assert [face["die"] for face in faces] == [1, 2, 3, 4, 5, 6]
    for face in faces:
        fork, play = answered(s, action, Fixed(face["die"]))
        before: list[Event] = []
        for event in play.events:
            if event.kind in ("retreated", "advanced", "combat") and before:
                break
            before.append(event)
        assert before[0].kind == "combat" and before[0].args[4] == face["die"]
        results = {s.rules.units[int(str(e.args[0]))].id: e.args[1] for e in before if e.kind == "result"}
        told = {unit["unit"]: unit for unit in face["units"]}
        assert {unit: entry["result"] for unit, entry in told.items()} == results
        seen.update(f"{e['table']}>{e['result']}" for e in told.values())
        seen.update(cause["text"] for e in told.values() for cause in e["causes"])
        first = fork.stack[-1]
        gone = names(s, (e.args[0] for e in before if e.kind == "eliminated"))
        if face["choice"]:
            assert getattr(first, "kind", "") == face["choice"]
            if isinstance(first, LoseUnits):
                assert first.missing(fork) == face["owing"]
        assert set(face["lost"]) == set(gone)
        assert all(entry["lost"] == (unit in gone) for unit, entry in told.items())
        check_dispersal(face, [e for e in play.events if e.kind != "result"], fork)
        check_ways(s, fork, play, told, seen)
        seen["faces"] += 1


def check_dispersal(face: Preview, events: list[Any], fork: State) -> None:
    """Attackers named as breaking down do, once the battle is over without a further question."""
    if fork.battle is None and not any(e.kind == "advanced" for e in events):
        lying = {u for e in events if e.kind == "dispersed" for u in names(fork, e.args[0])}
        assert set(face["broken"]) <= lying
        if not any(unit["may_leave"] for unit in face["units"]) and any(not u["lost"] for u in face["units"]):
            assert set(face["dispersed"]) <= lying


def check_ways(s: State, fork: State, play: Context, told: Preview, seen: Counter[str]) -> None:
    """The first retreat begins where the preview said it could."""
    retreats = [e for e in play.events if e.kind == "retreated"]
    top = fork.stack[-1]
    if retreats:
        (unit, way) = retreats[0].args
        assert isinstance(way, tuple)
        assert s.rules.grid.names[way[1]] in told[s.rules.units[int(str(unit))].id]["to"]
    elif isinstance(top, RetreatStep) and top.retreat.steps == 0:
        entry = told[s.rules.units[top.retreat.unit].id]
        assert entry["to"] == [s.rules.grid.names[h] for h in members(top.hexes)]
        assert entry["reach"] > 0
        seen["ways"] += 1
    elif getattr(top, "kind", "") == "retreat_order":
        leaving = {unit for unit, e in told.items() if e["result"] in ("D1", "D4", "DX") and not e["lost"]}
        assert {s.rules.units[a.args[0]].id for a in top.options(fork)} == leaving
        seen["orders"] += 1


def attacks_now(s: State) -> list[tuple[Action, Preview]]:
    """The attacks that can be resolved now, each with its preview."""
    top = s.stack[-1]
    if isinstance(top, ResolveNext):
        found = [(a, s.attacks[a.args[0] - 1]) for a in top.options(s) if a.verb == "resolve"]
        return [(a, attack_preview(s, x.targets, x.units)) for a, x in found]
    if isinstance(top, BuildBreakthrough):
        return [(a, attack_preview(s, top.targets, top.units)) for a in top.options(s) if a.verb == "ready"]
    return []


@pytest.mark.parametrize("chunk", range(5))
def test_every_face_comes_true(chunk: int) -> None:
    seen: Counter[str] = Counter()
    for seed in range(chunk * 12, chunk * 12 + 12):
        play_a_phase(seed, seen)
    assert seen["faces"] > 1500 and seen["ways"] > 50, seen
    for changed in ("D1>-", "D4>DE", "DX>DE", "DE>BR", '"No Retreat!"', "no way to retreat", "Armor Overrun"):
        assert seen[changed], (changed, seen)


def play_a_phase(seed: int, seen: Counter[str]) -> None:
    """One attack phase at random, with every attack that could come next looked at."""
    rng, play = Random(seed), Context(SeededDice(seed))
    s = crowd(rng)
    attack_phase.begin(s, play)
    settle(s, play)
    while not isinstance(s.stack[-1], Floor):
        for action, preview in attacks_now(s):
            if rng.random() < 0.3:
                check(s, action, preview, seen)
        options = s.stack[-1].options(s)
        action = rng.choices(options, [WEIGHTS.get(a.verb, 1.0) for a in options])[0]
        s.legal = None
        s.stack[-1].apply(s, action, play)
        settle(s, play)


@pytest.mark.parametrize("seed", range(100, 112))
def test_the_preview_while_an_attack_is_put_together_is_that_of_the_announced_one(seed: int) -> None:
    """Nothing between the announcement and the die alters it, except what others do."""
    rng, play = Random(seed), Context(SeededDice(seed))
    s = crowd(rng)
    attack_phase.begin(s, play)
    settle(s, play)
    compared = 0
    while not isinstance(s.stack[-1], (Floor, ResolveNext)):
        top = s.stack[-1]
        options = top.options(s)
        ready = next((a for a in options if a.verb == "ready"), None)
        if isinstance(top, BuildAttack) and ready:
            before = attack_preview(s, top.targets, top.units)
            fork, _ = answered(s, ready, Fixed(1))
            after = attack_preview(fork, top.targets, top.units)
            assert before == after and before["legal"]
            compared += 1
        action = rng.choices(options, [WEIGHTS.get(a.verb, 1.0) for a in options])[0]
        s.legal = None
        top.apply(s, action, play)
        settle(s, play)
    assert compared
