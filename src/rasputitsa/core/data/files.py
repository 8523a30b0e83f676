"""Problems, and files read so that each problem can name its file, line and field."""

from __future__ import annotations

import csv
import re
import stat
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from rasputitsa.core.data.folder import DataFolder, parsed_toml

HEADER_LINE = 1
MOST_BYTES = 4_000_000
MOST_LINES = 20_000
MOST_LETTERS = 2000
"""In a text."""
CONFIDENCE = ("printed", "inferred", "reconstructed")


class Problem(NamedTuple):
    """One thing wrong with the data, and what would be right. Lines count from 1."""

    file: str
    line: int
    field: str
    message: str
    hint: str

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}" + (f" [{self.field}]" if self.field else "")
        return f"{where}: {self.message}; {self.hint}"


def in_order(problems: list[Problem]) -> list[Problem]:
    """Problems by file, line and field, each once."""
    return sorted(set(problems), key=lambda problem: (problem.file, problem.line, problem.field))


def unsound(data_folder: DataFolder, folder: Path, check: Callable[[Path, list[Problem]], object]) -> list[Problem]:
    """What a check finds in a folder of one's own, filled up with the shipped files that it lacks."""
    problems = strange_files(folder)
    if problems:
        return problems
    with TemporaryDirectory() as whole:
        data_folder.fill(folder, Path(whole))
        check(Path(whole), problems)
    return in_order(problems)


def strange_files(folder: Path) -> list[Problem]:
    """Pipes, devices and huge files among the data files of a folder; while there are any, none is to be read."""
    problems: list[Problem] = []
    for path in sorted(folder.rglob("*")):
        found = _strange(path) if path.suffix in (".csv", ".toml") else None
        if found is not None:
            problems.append(Problem(path.relative_to(folder).as_posix(), HEADER_LINE, "", *found))
    return problems


def _strange(path: Path) -> tuple[str, str] | None:
    """What is wrong with a file as such, and what would be right."""
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            what = "a folder" if stat.S_ISDIR(status.st_mode) else "a pipe or a device"
            return f"this is {what}", "put a file there"
        if status.st_size > MOST_BYTES:
            return f"the file has {status.st_size} bytes", f"it may have {MOST_BYTES}"
        lines = path.read_bytes().count(b"\n")
    except OSError as error:
        return f"the file cannot be read ({error.strerror})", "take it out, or let it be read"
    return (f"the file has {lines} lines", f"it may have {MOST_LINES}") if lines > MOST_LINES else None


def _wrong_text(text: str) -> tuple[str, str] | None:
    """What is wrong with a text as such, and what would be right."""
    if len(text) > MOST_LETTERS:
        return f"the text has {len(text)} letters", f"it may have {MOST_LETTERS}"
    odd = next((letter for letter in text if not letter.isprintable() and letter != "\n"), None)
    return None if odd is None else (f"the text holds U+{ord(odd):04X}, which cannot be shown", "take it out")


class Row:
    """A line of a CSV file."""

    def __init__(self, table: Table, line: int, values: dict[str, str]) -> None:
        self.table, self.line, self.values = table, line, values

    def __getitem__(self, field: str) -> str:
        return self.values[field]

    def bad(self, field: str, message: str, hint: str) -> None:
        """Report a problem with a field of this line."""
        self.table.problems.append(Problem(self.table.name, self.line, field, message, hint))

    def one_of(self, field: str, allowed: Collection[str]) -> bool:
        """Check that a field holds one of the allowed values."""
        if self[field] in allowed:
            return True
        shown = ", ".join(value or "(empty)" for value in allowed)
        self.bad(field, f"{self[field]!r} is not allowed here", f"use one of: {shown}")
        return False

    def list_of(self, field: str, allowed: Collection[str]) -> list[str]:
        """The values of a list separated by semicolons; unknown ones are reported and left out."""
        found = []
        for value in filter(None, self[field].split(";")):
            if value in allowed:
                found.append(value)
            else:
                self.bad(field, f"{value!r} is not known", f"use some of: {', '.join(allowed)}")
        if len(set(found)) != len(found):
            self.bad(field, "a value is given twice", "name each only once")
        return found

    def whole(self, field: str, low: int, high: int) -> int | None:
        """A whole number within bounds, or None after reporting."""
        try:
            value = int(self[field])
        except ValueError:
            self.bad(field, f"{self[field]!r} is not a whole number", f"give a number from {low} to {high}")
            return None
        if low <= value <= high:
            return value
        self.bad(field, f"{value} is out of range", f"give a number from {low} to {high}")
        return None

    def decimal(self, field: str, low: float, high: float) -> float | None:
        """A number within bounds, or None after reporting."""
        try:
            value = float(self[field])
        except ValueError:
            value = float("nan")
        if low <= value <= high:
            return value
        self.bad(field, f"{self[field]!r} is no number from {low:g} to {high:g}", "give degrees, such as 37.62")
        return None

    def provenance(self) -> None:
        """Check that the line says where its values come from."""
        self.one_of("confidence", CONFIDENCE)
        if not self["source"]:
            self.bad("source", "no source is given", "say where the value comes from")


class Table:
    """A CSV file, with a fixed header if one is given."""

    def __init__(self, folder: Path, name: str, header: str | None, problems: list[Problem]) -> None:
        self.name, self.problems = name, problems
        self.fields = header.split(",") if header is not None else []
        self._any_header = header is None
        self.rows: list[Row] = []
        path = folder / name
        if not path.exists():
            shape = "" if header is None else f" with the header {header}"
            self._bad(HEADER_LINE, "", "the file is missing", f"add {name}{shape}")
            return
        try:
            with path.open(encoding="utf-8", newline="") as file:
                self._read(csv.reader(file))
        except (UnicodeDecodeError, csv.Error) as error:
            self._bad(HEADER_LINE, "", f"the file cannot be read ({error})", "save it as CSV in UTF-8")

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def _bad(self, line: int, field: str, message: str, hint: str) -> None:
        self.problems.append(Problem(self.name, line, field, message, hint))

    def _read(self, lines: Any) -> None:
        header: list[str] = next(lines, [])
        if self._any_header:
            self.fields = header
        if header != self.fields:
            self._bad(HEADER_LINE, "", "the header is not as expected", f"it must be {','.join(self.fields)}")
            return
        for values in lines:
            line = lines.line_num
            if not values:
                self._bad(line, "", "the line is empty", "take it out")
            elif len(values) != len(self.fields):
                count = len(self.fields)
                self._bad(line, "", f"the line has {len(values)} fields", f"it must have {count}, as the header")
            else:
                row = Row(self, line, dict(zip(self.fields, values, strict=True)))
                self.rows.append(row)
                for field, text in row.values.items():
                    if wrong := _wrong_text(text):
                        row.bad(field, *wrong)


class Toml:
    """A TOML file that remembers on which line each key stands."""

    def __init__(self, folder: Path, name: str, problems: list[Problem]) -> None:
        self.name, self.problems = name, problems
        self.data: dict[str, Any] = {}
        self._lines: dict[str, int] = {}
        path = folder / name
        if not path.exists():
            self.bad("", "the file is missing", f"add {name}")
            return
        text = path.read_text(encoding="utf-8", errors="replace")
        try:
            self.data = parsed_toml(text)
        except ValueError as error:
            found = re.search(r"line (\d+)", str(error))
            line = int(found[1]) if found else HEADER_LINE
            problems.append(Problem(name, line, "", f"this is not TOML ({error})", "mend the line"))
            return
        self._index(text)
        self._check_texts()

    def _check_texts(self) -> None:
        waiting: list[tuple[str, Any]] = [("", self.data)]
        while waiting:  # and no recursion: keys may be nested deep
            key, value = waiting.pop()
            if isinstance(value, str) and (wrong := _wrong_text(value)):
                self.bad(key, *wrong)
            inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
            for name, part in inner:
                if isinstance(name, str) and (wrong := _wrong_text(name)):
                    self.bad(key, *wrong)
                waiting.append((f"{key}.{name}" if key else str(name), part))

    def bad(self, key: str, message: str, hint: str) -> None:
        """Report a problem with a key, written ``table.key`` or ``turns.3.weather``."""
        self.problems.append(Problem(self.name, self.line(key), key, message, hint))

    def line(self, key: str) -> int:
        """The line of a key, or of the nearest table around it."""
        while key and key not in self._lines:
            key = key.rpartition(".")[0]
        return self._lines.get(key, HEADER_LINE)

    def get(self, key: str, kind: type | tuple[type, ...]) -> Any:
        """The value of a dotted key; None after reporting when it is missing or of another type."""
        value: Any = self.data
        for part in key.split("."):
            if isinstance(value, list) and part.isdigit() and int(part) < len(value):
                value = value[int(part)]
            elif isinstance(value, dict) and part in value:
                value = value[part]
            else:
                self.bad(key, "the value is missing", f"add {part} to {key.rpartition('.')[0] or self.name}")
                return None
        wrong_bool = isinstance(value, bool) and kind is int
        if not isinstance(value, kind) or wrong_bool:
            names = kind.__name__ if isinstance(kind, type) else " or ".join(k.__name__ for k in kind)
            self.bad(key, f"{value!r} is of the wrong type", f"give a value of type {names}")
            return None
        return value

    def texts(self, key: str) -> list[str]:
        """A list of texts; empty after reporting when it is not one."""
        value = self.get(key, list) or []
        if all(isinstance(text, str) for text in value):
            return list(value)
        self.bad(key, f"{value!r} is not a list of texts", "put each into quotes")
        return []

    def table(self, key: str, kind: type) -> dict[str, Any]:
        """A table whose values are all of one type; the others are reported and left out."""
        found = {}
        for name in self.get(key, dict) or {}:
            value = self.get(f"{key}.{name}", kind)
            if value is not None:
                found[name] = value
        return found

    def _index(self, text: str) -> None:
        table, counts = "", dict[str, int]()
        for number, line in enumerate(text.splitlines(), HEADER_LINE):
            array = re.match(r"\s*\[\[([^\]]+)\]\]", line)
            header = re.match(r"\s*\[([^\[\]]+)\]\s*(#.*)?$", line)
            key = re.match(r'\s*("?[\w :-]+"?)\s*=', line)
            if array:
                name = array[1].strip()
                counts[name] = counts.get(name, -1) + 1
                table = f"{name}.{counts[name]}"
                self._lines.setdefault(name, number)
                self._lines[table] = number
            elif header:
                table = header[1].replace('"', "")
                self._lines[table] = number
            elif key:
                name = key[1].strip().strip('"')
                self._lines[f"{table}.{name}" if table else name] = number
