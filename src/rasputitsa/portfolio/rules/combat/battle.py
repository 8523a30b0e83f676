"""The battle in progress: what was attacked, the die, and the result of every defending unit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from rasputitsa.portfolio.rules.combat.eligibility import NO_LIMIT, Clearing

if TYPE_CHECKING:
    from rasputitsa.portfolio.model.state import State

NO_EFFECT: Final = "-"
RANK: Final = {"AE": 0, "AD": 1, "X": 2, "S": 3, NO_EFFECT: 4, "D1": 4, "D4": 5, "DX": 6, "DE": 7, "BR": 8}
"""Results from the attacker's worst to his best."""


class Battle(NamedTuple):
    """One attack being resolved."""

    number: int
    """Its place in ``s.attacks``."""
    seat: int
    """The seat that decides for the attackers."""
    targets: tuple[int, ...]
    units: tuple[int, ...]
    """The attackers, as they were when the die was cast."""
    origins: int
    """Hexes they attacked from."""
    die: int
    columns: tuple[int, ...]
    """Final column for each target."""
    defenders: tuple[int, ...]
    homes: tuple[int, ...]
    """Hex of each defender when the die was cast."""
    own: tuple[int, ...]
    """Modified defence factors of each defender."""
    intrinsic: tuple[int, ...]
    """Factors of the city itself, for each target (X.B.6)."""
    strength: tuple[int, ...]
    """Modified defence of each target."""
    results: tuple[str, ...]
    """Result of each defender, as it stands."""
    low: str
    """The result the attackers suffer: that of the lowest column."""
    paid: int = 0
    """Attack factors lost to AE."""
    handled: int = 0
    """Defenders whose retreat is over."""
    lengths: tuple[int, ...] = ()
    """Hexes each defender has retreated, 0 if it has not."""
    cleared: tuple[Clearing, ...] = ()

    def result(self, unit: int) -> str:
        """The result of a defender."""
        return self.results[self.defenders.index(unit)]

    def having(self, s: State, *results: str) -> list[int]:
        """Defenders still on the map with one of the results."""
        return [u for u, r in zip(self.defenders, self.results, strict=True) if r in results and s.pos[u] >= 0]

    def alive(self, s: State) -> list[int]:
        """Attackers still on the map."""
        return [u for u in self.units if s.pos[u] >= 0]

    def shortest(self, hex_: int) -> int:
        """The shortest retreat out of a hex (XIII.E.1)."""
        gone = [n for n, home in zip(self.lengths, self.homes, strict=True) if home == hex_ and n > 0]
        return min(gone, default=NO_LIMIT)


def current(s: State) -> Battle:
    """The battle in progress."""
    assert s.battle is not None
    return s.battle


def set_result(s: State, unit: int, result: str) -> None:
    """Change the result of one defender."""
    battle = current(s)
    place = battle.defenders.index(unit)
    s.battle = battle._replace(results=(*battle.results[:place], result, *battle.results[place + 1 :]))


def set_length(s: State, unit: int, hexes: int) -> None:
    """Note how far a defender has retreated."""
    battle = s.battle
    if battle is not None and unit in battle.defenders:
        place = battle.defenders.index(unit)
        s.battle = battle._replace(lengths=(*battle.lengths[:place], hexes, *battle.lengths[place + 1 :]))
