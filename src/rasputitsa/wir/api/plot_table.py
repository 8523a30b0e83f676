"""6.6 All plots and what each may become, so that a client can have plots pointed out without knowing their grammar."""

from __future__ import annotations

from typing import Final

from rasputitsa.core.caching import cached
from rasputitsa.wir.api.shapes import PlotEntry
from rasputitsa.wir.model.indices import PlotNumber
from rasputitsa.wir.model.plot import ADVANCE, BOMBARD, ENDINGS, STOP, Plot, legal_plots, text, unpack
from rasputitsa.wir.model.tables import MECHANIZED
from rasputitsa.wir.model.theatre import DIRECTION_NAMES

NONE: Final = ""
"""How no plot is written."""


@cached
def plot_table() -> dict[str, PlotEntry]:
    """Every legal plot by its text, and the beginning of all of them as the empty text."""
    legal = frozenset(legal_plots(MECHANIZED))
    start: PlotEntry = {
        "steps": [], "ending": NONE, "words": NONE, "stop": NONE, "bombard": NONE, "pause": NONE,
        "longer": {str(d): text(Plot(d, 0, ADVANCE).number) for d in range(1, len(DIRECTION_NAMES))},
    }  # fmt: skip
    return {NONE: start, **{text(number): _entry(unpack(number), legal) for number in legal_plots(MECHANIZED)}}


def _entry(plot: Plot, legal: frozenset[PlotNumber]) -> PlotEntry:
    def written(found: Plot) -> str:
        return text(found.number) if found.number in legal else NONE

    first, second, ending = plot
    open_ended = bool(first) and not second and ending == ADVANCE
    return {
        "steps": [first, second] if second else [first],
        "ending": ENDINGS[ending],
        "words": in_words(plot),
        "longer": {str(d): written(Plot(first, d, ADVANCE)) for d in range(1, len(DIRECTION_NAMES))}
        if open_ended
        else {},
        "stop": written(Plot(first, second, ADVANCE if ending == STOP else STOP)),
        "bombard": written(Plot(first, second, ADVANCE if ending == BOMBARD else BOMBARD)),
        "pause": written(_with_pause(plot) if first else Plot(second, 0, ending)),
    }


def _with_pause(plot: Plot) -> Plot:
    """The pause, then the last step; a bombardment knows no pause and becomes an attack."""
    return Plot(0, plot.second or plot.first, STOP if plot.ending == STOP else ADVANCE)


def in_words(plot: Plot) -> str:
    """A plot in words: ``2S``: attack north-east and stay."""
    parts = []
    for segment in (0, 1):
        way = plot.direction(segment)
        if not way:
            if segment == 0:
                parts.append("pause")
            continue
        ending = plot.ending_in(segment)
        verb = ("go", "attack", "bombard")[ending]
        parts.append(f"{verb} {DIRECTION_NAMES[way]}" + (" and stay" if ending == STOP else ""))
    return ", then ".join(parts)
