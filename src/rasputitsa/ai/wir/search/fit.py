"""Fit the outlook to played games: ``python -m rasputitsa.ai.wir.search.fit GAMES...``.

GAMES are files of ``rasputitsa.ai.wir.search.selfplay``. Needs scikit-learn (``uv sync --group fit``). What is forecast
is by how much the lead of the Axis will change until the end. Scenario and season explain most of that, and no plan can
change them: so positions are compared with others of the same weeks only.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.linear_model import Ridge
from sklearn.model_selection import GroupKFold

from rasputitsa.ai.wir.search.features import NAMES
from rasputitsa.ai.wir.search.selfplay import read

SIGNS = np.array([1.0, 1.0, -1.0])
"""What is good for the Axis, and what bad."""
WEEKS = 6
"""Weeks that are taken together."""
DAMPING, FOLDS = 20.0, 6
TARGET = Path(__file__).with_name("outlook.json")


def load(paths: Sequence[Path]) -> tuple[Any, Any, Any, Any]:
    """Positions, what is still to change, the game each position is from, and its season."""
    rows, change, game, season = [], [], [], []
    for path in paths:
        for played in read(path):
            for week, row in enumerate(played["rows"]):
                rows.append(row)
                change.append(played["leads"][-1] - played["leads"][week])
                game.append(f"{played['scenario']} {played['seed']}")
                season.append(f"{played['scenario']} {week // WEEKS}")
    return np.array(rows), np.array(change, dtype=float), np.array(game), np.array(season)


def within(values: Any, season: Any) -> Any:
    """Values less their mean of the season."""
    found = np.array(values, dtype=float)
    for one in np.unique(season):
        found[season == one] -= found[season == one].mean(axis=0)
    return found


def fit(x: Any, y: Any, season: Any) -> Any:
    """The weights, none of the wrong sign."""
    signed = within(x, season) * SIGNS
    scale = signed.std(axis=0)
    model = Ridge(alpha=DAMPING, fit_intercept=False, positive=True).fit(signed / scale, within(y, season))
    return model.coef_ / scale * SIGNS


def check(x: Any, y: Any, game: Any, season: Any) -> dict[str, float]:
    """How well the change in unseen games is forecast."""
    wrong = np.zeros(len(y))
    for train, test in GroupKFold(FOLDS).split(x, y, game):
        weights = fit(x[train], y[train], season[train])
        wrong[test] = within(y[test], season[test]) - within(x[test], season[test]) @ weights
    return {
        "error": round(float(np.sqrt((wrong**2).mean())), 1),
        "error_knowing_the_season": round(float(within(y, season).std()), 1),
    }


def main() -> None:
    """Fit and write the weights."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("games", type=Path, nargs="+")
    parser.add_argument("--out", type=Path, default=TARGET)
    args = parser.parse_args()
    x, y, game, season = load(args.games)
    forecast = check(x, y, game, season)
    found = {
        "method": f"least squares within seasons, weights of the right sign only, scikit-learn, alpha={DAMPING}",
        "source": "planner without rehearsals against itself with random leanings, positions as each week begins",
        "games": len(set(game.tolist())), "positions": len(y), "forecast_of_unseen_games": forecast,
        "weights": {name: round(float(w), 4) for name, w in zip(NAMES, fit(x, y, season), strict=True)},
    }  # fmt: skip
    args.out.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    print(f"{found['games']} games, {len(y)} positions: {json.dumps(forecast)}")


if __name__ == "__main__":
    main()
