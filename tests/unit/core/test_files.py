"""Files that somebody names: what is read of them, and what is left of them when writing fails."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

import pytest

from rasputitsa.core import files
from rasputitsa.core.files import FileError, JsonLines, LineWriter, replacing

posix = pytest.mark.skipif(os.name == "nt", reason="devices and pipes have no such names")


@posix
def test_a_device_is_refused_and_a_pipe_that_nobody_writes_to_is_empty(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="is a device"):
        files.read_bytes(Path("/dev/zero"))
    os.mkfifo(tmp_path / "pipe")
    assert files.read_bytes(tmp_path / "pipe") == b""


@posix
def test_what_is_written_to_a_pipe_is_read() -> None:
    ours, theirs = os.pipe()
    os.write(theirs, b"what a program wrote")
    os.close(theirs)
    assert files.read_bytes(Path(f"/dev/fd/{ours}")) == b"what a program wrote"
    os.close(ours)


def test_a_huge_file_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "huge"
    path.touch()
    os.truncate(path, 1 << 36)
    with pytest.raises(FileError, match="is larger than 64,000,000 bytes"):
        files.read_bytes(path)


def test_text_is_utf8_with_or_without_a_mark() -> None:
    assert files.as_text("\ufeffKiew, Kießling".encode(), "it") == "Kiew, Kießling"
    with pytest.raises(FileError, match="it is not a text file in UTF-8: byte 3 is wrong"):
        files.as_text(b"ab\xff", "it")


@pytest.mark.parametrize("problem", [OSError(errno.ENOSPC, "No space left on device"), KeyboardInterrupt()])
def test_what_was_there_stays_when_writing_fails(
    problem: BaseException, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "report"
    files.write_text(path, "whole")
    path.chmod(0o640)

    def fail(file: int) -> None:
        raise problem

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", fail)
        with pytest.raises(type(problem)) as found:
            files.write_text(path, "half")
    assert path.read_text() == "whole"
    assert [left.name for left in tmp_path.iterdir()] == ["report"]
    assert getattr(found.value, "filename", str(path)) == str(path)
    files.write_text(path, "other")
    assert path.read_text() == "other"
    assert path.stat().st_mode & 0o777 == 0o640


@posix
def test_a_link_stays_a_link_and_a_device_is_written_to(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "there")
    files.write_text(tmp_path / "link", "text")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "there").read_text() == "text"
    files.write_text(Path("/dev/null"), "text")
    assert Path("/dev/null").is_char_device()
    with pytest.raises(OSError, match="directory"):
        files.write_text(tmp_path, "text")


def test_lines_of_json_are_read_as_far_as_they_are_whole(tmp_path: Path) -> None:
    path = tmp_path / "results"
    path.write_bytes(b'{"a": 1}\n[2.5]\n{"cut')
    found = JsonLines(path)
    assert (found.values, found.size) == ([{"a": 1}, [2.5]], 15)
    missing = JsonLines(tmp_path / "none")
    assert (missing.values, missing.size) == ([], 0)


@pytest.mark.parametrize("line", ["NaN", "1e999", "9" * 5000, "[" * 100_000, "\0", "", "\xff"])
def test_a_line_that_is_none_is_named(line: str, tmp_path: Path) -> None:
    path = tmp_path / "results"
    path.write_text(f"1\n{line}\n2\n", encoding="latin-1")
    with pytest.raises(FileError, match="line 2 is not JSON"):
        JsonLines(path)


@posix
def test_a_private_file_is_never_open_to_others_and_its_name_is_on_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, synced, fsync = tmp_path / "secret", [], os.fsync
    path.touch(0o600)

    def seen(file: int) -> None:
        fsync(file)
        synced.append(os.fstat(file).st_mode)

    monkeypatch.setattr(os, "fsync", seen)
    files.write_bytes(path, b"new")
    assert [stat.S_ISDIR(mode) for mode in synced] == [False, True]
    assert stat.S_IMODE(synced[0]) == stat.S_IMODE(path.stat().st_mode) == 0o600


def test_lines_are_added_after_what_is_kept_and_never_in_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "results"
    path.write_text('{"a": 1}\n{"cut')
    writer = LineWriter(path, JsonLines(path).size)
    assert path.read_text().endswith("cut"), "what was there stays until there is something to say"
    writer.add('{"b": 2}')
    real = os.write

    def full(file: int, content: memoryview) -> int:
        if len(content) < 9:
            raise OSError(errno.ENOSPC, "No space left on device")
        return real(file, content[: len(content) // 2])

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", full)
        with pytest.raises(OSError, match="No space left on device") as found:
            writer.add('{"c": "a line that is written in two parts"}')
    assert found.value.filename == str(path)
    assert path.read_text() == '{"a": 1}\n{"b": 2}\n'
    writer.add('{"d": 4}')
    writer.close()
    writer.close()
    assert path.read_text() == '{"a": 1}\n{"b": 2}\n{"d": 4}\n'


def test_what_takes_the_place_of_a_file_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "file"
    with replacing(path) as new:
        new.write_text("first")
        assert not path.exists()
    path.chmod(0o640)
    with pytest.raises(ValueError, match="broken off"), replacing(path) as new:
        new.write_text("half")
        raise ValueError("broken off")
    assert path.read_text() == "first"
    with replacing(path) as new:
        new.write_text("second")
    assert (path.read_text(), path.stat().st_mode & 0o777) == ("second", 0o640)
    with pytest.raises(OSError, match="No such file"), replacing(tmp_path / "none" / "file") as new:
        new.write_text("nowhere")
    with pytest.raises(FileError, match="is no file"), replacing(tmp_path):
        pass
    assert [each.name for each in tmp_path.iterdir()] == ["file"]
