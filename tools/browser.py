"""The Chromium that the browser tests drive: one of this machine's, or one installed for the purpose.

`python -m tools.browser` finds or installs it and prints its path; tests call `find()`.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

OVERRIDE = "RASPUTITSA_BROWSER"
NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome", "microsoft-edge")
MAC_APPLICATIONS = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)

# --no-sandbox: Chromium refuses to start as root with its sandbox on, and containers run tests as root.
LAUNCH_ARGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


class NoBrowserError(Exception):
    """No Chromium here, and none could be installed."""


class BrokenBrowserError(Exception):
    """There is a browser, but it does not start."""


def find() -> Path | None:
    """The Chromium to use, or None."""
    chosen = os.environ.get(OVERRIDE)
    if chosen:
        return Path(chosen)
    for name in NAMES:
        found = shutil.which(name)
        if found:
            return Path(found)
    for application in MAC_APPLICATIONS:
        if Path(application).is_file():
            return Path(application)
    return _playwrights_own()


def ensure() -> Path:
    """The Chromium to use, installed first if need be."""
    found = find()
    if found is None:
        _install()
        found = find()
    if found is None:
        raise NoBrowserError(
            "The browser tests need Chromium, and none could be found or installed here. Install Chromium or"
            f" Google Chrome (on Debian: apt-get install chromium), or name one in {OVERRIDE}."
        )
    _check_starts(found)
    return found


def _playwrights_own() -> Path | None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = Path(playwright.chromium.executable_path)
    return path if path.is_file() else None


def _install() -> None:
    if _may_use_apt():
        print("Installing Chromium from the system's packages ...", flush=True)
        environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
        for command in (
            ["apt-get", "update", "-qq"],
            ["apt-get", "install", "-y", "-qq", "--no-install-recommends", "chromium", "fonts-dejavu-core"],
        ):
            if subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=False).returncode:
                print(f"`{' '.join(command)}` failed.", flush=True)
        if find() is not None:
            return
    print("Downloading the Chromium that Playwright publishes ...", flush=True)
    subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=False)


def _may_use_apt() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("apt-get") is not None


def _check_starts(browser: Path) -> None:
    """A browser that cannot start would show as many failed tests; say so once, here."""
    try:
        done = subprocess.run([browser, "--version"], capture_output=True, text=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise BrokenBrowserError(f"{browser} does not start: {error}") from error
    if done.returncode:
        raise BrokenBrowserError(f"{browser} does not start:\n{done.stderr.strip()}")
    print(f"Browser for the tests: {browser} ({done.stdout.strip()})")


def required() -> bool:
    """Whether the browser tests must run here: continuous integration never skips them."""
    return bool(os.environ.get("CI"))


def main() -> int:
    try:
        ensure()
    except BrokenBrowserError as error:
        print(error, file=sys.stderr)
        return 1
    except NoBrowserError as error:
        print(error, file=sys.stderr)
        if required():
            return 1
        print("Going on without: the tests in a browser will be skipped.", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
