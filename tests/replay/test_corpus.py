"""Matches recorded by earlier versions of the program lead, entry by entry, where they led then, under their own data.

``tests/corpus/VERSION/`` holds saved games of a version (``*.jsonl.gz``). Those of format version 1, which has no
fingerprints in it, have them beside (``*.prints.gz``, one line an entry). `python -m tools.corpus` records more.
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from rasputitsa.core.record.entries import Header, read_save
from rasputitsa.core.record.session import Session
from rasputitsa.core.registry import get_game

CORPUS = Path(__file__).resolve().parent.parent / "corpus"
RECORDED = sorted(CORPUS.glob("*/*.jsonl.gz"))


def read(path: Path) -> str:
    return gzip.decompress(path.read_bytes()).decode()


def prints_beside(path: Path) -> list[str] | None:
    prints = path.with_name(path.name.replace(".jsonl.gz", ".prints.gz"))
    return read(prints).split() if prints.is_file() else None


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: f"{path.parent.name}-{path.name.split('.')[0]}")
def test_a_recorded_match_leads_where_it_led(path: Path) -> None:
    session = Session.load(read(path))
    assert not session.floor, "the match did not need to be taken up from a stored position"
    end = read_save(read(path))[2]
    if "state" in end:
        again = session.game.thaw(end["state"], session.header.scenario, session.header.options)
        assert again == session.state, "the stored position is read as it was meant"
    noted = prints_beside(path)
    if noted is None:
        assert all(entry.after for entry in session.entries if not entry.action.startswith("@"))
    else:
        for number, (entry, after) in enumerate(zip(session.entries, noted, strict=True), start=1):
            assert entry.action.startswith("@") or entry.after == after, f"entry {number}: {entry.action}"


def test_the_corpus_covers_what_there_is_to_play() -> None:
    """Both games, every scenario, every choice of every option, and every lesson."""
    for game_id in ("portfolio", "wir"):
        lines = [read(path).partition("\n")[0] for path in RECORDED if path.name.startswith(f"{game_id}-")]
        headers = [Header.from_json(json.loads(line)) for line in lines]
        game = get_game(game_id)
        assert {header.scenario for header in headers} >= {info.id for info in game.scenarios()}
        assert {header.lesson for header in headers} >= {info.id for info in game.lessons()}
        chosen = {choice for header in headers for choice in header.options.items()}
        offered = {(option.id, choice.id) for option in game.options() for choice in option.choices}
        assert sorted(offered - chosen) == [], "make corpus ARGS='--option ID' records them"
    assert len(RECORDED) >= 60
