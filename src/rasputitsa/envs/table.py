"""A game being played in an environment: what the wrappers for all seats and for one seat share."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from gymnasium import spaces

from rasputitsa.ai.memory import MemoryTracker
from rasputitsa.core.actions import Action
from rasputitsa.core.dice import SeededDice
from rasputitsa.core.errors import IllegalAction, SetupError
from rasputitsa.core.game import Decision, Game
from rasputitsa.core.registry import default_game, get_game
from rasputitsa.envs.encoder import encoder_for
from rasputitsa.envs.indices import ActionIndex, Mask, Numbers
from rasputitsa.envs.layout import Layout
from rasputitsa.envs.no_take_backs import NoTakeBacks, Remembered
from rasputitsa.envs.observation_arrays import NONE, ObservationArrays
from rasputitsa.envs.parts import spots_of
from rasputitsa.envs.rewards import Rewards, Score

SEED_BITS = 63


NO_OPTIONS = "reset takes no options: the game is chosen when the environment is made"


class Snapshot(NamedTuple):
    """A game as it stood, to be taken up again any number of times."""

    state: Any
    seed: int
    rolled: Mapping[str, int]
    """How many dice of each stream have been rolled."""
    tried: Remembered | None
    made: Mapping[str, int]
    asked: str | None
    offered: Sequence[Action]
    numbers: Numbers
    scores: dict[str, dict[str, Score]]


def _verbs(game: Game[Any], without: Sequence[str]) -> frozenset[str]:
    """Verbs that learners are not to be offered; raises ``SetupError`` for what is no verb."""
    unknown = set(without) - set(game.verbs)
    if isinstance(without, str) or unknown:
        named = without if isinstance(without, str) else ", ".join(sorted(unknown))
        raise SetupError(f"without takes a list of verbs of {game.id}; {named!r} is none")
    return frozenset(without)


class Table:
    """One game after another of the same scenario or lesson."""

    def __init__(
        self,
        game: str | Game[Any] | None,
        *,
        scenario: str | None = None,
        lesson: str | None = None,
        position: Mapping[str, Any] | None = None,
        options: Mapping[str, str] | None = None,
        rewards: Rewards | None = None,
        max_decisions: int | None = None,
        without: Sequence[str] = (),
        take_backs: bool = True,
        copy: bool = True,
    ) -> None:
        """``max_decisions``: a game is broken off when a learner that has made this number is asked again. ``without``:
        verbs that learners are offered only where there is nothing else. ``take_backs``: whether they may undo what
        they have just chosen. ``copy``: whether each observation is made of arrays of its own; if not, a seat's next
        one is written over its last."""
        self.game: Game[Any] = game if isinstance(game, Game) else get_game(game or default_game())
        if sum(given is not None for given in (scenario, lesson, position)) > 1:
            raise SetupError("give a scenario, a lesson or a position, not several of them")
        self._position = self.game.lesson(lesson) if lesson is not None else position
        if self._position is not None:
            if options:
                raise SetupError("a lesson or position brings its own options")
            scenario, options = str(self._position.get("scenario", "")), self._position.get("options", {})
        self.scenario = scenario or self.game.scenarios()[0].id
        self.options = dict(options or {})
        self.seats = self.game.seats(self.options)
        self.side = {seat.id: seat.side for seat in self.seats}
        self.rewards = rewards or Rewards()
        self.max_decisions = max_decisions
        self.without = _verbs(self.game, without)
        self.learners = frozenset(self.side)
        """The seats that are learning: what they are offered and how often they are asked is limited."""
        self._beginning = self._start()
        self.state = self.game.copy(self._beginning)
        self.encoder = encoder_for(self.game, self.state)
        self.index = ActionIndex(self.game, self.scenario, self.state, self.encoder)
        self._allowed = np.ones(self.index.size, np.bool_)
        for block in self.index.blocks:
            self._allowed[block.start : block.start + block.size] = block.verb not in self.without
        self.layout = Layout(self.game.id, self.encoder.layout, self.encoder.digest, self.index.digest)
        """What the numbers of observations and actions mean; to be kept with what was learned from them."""
        self.dice = SeededDice(0)
        self.onlookers: MemoryTracker | None = None
        """What computer players in other seats remember of the present game, where some do."""
        self.forward = None if take_backs else NoTakeBacks(self.game, self.encoder.take_backs)
        self._made: dict[str, int] = {}
        self.asked: str | None = None
        """The seat that has to decide; None when the game is over."""
        self.offered: Sequence[Action] = ()
        """The answers it is offered."""
        self._numbers = NONE
        self._scores: dict[str, dict[str, Score]] = {}
        self._spots = spots_of(self.index, self.encoder)
        self._pages = {seat: ObservationArrays(self.encoder, self.index, self._spots) for seat in self.side}
        self._copy = copy

    def _start(self) -> Any:
        if self._position is not None:
            return self.game.load_position(self._position)
        return self.game.setup(self.scenario, self.options)

    def observation_space(self) -> spaces.Dict:
        """The space of one seat's observations."""
        boxes: dict[str, spaces.Space[Any]] = {
            name: spaces.Box(0.0, 1.0, shape, np.float32) for name, shape in self.encoder.shapes().items()
        }
        return spaces.Dict({**boxes, "action_mask": spaces.Box(0, 1, (self.index.size,), np.int8)})

    def write_to(self, seat: str, arrays: Mapping[str, Any]) -> None:
        """Write the observations of a seat to these arrays from now on, such as shared memory."""
        self._pages[seat] = ObservationArrays(self.encoder, self.index, self._spots, arrays)

    def deal(self, seed: int) -> None:
        """Start a game with dice of its own."""
        self.state = self.game.copy(self._beginning)
        self.dice = SeededDice(seed)
        self.onlookers = None
        self._made = {}
        if self.forward is not None:
            self.forward.forget()
        self._ask()
        self._scores = self._look(self.state)

    def _ask(self) -> None:
        """Find out who is asked now, and what is offered, without what is left out."""
        seat = self.asked = self.game.to_move(self.state)
        options = self._options(self.state, seat)
        if self.forward is not None and seat in self.learners:
            options = self.forward.offered(self.state, seat, options)
        self.offered = options
        self._numbers = self.index.numbers(options)

    def _options(self, state: Any, seat: str | None) -> Sequence[Action]:
        """What the seat that is asked may do, without what learners are not offered."""
        options: Sequence[Action] = () if seat is None else self.game.legal(state)
        if not self.without or seat not in self.learners or self._allowed[self.index.numbers(options)].all():
            return options
        return [option for option in options if option.verb not in self.without] or options

    @property
    def decision(self) -> Decision | None:
        """What is asked now, in full, with the options that are offered."""
        whole = self.game.decision(self.state)
        return whole if whole is None or whole.options is self.offered else whole._replace(options=self.offered)

    def mask(self) -> Mask:
        """1 for each action that is offered, by its number."""
        mask = np.zeros(self.index.size, np.int8)
        mask[self._numbers] = 1
        return mask

    def _look(self, state: Any) -> dict[str, dict[str, Score]]:
        """The scores as each seat knows them, where they are rewarded: what a seat may not see earns it nothing."""
        if not self.rewards.shaped:
            return {}
        return {seat.id: self.encoder.scores(self.game.view_of(state, seat.id), seat.id) for seat in self.seats}

    @property
    def over(self) -> bool:
        """Whether the game has ended by its rules."""
        return self.asked is None

    @property
    def cut(self) -> bool:
        """Whether the game was broken off after ``max_decisions`` of the learner that is asked."""
        if self.max_decisions is None or self.asked is None or self.asked not in self.learners:
            return False
        return self._made.get(self.asked, 0) >= self.max_decisions

    def play(self, number: int) -> dict[str, float]:
        """Carry out an action by its number; gives the rewards of all seats.

        Raises:
            IllegalAction: the action is not legal now; nothing has changed.
        """
        number, seat = int(number), self.asked
        place = int((self._numbers == number).argmax()) if seat is not None else 0
        if seat is None or self._numbers[place] != number:
            raise self._refusal(number)
        action = self.offered[place]
        (self.onlookers or self.game).apply(self.state, action, self.dice)
        if self.forward is not None and seat in self.learners:
            self.forward.chosen(action, bool(self.dice.drawn))
        self.dice.drawn.clear()
        self._made[seat] = self._made.get(seat, 0) + 1
        self._ask()
        before, self._scores = self._scores, self._look(self.state)
        outcome = self.game.outcome(self.state)
        winner = outcome.winner if outcome else None
        return self.rewards.all_of(self.seats, before, self._scores, self.over, winner)

    def _refusal(self, number: int) -> IllegalAction:
        """Why an action cannot be carried out; raises ``ActionIndexError`` for a number of none."""
        action, name = self.index.action(number), f"{self.index.name(number)!r} (action {number})"
        decision = self.decision
        if decision is None:
            return IllegalAction(f"{name} comes too late: the game is over")
        if action in self.game.legal(self.state):
            return IllegalAction(f"{name} is left out of this environment")
        legal = ", ".join(self.game.format(self.state, option) for option in decision.options[:8])
        more = len(decision.options) - 8
        return IllegalAction(
            f"{name} is not legal for {decision.seat}; legal are: {legal}{f' and {more} more' if more > 0 else ''}",
            decision.rule,
        )

    def snapshot(self) -> Snapshot:
        """The game as it stands now, dice included. It is not disturbed by going on."""
        tried = None if self.forward is None else self.forward.snapshot()
        return Snapshot(
            self.game.copy(self.state), self.dice.seed, dict(self.dice.counts), tried, dict(self._made), self.asked,
            self.offered, self._numbers, self._scores,
        )  # fmt: skip

    def resampled(self, seat: str, rng: random.Random) -> Snapshot:
        """A game that the seat cannot tell from this one, with dice of its own. The seat is offered what it is."""
        state = self.game.resample(self.state, seat, rng)
        tried = None if self.forward is None else self.forward.elsewhere(state)
        offered = self.offered if self.asked == seat else self._options(state, self.asked)
        return Snapshot(
            state, rng.getrandbits(SEED_BITS), {}, tried, {seat: self._made.get(seat, 0)}, self.asked, offered,
            self.index.numbers(offered), self._look(state),
        )  # fmt: skip

    def restore(self, snapshot: Snapshot, seed: int | None = None) -> None:
        """Go back to a snapshot of this environment, or of another one of the same game. The dice fall as they would
        have fallen then, or as a seed has it."""
        self.state = self.game.copy(snapshot.state)
        self.dice = SeededDice(snapshot.seed, dict(snapshot.rolled)) if seed is None else SeededDice(seed)
        if self.forward is not None and snapshot.tried is not None:
            self.forward.restore(snapshot.tried)
        self._made = dict(snapshot.made)
        self.asked, self.offered, self._numbers = snapshot.asked, snapshot.offered, snapshot.numbers
        self._scores = snapshot.scores

    def observation(self, seat: str) -> dict[str, Any]:
        """What a seat sees. The mask is all zeros unless the seat has to decide."""
        mine = self.asked == seat
        page = self._pages[seat]
        view = self.game.view_of(self.state, seat)
        page.write(view, self.offered if mine else None, self._numbers if mine else NONE, seat)
        return {name: array.copy() for name, array in page.arrays.items()} if self._copy else dict(page.arrays)

    def info(self, seat: str) -> dict[str, Any]:
        """What is worth logging; nothing a seat may not know: of decisions it counts its own."""
        outcome = self.game.outcome(self.state)
        found: dict[str, Any] = {"decisions": self._made.get(seat, 0)}
        if outcome is not None:
            found |= {"winner": outcome.winner, "level": outcome.level, "reason": outcome.reason}
        return found
