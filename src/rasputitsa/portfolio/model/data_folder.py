"""Where the data files are: the shipped folder, or one of your own that replaces some of its files."""

from __future__ import annotations

from pathlib import Path

from rasputitsa.core.data.folder import DataFolder

DATA_FOLDER = DataFolder(Path(__file__).resolve().parents[1] / "data")
DATA = DATA_FOLDER.path
data_file = DATA_FOLDER.file
stamp = DATA_FOLDER.stamp
read_toml = DATA_FOLDER.toml
