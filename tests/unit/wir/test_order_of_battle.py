"""The army and the army group of each group, as they were when a scenario began."""

from __future__ import annotations

import pytest

from rasputitsa.core.record.new import new_session
from rasputitsa.wir.api.order_of_battle import Origin, origin
from rasputitsa.wir.model.tables import groups_of


@pytest.mark.parametrize("scenario", ["barbarossa", "case_blue", "zitadelle"])
def test_every_group_of_a_campaign_has_its_command(scenario: str) -> None:
    state = new_session("wir", scenario, {}, seed=1).state
    assert {line.group for line in state.rules.lines if not origin(state, line.group).command} == set()


def test_a_command_lasts_as_long_as_a_first_unit() -> None:
    state = new_session("wir", "case_blue", {}, seed=1).state
    assert origin(state, 3) == Origin("XL Pz Corps (6 Army, Stumme)", "6 Army", "Army Group South")
    strangers = state.group_units[next(g for g in groups_of(1) if state.group_units[g])]
    state.group_units[3] = strangers
    assert origin(state, 3) == Origin()
