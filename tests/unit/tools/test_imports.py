"""No module or package names another that names it, be it by way of many or for type checking alone."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[3] / "src"


def modules(source: Path) -> dict[str, Path]:
    """Every module of the package by its full name; a package itself by the name of its folder."""
    found = {}
    for path in sorted((source / "rasputitsa").rglob("*.py")):
        name = ".".join(path.relative_to(source).with_suffix("").parts)
        found[name.removesuffix(".__init__")] = path
    return found


def imported(tree: ast.AST, module: str, *, package: bool) -> Iterator[tuple[str, str]]:
    """Each import anywhere in a file: the module it names, and the name taken from there or nothing."""
    home = module.split(".") if package else module.split(".")[:-1]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = home[: len(home) + 1 - node.level] if node.level else []
            where = ".".join([*base, *([node.module] if node.module else [])])
            yield from ((where, alias.name) for alias in node.names)


def graph(source: Path) -> dict[str, set[str]]:
    """For each module those it imports: at the top, within functions, and for type checking."""
    known = modules(source)
    found: dict[str, set[str]] = {}
    for name, path in known.items():
        tree = ast.parse(path.read_text(encoding="utf-8"))
        named = set()
        for where, what in imported(tree, name, package=path.stem == "__init__"):
            named.add(f"{where}.{what}" if f"{where}.{what}" in known else where)
        found[name] = (named & known.keys()) - {name}
    return found


def circle(imports: Mapping[str, set[str]]) -> list[str]:
    """The modules of a circle in the order in which they import each other, the first again at the end; or none."""
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as found:
        around: list[str] = found.args[1]
        return around[::-1]
    return []


def test_no_module_stands_in_a_circle() -> None:
    assert " -> ".join(circle(graph(SOURCE))) == ""


@pytest.mark.parametrize("part", ["portfolio", "wir", "ai"])
def test_games_and_their_players_import_plainly(part: str) -> None:
    """Without circles nothing has to be imported for type checking alone."""
    paths = sorted((SOURCE / "rasputitsa" / part).rglob("*.py"))
    assert paths
    assert [path.name for path in paths if "TYPE_CHECKING" in path.read_text(encoding="utf-8")] == []


@pytest.mark.parametrize(
    "line",
    [
        "import rasputitsa.one",
        "from rasputitsa.one import ONE",
        "from rasputitsa import one",
        "from .one import ONE",
        "from . import one",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from rasputitsa.one import ONE",
        "def late() -> None:\n    from rasputitsa.one import ONE",
    ],
)
def test_a_circle_is_found_and_named(tmp_path: Path, line: str) -> None:
    package = tmp_path / "rasputitsa"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "one.py").write_text("from rasputitsa.two import TWO\n")
    (package / "two.py").write_text("from rasputitsa.three import THREE\n")
    (package / "three.py").write_text(line)
    named = circle(graph(tmp_path))
    assert named[0] == named[-1]
    order = ["rasputitsa.one", "rasputitsa.two", "rasputitsa.three"]
    start = order.index(named[0])
    assert named[:-1] == order[start:] + order[:start]


def neighbours(imports: Mapping[str, set[str]], package: str) -> dict[str, set[str]]:
    """What the modules and packages within a package import of each other, each with all that lies in it."""
    found: dict[str, set[str]] = {}
    for module, named in imports.items():
        if module.startswith(f"{package}."):
            inside = {other.removeprefix(f"{package}.") for other in named if other.startswith(f"{package}.")}
            own = module.removeprefix(f"{package}.").split(".")[0]
            found.setdefault(own, set()).update({other.split(".")[0] for other in inside} - {own})
    return found


def test_no_package_stands_in_a_circle() -> None:
    imports = graph(SOURCE)
    packages = [name for name, path in modules(SOURCE).items() if path.stem == "__init__"]
    circles = {name: found for name in packages if (found := circle(neighbours(imports, name)))}
    assert circles == {}


def test_a_circle_of_packages_is_found_where_no_module_stands_in_one(tmp_path: Path) -> None:
    for name, line in {
        "one/low": "", "two/low": "from rasputitsa.one.low import LOW", "one/high": "from rasputitsa.two import low",
    }.items():  # fmt: skip
        path = tmp_path / "rasputitsa" / f"{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        (path.parent / "__init__.py").touch()
        path.write_text(line)
    imports = graph(tmp_path)
    assert circle(imports) == []
    assert sorted(set(circle(neighbours(imports, "rasputitsa")))) == ["one", "two"]


def listed(tree: ast.Module) -> list[str]:
    """The names in ``__all__``."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == "__all__" for t in node.targets):
            return [str(name) for name in ast.literal_eval(node.value)]
    return []


def test_what_a_module_hands_on_is_taken_from_it() -> None:
    """A list that has gone stale hides imports that nothing needs. Packages list what they offer to others."""
    taken: dict[str, set[str]] = {}
    for folder in ("src", "tests", "tools", "bench", "examples"):
        for path in sorted((SOURCE.parent / folder).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.ImportFrom) and node.module:
                    taken.setdefault(node.module, set()).update(alias.name for alias in node.names)
    stale: list[str] = []
    for path in sorted(SOURCE.rglob("*.py")):
        name = ".".join(path.relative_to(SOURCE).with_suffix("").parts)
        if path.name != "__init__.py":
            unused = set(listed(ast.parse(path.read_text(encoding="utf-8")))) - taken.get(name, set())
            stale.extend(f"{name}.{one}" for one in sorted(unused))
    assert stale == []
