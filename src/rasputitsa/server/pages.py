"""The browser client: built files, and its one page for every path it knows by itself."""

from __future__ import annotations

from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

_MISSING = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>rasputitsa</title></head>
<body><h1>rasputitsa</h1>
<p>The server is running, but the browser client has not been built. In a source tree, run <code>make</code>.</p>
</body></html>
"""


class ClientFiles(StaticFiles):
    """Static files; hashed assets may be kept forever, the page itself is always asked for again."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        super().__init__(directory=folder, check_dir=False)

    async def get_response(self, path: str, scope: Scope) -> Response:
        """A file, or the page."""
        if scope["method"] not in ("GET", "HEAD"):
            raise HTTPException(405)
        if path in (".", "index.html"):
            return self._page()
        try:
            response = await super().get_response(path, scope)
        except HTTPException as problem:
            if problem.status_code != 404 or Path(path).suffix or path.startswith("api/"):
                raise
            return self._page()
        if path.startswith("assets/"):
            response.headers["cache-control"] = "public, max-age=31536000, immutable"
        return response

    async def check_config(self) -> None:
        """The client may not be built yet; that is no error of the server."""

    def _page(self) -> Response:
        page = self._folder / "index.html"
        headers = {"cache-control": "no-cache"}
        if page.is_file():
            return FileResponse(page, headers=headers)
        return HTMLResponse(_MISSING, headers=headers)
