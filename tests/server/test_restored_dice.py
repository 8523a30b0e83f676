"""Dice after a restore: those that fell after the backup are known, and do not come again."""

from __future__ import annotations

from pathlib import Path

import pytest

from rasputitsa.core.record.entries import RESTORED
from rasputitsa.server.config import ServerConfig
from rasputitsa.server.matches import restored
from rasputitsa.server.matches.match import Match
from rasputitsa.server.store import Store, backup, restoring
from tests.server.conftest import connect
from tests.server.player import TURN, Duelist
from tests.server.test_match_dice import FIRST, between_two, dice, finished


def set_back(config: ServerConfig, copy: Path) -> None:
    """Restore a backup, and do what a server does when it starts."""
    restoring.restore(copy, config.database)
    store = Store(config.database)
    restored.go_on(store)
    store.close()


def test_after_a_restore_matches_between_people_go_on_with_new_dice_and_say_so(
    config: ServerConfig, tmp_path: Path
) -> None:
    with connect(config) as client:
        duel, alone = between_two(client), Duelist.start(client)
        for each in (duel, alone):
            each.play(TURN[:2])
        before, own = dice(duel), dice(alone)
        backup.back_up(config.database, tmp_path / "copy.db")
        duel.play(FIRST[2:])
    set_back(config, tmp_path / "copy.db")
    with connect(config) as client:
        duel.client = alone.client = client
        after = dice(duel)
        assert after["digest"] != before["digest"] and dice(alone)["digest"] == own["digest"]
        assert [source["shares"] for source in after["sources"]] == [before["sources"][0]["shares"]] * 2
        assert after["sound"] and after["awaits"] == []
        log = client.get(duel.url("log"), params=duel.auth("red")).json()
        assert "set back to a backup" in str(log[-1]) and "set back" not in str(alone.view("red"))
        duel.play([*TURN[2:], *TURN])
        audit = finished(duel).audit()
        assert audit.sound and audit.words == "Every die comes from the seed (2 dice)."


def test_an_end_in_the_middle_of_it_is_made_good(
    config: ServerConfig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with connect(config) as client:
        matches = [between_two(client) for _ in range(3)]
    backup.back_up(config.database, tmp_path / "copy.db")
    calls = []

    def dies_at_the_second(match: Match) -> None:
        calls.append(match.id)
        if len(calls) == 2:
            raise KeyboardInterrupt
        real(match)

    real = Match.set_back
    monkeypatch.setattr(Match, "set_back", dies_at_the_second)
    with pytest.raises(KeyboardInterrupt):
        set_back(config, tmp_path / "copy.db")
    store = Store(config.database)
    restored.go_on(store)
    restored.go_on(store)
    logs = [[entry.action for entry in Match(store, int(match.id)).session.entries] for match in matches]
    assert all(RESTORED in log for log in logs) and len(calls) == 5
    store.close()
