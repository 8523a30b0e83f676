"""The site made of docs/: what its checks find."""

from __future__ import annotations

import doctest
from pathlib import Path
from types import SimpleNamespace

import pytest

from tools import site, site_hooks

ROOT = Path(__file__).resolve().parents[3]


def page(name: str) -> SimpleNamespace:
    return SimpleNamespace(file=SimpleNamespace(src_uri=name))


def test_a_link_out_of_the_documents_becomes_a_name() -> None:
    told = site_hooks.on_page_markdown("See [how to help](../CONTRIBUTING.md), [dice](dice.md#a).", page("design.md"))
    assert told == "See how to help (`CONTRIBUTING.md`), [dice](dice.md#a)."


def test_a_link_out_of_the_documents_to_nothing_is_an_error() -> None:
    with pytest.raises(ValueError, match=r"design\.md: there is no nowhere\.md"):
        site_hooks.on_page_markdown("[x](../nowhere.md)", page("design.md"))


def test_what_a_page_fetches_from_the_network_is_found(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(
        '<link rel="stylesheet" href="https://fonts.example/css"><script src="//cdn.example/x.js"></script>'
        '<a href="https://example.org">x</a><link rel="stylesheet" href="assets/a.css">'
    )
    (tmp_path / "b.css").write_text("@font-face { src: url('https://fonts.example/f.woff') }")
    assert len(list(site.fetched(tmp_path))) == 3


def test_the_tutorial_speaks_true() -> None:
    found = doctest.testfile(
        str(ROOT / "docs" / "first-steps.md"), module_relative=False, optionflags=doctest.ELLIPSIS | doctest.FAIL_FAST
    )
    assert found.failed == 0
    assert found.attempted > 8
