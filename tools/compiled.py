"""Compile the engine with mypyc, out of the source tree.

`python -m tools.compiled` puts a copy of the package with its hot modules compiled into a folder of its own under
build/compiled/, named after the sources it was made from, and prints the folder: on PYTHONPATH it takes the
place of the sources. A long run that uses it is not disturbed by later edits. The compiled form is made from the
very same files; without a C compiler everything runs from them as they are.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import os
import platform
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import tomllib
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "compiled"
KEPT = 6
"""How many compiled copies stay in build/compiled/."""
OPTIMISE = "1"
FLAGS = ["-fvisibility=hidden", "-ftree-vectorize", "-fvect-cost-model=dynamic"]
"""What is worth asking of a C compiler beyond that: no detours for functions of our own, and loops over the digits
of long integers several digits at a time."""

PLAIN = set(tomllib.loads((ROOT / "tools" / "compiled.toml").read_text(encoding="utf-8"))["plain"])
"""Modules left as they are: seldom run, or they would only call what is not compiled."""

LEFT_OUT = {"__pycache__", "static"}
GAMES = tuple(tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["entry-points"]["rasputitsa.games"])
"""The packages of the games, which are named like them."""
PLAYING = ("players", "planning", "evaluation", "search")
PARTS = ("hexes", "core", *GAMES, *(f"ai/{game}/{part}" for game in GAMES for part in PLAYING), "envs/sheets")
"""The engine, the players, who spend most of their time in loops of their own, and what writes arrays."""
ENGINE = "engine-"
"""How the folders are called that hold the extension modules alone."""


class CompileError(Exception):
    """Why there is no compiled form, in words."""


def modules(source: Path) -> list[Path]:
    """The modules that are compiled, below the folder that holds the package."""
    package = source / "rasputitsa"
    found = []
    for part in PARTS:
        for path in sorted((package / part).rglob("*.py")):
            name = path.relative_to(package).with_suffix("").as_posix()
            if path.stem != "__init__" and path.parent.name != "checks" and not {path.stem, name} & PLAIN:
                found.append(path)
    return found


def files(source: Path) -> list[Path]:
    """Every file of the package but the built browser client, which has no part in this."""
    return sorted(p for p in (source / "rasputitsa").rglob("*") if p.is_file() and not LEFT_OUT & set(p.parts))


def digest(paths: Iterable[Path], source: Path, *words: str) -> str:
    """A name for what would be built from these files by this Python and this mypyc."""
    try:
        mypyc = version("mypy")
    except PackageNotFoundError:
        mypyc = "none"
    total = hashlib.sha256("\n".join((sys.version, platform.platform(), mypyc, *sorted(PLAIN), *words)).encode())
    for path in sorted(paths):
        total.update(path.relative_to(source).as_posix().encode())
        total.update(hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()[:16]


def compiler_missing() -> str | None:
    """Why nothing can be compiled here; None if it can."""
    for name in ("mypyc", "setuptools"):
        if importlib.util.find_spec(name) is None:
            return f"the Python package {name} is not installed"
    with tempfile.TemporaryDirectory() as folder:
        probe = Path(folder) / "probe.c"
        probe.write_text("#include <Python.h>\nint probe(void) { return 0; }\n", encoding="utf-8")
        try:
            _compiler().compile([str(probe)], output_dir=folder, include_dirs=[sysconfig.get_path("include")])
        except Exception:  # whatever it is, and setuptools has its errors twice, nothing can be compiled
            return "there is no working C compiler, or Python came without its headers"
    return None


def _compiler() -> Any:
    """The C compiler that goes with this Python."""
    from setuptools._distutils import ccompiler
    from setuptools._distutils import sysconfig as settings

    compiler = ccompiler.new_compiler()
    settings.customize_compiler(compiler)
    return compiler


def compile_here(site: Path, optimise: str, work: Path) -> None:
    """Compile the package in a folder, each module next to its source. The folder must be the current one."""
    from mypyc.build import mypycify

    paths = [path.relative_to(site).as_posix() for path in modules(site)]
    settings = [
        "--config-file=",
        "--explicit-package-bases",
        "--ignore-missing-imports",
        f"--cache-dir={work / 'types'}",
    ]
    extensions = mypycify(
        [*settings, *paths], opt_level=optimise, debug_level="0", target_dir=str(work / "c"), group_name="rasputitsa"
    )
    compiler = _compiler()
    flags = FLAGS if compiler.compiler_type == "unix" else []

    def make(extension: Any) -> None:
        include = [*extension.include_dirs, sysconfig.get_path("include")]
        place = work / "o" / extension.name
        objects = compiler.compile(
            extension.sources,
            output_dir=str(place),
            include_dirs=include,
            extra_postargs=[*extension.extra_compile_args, *flags],
        )
        target = site / (extension.name.replace(".", "/") + sysconfig.get_config_var("EXT_SUFFIX"))
        compiler.link_shared_object(objects, str(target), extra_postargs=extension.extra_link_args)

    # The shared library, which is nearly all of the work, goes next to the many small ones.
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(make, sorted(extensions, key=lambda extension: "__mypyc" not in extension.name)))


def build(source: Path = ROOT / "src", home: Path = BUILD, optimise: str | None = None) -> Path:
    """The folder with the compiled form of the package, made now unless it is there already.

    Raises:
        CompileError: it cannot be made.
    """
    optimise = optimise or optimisation()
    home.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=home, prefix="making-") as folder:
        site = Path(folder) / "site"
        shutil.copytree(source / "rasputitsa", site / "rasputitsa", ignore=shutil.ignore_patterns(*LEFT_OUT))
        target = home / digest(files(site), site, optimise)
        if not target.exists():
            engine = _engine(site, home, optimise)
            shutil.copytree(engine, site, dirs_exist_ok=True)
            _take_place(site, target)
    for path in (target, home / _engine_name(target, optimise)):
        os.utime(path)
    _tidy(home)
    return target


def _engine_name(site: Path, optimise: str) -> str:
    return ENGINE + digest(
        (path for part in PARTS for path in (site / "rasputitsa" / part).glob("*.py")), site, optimise
    )


def _engine(site: Path, home: Path, optimise: str) -> Path:
    """The folder with the extension modules alone: the same as long as nothing of the engine changes."""
    target = home / _engine_name(site, optimise)
    if not target.exists():
        reason = compiler_missing()
        if reason:
            raise CompileError(reason)
        with tempfile.TemporaryDirectory(dir=home, prefix="making-") as folder:
            copy = Path(folder) / "site"
            shutil.copytree(site, copy)
            _compile(copy, optimise, Path(folder) / "work")
            engine = Path(folder) / "engine"
            for path in extensions(copy):
                place = engine / path.relative_to(copy)
                place.parent.mkdir(parents=True, exist_ok=True)
                path.rename(place)
            _take_place(engine, target)
    return target


def _take_place(made: Path, target: Path) -> None:
    try:
        made.rename(target)
    except OSError:  # somebody else was quicker
        if not target.exists():
            raise


def find(source: Path = ROOT / "src", home: Path = BUILD, optimise: str | None = None) -> Path | None:
    """The compiled form of these very sources, if their engine has been compiled."""
    optimise = optimise or optimisation()
    return build(source, home, optimise) if (home / _engine_name(source, optimise)).exists() else None


def extensions(place: Path) -> list[Path]:
    """The compiled modules in such a folder."""
    return sorted(place.rglob(f"*{sysconfig.get_config_var('EXT_SUFFIX')}"))


def optimisation() -> str:
    """The C compiler's level of optimisation: RASPUTITSA_OPTIMISE, else as hard as pays."""
    return os.environ.get("RASPUTITSA_OPTIMISE", OPTIMISE)


def _compile(site: Path, optimise: str, work: Path) -> None:
    """Run the compiler in a process of its own: mypyc likes to end the one it runs in."""
    command = [sys.executable, str(Path(__file__).resolve()), "--here", str(work.resolve()), "--optimise", optimise]
    environment = os.environ | {"MYPYPATH": "."}
    done = subprocess.run(
        command,
        cwd=site,
        env=environment,
        capture_output=True,
        text=True,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    if done.returncode:
        raise CompileError(f"compiling failed:\n{done.stdout}{done.stderr}".rstrip())


def _tidy(home: Path) -> None:
    """Forget all but the copies used last."""
    made = [path for path in home.iterdir() if path.is_dir() and not path.name.startswith("making-")]
    for engines in (True, False):
        kind = [path for path in made if path.name.startswith(ENGINE) == engines]
        for path in sorted(kind, key=lambda path: path.stat().st_mtime, reverse=True)[KEPT:]:
            shutil.rmtree(path, ignore_errors=True)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.compiled", description="Compile the engine.")
    parser.add_argument(
        "--optimise", default=OPTIMISE, choices=["0", "1", "2", "3"], help="how hard the C compiler tries"
    )
    parser.add_argument("--here", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.here:
        compile_here(Path.cwd(), given.optimise, given.here)
        return 0
    print("Compiling the engine, unless that has been done (a few minutes) ...", file=sys.stderr, flush=True)
    try:
        place = build(optimise=given.optimise)
    except CompileError as error:
        print(f"The engine runs from its Python sources: {error}", file=sys.stderr)
        return 1
    print(place)
    return 0


if __name__ == "__main__":
    sys.exit(main())
