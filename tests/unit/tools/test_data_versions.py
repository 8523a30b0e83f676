"""Versions of the data side by side: each complete, each playable, and every one found by the matches begun with it."""

from __future__ import annotations

import gzip
from dataclasses import replace
from pathlib import Path

import pytest

from rasputitsa.core.data.folder import DataFolder, contents, version_of
from rasputitsa.core.errors import SaveError
from rasputitsa.core.record.new import new_session
from rasputitsa.core.record.session import Session
from rasputitsa.core.registry import game_of_version, get_game
from rasputitsa.portfolio.model.data_folder import DATA_FOLDER as PORTFOLIO
from rasputitsa.wir.model.data_folder import DATA_FOLDER as WIR

CORPUS = Path(__file__).resolve().parents[2] / "corpus"
FORMER = "12c61479af90bcba"
"""War in Russia as it was when the people of Germany in 1943 counted 115."""


@pytest.mark.parametrize("data_folder", [PORTFOLIO, WIR], ids=["portfolio", "wir"])
def test_the_data_of_today_are_registered(data_folder: DataFolder) -> None:
    assert data_folder.version in data_folder.versions, (
        "the data have changed: run `python -m tools.data_versions`, so that matches begun with them can end with them"
    )
    assert list(data_folder.versions)[-1] == data_folder.version, "the newest version stands last: run the same"


@pytest.mark.parametrize("data_folder", [PORTFOLIO, WIR], ids=["portfolio", "wir"])
def test_every_version_is_whole(data_folder: DataFolder) -> None:
    for version, files in data_folder.versions.items():
        assert version_of(files) == version
        folder = data_folder.folder(version)
        assert folder is not None
        for name, digest in files.items():
            path = data_folder.file(folder, name)
            assert path.is_file(), f"{version} lacks {name}: run `python -m tools.data_versions`"
            kept = contents(path.parent) if path.parent != data_folder.path else contents(data_folder.path)
            assert digest in kept.values(), f"{path} does not hold what {version} had in {name}"


@pytest.mark.parametrize("game_id", ["portfolio", "wir"])
def test_every_version_can_be_played(game_id: str) -> None:
    for version in get_game(game_id).data_versions():
        game = game_of_version(game_id, version)
        assert game.data_version == version
        for scenario in game.scenarios():
            state = game.setup(scenario.id, {})
            assert game.decision(state) is not None
            assert game.static(scenario.id)["map"]


def test_the_line_ends_of_a_checkout_do_not_matter(tmp_path: Path) -> None:
    for name, end in (("one", b"\n"), ("other", b"\r\n")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "cities.csv").write_bytes(b"a,b" + end + b"1,2" + end)
    assert contents(tmp_path / "one") == contents(tmp_path / "other")


def test_a_match_ends_under_the_data_it_began_with() -> None:
    """Recorded before the people of Germany were counted again; that record does not name its data."""
    text = gzip.decompress((CORPUS / "4e26ba6" / "wir-00-zitadelle.jsonl.gz").read_bytes()).decode()
    session = Session.load(text)
    assert session.header.data == FORMER != get_game("wir").data_version
    assert session.game.data_version == FORMER
    again = Session.load(session.save())
    assert again.header.data == FORMER
    assert again.state == session.state and again.save() == session.save()
    for _ in range(200):
        decision = again.decision()
        assert decision is not None
        again.play(again.game.format(again.state, decision.options[-1]), decision.seat)
    assert Session.load(again.save()).state == again.state


def test_the_former_data_are_the_former_ones() -> None:
    people = {}
    for version in (FORMER, WIR.version):
        state = game_of_version("wir", version).setup("zitadelle", {})
        people[version] = sorted(state.values[0])
    today = list(people[WIR.version])
    today.remove(130)
    assert sorted([*today, 115]) == people[FORMER]


@pytest.mark.parametrize("version", ["0" * 16, "../data", "..", "x/../../data", "12c61479af90bcba/"])
def test_unknown_data_are_refused_in_words(version: str) -> None:
    header = replace(new_session("wir", "zitadelle", seed=1).header, data=version)
    with pytest.raises(SaveError, match="did not come with this program"):
        Session.from_entries(header, [])
