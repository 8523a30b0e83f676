"""People who play by letters, and what a cheat among them can write."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

from rasputitsa.core.actions import Action
from rasputitsa.mail import envelope
from rasputitsa.mail.desk import Desk, terms_for
from rasputitsa.mail.keys import Keys
from rasputitsa.mail.letter import Letter, digest_of, read_content

EAGER = {"attack": 12, "with": 12, "get": 12, "plot": 8, "done": 1}
"""How likely some orders are beside others."""
SIDES = (("axis",), ("soviet",))


def seated(
    game: str, scenario: str, *, trusting: bool = False, options: dict[str, str] | None = None, people: Any = SIDES
) -> list[Desk]:
    """Desks of people who have all joined and read so."""
    desks = [Desk.inviting(terms_for(game, scenario, options or {}, people=people, trusting=trusting), "Anna")]
    for name in ("Boris", "Clara", "David")[: len(people) - 1]:
        desks.append(Desk.joining([desks[0].letter(number) for number in range(len(desks))], name))
        for desk in desks[:-1]:
            desk.read(desks[-1].letter(len(desks) - 1))
    return desks


def due(desks: list[Desk]) -> Desk | None:
    """Whose letter is next; all agree on that."""
    found = {desk.match.due for desk in desks}
    assert len(found) == 1
    number = found.pop()
    return None if number is None else desks[number]


def decide(desk: Desk, chooser: random.Random, ahead: float = 0.0) -> None:
    """Give orders at random, until none can be given; sometimes further ones, without knowing what will come."""
    game = desk.match.game
    while True:
        reached = desk.reached()
        state = reached.board.state
        if reached.waiting or reached.board.mover not in desk.seats:
            break
        decision = game.decision(state)
        assert decision is not None
        action = choose(chooser, list(decision.options), game.early_ends)
        desk.order(game.format(state, action))
        if desk.reached().waiting and game.secret_round(state) is None and chooser.random() < ahead:
            for verb in chooser.choices(["done", "resolve 2", "stand", "pass", "continue"], k=3):
                if verb.split()[0] in game.verbs:
                    desk.order(verb)


def choose(chooser: random.Random, options: list[Action], ends: frozenset[str]) -> Action:
    """First the verb, so that long lists do not crowd out the rest."""
    verbs: dict[str, list[Action]] = {}
    for action in options:
        if action.verb not in ends and action.verb not in ("abort", "skip"):
            verbs.setdefault(action.verb, []).append(action)
    if not verbs:
        return chooser.choice(options)
    names = sorted(verbs)
    return chooser.choice(verbs[chooser.choices(names, [EAGER.get(name, 2) for name in names])[0]])


def play(desks: list[Desk], chooser: random.Random, letters: int, ahead: float = 0.0) -> list[str]:
    """Go on for a number of letters, or to the end; the letters."""
    written: list[str] = []
    while len(written) < letters and (writer := due(desks)) is not None:
        decide(writer, chooser, ahead)
        written.append(writer.write())
        for desk in desks:
            if desk is not writer:
                desk.read(written[-1])
    return written


def sealed_at_once(desk: Desk) -> str:
    """A letter with orders under seal, several and none that needs a die."""
    game, chooser = desk.match.game, random.Random(1)
    for _ in range(20):
        state = desk.reached().board.state
        decision = game.decision(state)
        assert decision is not None
        options = [action for action in decision.options if action.verb not in ("done", "build", "dismantle")]
        desk.order(game.format(state, choose(chooser, options or list(decision.options), game.early_ends)))
        assert not desk.reached().waiting
    while desk.reached().board.mover in desk.seats:
        desk.order("done")
    return desk.write()


def standing(desk: Desk) -> tuple[Any, ...]:
    """All that a letter can change."""
    match = desk.match
    return (
        [one.content for one in match.letters], match.truth.board.after, match.table.board.after, match.truth.waiting,
        match.table.waiting, dict(match.mine), set(match.opened), match.resigned, list(desk.draft),
        match.truth.board.entries[:], match.due,
    )  # fmt: skip


def said(text: str) -> Letter:
    """What a letter says."""
    return read_content(envelope.unwrapped(text)[1])


def forged(keys: Keys, text: str, **changes: Any) -> str:
    """A letter with other words, signed with somebody's key."""
    content = replace(said(text), **changes).content()
    return envelope.wrapped(keys.sign(content), content)


def digest(text: str) -> str:
    """The digest of a letter."""
    return digest_of(envelope.unwrapped(text)[1])
