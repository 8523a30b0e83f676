"""Positions with accepted answers: what a player must not get wrong, as a table.

A set is a TOML file: a ``theme``, and ``[[positions]]``, each with an ``id``, a ``title``, the ``reason`` for the
answer, the ``seat`` that is asked, a ``position`` (as in a position file) and accepted answers,
``[[positions.accept]]``. The actions ``before``, if any, are given by the seat that is asked. The
player then answers the first question; with ``until``, every question of its seat before the
first of that kind. With ``others``, a list, the other seats meanwhile give the first of these
answers that is legal; a question to another seat that has no such answer ends it. The player
is right when all conditions of one accepted answer hold:

- ``acts``, ``never``: patterns such as ``attack Q8*`` that answers match, or do not
- ``held``, ``empty``: hexes with, and without, a unit of the side
- ``at``, ``away``: hexes in one of which, or in none of which, a unit is
- ``cut``: units that are out of supply; ``fed``: units that are not
- ``gone``: units that are not on the map; ``kept``: units that are
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from rasputitsa.ai.external import any_player
from rasputitsa.ai.players import Clock, close
from rasputitsa.core.data import fields
from rasputitsa.core.data.folder import read_toml
from rasputitsa.core.dice import SeededDice
from rasputitsa.core.errors import SetupError
from rasputitsa.core.game import Decision, Game
from rasputitsa.core.registry import POSITIONS, extension, get_game

MOST_ANSWERS = 500
"""A phase has fewer questions; a player that answers more goes round in circles."""
LISTS = ("acts", "never", "held", "empty", "cut", "fed", "gone", "kept")
PLACES = ("at", "away")
KNOWN = {"id", "title", "reason", "seat", "before", "until", "others", "position", "accept"}


@dataclass(frozen=True)
class Accept:
    """Conditions that hold together after a right answer."""

    at: Mapping[str, tuple[str, ...]]
    away: Mapping[str, tuple[str, ...]]
    acts: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
    held: tuple[str, ...] = ()
    empty: tuple[str, ...] = ()
    cut: tuple[str, ...] = ()
    fed: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()


@dataclass(frozen=True)
class Problem:
    """A position with its accepted answers."""

    id: str
    theme: str
    title: str
    reason: str
    seat: str
    before: tuple[str, ...]
    until: str
    others: tuple[str, ...]
    position: Mapping[str, Any]
    accept: tuple[Accept, ...]


@dataclass(frozen=True)
class Solution:
    """What a player did in a position."""

    problem: Problem
    seed: int
    right: bool
    answers: tuple[str, ...]


def problems(game_id: str) -> list[Problem]:
    """The positions that come with a game, set by set; none if it has no sets."""
    folder = extension(POSITIONS, game_id)
    return [problem for path in sorted(folder.glob("*.toml")) for problem in read(path)] if folder else []


def read(path: Path) -> list[Problem]:
    """The positions of one set; raises ``SetupError`` for a file that is none."""
    table = read_toml(path)
    try:
        fields.known(table, {"theme", "positions"})
        theme = fields.text(table, "theme", "")
        return [_problem(theme, entry) for entry in table.get("positions", [])]
    except SetupError as problem:
        raise SetupError(f"{path}: {problem}") from problem


def _problem(theme: str, table: Mapping[str, Any]) -> Problem:
    where = str(table.get("id", "a position without an id"))
    fields.known(table, KNOWN, where)
    title, reason, seat, until = (fields.text(table, key, "", where) for key in ("title", "reason", "seat", "until"))
    accept = tuple(_accept(entry, where) for entry in table.get("accept", []))
    if not (title and reason and seat and accept):
        raise SetupError(f"{where}: needs a title, a reason, a seat and an accepted answer")
    before, others = (tuple(fields.names(table, key, where)) for key in ("before", "others"))
    position = fields.table(table, "position", where)
    return Problem(where, theme, title, reason, seat, before, until, others, position, accept)


def _accept(table: Mapping[str, Any], where: str) -> Accept:
    fields.known(table, {*LISTS, *PLACES}, where)
    places = [
        {unit: tuple(fields.names(units, unit, where)) for unit in units}
        for units in (fields.table(table, key, where) for key in PLACES)
    ]
    conditions = {key: tuple(fields.names(table, key, where)) for key in LISTS}
    return Accept(at=places[0], away=places[1], **conditions)


def laid(game: Game[Any], problem: Problem) -> Any:
    """The position of a problem, its seat about to answer; raises ``SetupError`` if it is not."""
    state = game.load_position(problem.position)
    for text in problem.before:
        game.apply(state, game.read(state, text), SeededDice(0))
    decision = game.decision(state)
    if decision is None or decision.seat != problem.seat:
        raise SetupError(f"{problem.id}: {problem.seat} is not asked there")
    return state


def solve(game: Game[Any], problem: Problem, name: str, clock: Clock, seed: int = 1) -> Solution:
    """Let a player answer a position, on dice of the seed."""
    state = laid(game, problem)
    options = dict(game.begun_with(state)[1])
    dice = SeededDice(seed)
    answers: list[str] = []
    player = any_player(name, game, options, seed)
    try:
        for decision in _asked(game, state, problem, dice):
            action = player.choose(game.view_of(state, problem.seat), decision, clock)
            answers.append(game.format(state, action))
            game.apply(state, action, dice)
            if not problem.until or len(answers) >= MOST_ANSWERS:
                break
    finally:
        close(player)
    right = any(holds(game, state, problem.seat, accept, answers) for accept in problem.accept)
    return Solution(problem, seed, right, tuple(answers))


def _asked(game: Game[Any], state: Any, problem: Problem, dice: SeededDice) -> Iterator[Decision]:
    """The questions that belong to a problem; those to other seats are answered as it says."""
    while (decision := game.decision(state)) is not None:
        if decision.kind == problem.until:
            return
        if decision.seat == problem.seat:
            yield decision
            continue
        legal = {game.format(state, action): action for action in decision.options}
        answer = next((legal[text] for text in problem.others if text in legal), None)
        if answer is None:
            return
        game.apply(state, answer, dice)


def holds(game: Game[Any], state: Any, seat: str, accept: Accept, answers: Sequence[str]) -> bool:
    """Whether an accepted answer was given: all its conditions hold."""
    scenario, options = game.begun_with(state)
    side = next(info.side for info in game.seats(options) if info.id == seat)
    sides = {unit["id"]: unit["side"] for unit in game.static(scenario)["units"]}
    where = {unit["id"]: unit.get("hex") or "" for unit in game.observe(state, seat)["units"]}
    own = {hex_ for unit, hex_ in where.items() if hex_ and sides[unit] == side}
    cut = _cut(game, state, seat) if accept.cut or accept.fed else set()
    return (
        all(any(fnmatchcase(answer, pattern) for answer in answers) for pattern in accept.acts)
        and not any(fnmatchcase(answer, pattern) for answer in answers for pattern in accept.never)
        and own.issuperset(accept.held)
        and own.isdisjoint(accept.empty)
        and cut.issuperset(accept.cut)
        and cut.isdisjoint(accept.fed)
        and not any(where.get(unit) for unit in accept.gone)
        and all(where.get(unit) for unit in accept.kept)
        and all(where.get(unit) in hexes for unit, hexes in accept.at.items())
        and all(where.get(unit) not in hexes for unit, hexes in accept.away.items())
    )


def _cut(game: Game[Any], state: Any, seat: str) -> set[str]:
    """The units of every side that are out of supply."""
    sides = {info.side for info in game.seats(game.begun_with(state)[1])}
    found = (game.query(state, seat, "supply", {"side": side}) for side in sorted(sides))
    return {unit for told in found for unit in told["unsupplied_units"]}


def run(
    game_id: str, chosen: Sequence[Problem], name: str, seeds: Sequence[int], clock: Callable[[], Clock]
) -> Iterator[Solution]:
    """A player's answers to positions, as they come; ``clock`` gives one for each position."""
    game = get_game(game_id)
    for problem in chosen:
        for seed in seeds:
            yield solve(game, problem, name, clock(), seed)
