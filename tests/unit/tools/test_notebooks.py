"""The notebooks run from top to bottom and give what is written in them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pettingzoo")

from tools import notebook

BOOKS = sorted(notebook.DOCS.rglob("*.ipynb"))
TOUR = notebook.DOCS / "notebooks" / "tour.ipynb"
VARIES = "varies"
"""A tag of cells whose result may change with the computer players or with wording."""


def plain(outputs: list[dict[str, Any]]) -> list[str]:
    """The outputs as text; of a picture, that there is one."""
    return ["".join(output.get("text", output.get("data", {}).get("text/plain", []))) for output in outputs]


def test_there_is_a_notebook_for_each_door() -> None:
    doors = {path.stem for path in BOOKS if path != TOUR}
    assert TOUR in BOOKS and doors == {"gymnasium", "pettingzoo", "search", "contests", "dataset"}


@pytest.mark.parametrize("path", BOOKS, ids=lambda path: path.name)
def test_a_notebook_tells_the_truth(path: Path) -> None:
    if path.stem == "dataset":
        pytest.importorskip("pyarrow")
    names: dict[str, Any] = {"__name__": "__main__"}
    cells = [cell for cell in notebook.read(path)["cells"] if cell["cell_type"] == "code"]
    assert len(cells) > (10 if path == TOUR else 3)
    for number, cell in enumerate(cells, start=1):
        outputs = notebook.run("".join(cell["source"]), names)
        assert bool(outputs) == bool(cell["outputs"]), f"cell {number}"
        if VARIES not in cell["metadata"].get("tags", []):
            again = "after a change that is meant: python -m tools.notebook"
            assert plain(outputs) == plain(cell["outputs"]), f"cell {number}; {again}"


def test_results_are_those_of_the_last_line() -> None:
    names: dict[str, Any] = {}
    assert notebook.run("x = 2\nprint(x)\nx + 1", names)[0]["text"] == ["2\n"]
    assert plain(notebook.run("x + 1", names)) == ["3"]
    assert notebook.run("y = 5", names) == [] and names["y"] == 5
    with pytest.raises(ZeroDivisionError):
        notebook.run("1 / 0", names)
