"""How strong the people of a server seem, by what came of their rated matches.

Ratings are those of OpenSkill, a Bayesian estimate of strength with its uncertainty. A side of a scenario is rated like
a partner of its player, so that winning with the side that is favored tells less. Ratings follow from the results
alone, in the order in which the matches ended; nothing of them is stored.
"""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from math import log, sqrt

from openskill.models import BradleyTerryFull, BradleyTerryFullRating

from rasputitsa.server.store import Result
from rasputitsa.server.store.people.rated import GONE

MEAN = 1500.0
SPREAD = 350.0
"""The uncertainty about somebody who has not played yet."""
OF_A_SIDE = 60.0
"""The uncertainty about what a side of a scenario is worth, before anybody has played it."""
SCALE = 400 / log(10)
"""Ten to one is the chance of a player who has 400 more, as with Elo ratings."""
DRIFT = 8.0
"""By how much somebody may have learned or forgotten between two matches."""
Z = 1.96
PATIENCE = 0.5
"""For how many seconds those who know earlier ratings wait for newer ones."""
PROVISIONAL_SPREAD = 110.0
"""Above this uncertainty a rating is provisional."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A rating with its uncertainty, and what it rests on."""

    rating: float = MEAN
    spread: float = SPREAD
    won: int = 0
    drawn: int = 0
    lost: int = 0

    @property
    def games(self) -> int:
        """How many matches it rests on."""
        return self.won + self.drawn + self.lost

    @property
    def low(self) -> float:
        """The lower end of the 95 % interval."""
        return self.rating - Z * self.spread

    @property
    def high(self) -> float:
        """The upper end of it."""
        return self.rating + Z * self.spread

    @property
    def provisional(self) -> bool:
        """Whether so little is known that the figure may still be far off."""
        return self.spread > PROVISIONAL_SPREAD


@dataclass(frozen=True, slots=True)
class SideWorth:
    """What the first side of a scenario is worth, in points of rating, and how many matches that rests on."""

    points: float
    spread: float
    games: int

    @property
    def low(self) -> float:
        """The lower end of the 95 % interval."""
        return self.points - Z * self.spread

    @property
    def high(self) -> float:
        """The upper end of it."""
        return self.points + Z * self.spread


@dataclass(frozen=True, slots=True)
class Change:
    """The ratings of both players before and after a match."""

    before: tuple[float, float]
    after: tuple[float, float]


@dataclass
class Standings:
    """The ratings of a game, as far as results were counted."""

    players: dict[str, Standing] = field(default_factory=dict)
    sides: dict[str, SideWorth] = field(default_factory=dict)
    changes: dict[int, Change] = field(default_factory=dict)
    counted: int = 0
    """The number of the last result that was counted."""

    def count(self, results: Sequence[Result]) -> None:
        """Count further results, the oldest first."""
        for result in results:
            self._count(result)
            self.counted = result.id

    def _count(self, result: Result) -> None:
        pair = result.first, result.second
        known = [self.players.get(account, Standing()) for account in pair]
        side = self.sides.get(result.scenario, SideWorth(0.0, OF_A_SIDE, 0))
        ranks = [1 - result.score, result.score]
        found = _MODEL.rate([[_drifted(known[0]), _half(side)], [_drifted(known[1]), _half(side, -1)]], ranks=ranks)
        (one, worth), (other, against) = found
        told = result.score, 1 - result.score
        for account, standing, rated, score in zip(pair, known, (one, other), told, strict=True):
            self.players[account] = _after(standing, rated, score)
        points, spread = worth.mu - against.mu, sqrt(worth.sigma**2 + against.sigma**2)
        self.sides[result.scenario] = SideWorth(points, spread, side.games + 1)
        self.changes[result.id] = Change((known[0].rating, known[1].rating), (one.mu, other.mu))


def _whole(*_of_a_team: object) -> float:
    """Uncertainty shrinks by all that a result tells; OpenSkill's own choice is more cautious, and ends too unsure."""
    return 1.0


_MODEL = BradleyTerryFull(mu=MEAN, sigma=SPREAD, beta=SCALE / sqrt(2), tau=0.0, gamma=_whole)


def _drifted(standing: Standing) -> BradleyTerryFullRating:
    return _MODEL.rating(standing.rating, sqrt(standing.spread**2 + DRIFT**2))


def _half(side: SideWorth, sign: int = 1) -> BradleyTerryFullRating:
    """The one side and the other share what the first one is worth."""
    return _MODEL.rating(sign * side.points / 2, side.spread / sqrt(2))


def _after(standing: Standing, rated: BradleyTerryFullRating, score: float) -> Standing:
    return replace(
        standing, rating=rated.mu, spread=min(rated.sigma, SPREAD),
        won=standing.won + (score == 1), drawn=standing.drawn + (score == 0.5), lost=standing.lost + (score == 0),
    )  # fmt: skip


class Ratings:
    """The ratings of all games of a server; what was counted once is not counted again.

    Standings that were given out stay as they are, since others may still read them. A deleted account makes all the
    results of a game count again, which takes seconds after thousands of matches: meanwhile others get the ratings
    before, and those of another game are not held up.
    """

    def __init__(self, results: Callable[[str, int], list[Result]]) -> None:
        """``results``: those of a game with numbers above one, the oldest first."""
        self._results = results
        self._games: dict[str, Standings] = {}
        self._locks: defaultdict[str, threading.Lock] = defaultdict(threading.Lock)

    def of(self, game: str) -> Standings:
        """The ratings of a game now."""
        known, lock = self._games.get(game), self._locks[game]
        if not lock.acquire(timeout=-1 if known is None else PATIENCE) and known is not None:
            return known
        try:
            found = self._games.get(game, Standings())
            if not (new := self._results(game, found.counted)):
                return found
            if found.counted and any(_renamed(result, found) for result in new):
                found, new = Standings(), self._results(game, 0)
            found = Standings({**found.players}, {**found.sides}, {**found.changes}, found.counted)
            found.count(new)
            self._games[game] = found
            return found
        finally:
            lock.release()


def _renamed(result: Result, known: Standings) -> bool:
    """Whether somebody played who was counted under another name: accounts can be deleted in the middle of a match."""
    return any(who.startswith(GONE) and who not in known.players for who in (result.first, result.second))
