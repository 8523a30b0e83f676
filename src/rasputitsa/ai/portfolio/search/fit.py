"""Fit the value of positions to played games: ``python -m rasputitsa.ai.portfolio.search.fit GAMES...``.

GAMES are files of ``rasputitsa.ai.portfolio.search.selfplay``. Needs scikit-learn (``uv sync --group fit``). Whole
games are held back to see how good the forecast is; the weights that are written have seen all of them.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss, roc_auc_score
from sklearn.model_selection import GroupKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from rasputitsa.ai.portfolio.search.features import NAMES
from rasputitsa.ai.portfolio.search.selfplay import read
from rasputitsa.core import files
from rasputitsa.core.files import FileError

FREEDOM = 0.1
"""How far weights may grow (scikit-learn's ``C``)."""
CROSS_VALIDATION_FOLDS = 6
"""Parts into which the games are divided to test the weights on games they were not fitted to."""
TARGET = Path(__file__).with_name("value.json")


def load(paths: Sequence[Path]) -> tuple[Any, Any, Any]:
    """Positions, results, and the game each position is from. Raises ``FileError`` and ``OSError``."""
    rows, won, game = [], [], []
    for path in paths:
        if not path.exists():
            raise FileError(f"there is no file {path}")
        for played in read(path).values:
            rows += played["rows"]
            won += [int(played["axis_won"])] * len(played["rows"])
            game += [played["seed"]] * len(played["rows"])
    if len(set(game)) < CROSS_VALIDATION_FOLDS or len(set(won)) < 2:
        raise FileError(f"too few games to learn from: at least {CROSS_VALIDATION_FOLDS} are needed, won by both sides")
    return np.array(rows), np.array(won), np.array(game)


def model() -> Any:
    """What is fitted."""
    return make_pipeline(StandardScaler(), LogisticRegression(C=FREEDOM, max_iter=3000))


def check(x: Any, y: Any, game: Any) -> dict[str, float]:
    """How well the winners of unseen games are forecast."""
    losses, areas = [], []
    for train, test in GroupKFold(CROSS_VALIDATION_FOLDS).split(x, y, game):
        chance = model().fit(x[train], y[train]).predict_proba(x[test])[:, 1]
        losses.append(log_loss(y[test], chance, labels=[0, 1]))
        areas.append(roc_auc_score(y[test], chance))
    share = y.mean()
    blind = -(share * np.log(share) + (1 - share) * np.log(1 - share))
    return {
        "log_loss": round(float(np.mean(losses)), 3), "log_loss_knowing_nothing": round(float(blind), 3),
        "area_under_curve": round(float(np.mean(areas)), 3),
    }  # fmt: skip


def main() -> None:
    """Fit and write the weights."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("games", type=Path, nargs="+")
    parser.add_argument("--out", type=Path, default=TARGET)
    args = parser.parse_args()
    try:
        found = fitted_to(*load(args.games))
        files.write_text(args.out, json.dumps(found, indent=1) + "\n")
    except (FileError, OSError) as problem:
        raise SystemExit(f"fit: {problem}") from problem
    print(f"{found['games']} games, {found['positions']} positions: {json.dumps(found['forecast_of_unseen_games'])}")


def fitted_to(x: Any, y: Any, game: Any) -> dict[str, Any]:
    """The weights and where they are from, as they are written."""
    forecast = check(x, y, game)
    fitted = model().fit(x, y)
    scaler, logistic = fitted[0], fitted[1]
    slopes = logistic.coef_[0] / scaler.scale_
    constant = logistic.intercept_[0] - float(slopes @ scaler.mean_)
    return {
        "method": f"logistic regression of game results on positions, scikit-learn, C={FREEDOM}",
        "source": "quick planner against itself with random leanings, positions before each Initial Movement Phase",
        "games": len(set(game.tolist())), "positions": len(y), "first_seed": int(game.min()),
        "share_won_by_axis": round(float(y.mean()), 3), "forecast_of_unseen_games": forecast,
        "constant": round(float(constant), 4),
        "weights": {name: round(float(w), 4) for name, w in zip(NAMES, slopes, strict=True)},
    }  # fmt: skip


if __name__ == "__main__":
    main()
