"""A game being played in an environment: what the wrappers for all seats and for one seat share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium import spaces

from rasputitsa.ai.memory import Onlookers
from rasputitsa.core.dice import SeededDice
from rasputitsa.core.errors import IllegalAction, SetupError
from rasputitsa.core.game import Decision, Game
from rasputitsa.core.registry import default_game, get_game
from rasputitsa.envs.encoder import encoder_for
from rasputitsa.envs.forward import Forward
from rasputitsa.envs.indices import ActionIndex
from rasputitsa.envs.layout import Layout
from rasputitsa.envs.rewards import Rewards, Score

SEED_BITS = 63


NO_OPTIONS = "reset takes no options: the game is chosen when the environment is made"


def check_render_mode(mode: str | None, known: Sequence[str]) -> None:
    """Refuse a way of rendering that there is not; raises ``SetupError``."""
    if mode is not None and mode not in known:
        raise SetupError(f"there is no render mode {mode!r}; known: {', '.join(known)}")


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
    ) -> None:
        """``max_decisions``: a game is broken off when a learner that has made this number is asked again. ``without``:
        verbs that learners are offered only where there is nothing else. ``take_backs``: whether they may undo what
        they have just chosen."""
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
        unknown = set(without) - set(self.game.verbs)
        if isinstance(without, str) or unknown:
            named = without if isinstance(without, str) else ", ".join(sorted(unknown))
            raise SetupError(f"without takes a list of verbs of {self.game.id}; {named!r} is none")
        self.without = frozenset(without)
        self.learners = frozenset(self.side)
        """The seats that are learning: what they are offered and how often they are asked is limited."""
        self.state = self._start()
        self.encoder = encoder_for(self.game, self.state)
        self.index = ActionIndex(self.game, self.scenario, self.state, self.encoder)
        self.layout = Layout(self.game.id, self.encoder.layout, self.encoder.digest, self.index.digest)
        """What the numbers of observations and actions mean; to be kept beside what was learned from them."""
        self.dice = SeededDice(0)
        self.onlookers = Onlookers(self.game, self.options, self.state)
        """What computer players in the seats remember of the present game."""
        self.forward = None if take_backs else Forward(self.game, self.encoder.take_backs)
        self._made: dict[str, int] = {}
        self.decision: Decision | None = None
        """What is asked now, with the options that are offered."""

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

    def deal(self, seed: int) -> None:
        """Start a game with dice of its own."""
        self.state = self._start()
        self.dice = SeededDice(seed)
        self.onlookers = Onlookers(self.game, self.options, self.state)
        self._made = {}
        if self.forward is not None:
            self.forward.forget()
        self.decision = self._asked()
        self._scores = self._look()

    def _asked(self) -> Decision | None:
        """What is asked now, without what is left out."""
        decision = self.game.decision(self.state)
        if decision is None or decision.seat not in self.learners:
            return decision
        options = decision.options
        if self.without:
            options = [option for option in options if option.verb not in self.without] or options
        if self.forward is not None:
            options = self.forward.offered(self.state, decision.seat, options)
        return decision if options is decision.options else decision._replace(options=options)

    def _look(self) -> dict[str, dict[str, Score]]:
        """The scores as each seat knows them, where they are rewarded: what a seat may not see earns it nothing."""
        if not self.rewards.shaped:
            return {}
        return {seat.id: self.encoder.scores(self.game.view_of(self.state, seat.id), seat.id) for seat in self.seats}

    @property
    def over(self) -> bool:
        """Whether the game has ended by its rules."""
        return self.decision is None

    @property
    def cut(self) -> bool:
        """Whether the game was broken off after ``max_decisions`` of the learner that is asked."""
        if self.decision is None or self.max_decisions is None or self.decision.seat not in self.learners:
            return False
        return self._made.get(self.decision.seat, 0) >= self.max_decisions

    def play(self, number: int) -> dict[str, float]:
        """Carry out an action by its number; gives the rewards of all seats.

        Raises:
            IllegalAction: the action is not legal now; nothing has changed.
        """
        assert self.decision is not None
        action = self.index.action(int(number))
        if action not in self.decision.options:
            whole = self.game.decision(self.state)
            if whole is not None and action in whole.options:
                raise IllegalAction(
                    f"{self.index.name(int(number))!r} (action {number}) is left out of this environment"
                )
            legal = ", ".join(self.game.format(self.state, option) for option in self.decision.options[:8])
            more = len(self.decision.options) - 8
            raise IllegalAction(
                f"{self.index.name(int(number))!r} (action {number}) is not legal for {self.decision.seat}; legal are: "
                f"{legal}{f' and {more} more' if more > 0 else ''}",
                self.decision.rule,
            )
        self.onlookers.apply(self.state, action, self.dice)
        if self.forward is not None and self.decision.seat in self.learners:
            self.forward.chosen(action, bool(self.dice.drawn))
        self.dice.drawn.clear()
        self._made[self.decision.seat] = self._made.get(self.decision.seat, 0) + 1
        self.decision = self._asked()
        before, self._scores = self._scores, self._look()
        outcome = self.game.outcome(self.state)
        winner = outcome.winner if outcome else None
        return self.rewards.all_of(self.seats, before, self._scores, self.over, winner)

    def observation(self, seat: str) -> dict[str, Any]:
        """What a seat sees: fresh arrays. The mask is all zeros unless the seat has to decide."""
        mine = self.decision if self.decision is not None and self.decision.seat == seat else None
        arrays: dict[str, Any] = self.encoder.encode(self.game.view_of(self.state, seat), mine, seat)
        arrays["action_mask"] = self.index.mask(mine.options if mine else ())
        return arrays

    def info(self, seat: str) -> dict[str, Any]:
        """What is worth logging; nothing a seat may not know: of decisions it counts its own."""
        outcome = self.game.outcome(self.state)
        found: dict[str, Any] = {"decisions": self._made.get(seat, 0)}
        if outcome is not None:
            found |= {"winner": outcome.winner, "level": outcome.level, "reason": outcome.reason}
        return found

    def picture(self) -> str:
        """The board as plain text."""
        from rasputitsa.render.terminal import text_map

        view = self.game.observe(self.state, None)
        return text_map(self.game.static(self.scenario), view).plain
