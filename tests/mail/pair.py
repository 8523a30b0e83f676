"""People who play by letters, and what a cheat among them can write."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

from rasputitsa.core.actions import Action
from rasputitsa.mail import envelope
from rasputitsa.mail.correspondent import Correspondent, terms_for
from rasputitsa.mail.keys import Keys
from rasputitsa.mail.letter import Letter, digest_of, read_content

EAGER = {"attack": 12, "with": 12, "get": 12, "plot": 8, "done": 1}
"""How likely some orders are beside others."""
SIDES = (("axis",), ("soviet",))


def seated(
    game: str, scenario: str, *, trusting: bool = False, options: dict[str, str] | None = None, people: Any = SIDES
) -> list[Correspondent]:
    """Correspondents who have all joined and read so."""
    correspondents = [
        Correspondent.inviting(terms_for(game, scenario, options or {}, people=people, trusting=trusting), "Anna")
    ]
    for name in ("Boris", "Clara", "David")[: len(people) - 1]:
        correspondents.append(
            Correspondent.joining([correspondents[0].letter(number) for number in range(len(correspondents))], name)
        )
        for correspondent in correspondents[:-1]:
            correspondent.read(correspondents[-1].letter(len(correspondents) - 1))
    return correspondents


def due(correspondents: list[Correspondent]) -> Correspondent | None:
    """Whose letter is next; all agree on that."""
    found = {correspondent.match.due for correspondent in correspondents}
    assert len(found) == 1
    number = found.pop()
    return None if number is None else correspondents[number]


def decide(correspondent: Correspondent, chooser: random.Random, ahead: float = 0.0) -> None:
    """Give orders at random, until none can be given; sometimes further ones, without knowing what will come."""
    game = correspondent.match.game
    while True:
        reached = correspondent.reached()
        state = reached.board.state
        if reached.waiting or reached.board.mover not in correspondent.seats:
            break
        decision = game.decision(state)
        assert decision is not None
        action = choose(chooser, list(decision.options), game.early_ends)
        correspondent.order(game.format(state, action))
        if correspondent.reached().waiting and game.secret_round(state) is None and chooser.random() < ahead:
            for verb in chooser.choices(["done", "resolve 2", "stand", "pass", "continue"], k=3):
                if verb.split()[0] in game.verbs:
                    correspondent.order(verb)


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


def play(correspondents: list[Correspondent], chooser: random.Random, letters: int, ahead: float = 0.0) -> list[str]:
    """Go on for a number of letters, or to the end; the letters."""
    written: list[str] = []
    while len(written) < letters and (writer := due(correspondents)) is not None:
        decide(writer, chooser, ahead)
        written.append(writer.write())
        for correspondent in correspondents:
            if correspondent is not writer:
                correspondent.read(written[-1])
    return written


def sealed_at_once(correspondent: Correspondent) -> str:
    """A letter with orders under seal, several and none that needs a die."""
    game, chooser = correspondent.match.game, random.Random(1)
    for _ in range(20):
        state = correspondent.reached().board.state
        decision = game.decision(state)
        assert decision is not None
        options = [action for action in decision.options if action.verb not in ("done", "build", "dismantle")]
        correspondent.order(game.format(state, choose(chooser, options or list(decision.options), game.early_ends)))
        assert not correspondent.reached().waiting
    while correspondent.reached().board.mover in correspondent.seats:
        correspondent.order("done")
    return correspondent.write()


def standing(correspondent: Correspondent) -> tuple[Any, ...]:
    """All that a letter can change."""
    match = correspondent.match
    return (
        [one.content for one in match.letters], match.truth.board.after, match.table.board.after, match.truth.waiting,
        match.table.waiting, dict(match.mine), set(match.opened), match.resigned, list(correspondent.draft),
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
