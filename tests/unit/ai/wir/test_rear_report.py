"""What computer players leave open behind their line: how it is counted, and the command."""

from __future__ import annotations

import sys

import pytest

from rasputitsa.ai.wir.campaigns.rear_report import sample
from rasputitsa.cli.main import main
from rasputitsa.wir.model.theatre import AXIS
from tests.unit.wir.board import board, h, inf, rifles


def test_what_stands_empty_is_counted_by_kind_and_by_the_weeks_of_a_rider() -> None:
    raider = {64: {"hex": "0727", "units": ["1 TANK 60 50 20"]}}
    groups = {12: inf("0629"), 50: inf("1323"), 110: rifles("1422")}
    s = board({**groups, **raider}, scenario="zitadelle", turn=20)
    counted = {one.kind: one for one in sample(s) if one.side == "axis"}
    own = [city for city in s.rules.map.cities if s.owner[city.number] == AXIS]
    assert counted["all cities"].places == len(own)
    assert counted["all cities"].empty == len(own) - 1
    assert counted["homes of depots"].places == 6
    assert counted["homes of depots"].empty == 5
    s.place(12, h(s, "0828"))
    opened = {one.kind: one for one in sample(s) if one.side == "axis"}["homes of depots"]
    assert (opened.empty, opened.open) == (6, (0, 1, 2))  # Bucharest in two weeks, Budapest in four


def test_the_command_prints_a_table(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    line = ["rear", "voronezh_1942", "-n", "1", "--weeks", "3", "--axis", "random", "--soviet", "random"]
    monkeypatch.setattr(sys, "argv", ["rasputitsa", *line])
    with pytest.raises(SystemExit) as left:
        main()
    told = capsys.readouterr().out
    assert not left.value.code
    assert "| voronezh_1942 | axis | cities of production |" in told
    assert "| voronezh_1942 | soviet | 1-4 |" in told
    assert "Points, Soviet less Axis:" in told


@pytest.mark.parametrize(("wrong", "told"), [("typhoon", "no scenario"), ("--axis=napoleon", "no computer player")])
def test_what_the_command_does_not_know_is_refused(
    wrong: str, told: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["rasputitsa", "rear", wrong])
    with pytest.raises(SystemExit) as left:
        main()
    assert left.value.code == 1
    assert told in capsys.readouterr().err
