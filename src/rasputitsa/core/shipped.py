"""The data files that come with a game, and folders of one's own that replace some of them."""

from __future__ import annotations

from pathlib import Path

from rasputitsa.core.errors import SetupError


class Shipped:
    """The data folder of a game."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def file(self, folder: Path, name: str) -> Path:
        """A data file: the folder's own, or the shipped one where the folder has none."""
        own = folder / name
        return own if own.is_file() else self.path / name

    def names(self, folder: Path, kind: str) -> set[str]:
        """The names, without ending, of the TOML files of a kind (a folder), shipped or one's own."""
        return {path.stem for base in (self.path, folder) for path in (base / kind).glob("*.toml")}

    def stamp(self, folder: Path) -> str:
        """A text that changes with the files of a folder, so that nothing read from it outlives an edit."""
        if folder is self.path or folder == self.path:
            return ""
        if not folder.is_dir():
            raise SetupError(f"there is no data folder {folder}")
        files = sorted(path for path in folder.rglob("*") if path.is_file())
        return ";".join(f"{path.relative_to(folder)}:{(s := path.stat()).st_mtime_ns}:{s.st_size}" for path in files)
