"""What MkDocs runs on each page: a link to a file outside docs/ becomes the name of that file."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
_LINK = re.compile(r"(?<!!)\[([^\]]+)\]\(([^)\s#:]+)(#[^)\s]*)?\)")
APART = (".ipynb",)
"""Files of docs/ that are no pages."""


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Write the page as it goes into the site; raises ``ValueError`` for a link that leads nowhere."""
    folder = posixpath.dirname(f"docs/{page.file.src_uri}")

    def written(match: re.Match[str]) -> str:
        words, target = match[1], match[2]
        place = posixpath.normpath(posixpath.join(folder, target))
        if place.startswith("docs/") and not place.endswith(APART):
            return match[0]
        if not (ROOT / place).exists():
            raise ValueError(f"{page.file.src_uri}: there is no {place}")
        return words if words.strip("`").endswith(Path(place).name) else f"{words} (`{place}`)"

    return _LINK.sub(written, markdown)
