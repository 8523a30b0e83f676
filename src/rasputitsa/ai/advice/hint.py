"""A computer player's plan for the question at hand, explained step by step.

The player is asked on copies of what one seat may see, question after question, for as long as that seat goes on
deciding and no die has to fall. What it would do becomes a list of steps in plain words, with the places they are
about, so that a map can show them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from rasputitsa.ai.advice.shapes import HintResult, PlanStep, StepKind
from rasputitsa.ai.players import Clock, Player
from rasputitsa.core.actions import Action
from rasputitsa.core.dice import NoDice, SeededDice
from rasputitsa.core.errors import NotationError, RasputitsaError
from rasputitsa.core.game import Decision, Game
from rasputitsa.core.lines import why_not

MOST_STEPS = 900
BREAK = "; "
"""What stands between the orders of a line."""


@dataclass(slots=True)
class Step:
    """One step of a plan."""

    kind: StepKind
    text: str
    """In plain words, with units and hexes marked as in the log."""
    units: list[str] = field(default_factory=list)
    path: list[str] = field(default_factory=list)
    """The hexes of a move, from the first to the last."""
    origins: list[str] = field(default_factory=list)
    """Where an attack comes from."""
    targets: list[str] = field(default_factory=list)
    odds: str = ""
    short_odds: str = ""
    """The odds as a map shows them, where they are an estimate: with a sign for it."""
    chance: float | None = None
    """How likely an attack drives the defenders out."""
    why: str = ""
    line: str = ""
    """Notation that carries the step out in this phase, if it can be given in one go."""
    waits: bool = False
    """Whether another step has to come first."""
    ordered: bool = False
    """Whether all steps before it have to come first, since its line does not say what it is about."""
    orders: list[str] = field(default_factory=list)
    """The orders of the line where they are given one after the other, since chance has a say before the last."""

    def to_json(self) -> PlanStep:
        """Plain JSON values."""
        return {
            "kind": self.kind, "text": self.text, "units": self.units, "path": self.path, "origins": self.origins,
            "targets": self.targets, "odds": self.odds, "short_odds": self.short_odds, "chance": self.chance,
            "why": self.why, "line": self.line, "waits": self.waits, "ordered": self.ordered,
            "orders": self.orders,
        }  # fmt: skip


@dataclass(slots=True)
class Hint:
    """What a computer player would do."""

    player: str
    headline: str
    action: str
    """The answer to the question at hand, in notation."""
    label: str
    reasons: list[str] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    expectation: float | None = None
    """What the position is worth to the side that asks, from 0, a loss, to 1, a win."""

    @property
    def single(self) -> bool:
        """Whether the plan has one step, and the headline is its text."""
        return [step.text for step in self.steps] == [self.headline]

    def to_json(self) -> HintResult:
        """Plain JSON values."""
        return {
            "player": self.player, "headline": self.headline, "action": self.action, "label": self.label,
            "reasons": self.reasons, "steps": [step.to_json() for step in self.steps],
            "single": self.single, "expectation": self.expectation,
        }  # fmt: skip


class Thought(NamedTuple):
    """One answer of the player: the question, the position in which it was asked, and the one it leads to."""

    decision: Decision
    before: Any
    action: Action
    after: Any
    """None where chance or the other side decides what follows."""


def try_action(game: Game[Any], state: Any, action: Action, guessing: bool = False) -> Any:
    """The position an action leads to, or None if chance has a say in it, unless any outcome will do (``guessing``)."""
    after = game.copy(state)
    try:
        game.apply(after, action, SeededDice(0) if guessing else NoDice())
    except RasputitsaError:
        return None
    return after


def playable(game: Game[Any], state: Any, line: str) -> bool:
    """Whether a whole line of notation can be played now."""
    try:
        return why_not(game, state, line) is None
    except NotationError:
        return False


class PlanExplainer:
    """Puts the answers of a player into steps. A game that knows better overrides it."""

    phases: tuple[frozenset[str], ...] = ()
    """Kinds of questions that one plan answers together."""
    roots: frozenset[str] = frozenset()
    """Kinds of questions from which such a plan starts."""
    closers: tuple[str, ...] = ("back", "drop", "halt")
    """Verbs that leave a smaller question for the one it came from."""
    guessed: frozenset[str] = frozenset()
    """Verbs whose chances do not bear on the rest of the plan: it goes on whatever may come of them."""

    def __init__(self, game: Game[Any], view: Any, decision: Decision) -> None:
        self.game = game
        self.view = view
        self.decision = decision

    # -- how far to go ---------------------------------------------------------------------------------

    def root(self) -> tuple[Any, Decision]:
        """The question the plan starts from: a unit already in hand is put down, if that takes nothing back."""
        state, decision = self.view, self.decision
        for _ in range(4):
            if decision.kind in self.roots or not any(decision.kind in phase for phase in self.phases):
                break
            closing = next((a for verb in self.closers for a in decision.options if a.verb == verb), None)
            after = None if closing is None else try_action(self.game, state, closing)
            following = None if after is None else self.game.decision(after)
            if following is None or following.seat != decision.seat or following.kind == decision.kind:
                return self.view, self.decision
            if not any(following.kind in phase for phase in self.phases):
                return self.view, self.decision
            state, decision = after, following
        return state, decision

    def goes_on(self, thought: Thought, following: Decision) -> bool:
        """Whether the plan reaches on to the next question."""
        if thought.action.verb == "done":
            return False
        kinds = {thought.decision.kind, following.kind}
        return any(kinds <= phase for phase in self.phases)

    def assumed(self, decision: Decision) -> Action | None:
        """The answer taken for granted of the other side, where the plan does not end with its question."""
        return None

    # -- telling ---------------------------------------------------------------------------------------

    def explain(self, thoughts: list[Thought]) -> Hint:
        """The plan in words."""
        first = thoughts[0]
        label = self.game.label(first.before, first.action)
        steps = [self.mark(thought) for thought in thoughts if thought.action.verb != "done"]
        return Hint("", label, self.game.format(first.before, first.action), label, [], steps)

    def look_ahead(self, found: Hint) -> None:
        """Mark the steps that have to wait for others."""
        for step in found.steps:
            if step.line:
                whole = self.up_to_chance(step.line)
                step.orders = [] if whole == step.line else step.line.split(BREAK)
                step.waits = not playable(self.game, self.view, whole)

    def up_to_chance(self, line: str) -> str:
        """The orders of a line up to the first in which chance has a say: no more can be given in one go."""
        orders = line.split(BREAK)
        last = next((n for n, order in enumerate(orders, 1) if order.split()[0] in self.guessed), len(orders))
        return BREAK.join(orders[:last])

    def mark(self, thought: Thought) -> Step:
        """A step that is no more than what its button says."""
        game, action = self.game, thought.action
        words = game.format(thought.before, action).split()[1:]
        kinds = game.verbs[action.verb]
        units = [word for kind, word in zip(kinds, words, strict=False) if kind == "unit"]
        hexes = [word for kind, word in zip(kinds, words, strict=False) if kind == "hex"]
        text = game.label(thought.before, action)
        for word in units:
            text = text.replace(word, f"{{unit:{word}}}")
        for word in hexes:
            text = text.replace(word, f"{{hex:{word}}}")
        return Step("mark", text, units=units, path=hexes)


def think(game: Game[Any], explainer: PlanExplainer, player: Player, clock: Clock) -> list[Thought]:
    """Ask the player on, from the root of the question, for as long as the plan goes."""
    state, decision = explainer.root()
    thoughts: list[Thought] = []
    while len(thoughts) < MOST_STEPS:
        seen = game.view_of(state, decision.seat)
        action = player.choose(seen, decision, clock)
        after = try_action(game, state, action, action.verb in explainer.guessed)
        thought = Thought(decision, state, action, after)
        thoughts.append(thought)
        following = None if after is None else game.decision(after)
        while following is not None and following.seat != decision.seat:
            answer = explainer.assumed(following)
            after = None if answer is None else try_action(game, after, answer)
            following = None if after is None else game.decision(after)
        if following is None or not explainer.goes_on(thought, following):
            break
        state, decision = after, following
    return thoughts
