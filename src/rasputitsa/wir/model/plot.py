"""6.6 Tactical plots: their grammar, and the number that stands for each.

A plot is up to two steps and an ending: ``1``, ``2S``, ``34``, ``56S``, ``2B``, ``01``. Its number has the ending in
the hundreds (1 for S, 2 for B), the first step in the tens (0 for a pause) and the second in the ones (0 for none).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from rasputitsa.core.caching import cached
from rasputitsa.core.errors import NotationError
from rasputitsa.wir.model.indices import Hex, PlotNumber
from rasputitsa.wir.model.shapes import PlotEnding
from rasputitsa.wir.model.tables import INFANTRY, MECHANIZED

ADVANCE: Final = 0
STOP: Final = 1
BOMBARD: Final = 2
ENDINGS: Final[tuple[PlotEnding, PlotEnding, PlotEnding]] = ("", "S", "B")


class Plot(NamedTuple):
    """A plot taken apart. A direction of 0 is a pause (first) or nothing (second)."""

    first: int
    second: int
    ending: int

    @property
    def number(self) -> PlotNumber:
        """The number that stands for the plot."""
        return self.ending * 100 + self.first * 10 + self.second

    def direction(self, segment: int) -> int:
        """Where the plot points in the first (0) or second (1) segment of movement; 0 for nowhere."""
        return self.second if segment else self.first

    def last_segment(self) -> int:
        """The segment to which the ending applies."""
        return 1 if self.second else 0

    def ending_in(self, segment: int) -> int:
        """How the step of a segment ends: ADVANCE, STOP or BOMBARD."""
        return self.ending if segment == self.last_segment() else ADVANCE

    def moves(self) -> bool:
        """Whether the group may leave its hex by this plot: it has a step that is neither S nor B."""
        return any(self.direction(n) and self.ending_in(n) == ADVANCE for n in (0, 1))


def hexes(step: Sequence[Sequence[Hex]], start: Hex, plot: Plot) -> tuple[Hex, ...]:
    """The hexes a plot points at, one after the other, from a start and as far as the map goes.

    ``step``: for each hex its neighbours in the six directions (``Theatre.step``).
    """
    found, here = [], start
    for segment in (0, 1):
        direction = plot.direction(segment)
        if direction:
            here = step[here][direction]
            if here < 0:
                break
            found.append(here)
    return tuple(found)


_PLOTS: Final = tuple(Plot(number // 10 % 10, number % 10, number // 100) for number in range(300))


def unpack(number: PlotNumber) -> Plot:
    """The plot a number stands for."""
    return _PLOTS[number]


def text(number: PlotNumber) -> str:
    """A plot as it is written; empty for none."""
    if not number:
        return ""
    first, second, ending = unpack(number)
    return f"{first}{second or ''}{ENDINGS[ending]}"


@cached
def legal_plots(kind: int) -> tuple[PlotNumber, ...]:
    """The numbers of all plots a kind of group may be given (6.6)."""
    ways = range(1, 7)
    single = [Plot(d, 0, ending).number for ending in range(3) for d in ways]
    if kind == INFANTRY:
        return tuple(single)
    if kind != MECHANIZED:
        return ()
    double = [Plot(a, b, ending).number for ending in range(3) for a in ways for b in ways]
    paused = [Plot(0, d, ending).number for ending in (ADVANCE, STOP) for d in ways]
    return (*single, *double, *paused)


@cached
def longest(kind: int) -> int:
    """How many hexes a plot of a kind of group may lead, whatever the weather (6.6)."""
    return max((bool(p.first) + bool(p.second) for p in map(unpack, legal_plots(kind))), default=0)


def read(line: str) -> PlotNumber:
    """The number of a written plot; raises ``NotationError``.

    What stands after an S is ignored (6.6), and the letter O may stand for the pause.
    """
    word = line.strip().upper().replace("O", "0")
    if "S" in word:
        word = word[: word.index("S") + 1]
    ending = ENDINGS.index(word[-1]) if word and word[-1] in "SB" else ADVANCE
    steps = word[:-1] if ending else word
    if not steps or len(steps) > 2 or any(c not in "0123456" for c in steps):
        raise NotationError(
            f"{line!r:.20} is no plot: one or two of the directions 1-6, or 0 and a direction, then S or B if wanted",
            "6.6",
        )
    plot = Plot(int(steps[0]), int(steps[1]) if len(steps) > 1 else 0, ending)
    if plot.number not in legal_plots(MECHANIZED) or (len(steps) > 1 and not plot.second):
        raise NotationError(f"{line!r:.20} is no plot: a pause stands first, and a direction after it", "6.6")
    return plot.number
