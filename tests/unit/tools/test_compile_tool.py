"""Compiling the engine: what is left out, and what is said where it cannot be done."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterable
from pathlib import Path

import pytest

from tools import compiled

SOURCE = Path(__file__).resolve().parents[3] / "src"


def test_every_module_left_out_exists() -> None:
    package = SOURCE / "rasputitsa"
    named = {path.relative_to(package).with_suffix("").as_posix() for path in package.rglob("*.py")}
    known = named | {path.stem for part in ("portfolio", "wir") for path in (package / part).rglob("*.py")}
    assert known >= compiled.PLAIN


def test_hot_modules_are_compiled() -> None:
    names = {path.relative_to(SOURCE / "rasputitsa").as_posix() for path in compiled.modules(SOURCE)}
    assert names >= {
        "hexes/grid.py", "core/frames.py", "portfolio/model/state.py", "portfolio/rules/movement/reach.py",
        "wir/rules/execution/execution.py",
        "ai/portfolio/planning/assault.py", "ai/portfolio/search/rollout.py",
    }  # fmt: skip
    assert not names & {
        "core/question.py",
        "core/record/session.py",
        "portfolio/api/notation.py",
        "wir/api/observe.py",
        "ai/portfolio/search/fit.py",
    }


def confused(modules: Iterable[Path]) -> list[str]:
    """Where a module asks ``isinstance`` of a class with a decorator and subclasses: mypyc takes it to have none."""
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in modules}
    nodes = [(path, node) for path, tree in trees.items() for node in ast.walk(tree)]
    classes = [node for _, node in nodes if isinstance(node, ast.ClassDef)]
    derived_from = {
        name.id for c in classes for base in c.bases for name in ast.walk(base) if isinstance(name, ast.Name)
    }
    unsafe = {c.name for c in classes if c.decorator_list} & derived_from
    return [
        f"{path.name}:{node.lineno}"
        for path, node in nodes
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "isinstance"
        and unsafe & {name.id for name in ast.walk(node.args[1]) if isinstance(name, ast.Name)}
    ]  # fmt: skip


def test_compiled_modules_tell_frames_apart_as_the_sources_do(tmp_path: Path) -> None:
    assert confused(compiled.modules(SOURCE)) == []
    example = tmp_path / "example.py"
    example.write_text(
        "@question\nclass A: ...\nclass B(A): ...\nisinstance(1, A)\nisinstance(1, B)\n", encoding="utf-8"
    )
    assert confused([example]) == ["example.py:4"]


@pytest.mark.skipif(os.name == "nt", reason="the compiler of Windows is not named by CC")
def test_without_a_compiler_it_says_so_and_makes_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("CC", "no-such-compiler")
    with pytest.raises(compiled.CompileError, match="no working C compiler"):
        compiled.build(home=tmp_path)
    assert not list(tmp_path.iterdir())
    assert compiled.find(home=tmp_path) is None


def test_another_source_is_another_copy(tmp_path: Path) -> None:
    package = tmp_path / "rasputitsa"
    package.mkdir()
    module = package / "one.py"
    names = set()
    for text in ("a = 1\n", "a = 2\n"):
        module.write_text(text, encoding="utf-8")
        names.add(compiled.digest(compiled.files(tmp_path), tmp_path, "1"))
    names.add(compiled.digest(compiled.files(tmp_path), tmp_path, "0"))
    assert len(names) == 3
