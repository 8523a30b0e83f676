"""The two distributions say the same of what they share."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

from tools import engine_parts

ROOT = Path(__file__).resolve().parents[3]
WHOLE: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())
ENGINE: dict[str, Any] = tomllib.loads((ROOT / "packaging" / "engine" / "pyproject.toml").read_text())


def test_the_engine_has_the_version_of_the_whole() -> None:
    version = WHOLE["project"]["version"]
    assert ENGINE["project"]["version"] == version
    assert ENGINE["project"]["urls"] == WHOLE["project"]["urls"]
    assert re.search(rf"^version: {re.escape(version)}$", (ROOT / "CITATION.cff").read_text(), re.M)
    assert f"## [{version}]" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"uvx --from dist/rasputitsa-{version}-*.whl rasputitsa" in (ROOT / "README.md").read_text(encoding="utf-8")
    assert f"version = {{{version}}}," in (ROOT / "docs" / "cite.md").read_text(encoding="utf-8")


def test_the_engine_names_the_same_games_and_parts() -> None:
    whole, engine = WHOLE["project"]["entry-points"], engine_parts.entry_points(ROOT)
    assert whole == {**engine, "rasputitsa.commands": whole["rasputitsa.commands"]}
    assert "entry-points" in ENGINE["project"]["dynamic"] and "entry-points" not in ENGINE["project"]


def test_a_further_game_is_in_the_engine_by_its_package_and_a_line_of_pyproject(tmp_path: Path) -> None:
    group = '[project.entry-points."rasputitsa.games"]\n'
    wanted = (ROOT / "pyproject.toml").read_text().replace(group, f'{group}duel = "rasputitsa.duel.game:Duel"\n')
    (tmp_path / "pyproject.toml").write_text(wanted)
    package = tmp_path / "src" / "rasputitsa" / "duel"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    assert engine_parts.entry_points(tmp_path)["rasputitsa.games"]["duel"] == "rasputitsa.duel.game:Duel"
    assert engine_parts.contents(tmp_path)[package] == "rasputitsa/duel"


def test_the_engine_needs_nothing_and_its_extras_are_those_of_the_whole() -> None:
    assert ENGINE["project"]["dependencies"] == []
    extras = ENGINE["project"]["optional-dependencies"]
    assert {name: extras[name] for name in WHOLE["project"]["optional-dependencies"]} == WHOLE["project"][
        "optional-dependencies"
    ]
    assert set(extras["pictures"]) <= set(WHOLE["project"]["dependencies"])


def test_the_engine_holds_every_room_but_letters_server_and_command() -> None:
    packed = engine_parts.contents(ROOT)
    rooms = {path.name for path in (ROOT / "src" / "rasputitsa").iterdir() if path.is_dir() and path.name[0] != "_"}
    assert {Path(target).name for target in packed.values()} - {"__init__.py", "py.typed", "rules"} == rooms - {
        "server", "cli", "mail",
    }  # fmt: skip
    assert all(source.exists() for source in packed)
    hooks = [ENGINE["tool"]["hatch"]["metadata"], ENGINE["tool"]["hatch"]["build"]["targets"]["wheel"]]
    for hook in hooks:
        assert (ROOT / "packaging" / "engine" / hook["hooks"]["custom"]["path"]).is_file()


def test_what_is_said_about_both_is_the_same() -> None:
    for field in ("license", "authors", "keywords", "requires-python"):
        assert ENGINE["project"][field] == WHOLE["project"][field]
    versions = [
        [line for line in each["project"]["classifiers"] if "Language" in line.split(" :: ")[0]]
        for each in (WHOLE, ENGINE)
    ]
    assert versions[0] == versions[1]


def test_every_direct_dependency_has_a_lower_bound() -> None:
    wanted = list(WHOLE["project"]["dependencies"])
    for extra in WHOLE["project"]["optional-dependencies"].values():
        wanted += extra
    assert [name for name in wanted if ">=" not in name] == []
