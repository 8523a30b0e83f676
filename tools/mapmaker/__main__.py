"""``python -m tools.mapmaker``: rebuild the map files of The Russian Portfolio, or check them."""

from __future__ import annotations

import argparse
import difflib
import sys
from pathlib import Path

from tools.mapmaker.build import make_portfolio
from tools.mapmaker.report import report
from tools.mapmaker.sources import SourceError, fetch
from tools.mapmaker.write import files

ROOT = Path(__file__).parents[2]
DATA = ROOT / "src" / "rasputitsa" / "portfolio" / "data"
CACHE = ROOT / "build" / "mapmaker"
SHOWN = 20  # differing lines shown per file


def main(arguments: list[str] | None = None) -> int:
    """Build the map; write it, or with --check compare it with the files shipped."""
    parser = argparse.ArgumentParser(prog="python -m tools.mapmaker", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; fail if the shipped files differ")
    parser.add_argument("--out", type=Path, default=DATA, help="folder for the map files (default: %(default)s)")
    parser.add_argument("--cache", type=Path, default=CACHE, help="folder for the geography (default: %(default)s)")
    parser.add_argument("--report", action="store_true", help="print how well the map fits the rules' hexes")
    options = parser.parse_args(arguments)
    try:
        geography = fetch(options.cache)
    except SourceError as error:
        print(f"mapmaker: {error}", file=sys.stderr)
        return 2
    made = make_portfolio(geography, DATA / "units.csv")
    if options.report:
        print(report(made))
    made_files = files(made.draft)
    if options.check:
        return check(made_files, options.out)
    options.out.mkdir(parents=True, exist_ok=True)
    for name, text in made_files.items():
        (options.out / name).write_text(text, encoding="utf-8")
        print(f"wrote {options.out / name}: {text.count(chr(10)) - 1} lines")
    return 0


def check(made: dict[str, str], folder: Path) -> int:
    """Say how made files differ from the shipped ones; 1 when they do."""
    different = 0
    for name, text in made.items():
        shipped = (folder / name).read_text(encoding="utf-8")
        if shipped == text:
            print(f"{name}: as made")
            continue
        different = 1
        print(f"{name}: differs (- shipped, + made)")
        lines = difflib.unified_diff(shipped.splitlines(), text.splitlines(), lineterm="", n=0)
        changed = [line for line in lines if line[:1] in "+-" and line[:3] not in ("+++", "---")]
        print("\n".join(changed[:SHOWN]))
        if len(changed) > SHOWN:
            print(f"... and {len(changed) - SHOWN} more lines")
    return different


if __name__ == "__main__":
    sys.exit(main())
