"""Documents are plain: phrases that send a reader back to the beginning of the sentence stay out."""

from __future__ import annotations

import ast
import io
import json
import re
import subprocess
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
PHRASES = re.compile(
    r"\bin (?:its|the|their|your) minds?\b|\banew\b|\bhangs? (?:up)?on\b|\bas it was seen\b|\bso many\b"
    r"|\b(?:he|his|him|himself)\b|\b(?:is|are|was|were) told off\b|\bfor ever\b|\blest\b"
    r"|\b(?:a|is|more|stays|too|so) weary\b|\bdear(?:er|est)?\b|\bwear(?:ier|iest)\b|\bstrays\b"
    r"|\b(?:seeds?|salts?|weakness|faults?|differences|fields|odds|results?) (?:is|are|was|were) told\b"
    r"|\bby belief\b|\bown council\b|\bplanner's habits\b|\bpicture that remembers\b"
    r"|\bafresh\b|\bbetters\b|\bwhat (?:is|was|were) told\b|\btold as such\b|\breckon(?:s|ed|ing)?\b",
    re.IGNORECASE,
)
"""A player or an enemy is no "he"; what is shown, reported or published is not "told"; and no words of another age."""
PROSE = re.compile(
    r"\bbeside\b|\b(?:is|are|was|were|be|been) told\b(?! apart)|\bas ever\b|\blearnt? by heart\b|\blet loose\b"
    r"|\bhangs? together\b",
    re.IGNORECASE,
)
"""Phrases that sentences do without, though a local name may hold the word: "beside" is adjacent to, next to, along
with or compared with; who "is told" is shown, notified or given something."""
HEADLESS = re.compile(r"\bwho(?:m|se)?(?:so)?ever\b|\bwhosever\b", re.IGNORECASE)
"""A sentence says which people it means: the player who, anyone who, no matter who."""
QUOTED = re.compile(r"docs/lessons\.md$|CHANGELOG\.md$|/migrations/versions/")
"""The words of the lessons, which belong to the data of a version; what was said of earlier versions."""
WIDE = 120
PASSED_OVER = re.compile(
    r"docs/history\.md$|/data/history/|tests/(?:corpus|fuzz)/|package-lock\.json$|tests/unit/tools/test_words\.py$"
)
"""Persons of the war are named there; games and inputs are kept as they were found; and this list itself."""
TEXTS = {
    ".py", ".ts", ".js", ".svelte", ".html", ".css", ".md", ".toml", ".csv", ".json", ".ipynb", ".cff", ".yml", ".yaml",
    ".txt", ".sh", ".sql", "",
}  # fmt: skip
POINTING = re.compile(
    r"\b(?:click|tap|hover)(?:s|ped|ping|ed|ing)?\b|\b[Pp]ress [A-Z]\b|\bmouse\b|\bwith escape\b", re.IGNORECASE
)
"""What only a hand with a mouse does, or only a finger."""
OF_GAMES = re.compile(r"src/rasputitsa/(?:core|portfolio|wir)/.*\.(?:py|toml|csv|json|md)$")
OF_PAGES = re.compile(r"web/src/(?!lib/api/).*\.(?:ts|svelte)$")
OF_SOURCE = re.compile(r"src/rasputitsa/.*\.py$")
SHOWN = re.compile(r"""(?:"[^"\n]* [^"\n]*"|`[^`]* [^`]*`|>[^<>{}=]* [^<>{}=]*<)""")
REMARK = re.compile(r"/\*.*?\*/|<!--.*?-->|(?<=\s)//[^\n]*", re.DOTALL)
HIDDEN = re.compile(rf'withMouse\("[^"]*"\)|{REMARK.pattern}|<style>.*?</style>', re.DOTALL)
COUNTED = re.compile(
    r"(?P<before>.{0,90})\{[^{}]*\b(?:length|count|size|left|aircraft|factor)(?: - \w+)?\}\s+"
    r"(?P<many>(?:[a-z]+ ){0,2}?(?:are|have|(?!this\b|others\b)[a-z]+s))\b",
    re.DOTALL,
)
PARAGRAPH = re.compile(r"""\brule\b\W{1,6}["'](?:\d|[IVX]+\b)[^"'\n]*["']|^\s*"\d{1,2}\.\d{1,2}",?$""", re.MULTILINE)
"""The number of a paragraph, as a page would give it to be opened."""
ASKED = re.compile(r"=== 1\b|> 1\b|> 12\b")
CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")


def listed() -> list[str]:
    """The files of the checkout that hold text of ours."""
    found = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    if found.returncode:
        pytest.skip("not a git checkout")
    return sorted(
        name
        for name in found.stdout.split("\0")
        if name and Path(name).suffix in TEXTS and not PASSED_OVER.search(name) and (ROOT / name).is_file()
    )


def text_of(name: str) -> str:
    """What somebody reads in a file; of a notebook its cells, without the pictures that they drew."""
    text = (ROOT / name).read_text(encoding="utf-8")
    if name == "CHANGELOG.md":
        return re.sub(r"`[^`\n]*`", "", text)  # it quotes names that are no more
    if not name.endswith(".ipynb"):
        return text
    return "\n".join("".join(cell["source"]) for cell in json.loads(text)["cells"])


def unplain(text: str) -> list[str]:
    """The phrases in a text, in its identifiers (``made_anew``, ``madeAnew``), and across the ends of lines."""
    words = CAMEL.sub(" ", " ".join(text.split())).replace("_", " ")
    return [match[0] for match in PHRASES.finditer(words)]


def said(module: ast.Module) -> Iterator[str]:
    """The docstrings of a module, and what its options say of themselves (``help=``)."""
    for node in ast.walk(module):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield str(node.value.value)
        elif isinstance(node, ast.keyword) and node.arg == "help":
            parts = (part.value for part in ast.walk(node.value) if isinstance(part, ast.Constant))
            yield "".join(part for part in parts if isinstance(part, str))


def remarks(text: str) -> Iterator[str]:
    """The comments of a module."""
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.string


def sentences(name: str) -> str:
    """A document without its code, what a module says, or what a page shows; with comments."""
    text = text_of(name)
    if name.endswith(".md"):
        return re.sub(r"```.*?```|`[^`]*`", "", text, flags=re.DOTALL)
    if name.endswith(".py"):
        return "\n".join([*said(ast.parse(text)), *remarks(text)])
    return "\n".join([*SHOWN.findall(HIDDEN.sub("", text)), *REMARK.findall(text)])


def wide(text: str) -> list[str]:
    """Lines of a document that are too wide; not of a table, a picture, or code."""
    lines = re.sub(r"```.*?```|(?<=\n\n)(?: {4}.*\n)+", "", text, flags=re.DOTALL).splitlines()
    return [line for line in lines if len(line) > WIDE and not line.startswith(("|", "![", "    "))]


def test_every_text_and_every_identifier_is_plain() -> None:
    found = {name: phrases for name in listed() if (phrases := unplain(text_of(name)))}
    assert found == {}


def test_every_sentence_is_plain() -> None:
    names = [name for name in listed() if name.endswith(".md") or OF_SOURCE.match(name) or OF_PAGES.match(name)]
    assert len(names) > 500
    found = {
        name: phrases
        for name in names
        if not QUOTED.search(name) and (phrases := PROSE.findall(" ".join(sentences(name).split())))
    }
    assert found == {}


def test_the_lines_of_a_document_fit_a_screen() -> None:
    names = [name for name in listed() if name.endswith(".md") and not QUOTED.search(name)]
    assert len(names) > 30
    assert {name: lines for name in names if (lines := wide(text_of(name)))} == {}


def test_every_sentence_names_whom_it_means() -> None:
    """Documents, what modules and their tests say of themselves, the page, and comments."""
    names = [
        name
        for name in listed()
        if name.endswith((".md", ".py", ".ipynb", ".ts", ".svelte")) and not QUOTED.search(name)
    ]
    assert len(names) > 1500
    found = {name: phrases for name in names if (phrases := HEADLESS.findall(sentences(name)))}
    assert found == {}


@pytest.mark.parametrize(
    "text",
    [
        "It plays in its mind.",
        "built anew",
        "the enemy, and he waits",
        "a player may eliminate his own units",
        "def test_each_stands_for_himself() -> None:",
        "the seed is told",
        "groups filled by belief",
        "what is told of a change",
        "odds that are reckoned with care",
        "a group more weary than this",
        "def _made_anew(self) -> None:",
        "const hangsOn = 1;",
        "built\nanew",
        "def read_afresh() -> None:",
        "Betters the plots",
    ],
)
def test_what_is_not_plain_is_found(text: str) -> None:
    assert unplain(text)


def test_what_an_option_says_of_itself_is_read() -> None:
    module = ast.parse('Option("--mail", help=f"Let players be told by mail, through {SERVER}, too.")')
    assert PROSE.findall("\n".join(said(module))) == ["be told"]


def test_comments_are_read() -> None:
    assert PROSE.findall("\n".join(remarks("go()  # the page is told\nname = 'hangs together'\n"))) == ["is told"]
    assert REMARK.findall("go(); // they hang together\n/** so */ <!-- and so -->") == [
        "// they hang together", "/** so */", "<!-- and so -->",
    ]  # fmt: skip


def test_the_texts_of_a_game_leave_the_hand_to_the_client() -> None:
    """They say "choose": whether that is a click or a tap depends on what the page is read with."""
    names = [name for name in listed() if OF_GAMES.match(name)]
    assert any(name.endswith("lessons/first_attack.toml") for name in names)
    found = {name: POINTING.findall(text) for name in names if POINTING.search(text := text_of(name))}
    assert found == {}


def test_the_page_says_choose_where_a_hand_may_click_or_tap() -> None:
    found = {}
    for name in (name for name in listed() if OF_PAGES.match(name)):
        texts = SHOWN.findall(HIDDEN.sub("", text_of(name)))
        if said := [
            text for text in texts if re.search(r"\b(?:click|tap)(?:s|ped|ping|ed|ing)?\b", text, re.IGNORECASE)
        ]:
            found[name] = said
    assert found == {}


def test_the_page_counts_one_thing_in_the_singular() -> None:
    """A number that may be one stands in ``figured``, or the sentence asks for it."""
    found = {
        f"{name}: {match['many']}"
        for name in listed()
        if OF_PAGES.search(name)
        for match in COUNTED.finditer(HIDDEN.sub("", text_of(name)))
        if not ASKED.search(match["before"])
    }
    assert found == set()


def test_the_page_takes_paragraphs_from_the_engine() -> None:
    found = {name: PARAGRAPH.findall(text) for name in listed() if OF_PAGES.match(name) and (text := text_of(name))}
    assert {name: numbers for name, numbers in found.items() if numbers} == {}
