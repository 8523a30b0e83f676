"""``python -m tools.mapmaker``: rebuild the map files of both games, or check them."""

from __future__ import annotations

import argparse
import difflib
import sys
from collections.abc import Callable
from pathlib import Path

from tools.mapmaker.build import make_portfolio
from tools.mapmaker.report import report
from tools.mapmaker.sources import Geography, SourceError, fetch
from tools.mapmaker.wir.build import make_wir
from tools.mapmaker.wir.report import report as wir_report
from tools.mapmaker.wir.write import files as wir_files
from tools.mapmaker.write import files

ROOT = Path(__file__).parents[2]
GAMES = ROOT / "src" / "rasputitsa"
CACHE = ROOT / "build" / "mapmaker"
SHOWN = 20  # differing lines shown per file

Made = tuple[dict[str, str], str]


def portfolio(geography: Geography) -> Made:
    """The map files of The Russian Portfolio, and how well its map fits."""
    made = make_portfolio(geography, GAMES / "portfolio" / "data" / "units.csv")
    return files(made.draft), report(made)


def wir(geography: Geography) -> Made:
    """The map files of War in Russia, and how well its map fits."""
    made = make_wir(geography)
    return wir_files(made), wir_report(made)


MAPS: dict[str, Callable[[Geography], Made]] = {"portfolio": portfolio, "wir": wir}


def main(arguments: list[str] | None = None) -> int:
    """Build the maps; write them, or with --check compare them with the files shipped."""
    parser = argparse.ArgumentParser(prog="python -m tools.mapmaker", description=__doc__)
    parser.add_argument("maps", nargs="*", metavar="game", help=f"which maps: {', '.join(MAPS)} (default: both)")
    parser.add_argument("--check", action="store_true", help="write nothing; fail if the shipped files differ")
    parser.add_argument("--out", type=Path, help="folder that gets one folder of map files for each game")
    parser.add_argument("--cache", type=Path, default=CACHE, help="folder for the geography (default: %(default)s)")
    parser.add_argument("--report", action="store_true", help="print how well each map fits the rules' hexes")
    options = parser.parse_args(arguments)
    unknown = [game for game in options.maps if game not in MAPS]
    if unknown:
        parser.error(f"there is no game {unknown[0]!r}; choose from {', '.join(MAPS)}")
    try:
        geography = fetch(options.cache)
    except SourceError as error:
        print(f"mapmaker: {error}", file=sys.stderr)
        return 2
    different = 0
    for game in options.maps or MAPS:
        made, how_well = MAPS[game](geography)
        if options.report:
            print(how_well)
        folder = options.out / game if options.out else GAMES / game / "data"
        if options.check:
            different |= check(made, folder)
        else:
            write(made, folder)
    return different


def write(made: dict[str, str], folder: Path) -> None:
    """Write made files into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in made.items():
        (folder / name).write_text(text, encoding="utf-8")
        print(f"wrote {folder / name}: {text.count(chr(10)) - 1} lines")


def check(made: dict[str, str], folder: Path) -> int:
    """Say how made files differ from the shipped ones; 1 when they do."""
    different = 0
    for name, text in made.items():
        shipped = (folder / name).read_text(encoding="utf-8")
        if shipped == text:
            print(f"{folder.parent.name} {name}: as made")
            continue
        different = 1
        print(f"{folder.parent.name} {name}: differs (- shipped, + made)")
        lines = difflib.unified_diff(shipped.splitlines(), text.splitlines(), lineterm="", n=0)
        changed = [line for line in lines if line[:1] in "+-" and line[:3] not in ("+++", "---")]
        print("\n".join(changed[:SHOWN]))
        if len(changed) > SHOWN:
            print(f"... and {len(changed) - SHOWN} more lines")
    return different


if __name__ == "__main__":
    sys.exit(main())
