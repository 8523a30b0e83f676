"""XIII Attacks as they are announced, and the battle in progress."""

from __future__ import annotations

from typing import Final, NamedTuple

from rasputitsa.portfolio.model.indices import Hex, HexBits, SeatNumber, Unit, UnitBits

OPEN: Final = "open"
RESOLVED: Final = "resolved"
CANCELLED: Final = "cancelled"
LAPSED: Final = "lapsed"


class Clearing(NamedTuple):
    """A hex emptied of defenders, and what that allows the attackers (XIII.E)."""

    hex: Hex
    rights: int
    """``LIKE_D1``, ``LIKE_D4`` or ``LIKE_DE``."""
    limit: int
    """The shortest retreat out of it, ``NO_LIMIT`` if nobody retreated."""
    need: int
    """Defence factors that stood there: as many must advance (XIII.D.3)."""


LIKE_D1: Final = 0
LIKE_D4: Final = 1
LIKE_DE: Final = 2
NO_LIMIT: Final = 9


class Attack(NamedTuple):
    """An announced attack. Players count them from 1, in the order of announcement."""

    targets: tuple[Hex, ...]
    units: tuple[Unit, ...]
    seat: SeatNumber
    amphibious: bool = False
    state: str = OPEN
    barred_retreat: bool = False
    """One of its hexes has been withheld from a retreat, so it can no longer be cancelled (XIII.A.7)."""
    breakthrough: bool = False
    joined_from: int = -1
    """The attack whose breakthrough sent units to join this one (XIII.F)."""
    cleared: tuple[Clearing, ...] = ()


NO_EFFECT: Final = "-"
RANK: Final = {"AE": 0, "AD": 1, "X": 2, "S": 3, NO_EFFECT: 4, "D1": 4, "D4": 5, "DX": 6, "DE": 7, "BR": 8}
"""Results from the attacker's worst to their best."""
DESTROYED: Final[tuple[str, ...]] = ("DE", "BR")
"""Results that eliminate a defender (XIII.C)."""
DRIVEN_OUT: Final[tuple[str, ...]] = ("D4", "DX")
"""Results that make a defender retreat as the attacker likes (XIII.C)."""
MUST_RETREAT: Final[tuple[str, ...]] = ("D1", "D4", "DX")
"""Results after which a defender has to retreat (XIII.D)."""


class Battle(NamedTuple):
    """One attack being resolved."""

    number: int
    """Its place in ``s.attacks``."""
    seat: SeatNumber
    """The seat that decides for the attackers."""
    targets: tuple[Hex, ...]
    units: tuple[Unit, ...]
    """The attackers, as they were when the die was cast."""
    origins: HexBits
    """Hexes they attacked from."""
    die: int
    columns: tuple[int, ...]
    """Final column for each target."""
    defenders: tuple[Unit, ...]
    homes: tuple[Hex, ...]
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
    handled: UnitBits = 0
    """Defenders whose retreat is over."""
    lengths: tuple[int, ...] = ()
    """Hexes each defender has retreated, 0 if it has not."""
    cleared: tuple[Clearing, ...] = ()

    def result(self, unit: Unit) -> str:
        """The result of a defender."""
        return self.results[self.defenders.index(unit)]

    def having(self, pos: list[Hex], *results: str) -> list[Unit]:
        """Defenders still on the map, as the positions of units say, with one of the results."""
        return [u for u, r in zip(self.defenders, self.results, strict=True) if r in results and pos[u] >= 0]

    def alive(self, pos: list[Hex]) -> list[Unit]:
        """Attackers still on the map, as the positions of units say."""
        return [u for u in self.units if pos[u] >= 0]

    def shortest(self, hex_: Hex) -> int:
        """The shortest retreat out of a hex (XIII.E.1)."""
        gone = [n for n, home in zip(self.lengths, self.homes, strict=True) if home == hex_ and n > 0]
        return min(gone, default=NO_LIMIT)
