"""The rules registers are complete, point to code that exists, and are read with clear errors."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from rasputitsa.core.conformance.register import Paragraph, paragraphs
from rasputitsa.core.errors import DataError
from rasputitsa.core.game import OptionInfo
from rasputitsa.core.registry import get_game
from rasputitsa.portfolio.model.options import OPTIONS as PORTFOLIO_OPTIONS
from rasputitsa.wir.model.options import OPTIONS as WIR_OPTIONS

ROOT = Path(__file__).parents[3]
PACKAGE = ROOT / "src" / "rasputitsa"

PORTFOLIO_PARAGRAPHS = """
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

WIR_PARAGRAPHS = """
1.0 1.1 1.2 1.3 1.4 1.5 1.6
2.0 2.1 2.2 2.2.Kinds 2.2.Names
3.0 3.1 3.2 3.3
4.0 4.1 4.2 4.3 4.4 4.5 4.6 4.7 4.8 4.9 4.9.Cost 4.9.Values 4.10 4.10.Ports 4.11
5.0 5.1 5.2 5.2.Relief 5.3 5.4
6.0 6.1 6.1.Status 6.2 6.2.Allowance 6.3 6.4 6.5 6.6 6.6.Examples 6.6.Plots 6.7 6.8 6.9 6.10
7.0 7.1 7.2 7.3 7.4 7.5 7.6 7.7 7.7.Odds 7.7.Entrenchments 7.8 7.9 7.9.Levels 7.10 7.10.Losses
8.0 8.1 8.1.Terrain 8.1.Weather 8.2 8.3 8.3.Terrain 8.4 8.4.Months 8.5 8.5.Output 8.5.Soviet
8.6 8.6.Areas 8.7 8.8 8.9 8.10 8.11 8.12 8.13 8.14
9.0 9.1 9.1.Handicap 9.2
10.0
"""
"""Every paragraph and every table of the manual, with the numbers that the scan misread put right."""

PORTFOLIO_POINTS = [
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

WIR_POINTS = [
    ("4.8", "die of 1 to 5", "Construction points from a dismantled factory"),
    ("7.6", "the bonus", "How a defending mechanized group reduces the 1.5"),
    ("7.7.Entrenchments", "surviving level", "Rounding of entrenchments"),
    ("5.2.Relief", "below 0", "Relief when vehicles bring the count below 0"),
    ("7.10.Losses", "0.4", "Defender losses at 1-5"),
    ("7.5", "B plot", "Intrinsic artillery on a B plot"),
    ("6.8", "bombardment", "Entrenching with a B plot"),
    ("6.5", "every plot", "Plotting and adding artillery"),
    ("9.1", "not doubled", "Handicap in the short games"),
    ("9.1", "Urals", "City points of the Urals and Germany"),
    ("8.13", "Italian", "Italian MOT in January 1943"),
    ("4.9", "cut to its maximum", "Strength of a substitute"),
    ("7.3", "loses its plot", "Retreat before the own segment"),
    ("4.9.Values", "present year", "Maximum of units from before a date"),
    ("7.5", "overcast", "Bombardments in poor weather"),
    ("7.7.Odds", "37.5", "Odds between two rows"),
    ("5.2", "option: ledger", "Whether players see their own supply pool"),
    ("8.6", "northern ones", "Which shipments need the line"),
    ("4.4", "240", "Transfers above 240 artillery points"),
    ("7.1", "both suffers", "Two groups in the target hex"),
    ("6.6", "01 moves in the second segment", "Pauses and second steps in rain"),
    ("6.2", "the hex reached", "A move that is broken off"),
    ("8.1", "river points", "River points and weather"),
    ("8.8", "rounded down", "Half of an odd number of supply centres"),
    ("8.7", "750", "Security forces added or compounded"),
    ("5.2", "last point", "One supply point and a unit that costs two"),
]
"""The same for the manual of War in Russia."""

ADDED = {
    "portfolio": "EVENING.Zone EVENING.Start EVENING.Goal",
    "wir": "EVENING.Zone EVENING.Start EVENING.Goal EVENING.Income",
}
"""Paragraphs of the program's own, behind those of the book."""
OWN = "EVENING"
REGISTERS: dict[str, tuple[str, list[tuple[str, str, str]], tuple[OptionInfo, ...], str]] = {
    "portfolio": (PORTFOLIO_PARAGRAPHS, PORTFOLIO_POINTS, PORTFOLIO_OPTIONS, r"both|000|001"),
    "wir": (WIR_PARAGRAPHS, WIR_POINTS, WIR_OPTIONS, "manual"),
}
"""For each game its paragraphs, its open points, its options, and how its sources are named."""
POINTS = [(game, *point) for game, (_, points, _, _) in REGISTERS.items() for point in points]

CITATION = re.compile(
    r"\b(?:XVI|XIV|XIII|XII|XI|XV|IX|IV|V?III|VII|VI|II|X|V|I)\.[A-H]\b(?:\.\d+|\.[a-f]\b|\.[A-Z]\w+)*"
)


NUMBER = re.compile(r"\"(\d{1,2}\.\d{1,2})\"")
"""How a paragraph of the manual is cited where an order is refused or an option explained."""


def register(game: str) -> Path:
    return ROOT / "docs" / "rules" / f"{game}.md"


@pytest.fixture(scope="module", params=REGISTERS)
def game(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


@pytest.fixture(scope="module")
def rows(game: str) -> dict[str, Paragraph]:
    return {row.id: row for row in paragraphs(register(game))}


def test_every_paragraph_has_a_row_and_no_row_is_invented(game: str, rows: dict[str, Paragraph]) -> None:
    wanted = [*REGISTERS[game][0].split(), *ADDED[game].split()]
    assert len(wanted) == len(set(wanted))
    assert sorted(set(wanted) - rows.keys()) == []
    assert sorted(rows.keys() - set(wanted)) == []


def test_rows_stand_in_the_order_of_the_booklet(game: str, rows: dict[str, Paragraph]) -> None:
    assert list(rows) == [*REGISTERS[game][0].split(), *ADDED[game].split()]


def test_no_row_is_blank(game: str, rows: dict[str, Paragraph]) -> None:
    for row in rows.values():
        assert len(row.text) > 8, row.id
        assert row.title, row.id
        named = "none, an addition of the program" if row.id.startswith(OWN) else REGISTERS[game][3]
        assert re.match(named, row.sources), row.id


def test_the_code_each_row_names_exists(rows: dict[str, Paragraph]) -> None:
    named = {code for row in rows.values() for code in row.code}
    missing = [code for code in sorted(named) if not ((PACKAGE / code).is_file() or (ROOT / code).is_file())]
    assert missing == []


def test_the_code_each_row_names_cites_the_paragraph_or_one_it_belongs_to(rows: dict[str, Paragraph]) -> None:
    silent = []
    for row in rows.values():
        texts = [(PACKAGE / code).read_text() for code in row.code if code.endswith(".py")]
        parts = row.id.split(".")
        numbers = {".".join(parts[:n]) for n in range(1, len(parts) + 1)} | {f"{parts[0]}.0"}
        cited = re.compile(rf"(?<![\w.])(?:{'|'.join(map(re.escape, numbers))})(?!\w)")
        if texts and not any(cited.search(text) for text in texts):
            silent.append(row.id)
    assert silent == []


NUMBERED = re.compile(r"[IVX]+\.[A-Z](?:\.|$)|\d+\.[1-9]")
"""Definitions (III), chapters and lines of a chart have no number of their own that code could cite."""


def test_the_code_of_each_paragraph_cites_it_or_what_it_belongs_to(rows: dict[str, Paragraph]) -> None:
    """A reader who opens the files that a row names finds the place by searching for the number."""
    found = []
    for row in rows.values():
        if not NUMBERED.match(row.id):
            continue
        files = [place for code in row.code for place in (PACKAGE / code, ROOT / code) if place.is_file()]
        text = "\n".join(place.read_text(encoding="utf-8") for place in files)
        parts = row.id.split(".")
        names = [".".join(parts[:end]) for end in range(len(parts), 1 if len(parts) > 2 else 0, -1)]
        if not any(re.search(rf"(?<![\w.]){re.escape(name)}(?!\w)", text) for name in names):
            found.append(row.id)
    assert found == []


@pytest.mark.parametrize(("name", "row", "word", "point"), POINTS)
def test_open_points_are_ruled(name: str, row: str, word: str, point: str) -> None:
    (found,) = [paragraph for paragraph in paragraphs(register(name)) if paragraph.id == row]
    assert word in found.ruling, point


def test_rulings_and_game_options_name_each_other(game: str, rows: dict[str, Paragraph]) -> None:
    options = REGISTERS[game][2]
    named = {option for row in rows.values() for option in row.options}
    assert named == {option.id for option in options}
    for option in options:
        at_home = [row for row in rows.values() if (row.id + ".").startswith(option.rule + ".")]
        assert any(option.id in row.options for row in at_home), (option.id, option.rule)


def test_paragraphs_cited_in_the_portfolio_exist() -> None:
    assert cited("portfolio", CITATION, "*.py", "*.toml")
    assert wrong_citations("portfolio", CITATION, "*.py", "*.toml") == []


def test_paragraphs_cited_in_war_in_russia_exist() -> None:
    assert cited("wir", NUMBER, "*.py")
    assert wrong_citations("wir", NUMBER, "*.py") == []


CITED = re.compile(r"(?<![-\w.:])(?:[IVX]+\.[A-Z]|\d{1,2}\.\d{1,2})(?:\.\w+)*(?![%\w])")


def spoken(module: ast.Module) -> Iterator[str]:
    """The paragraphs that a module cites: in its docstrings, and as the rule of a question or an order."""
    for node in ast.walk(module):
        match node:
            case ast.Expr(value=ast.Constant()) as place:
                pass
            case ast.Assign(targets=[ast.Name(id="rule")]) as place:
                pass
            case ast.AnnAssign(target=ast.Name(id="rule")) | ast.keyword(arg="rule") as place:
                pass
            case _:
                continue
        texts = (part.value for part in ast.walk(place) if isinstance(part, ast.Constant))
        yield from (name for text in texts if isinstance(text, str) for name in CITED.findall(text))


def test_a_file_that_cites_a_paragraph_stands_in_its_row_or_one_below(game: str, rows: dict[str, Paragraph]) -> None:
    """Two steps: from the number to the row, and from the row to every file with rules that carries it out."""
    absent = []
    for path in sorted((PACKAGE / game / "rules").rglob("*.py")):
        place = path.relative_to(PACKAGE).as_posix()
        for name in sorted({*spoken(ast.parse(path.read_text(encoding="utf-8")))} & rows.keys()):
            below = (row.code for row in rows.values() if f"{row.id}.".startswith(f"{name.removesuffix('.0')}."))
            if not any(place in code for code in below):
                absent.append(f"{name}: {place}")
    assert absent == []


def test_what_a_module_cites_is_found() -> None:
    text = '''"""6.6, 8.4 Plots (XIII.D.4.b), at ``1-3.2``."""\nrule = "5.2"\nask(rule="7.1")\nodds = "2.2"\n'''
    assert sorted(spoken(ast.parse(text))) == ["5.2", "6.6", "7.1", "8.4", "XIII.D.4.b"]


def cited(game: str, pattern: re.Pattern[str], *files: str) -> list[tuple[Path, str]]:
    """Every citation in a game's package."""
    paths = sorted(path for kind in files for path in (PACKAGE / game).rglob(kind))
    return [(path, name) for path in paths for name in pattern.findall(path.read_text(encoding="utf-8"))]


def wrong_citations(game: str, pattern: re.Pattern[str], *files: str) -> list[str]:
    """Citations of paragraphs that the register does not have."""
    known = {row.id for row in paragraphs(register(game))}
    found = cited(game, pattern, *files)
    return [f"{path.relative_to(PACKAGE)}: {name}" for path, name in found if name not in known]


@pytest.mark.parametrize(("game", "scenario"), [("portfolio", "june22"), ("wir", "barbarossa_short")])
def test_charts_and_orders_name_paragraphs_there_are(game: str, scenario: str) -> None:
    static = get_game(game).static(scenario)
    named = [*static["charts"]["paragraphs"].values(), *(verb["rule"] for verb in static["verbs"].values())]
    assert {*named} - {""} <= {row.id for row in paragraphs(register(game))}


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


BOX = re.compile(r"(TRACK|RESERVE)\.\d+")
TABLE = re.compile(r"(\d+\.\d+)\.\w+")


def searched(row: str) -> str:
    """What is searched for: a box of a track by the track, a table of a paragraph of the manual by the paragraph."""
    found = BOX.fullmatch(row) or TABLE.fullmatch(row)
    return found[1] if found else row


def test_each_module_of_a_paragraph_names_it(rows: dict[str, Paragraph]) -> None:
    """So two steps lead from a paragraph to its code: the register names the module, a search in it finds the place."""
    lost = []
    for row in rows.values():
        name = re.compile(rf"(?<![\w.]){re.escape(searched(row.id))}(?!\w)")
        for code in row.code:
            if code.endswith(".py") and not name.search((PACKAGE / code).read_text(encoding="utf-8")):
                lost.append(f"{row.id} {row.title}: {code}")
    assert lost == []


CARRIED_OUT = [
    ("IX.A.1.b.3", "portfolio/rules/logistics/production.py"),
    ("X.B.5", "portfolio/rules/combat/special_results.py"),
    ("X.B.8", "portfolio/rules/combat/special_results.py"),
    ("X.B.9", "portfolio/rules/combat/special_results.py"),
    ("X.B.10", "portfolio/rules/combat/special_results.py"),
    ("X.B.11", "portfolio/rules/combat/special_results.py"),
    ("TEC.CrossRiver", "portfolio/rules/movement/reach.py"),
    ("TEC.CrossLake", "portfolio/rules/movement/reach.py"),
    ("TEC.CrossLake", "portfolio/rules/combat/eligibility.py"),
    ("TEC.Kerch", "portfolio/rules/movement/reach.py"),
    ("TRACK.10", "portfolio/rules/logistics/siberia.py"),
    ("TRACK.14", "portfolio/rules/turn/victory.py"),
    ("TRACK.15", "portfolio/rules/turn/victory.py"),
    ("IX.A.2", "portfolio/rules/logistics/production.py"),
    ("XIII.H", "portfolio/rules/turn/sequence.py"),
    ("XV.A", "portfolio/rules/turn/setup.py"),
    ("XVI.C.1.c", "portfolio/rules/turn/setup.py"),
    ("XVI.D.1", "portfolio/rules/turn/setup.py"),
    ("XVI.D.2", "portfolio/rules/turn/setup.py"),
    ("XVI.E.1", "portfolio/rules/turn/setup.py"),
    ("XVI.E.2", "portfolio/rules/turn/setup.py"),
    ("8.10", "wir/rules/execution/casualties.py"),
    ("8.10", "wir/rules/execution/retreat.py"),
]
"""Paragraphs that a module carries out besides the one, or the data, where one looks first."""


@pytest.mark.parametrize(("row", "module"), CARRIED_OUT)
def test_what_a_second_module_carries_out_leads_there_too(row: str, module: str) -> None:
    (found,) = [paragraph for paragraph in paragraphs(register(module.partition("/")[0])) if paragraph.id == row]
    assert module in found.code
    assert re.search(rf"(?<![\w.]){re.escape(row)}(?!\w)", (PACKAGE / module).read_text(encoding="utf-8"))


def test_modules_stand_before_data(rows: dict[str, Paragraph]) -> None:
    for row in rows.values():
        modules = [code.endswith(".py") for code in row.code]
        assert modules == sorted(modules, reverse=True), row.id


def test_a_box_of_the_turn_track_is_found_in_the_charts() -> None:
    charts = (PACKAGE / "portfolio" / "data" / "charts.toml").read_text(encoding="utf-8")
    boxes = [row.id.removeprefix("TRACK.") for row in paragraphs(register("portfolio")) if row.id.startswith("TRACK.")]
    assert boxes == re.findall(r"^number = (\d+)$", charts, re.MULTILINE)
