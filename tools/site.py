"""Build the site made of docs/ and check it: every link and anchor leads somewhere, and nothing comes from elsewhere.

`python -m tools.site` writes build/site/, which can be opened from the disk. The build is strict: a page that is in
no part of the navigation, a link or an anchor that leads nowhere, and a name in the reference that the program does
not have are errors.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SITE = ROOT / "build" / "site"
_LOADED = re.compile(r"<(?:script|img|iframe|source)\b[^>]*\bsrc=[\"']?((?:https?:)?//[^\"'\s>]+)")
_STYLE = re.compile(
    r"<link\b[^>]*\brel=[\"']?(?:stylesheet|preload|preconnect|icon)[^>]*href=[\"']?((?:https?:)?//[^\"'\s>]+)"
)


def fetched(site: Path) -> Iterator[str]:
    """What a browser that reads the site would fetch from the network."""
    for page in sorted(site.rglob("*.html")):
        text = page.read_text(encoding="utf-8")
        for pattern in (_LOADED, _STYLE):
            for address in pattern.findall(text):
                yield f"{page.relative_to(site)}: {address}"
    for sheet in sorted(site.rglob("*.css")):
        for address in re.findall(r"url\(\s*[\"']?((?:https?:)?//[^\"')\s]+)", sheet.read_text(encoding="utf-8")):
            yield f"{sheet.relative_to(site)}: {address}"


def main() -> int:
    """The command; gives its exit code."""
    print("Building the documents ...", flush=True)
    program = Path(sys.executable).with_name("mkdocs")
    built = subprocess.run(
        [program, "build", "--strict", "--clean"], cwd=ROOT, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if built.returncode:
        told = [line for line in built.stderr.splitlines() if line and not line.startswith("INFO")]
        print(*told, sep="\n", file=sys.stderr)
        return 1
    elsewhere = list(fetched(SITE))
    if elsewhere:
        print("The site fetches from the network:", *elsewhere, sep="\n  ", file=sys.stderr)
        return 1
    print(f"{SITE.relative_to(ROOT)}/index.html is whole.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
