"""What the project says about itself is true."""

from __future__ import annotations

import ast
import importlib.metadata
import json
import os
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from rasputitsa.core.caching import cached

ROOT = Path(__file__).resolve().parents[3]
PACKAGE = ROOT / "src" / "rasputitsa"
RULES_PACKAGES = ("hexes", "core", "portfolio", "wir")


def text_files() -> Iterator[tuple[Path, str]]:
    """Every text file of the checkout that git does not ignore."""
    ignored = {line.rstrip("/") for line in (ROOT / ".gitignore").read_text().splitlines()} | {".git"}
    for folder, folders, names in os.walk(ROOT):
        here = Path(folder).relative_to(ROOT)
        folders[:] = [f for f in folders if f not in ignored and (here / f).as_posix() not in ignored]
        for name in (n for n in names if n not in ignored):
            try:
                yield here / name, (ROOT / here / name).read_text(encoding="utf-8")
            except (UnicodeDecodeError, FileNotFoundError):
                continue


def documents() -> list[Path]:
    return sorted(path for path, _ in text_files() if path.suffix == ".md")


def make_targets() -> set[str]:
    return set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))


@pytest.mark.parametrize("document", documents(), ids=str)
def test_make_commands_in_documents_exist(document: Path) -> None:
    text = (ROOT / document).read_text(encoding="utf-8")
    named = set(re.findall(r"^ {4}make ([a-z-]+)|`make ([a-z-]+)", text, re.MULTILINE))
    assert {a or b for a, b in named} <= make_targets()


NAMED_FILE = re.compile(r"`([\w./-]+\.(?:py|ts|svelte|toml|csv))`")
"""A file that a document names, by its whole path or the end of it."""


@cached
def ends_of_paths() -> set[str]:
    return {"/".join(path.parts[n:]) for path, _ in text_files() for n in range(len(path.parts))}


@pytest.mark.parametrize("document", [path for path in documents() if path.name != "CHANGELOG.md"], ids=str)
def test_files_that_documents_name_are_there(document: Path) -> None:
    assert set(NAMED_FILE.findall((ROOT / document).read_text(encoding="utf-8"))) <= ends_of_paths()


def test_readme_names_the_two_commands() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "make play" in readme
    assert "make test" in readme


def links(document: Path) -> Iterator[tuple[Path, str]]:
    """Where a document leads within the checkout: the file, and the heading in it or nothing."""
    text = re.sub(r"^```.*?^```|`[^`\n]*`", "", (ROOT / document).read_text(encoding="utf-8"), flags=re.M | re.S)
    for target in re.findall(r"\]\((?!https?:|mailto:)([^)\s]+)|<img src=\"([^\"]+)", text):
        path, _, heading = next(filter(None, target)).partition("#")
        there = (ROOT / document.parent / path).resolve() if path else ROOT / document
        assert there.is_relative_to(ROOT), f"{document} leads out of the checkout: {path}"
        yield there.relative_to(ROOT), heading


def headings(document: Path) -> set[str]:
    """The names under which the headings of a document can be linked to."""
    lines = re.findall(r"^#+ (.+)$", (ROOT / document).read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", line.lower()).strip().replace(" ", "-") for line in lines}


@pytest.mark.parametrize("document", documents(), ids=str)
def test_links_between_documents_lead_somewhere(document: Path) -> None:
    for path, heading in links(document):
        assert (ROOT / path).exists(), path
        assert not heading or heading in headings(path), f"{path}#{heading}"


def test_every_document_can_be_reached_from_the_readme() -> None:
    seen: set[Path] = set()
    todo = {Path("README.md")}
    while todo:
        seen |= todo
        found = {path for document in todo if document.suffix == ".md" for path, _ in links(document)}
        todo = found - seen
    known = [path for path, _ in text_files() if path.suffix in (".md", ".ipynb") and path.parts[0] != "build"]
    assert [path for path in known if path not in seen] == []


@pytest.mark.parametrize("credit", ["Louis R. Coatney", "Gary Grigsby", "GSHHG", "milsymbol"])
def test_notice_credits(credit: str) -> None:
    assert credit in (ROOT / "NOTICE").read_text(encoding="utf-8")


def test_one_version_everywhere() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    web = json.loads((ROOT / "web" / "package.json").read_text())
    web_lock = json.loads((ROOT / "web" / "package-lock.json").read_text())
    told = {importlib.metadata.version("rasputitsa"), web["version"], web_lock["version"]}
    assert told == {project["version"]}


def test_no_path_of_one_machine() -> None:
    places = "|".join(["work", "farm", "home/[a-z]", "root", "Users/[a-z]"])
    pattern = re.compile(rf"(?<![\w.:}}$)-])/(?:{places})/")
    found = [
        f"{path}:{number}: {line.strip()[:100]}"
        for path, text in text_files()
        for number, line in enumerate(text.splitlines(), 1)
        if pattern.search(line)
    ]
    assert not found


def test_locks_name_no_private_mirror() -> None:
    uv_lock = tomllib.loads((ROOT / "uv.lock").read_text())
    sources = [package["source"] for package in uv_lock["package"]]
    indexes = {source["registry"] for source in sources if "registry" in source}
    assert len(indexes) == 1
    assert indexes.pop().startswith("https:")
    assert [source for source in sources if "registry" not in source] == [{"editable": "."}]
    packages = json.loads((ROOT / "web" / "package-lock.json").read_text())["packages"].values()
    resolved = [package["resolved"] for package in packages if "resolved" in package]
    assert all(place.startswith("https:") for place in resolved)


@pytest.mark.parametrize("package", RULES_PACKAGES)
def test_rules_need_only_the_standard_library(package: str) -> None:
    allowed = {*sys.stdlib_module_names, "rasputitsa"}
    foreign = []
    for path in sorted((PACKAGE / package).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and not node.level:
                names = [node.module or ""]
            foreign += [f"{path.name}: {name}" for name in names if name.split(".")[0] not in allowed]
    assert not foreign
