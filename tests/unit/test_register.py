"""The rules register is complete, points to code that exists, and is read with clear errors."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rasputitsa.core.errors import DataError
from rasputitsa.core.register import Paragraph, paragraphs
from rasputitsa.portfolio.options import OPTIONS

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "rasputitsa"
REGISTER = ROOT / "docs" / "rules" / "portfolio.md"

PARAGRAPHS = """
I
II
III III.Attacker III.CombatFactor III.Defender III.Hex III.InfantryType III.MovementFactor III.OwningPlayer III.ZOC
IV IV.Axis IV.Soviet
V V.A V.B V.B.1 V.B.1.a V.B.1.a.1 V.B.1.a.2 V.B.1.a.3 V.B.1.a.4 V.B.1.b
V.B.2 V.B.2.a V.B.2.a.1 V.B.2.a.2 V.B.2.b V.C
VI VI.A VI.B VI.B.1 VI.B.2 VI.B.3
VII VII.A VII.B VII.C
VIII VIII.A VIII.A.1 VIII.A.2 VIII.A.3 VIII.B
IX IX.A IX.A.1 IX.A.1.a IX.A.1.a.1 IX.A.1.a.2 IX.A.1.b IX.A.1.b.1 IX.A.1.b.2 IX.A.1.b.3 IX.A.1.c IX.A.2 IX.A.3
IX.B IX.B.1 IX.B.2 IX.B.3 IX.B.4 IX.B.5
X X.A X.A.1 X.A.2 X.B X.B.1 X.B.2 X.B.3 X.B.4 X.B.5 X.B.6 X.B.7 X.B.8 X.B.9 X.B.10 X.B.11 X.C X.D X.D.1 X.D.2
XI XI.A XI.A.1 XI.A.2 XI.A.3 XI.A.4 XI.A.5 XI.B XI.B.1 XI.B.2 XI.B.3 XI.C
XII
XIII XIII.A XIII.A.1 XIII.A.2 XIII.A.3 XIII.A.4 XIII.A.5 XIII.A.6 XIII.A.7
XIII.B XIII.B.1 XIII.B.2 XIII.B.3 XIII.B.4 XIII.B.5 XIII.B.6
XIII.C XIII.C.AE XIII.C.X XIII.C.AD XIII.C.S XIII.C.D1 XIII.C.D4 XIII.C.DX XIII.C.DE XIII.C.BR
XIII.C.Spent XIII.C.Dispersed XIII.C.Exchange XIII.C.Decline XIII.C.Allies
XIII.C.Overrun XIII.C.NoRetreat XIII.C.Breakdown
XIII.D XIII.D.1 XIII.D.2 XIII.D.3 XIII.D.4 XIII.D.4.a XIII.D.4.b XIII.D.4.c XIII.D.4.d XIII.D.4.e XIII.D.4.f
XIII.D.5 XIII.D.6 XIII.D.7 XIII.D.8
XIII.E XIII.E.1 XIII.E.2 XIII.E.3 XIII.E.4 XIII.E.5 XIII.E.6 XIII.F XIII.G XIII.H
XIV XIV.A XIV.B XIV.B.1 XIV.B.2 XIV.C XIV.D
XV XV.A XV.B
XVI XVI.A XVI.B XVI.B.1 XVI.B.2 XVI.B.3 XVI.B.4 XVI.B.5
XVI.C XVI.C.1 XVI.C.1.a XVI.C.1.b XVI.C.1.c XVI.C.2
XVI.D XVI.D.1 XVI.D.2 XVI.D.Dispersed XVI.E XVI.E.1 XVI.E.2
TEC TEC.CrossRiver TEC.CrossLake TEC.Swamp TEC.Hills TEC.Mountains TEC.Kerch TEC.StalinLine TEC.Fortress
TEC.MajorCity TEC.City TEC.Town
CRT
TRACK TRACK.0 TRACK.1 TRACK.2 TRACK.3 TRACK.4 TRACK.5 TRACK.6 TRACK.7
TRACK.8 TRACK.9 TRACK.10 TRACK.11 TRACK.12 TRACK.13 TRACK.14 TRACK.15
RESERVE RESERVE.0 RESERVE.1 RESERVE.2 RESERVE.3 RESERVE.4 RESERVE.5 RESERVE.6 RESERVE.7
PARTS.Copyright PARTS.Commentary PARTS.A PARTS.B PARTS.C PARTS.D PARTS.E
"""
"""Every paragraph of the rule booklet and every line of its charts, written down from both copies."""
ROWS = PARAGRAPHS.split()

OPEN_POINTS = [
    ("VI.A", "1 October", "Weather of 1 October"),
    ("VI.A", "March", "Weather of March and April 1942"),
    ("VI.A", "Hard Frost", "What Hard Frost does"),
    ("VII.C", "end of that attack phase", "Moment of recovery"),
    ("VIII.B", "each of the two seas", "Sea capacity"),
    ("VIII.B", "Azov", "Azov with Rostov and Sevastopol divided"),
    ("VIII.A.1", "entrain", "Entraining in an EZOC"),
    ("IX.A", "larger factor", "Price of shock armies and cavalry"),
    ("IX.A.1.a.1", "retaken", "Major city lost and retaken"),
    ("IX.B.3", "instalment", "Roulette on and after 21 December"),
    ("IX.A.1.c", "actually played", "Lend-Lease with other starts"),
    ("XVI.B.4", "reserve", "Armor reserve on the first turn"),
    ("X.A.2", "every river", "River surcharge"),
    ("X.A.2", "reminder", "The chart's line on the same unit's zone"),
    ("X.B.5", "also", "Army and corps in a major city"),
    ("XIII.B.2", "tank factories", "Tank factories and forests"),
    ("X.B.6", "Dispersed", "Victory-city factor without an undispersed defender"),
    ("X.B.9", "armor-type", "Column shift for swamp"),
    ("X.B.4", "Black Sea", "Kerch with Black Sea control"),
    ("XI.B.2", "direct step", "Leaving and re-entering a zone"),
    ("III.ZOC", "Panzer Group", "Panzer Group as a German army"),
    ("XIV.D", "bonus", "Fuel shortage, weather and bonus"),
    ("XIII.B.3", "1:5", "Basic odds below 1:4"),
    ("XVI.B.1", "allies", "Surprise in mixed attacks"),
    ("XIII.C.AE", "superfluous", "Losses that do not add up"),
    ("XIII.C.DX", "before the D4", "Order and choice in DX"),
    ("XIII.C.Exchange", "survivors may retreat", "Who picks, who retreats on X"),
    ("XIII.C", "lowest column", "Columns that differ"),
    ("XIII.C.Breakdown", "Initial Phase", "Breakdown: die of 1, Initial Phase"),
    ("XIII.C.Breakdown", "advance", "Breakdown and advance"),
    ("XIII.C.Overrun", "mixed stack", "Overrun of mixed stacks, rivers"),
    ("XIII.D.6", "exactly two", "Retreat of exactly two hexes"),
    ("XIII.E.1", "nobody retreated", "Advance after elimination"),
    ("XIII.D.4.d", "second on", "Zone of a Dispersed enemy"),
    ("XIV.A", "EZOC", "EZOC on a supply line"),
    ("X.B.8", "victory city", "Two units on an isolated fortress"),
    ("XIV.B.2", "printed AF", "Strength of a pocket"),
    ("XV.A", "Any entry", "How control changes"),
    ("IV.Axis", "phase", "Which victory phase counts"),
    ("IX.A.3", "first turn", "Voluntary elimination on the first turn"),
    ("V.B.2.a", "Snow", "Order of the Reserves Phases in Snow"),
    ("III.ZOC", "lake", "Zones across impassable and lake sides"),
    ("X.B.1", "from ZOC to ZOC", "Attacks and the limits of movement"),
]
"""Where each point that the text leaves open is ruled, and a word the ruling cannot do without."""

CITATION = re.compile(r"\b(?:XVI|XIV|XIII|XII|XI|XV|IX|IV|V?III|VII|VI|II|X|V|I)\.[A-H](?:\.\d+|\.[a-f]\b|\.[A-Z]\w+)*")


@pytest.fixture(scope="module")
def rows() -> dict[str, Paragraph]:
    return {row.id: row for row in paragraphs(REGISTER)}


def test_every_paragraph_has_a_row_and_no_row_is_invented(rows: dict[str, Paragraph]) -> None:
    assert len(ROWS) == len(set(ROWS))
    assert sorted(set(ROWS) - rows.keys()) == []
    assert sorted(rows.keys() - set(ROWS)) == []


def test_rows_stand_in_the_order_of_the_booklet(rows: dict[str, Paragraph]) -> None:
    assert list(rows) == ROWS


def test_no_row_is_blank(rows: dict[str, Paragraph]) -> None:
    for row in rows.values():
        assert len(row.text) > 8, row.id
        assert row.title, row.id
        assert re.match(r"both|000|001", row.sources), row.id


def test_the_code_each_row_names_exists(rows: dict[str, Paragraph]) -> None:
    named = {code for row in rows.values() for code in row.code}
    missing = [code for code in sorted(named) if not ((PACKAGE / code).is_file() or (ROOT / code).is_file())]
    assert missing == []


@pytest.mark.parametrize(("row", "word", "point"), OPEN_POINTS)
def test_open_points_are_ruled(rows: dict[str, Paragraph], row: str, word: str, point: str) -> None:
    assert word in rows[row].ruling, point


def test_rulings_and_game_options_name_each_other(rows: dict[str, Paragraph]) -> None:
    named = {option for row in rows.values() for option in row.options}
    assert named == {option.id for option in OPTIONS}
    for option in OPTIONS:
        at_home = [row for row in rows.values() if (row.id + ".").startswith(option.rule + ".")]
        assert any(option.id in row.options for row in at_home), (option.id, option.rule)


def test_paragraphs_cited_in_the_game_exist(rows: dict[str, Paragraph]) -> None:
    folder = PACKAGE / "portfolio"
    wrong = [
        f"{path.relative_to(PACKAGE)}: {cited}"
        for path in sorted([*folder.rglob("*.py"), *folder.rglob("*.toml")])
        for cited in CITATION.findall(path.read_text(encoding="utf-8"))
        if cited not in rows
    ]
    assert wrong == []


GOOD = """# Title
Introduction.
## X Terrain
### X.A.1 First
It says
two things.

| a | b |
- Code: `game/one.py`, `game/data/two.csv`
- Ruling: so and not so, `option: river_cost`
  as the chart has it
- Sources: both

### X.B Second
Short.
- Code: `game/one.py`
- Sources: 000
"""


def read(folder: Path, text: str) -> list[Paragraph]:
    file = folder / "rules.md"
    file.write_text(text, encoding="utf-8")
    return paragraphs(file)


def test_a_paragraph_is_read_whole(tmp_path: Path) -> None:
    first, second = read(tmp_path, GOOD)
    assert first == Paragraph(
        "X.A.1",
        "X Terrain",
        "First",
        "It says\ntwo things.\n\n| a | b |",
        "so and not so, `option: river_cost` as the chart has it",
        ("river_cost",),
        ("game/one.py", "game/data/two.csv"),
        "both",
    )
    assert (second.id, second.ruling, second.options) == ("X.B", "", ())


@pytest.mark.parametrize(
    ("old", "new", "line", "part"),
    [
        ("### X.B Second", "### X.A.1 Second", 14, "there twice"),
        ("### X.B Second", "### XI.B Second", 14, "stands in chapter X"),
        ("### X.B Second", "### X.B", 14, "ID Title"),
        ("## X Terrain\n", "", 3, "before the first chapter"),
        ("## X Terrain", "## Terrain", 3, "NUMBER Title"),
        ("### X.B Second", "#### X.B Second", 14, "only '## ' chapters"),
        ("Short.\n", "", 14, "says nothing"),
        ("- Sources: 000\n", "", 14, "Sources is missing"),
        ("- Code: `game/one.py`\n- Sources: 000", "- Sources: 000", 14, "Code is missing"),
        ("- Code: `game/one.py`\n- Sources: 000", "- Code: game/one.py\n- Sources: 000", 14, "names no file"),
        ("- Sources: 000", "- Source: 000", 17, "the fields are"),
        ("- Sources: 000", "- Sources: 000\n- Sources: both", 18, "there twice"),
        ("- Sources: 000", "- Sources: 000\nloose", 18, "indent the line"),
        ("- Sources: 000", "- Ruling:\n- Sources: 000", 14, "ruling is empty"),
    ],
)
def test_mistakes_are_named_with_file_and_line(tmp_path: Path, old: str, new: str, line: int, part: str) -> None:
    assert old in GOOD
    with pytest.raises(DataError) as error:
        read(tmp_path, GOOD.replace(old, new))
    assert part in error.value.message
    assert error.value.line == line
    assert error.value.file.endswith("rules.md")


def test_an_empty_register_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no paragraph"):
        read(tmp_path, "# Title\n")
