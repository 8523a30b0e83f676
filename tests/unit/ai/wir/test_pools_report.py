"""The table of the pools, month by month."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from rasputitsa.ai.wir.campaigns import campaigns, pools_report, reading
from rasputitsa.cli.main import main
from rasputitsa.wir.api.game import WirGame

GAME = WirGame()


def sample(date: str, vehicle: int) -> dict[str, Any]:
    found = {**campaigns.sample(GAME.setup("case_blue", {}), campaigns.Tally()), "date": date}
    found["soviet"] = {**found["soviet"], "pools": {**found["soviet"]["pools"], "vehicle": vehicle}}
    return found


def test_a_sample_tells_what_lies_in_the_pools() -> None:
    s = GAME.setup("case_blue", {})
    told = campaigns.sample(s, campaigns.Tally())["soviet"]["pools"]
    assert told == dict(zip(("infantry", "vehicle", "artillery", "aircraft"), s.pools[1], strict=False))


def test_the_first_sample_of_each_month_counts_and_full_pools_are_bold() -> None:
    days = [
        sample("1942-07-06", 800),
        sample("1942-07-20", 2550),
        sample("1942-08-03", 2550),
        sample("1942-09-07", 2550),
    ]
    text = pools_report.report([{"samples": days}, {"samples": [sample("1942-07-06", 1000)]}])
    rows = {
        line.split(" | ")[0].strip("| "): line.split(" | ") for line in text.splitlines() if line.startswith("| 19")
    }
    assert [rows[month][7] for month in rows] == ["900", "**2550**", "**2550**"]
    assert [rows[month][1] for month in rows] == ["2", "1", "1"]
    assert "- soviet: infantry 0, 0, vehicle 2, 0, artillery 0, 0, aircraft 0, 0" in text


def test_results_of_earlier_versions_are_read_and_tell_nothing() -> None:
    old = sample("1942-07-06", 800)
    for side in ("axis", "soviet"):
        old[side] = {name: value for name, value in old[side].items() if name != "pools"}
    line = {
        "scenario": "case_blue", "seed": 1, "axis": "planner", "soviet": "planner", "options": {}, "weeks": 0,
        "winner": None, "level": "draw", "reason": "broken off", "turn": 2, "difference": 5, "taken": [],
        "samples": [old],
        "seconds": {"axis": 0.1, "soviet": 0.2}, "slowest": {"axis": 0.3, "soviet": 0.4},
    }  # fmt: skip
    assert reading.wrong_in(line) == ""
    assert "| 1942" not in pools_report.report([line])


def test_the_command_adds_the_table(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    to = tmp_path / "report.md"
    args = ["campaigns", "case_blue", "--axis", "random", "--soviet", "random", "--weeks", "2", "-n", "1", "--pools"]
    monkeypatch.setattr(sys, "argv", ["rasputitsa", *args, "--to", str(to)])
    with pytest.raises(SystemExit) as left:
        main()
    assert not left.value.code
    text = to.read_text(encoding="utf-8")
    assert "| 1942-06 | 1 | 500 | 300 | 500 | 15 | 1000 | 500 | 500 | 30 |" in text
