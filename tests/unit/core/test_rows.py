"""Games read data files by the reader of the checks: the first problem is an error with file, line and field."""

from __future__ import annotations

from pathlib import Path

import pytest

from rasputitsa.core.data.rows import Rows
from rasputitsa.core.errors import DataError


def rows(folder: Path, text: str) -> Rows:
    path = folder / "some.csv"
    path.write_text(text, encoding="utf-8")
    return Rows(path)


def test_a_line_is_named_as_it_stands_in_the_file(tmp_path: Path) -> None:
    found = rows(tmp_path, 'name,points\n"two\nlines",3\nOrel,many\n')
    assert (found.value(0, "name"), found.whole(0, "points"), len(found)) == ("two\nlines", 3, 2)
    with pytest.raises(DataError, match="line 4, points: 'many' is not a whole number; give"):
        found.whole(1, "points")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a,b\n1\n", "line 2, : the line has 1 fields"), ("a,b\n1,\x07\n", "line 2, b: the text holds U"),
        ("a,b\n\n", "line 2, : the line is empty"),
    ],
)  # fmt: skip
def test_a_line_that_does_not_fit_is_an_error(tmp_path: Path, text: str, problem: str) -> None:
    with pytest.raises(DataError, match=problem):
        rows(tmp_path, text)


def test_empty_figures_are_noughts_and_values_are_among_those_allowed(tmp_path: Path) -> None:
    found = rows(tmp_path, "side,points\naxis,\nneither,300\n")
    assert found.whole(0, "points") == 0 and found.one_of(0, "side", ("axis", "soviet")) == 0
    with pytest.raises(DataError, match="line 3, side: 'neither' is not allowed here"):
        found.one_of(1, "side", ("axis", "soviet"))
    with pytest.raises(DataError, match="line 3, points: 300 is out of range"):
        found.whole(1, "points")
    with pytest.raises(DataError, match="line 2, colour: the field is missing"):
        found.value(0, "colour")
