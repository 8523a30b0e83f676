"""What the value of positions is learned from, and its weights: read with care, and written whole or not at all."""

from __future__ import annotations

import json
import math
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from rasputitsa.ai.portfolio.search import selfplay
from rasputitsa.ai.portfolio.search.features import NAMES
from rasputitsa.ai.portfolio.search.value import read_weights, weights
from rasputitsa.core.files import FileError

ROW = [0.0] * len(NAMES)


def game(seed: Any = 1, **changes: Any) -> dict[str, Any]:
    """A game as it is written."""
    return {"seed": seed, "axis_won": True, "turn": 9, "levels": [0], "profiles": [], "rows": [ROW], **changes}


def test_games_go_on_after_one_that_was_cut_short(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "games"
    path.write_text(json.dumps(game(1)) + "\n" + json.dumps(game(2))[:40])
    monkeypatch.setattr(selfplay, "play", game)
    monkeypatch.setattr("sys.argv", ["selfplay", str(path), "--games", "3"])
    selfplay.main()
    assert [line["seed"] for line in map(json.loads, path.read_text().splitlines())] == [1, 2, 3]


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("[]", "line 1 is no game"),
        ("{", "line 1 is not JSON"),
        (json.dumps(game(seed=[])), "seed"),
        (json.dumps(game(seed=-1)), "seed"),
        (json.dumps(game(axis_won=1)), "axis_won"),
        (json.dumps(game(rows=[ROW[1:]])), f"a position has {len(NAMES)} numbers, not {len(NAMES) - 1}"),
        (json.dumps(game(rows=[[math.nan, *ROW[1:]]])), "is not JSON"),
        (json.dumps(game(rows=[[1e300, *ROW[1:]]])), "a number is too large"),
    ],
)
@pytest.mark.parametrize("command", ["selfplay", "fit"])
def test_what_are_no_games_is_refused_in_words(
    command: str, line: str, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if command == "fit":
        pytest.importorskip("sklearn")
    module = import_module(f"rasputitsa.ai.portfolio.search.{command}")
    path, target = tmp_path / "games", tmp_path / "value.json"
    path.write_text(f"{line}\n")
    monkeypatch.setattr("sys.argv", [command, str(path), *(["--out", str(target)] if command == "fit" else [])])
    with pytest.raises(SystemExit, match=f"^{command}: .*games.*{says}"):
        module.main()
    assert path.read_text() == f"{line}\n" and not target.exists()


def test_a_fit_of_too_little_or_without_room_keeps_the_weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("sklearn")
    from rasputitsa.ai.portfolio.search import fit

    path, target = tmp_path / "games", tmp_path / "value.json"
    target.write_text("as before")
    monkeypatch.setattr("sys.argv", ["fit", str(path), "--out", str(target)])
    with pytest.raises(SystemExit, match="there is no file"):
        fit.main()
    for lines, says in (([], "too few games"), ([game(n) for n in range(9)], "won by both sides")):
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
        with pytest.raises(SystemExit, match=says):
            fit.main()
    path.write_text("".join(json.dumps(game(n, axis_won=n % 2 == 0)) + "\n" for n in range(12)))
    monkeypatch.setattr("os.fsync", _full)
    with pytest.raises(SystemExit, match=r"No space left on device: .*value\.json"):
        fit.main()
    assert target.read_text() == "as before"


def _full(_: int) -> None:
    raise OSError(28, "No space left on device", "")


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", '{"constant": 0, "weights": []}',
     json.dumps({"constant": "0", "weights": dict.fromkeys(NAMES, 1)}),
     json.dumps({"constant": 0, "weights": dict.fromkeys(NAMES, math.inf)})],
)  # fmt: skip
def test_what_are_no_weights_is_refused_in_words(text: str) -> None:
    with pytest.raises(FileError, match="weights of positions"):
        read_weights(text)
    assert len(weights().of) == len(NAMES)
