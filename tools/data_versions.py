"""Keep every version of the games' data, so that a match ends under the data it began with.

`python -m tools.data_versions` registers the data of today as a version of its own and puts aside, from git, what
earlier versions need and today's data no longer has. With `--commit C` it also registers the data of a commit.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Any

from rasputitsa.core.data.folder import DataFolder, contents, kept_file, version_of
from rasputitsa.core.registry import DATA, extended, extension

ROOT = Path(__file__).resolve().parent.parent


class MissingDataError(Exception):
    """A file of an earlier version that neither the data of today nor git has."""


def register(data_folder: DataFolder, commits: list[str]) -> list[str]:
    """Bring the register of a game up to date; gives what was done, in words."""
    done = []
    versions = dict(data_folder.versions)
    today = contents(data_folder.path)
    name = version_of(today)
    for commit in commits:
        files = _contents_of(data_folder.path, commit)
        if version_of(files) not in versions:
            versions = {version_of(files): files, **versions}
            done.append(f"registered {version_of(files)}, the data of {commit}")
    if name not in versions:
        done.append(f"registered {name}, the data of today")
    versions[name] = versions.pop(name, today)
    for files in versions.values():
        for file, digest in files.items():
            kept = kept_file(data_folder.past, file, digest)
            if today.get(file) != digest and not kept.is_file():
                kept.parent.mkdir(parents=True, exist_ok=True)
                kept.write_bytes(_from_git(data_folder.path / file, digest))
                done.append(f"kept {kept.relative_to(ROOT)}")
    if versions != data_folder.versions:
        data_folder.past.mkdir(exist_ok=True)
        text = json.dumps(versions, indent=1) + "\n"
        (data_folder.past / "versions.json").write_text(text, encoding="utf-8")
    return done


def _git(*words: str) -> bytes:
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, check=True).stdout


def _contents_of(folder: Path, commit: str) -> dict[str, str]:
    """The digests of the data files of a commit."""
    archive = _git("archive", "--format=zip", commit, folder.relative_to(ROOT).as_posix())
    with tempfile.TemporaryDirectory() as place, zipfile.ZipFile(io.BytesIO(archive)) as packed:
        packed.extractall(place)
        return contents(Path(place) / folder.relative_to(ROOT))


def _from_git(path: Path, digest: str) -> bytes:
    """The contents that a file once had; raises ``MissingDataError``."""
    name = path.relative_to(ROOT).as_posix()
    for commit in _git("log", "--all", "--format=%H", "--", name).decode().split():
        shown = subprocess.run(["git", "show", f"{commit}:{name}"], cwd=ROOT, capture_output=True, check=False)
        if hashlib.sha256(shown.stdout.replace(b"\r\n", b"\n")).hexdigest()[:32] == digest:
            return shown.stdout.replace(b"\r\n", b"\n")
    raise MissingDataError(f"{name} with the contents {digest} is not in git; commit the data before you change them")


def main(arguments: list[str] | None = None) -> int:
    """The command; gives its exit code."""
    parser = argparse.ArgumentParser(prog="python -m tools.data_versions", description=__doc__)
    parser.add_argument("--commit", action="append", default=[], help="also register the data of this commit")
    commits = parser.parse_args(arguments).commit
    for game_id in extended(DATA):
        checks: Any = extension(DATA, game_id)
        data_folder: DataFolder = checks.DATA_FOLDER
        try:
            done = register(data_folder, commits)
        except MissingDataError as problem:
            print(problem, file=sys.stderr)
            return 1
        print(f"{data_folder.path.parent.name}: {'; '.join(done) or 'nothing to do'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
