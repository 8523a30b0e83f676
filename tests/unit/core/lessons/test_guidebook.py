"""The guides to the sides of both games, and how one is read."""

from __future__ import annotations

from pathlib import Path

import pytest

from rasputitsa.core.conformance.register import paragraphs
from rasputitsa.core.errors import DataError
from rasputitsa.core.lessons.guidebook import Section, SideGuide, marked, side_guide

DOCS = Path(__file__).parents[4] / "docs"
ONE = "# A side\n\nWhat it\nis about.\n\n## First\n\n- One (XII)\n  point (XI.A.2).\n- Two (6.8).\n"


@pytest.mark.parametrize("side", ["axis", "soviet"])
@pytest.mark.parametrize("game", ["portfolio", "wir"])
def test_each_guide_names_paragraphs_there_are(game: str, side: str) -> None:
    guide = side_guide(DOCS / "play" / f"{game}-{side}.md")
    known = {paragraph.id for paragraph in paragraphs(DOCS / "rules" / f"{game}.md")}
    assert set(guide.rules()) <= known
    assert len(guide.rules()) > 3
    assert len(guide.sections) > 4


def test_a_guide_is_read(tmp_path: Path) -> None:
    path = tmp_path / "side.md"
    path.write_text(ONE)
    guide = side_guide(path)
    assert guide == SideGuide(
        "A side", "What it is about.", (Section("First", ("One (XII) point (XI.A.2).", "Two (6.8).")),)
    )
    assert guide.rules() == ["XI.A.2", "6.8"]
    points = guide.sections[0].points
    assert list(map(marked, points)) == ["One (XII) point ({rule:XI.A.2}).", "Two ({rule:6.8})."]


@pytest.mark.parametrize(
    "text",
    [
        "", "# A side\n\nWords.\n", "# A side\n\n## First\n\n- One.\n", "Words.\n\n## First\n\n- One.\n",
        ONE + "words\n", ONE + "## Second\n", ONE + "### Third\n", "# A side\n\nWords.\n- One.\n\n## First\n\n- Two.\n",
    ],
)  # fmt: skip
def test_another_shape_is_refused_with_its_file(tmp_path: Path, text: str) -> None:
    path = tmp_path / "side.md"
    path.write_text(text)
    with pytest.raises(DataError) as told:
        side_guide(path)
    assert str(path) in str(told.value)
