"""The examples: what there is, and where each lies.

python -m rasputitsa.examples                       # a list
python -m rasputitsa.examples masked_ppo            # the file of one, to copy
python -m rasputitsa.examples.masked_ppo --help     # what it takes
"""

from __future__ import annotations

import ast
import sys
from pathlib import Path

HERE = Path(__file__).parent


def examples() -> dict[str, str]:
    """What each example is, by its name."""
    found = {}
    for path in sorted(HERE.rglob("*.py")):
        if not path.name.startswith("_"):
            head = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
            found[".".join(path.relative_to(HERE).with_suffix("").parts)] = head.partition("\n")[0]
    return found


def main(names: list[str]) -> int:
    """Print the list, or the files of some examples."""
    known = examples()
    unknown = [name for name in names if name not in known]
    if unknown:
        print(f"there is no example {unknown[0]!r:.60}; known: {', '.join(known)}", file=sys.stderr)
        return 1
    for name in names:
        print(HERE / Path(*name.split(".")).with_suffix(".py"))
    if not names:
        width = max(map(len, known))
        print("\n".join(f"{name:{width}}  {head}" for name, head in known.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
