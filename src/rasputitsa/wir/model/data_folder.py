"""Where the data files are: the shipped folder, or one of your own that replaces some of its files."""

from __future__ import annotations

from pathlib import Path

from rasputitsa.core.data.folder import Shipped

SHIPPED = Shipped(Path(__file__).resolve().parents[1] / "data")
DATA = SHIPPED.path
data_file = SHIPPED.file
stamp = SHIPPED.stamp
read_toml = SHIPPED.toml
