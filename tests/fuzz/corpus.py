"""Inputs that are kept: those that together run the most, and those that once were findings."""

from __future__ import annotations

import json
from pathlib import Path

HERE = Path(__file__).parent


def _file(target: str) -> Path:
    return HERE / "corpus" / f"{target}.jsonl"


def read_corpus(target: str) -> list[bytes]:
    """The kept inputs of a target: a JSON text a line, each character of it a byte."""
    path = _file(target)
    lines = path.read_text(encoding="ascii").split("\n") if path.is_file() else []
    return [json.loads(line).encode("latin-1") for line in lines if line]


def write_corpus(target: str, inputs: list[bytes]) -> None:
    """Keep these inputs."""
    lines = [json.dumps(data.decode("latin-1")) + "\n" for data in sorted(inputs, key=lambda data: (len(data), data))]
    _file(target).parent.mkdir(exist_ok=True)
    _file(target).write_text("".join(lines), encoding="ascii")


def regressions(target: str) -> dict[str, bytes]:
    """Inputs that were findings, by their names."""
    folder = HERE / "regressions" / target
    return {path.name: path.read_bytes() for path in sorted(folder.glob("*"))}
