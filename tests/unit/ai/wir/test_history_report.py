"""The report that sets campaigns beside the war, and its document."""

from __future__ import annotations

import re
from pathlib import Path

from rasputitsa.ai.wir.campaigns import campaigns as campaign
from rasputitsa.ai.wir.campaigns import history_report as annals
from rasputitsa.wir.api.game import WirGame

GAME = WirGame()
DOCUMENT = Path(__file__).resolve().parents[4] / "docs" / "reference" / "campaigns-barbarossa.md"


def one_campaign() -> dict[str, object]:
    """What is kept of a campaign that stands as on the first day of Case Blue."""
    sample = campaign.sample(GAME.setup("case_blue", {}), campaign.Tally())
    return {
        "scenario": "case_blue", "seed": 1, "axis": "planner", "soviet": "planner", "level": "Axis marginal",
        "reason": "broken off", "difference": 5, "taken": [(2, "Rostov", "axis")], "samples": [sample],
        "seconds": {"axis": 0.1, "soviet": 0.2}, "slowest": {"axis": 0.3, "soviet": 0.4},
    }  # fmt: skip


def test_the_report_sets_campaigns_beside_the_war() -> None:
    text = annals.report([one_campaign()])
    assert "| day | Pskov (11-13) |" in text
    assert "| 29 June 1942 | 12.3 (12.3 to 12.3), **12.3** |" in text
    assert "| 29 June 1942 | 1 | " in text
    assert "- 29 June 1942: none" in text
    assert "| Rostov | 100% | 1942-07-06 | 1941-11-21 |" in text


def test_the_days_of_the_scenarios_are_those_on_which_they_begin() -> None:
    starts = {GAME.setup(name, {}).rules.start for name in ("case_blue", "zitadelle")}
    assert starts == set(annals.setups()) and starts < set(annals.days())


def test_the_document_has_the_form_of_the_report() -> None:
    heads = re.compile(r"^(?:###|\| (?:day|city)) .*", re.M)
    assert heads.findall(DOCUMENT.read_text(encoding="utf-8")) == heads.findall(annals.report([one_campaign()]))
