"""Mutation tests count only what the tests notice, and start from tests that pass."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tools import mutants


def test_tests_that_fail_without_any_change_are_not_started_with(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match=r"(?s)fail without any change.*test_missing"):
        mutants.unchanged([sys.executable, "-c", "print('test_missing'); raise SystemExit(1)"], tmp_path)


def test_tests_import_the_copy(tmp_path: Path) -> None:
    (tmp_path / "src" / "rasputitsa").mkdir(parents=True)
    (tmp_path / "src" / "rasputitsa" / "__init__.py").write_text("COPY = True\n", encoding="utf-8")
    assert mutants.unchanged([sys.executable, "-c", "from rasputitsa import COPY"], tmp_path) > 0


def test_the_copy_holds_all_that_the_tests_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "root" / "web" / "mock").mkdir(parents=True)
    (tmp_path / "root" / "web" / "mock" / "charts.json").write_text("{}", encoding="utf-8")
    subprocess.run(["git", "init", "-q"], cwd=tmp_path / "root", check=True)
    monkeypatch.setattr(mutants, "ROOT", tmp_path / "root")
    assert (mutants.copy_checkout(tmp_path / "place") / "web" / "mock" / "charts.json").is_file()


def test_annotations_are_not_changed_but_the_values_beside_them_are(tmp_path: Path) -> None:
    path = tmp_path / "module.py"
    path.write_text("def f(x: int | None = 5) -> int:\n    y: int = 3\n    return y + 1\n", encoding="utf-8")
    lines = path.read_text(encoding="utf-8").splitlines()
    words = sorted(lines[start[0] - 1][start[1] : end[1]] for start, end in mutants.words_only(path))
    assert words == ["int", "int", "int | None"]


def test_every_room_has_its_modules_and_tests() -> None:
    for name, room in mutants.ROOMS.items():
        places = [f"src/rasputitsa/{module}" for module in room.modules] + [*room.tests, room.cases]
        assert [place for place in places if not (mutants.ROOT / place).exists()] == [], name


def test_a_module_that_is_tried_alone_has_fewer_tests_than_its_room() -> None:
    routes = mutants.ROOMS["routes"]
    assert mutants.tests_of(routes, ["server/routes/talk.py"]) == ("tests/server/seats/test_talk.py",)
    assert mutants.tests_of(routes, []) == mutants.tests_of(routes, ["server/routes/router.py"]) == routes.tests
    for module in mutants.FEWEST:
        places = [f"src/rasputitsa/{module}", *mutants.tests_of(routes, [module])]
        assert all((mutants.ROOT / place).exists() for place in places), module
