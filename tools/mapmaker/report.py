"""How well the fit agrees with the hexes the rules name, in plain text."""

from __future__ import annotations

import cmath
import math
from collections import Counter

from tools.mapmaker.build import INPUTS, Made
from tools.mapmaker.fit import read_anchors
from tools.mapmaker.settle import offset


def report(made: Made) -> str:
    """Scale, turn, residuals of the anchors, places far from their hex, and counts."""
    fit, draft, board = made.fit, made.draft, made.draft.board
    anchors = read_anchors(INPUTS / "anchors.csv")
    plain = [fit.residual(a, board, sheet=False) for a in anchors if a.used]
    rms = math.sqrt(sum(r * r for r in plain) / len(plain))
    lines = [
        f"scale {abs(fit.turn):.4f}, turned {math.degrees(cmath.phase(fit.turn)):.2f} degrees; "
        f"plain fit of {len(plain)} anchors: rms {rms:.2f}, worst {max(plain):.2f} hexes"
    ]
    for anchor in anchors:
        before, after = (fit.residual(anchor, board, sheet=sheet) for sheet in (False, True))
        use = "" if anchor.used else "  (not used in the fit)"
        lines.append(f"  {anchor.where:10} {anchor.name:16} {before:5.2f} {after:5.2f}{use}")
    far = sorted(((offset(p, board, fit), p) for p in draft.places), key=lambda pair: -pair[0])
    lines.append("places farthest from the centre of their hex:")
    lines += [f"  {p.hex:5} {p.name:16} {gap:.2f}" for gap, p in far[:12]]
    lines.append(f"terrain {dict(Counter(draft.terrain.values()))}")
    lines.append(f"countries {dict(Counter(draft.country.values()))}")
    lines.append(f"sides {dict(Counter(draft.barrier.values()))}, {len(draft.rivers)} river sides")
    return "\n".join(lines)
