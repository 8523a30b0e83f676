"""Every kind of question of a game, asked: matches played at random, and positions for what comes seldom."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from rasputitsa.core import frames
from rasputitsa.core.record.new import new_session
from rasputitsa.core.registry import get_game
from tests.support import choose

SCENARIOS = {"portfolio": ("june22", "june1", "july10"), "wir": ("barbarossa", "case_blue")}
SEEDS = 3
STEPS = {"portfolio": 900, "wir": 260}
"""Actions of a match in which kinds of question are looked for."""
ENDS = ("done", "agree", "supply", "skip")
"""Orders that lead on to other questions, chosen oftener than by chance."""
SOONER = 0.1

GUARD = {"empty": True, "turn": 7, "phase": "replacement", "side": "soviet", "units": {"7Inf": "N3"}}
SELDOM: dict[str, dict[str, tuple[dict[str, Any], tuple[str, ...]]]] = {
    "portfolio": {
        "stop": (
            {"empty": True, "turn": 14, "phase": "movement", "side": "soviet", "units": {"7Inf": "N3", "8A": "V27"}},
            (),
        ),
        "pick": (GUARD, ("siberia", "done")),
        "cast": (GUARD, ("siberia", "done", "pick 4")),
        "reinforce": (GUARD, ("siberia", "reinforce 1Shk")),
        "losses": (
            {
                "empty": True, "turn": 3, "phase": "attack", "side": "axis",
                "units": {"1Inf": "V23", "2Inf": "V23", "5Inf": "U24", "13A": "V24"},
            },
            ("stand_all", "attack V24: 1Inf,2Inf,5Inf", "done", "done", "resolve 1"),
        ),
    },
    "wir": {
        "naval": (
            {
                "empty": True, "rail": {"only": True}, "turn": 3, "phase": "adjust", "side": "soviet",
                "groups": {
                    "76": {"hex": "1127", "units": ["1 RIFLE 50 10 0", "2 RIFLE 60 10 0"]},
                    "77": {"hex": "1530", "units": ["9 RIFLE 40 10 0"]},
                },
                "cities": {"Odessa": {"owner": "soviet"}, "Sevastopol": {"owner": "soviet"}},
            },
            ("naval 76 77",),
        ),
    },
}  # fmt: skip
"""For kinds of question that are hardly ever met: a position, and the actions that lead to one of them."""
DICE = 60


def kinds(game: str) -> set[str]:
    """The kinds of question that a game can ask, by its frames."""
    assert get_game(game).id == game, "its frames are there"

    def below(kind: type[Any]) -> Iterator[type[Any]]:
        for one in kind.__subclasses__():
            yield one
            yield from below(one)

    return {
        one.kind
        for one in below(frames.Frame)
        if one.__module__.startswith(f"rasputitsa.{game}.") and one.kind
        and any("options" in base.__dict__ for base in one.__mro__[: one.__mro__.index(frames.Frame)])
    }  # fmt: skip


def every_question(game: str) -> dict[str, str]:
    """For each kind of question a saved match in which it is asked."""
    found: dict[str, str] = {}
    wanted = kinds(game)
    for kind, (position, actions) in SELDOM[game].items():
        found[kind] = _led_to(game, kind, position, actions)
    for seed in range(SEEDS):
        for scenario in SCENARIOS[game]:
            if found.keys() >= wanted:
                return found
            _play(game, scenario, seed, found)
    assert not wanted - found.keys(), f"never asked: {wanted - found.keys()}"
    return found


def _led_to(game: str, kind: str, position: dict[str, Any], actions: tuple[str, ...]) -> str:
    """A match in which dice led to a question."""
    for seed in range(DICE):
        session = new_session(game, SCENARIOS[game][0], {}, seed=seed, position=position)
        for action in actions:
            session.play(action)
        decision = session.decision()
        if decision is not None and decision.kind == kind:
            return session.save()
    raise AssertionError(f"no dice lead to {kind}")


def _play(game: str, scenario: str, seed: int, found: dict[str, str]) -> None:
    """Play at random, and save the match at the first question of each kind not found before."""
    chooser = random.Random(seed)
    session = new_session(game, scenario, {}, seed=seed)
    for _ in range(STEPS[game]):
        decision = session.decision()
        if decision is None:
            return
        if decision.kind not in found:
            found[decision.kind] = session.save()
        ends = [option for option in decision.options if option.verb in ENDS and chooser.random() < SOONER]
        session.play(session.game.format(session.state, choose(chooser, ends or list(decision.options))))
