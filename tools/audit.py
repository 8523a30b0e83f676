"""Look for what is known to be dangerous: in our own code (Bandit) and in the packages of others.

`python -m tools.audit` fails when Bandit finds something that `tools/audit_accepted.toml` does not name, when that
file names something that is not found any more, or when a package of uv.lock or web/package-lock.json has a known
vulnerability. The lists of vulnerabilities are on the network; where they cannot be had, that is said, and the exit
code is 3 unless something else complains.
"""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import tempfile
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tools.client import ClientError, npm_output

ROOT = Path(__file__).resolve().parent.parent
ACCEPTED = Path(__file__).with_name("audit_accepted.toml")
FOLDERS = ("src", "tools")
SECONDS = 180
NOT_CHECKED = 3
"""The exit code where a list of vulnerabilities could not be had."""


class SkippedError(Exception):
    """A list could not be had; why, in plain words."""


@dataclass
class Accepted:
    """A kind of finding that was looked at and is no danger in some folder or file."""

    rule: str
    path: str
    reason: str
    used: bool = field(default=False, init=False)

    def covers(self, finding: dict[str, Any]) -> bool:
        """Whether a finding of Bandit's is this one."""
        return finding["test_id"] == self.rule and Path(finding["filename"]).as_posix().startswith(self.path)


def bandit() -> list[str]:
    """What Bandit finds in our code and nobody has judged, and what was judged and is gone."""
    run = _run(sys.executable, "-m", "bandit", "-q", "-r", *FOLDERS, "-f", "json")
    found = json.loads(run.stdout)
    exceptions = [Accepted(**entry) for entry in tomllib.loads(ACCEPTED.read_text(encoding="utf-8"))["accepted"]]
    return judged(found["results"], exceptions) + [
        f"{error['filename']}: {error['reason']}" for error in found["errors"]
    ]


def judged(findings: list[dict[str, Any]], exceptions: list[Accepted]) -> list[str]:
    """The complaints that remain."""
    complaints = []
    for finding in findings:
        covering = [exception for exception in exceptions if exception.covers(finding)]
        for exception in covering:
            exception.used = True
        if not covering:
            where = f"{finding['filename']}:{finding['line_number']}"
            complaints.append(f"{where}: {finding['test_id']} {finding['issue_text']}")
    unused = [exception for exception in exceptions if not exception.used]
    return complaints + [f"{ACCEPTED.name}: {e.rule} in {e.path} is not found any more" for e in unused]


def python_packages() -> list[str]:
    """The packages of uv.lock with known vulnerabilities; raises ``SkippedError``."""
    with tempfile.TemporaryDirectory() as folder:
        locked, answer = Path(folder, "locked.txt"), Path(folder, "answer.json")
        export = ("export", "--quiet", "--frozen", "--all-groups", "--all-extras", "--no-emit-project", "--no-hashes")
        made = _run("sh", str(ROOT / "tools" / "uv.sh"), *export, "--output-file", str(locked))
        if made.returncode:
            raise SkippedError(_last_line(made.stderr))
        audit = (sys.executable, "-m", "pip_audit", "--progress-spinner", "off", "--disable-pip", "--no-deps")
        run = _run(*audit, "-r", str(locked), "-f", "json", "-o", str(answer))
        with contextlib.suppress(OSError, ValueError):
            return vulnerable_in_python(json.loads(answer.read_text()))
        raise SkippedError(_last_line(run.stderr))


def vulnerable_in_python(answer: dict[str, Any]) -> list[str]:
    """The complaints in pip-audit's answer; raises ``SkippedError`` if it could look nothing up."""
    known = [package for package in answer["dependencies"] if "vulns" in package]
    if not known:
        raise SkippedError("no package could be looked up")
    return [
        f"{package['name']} {package['version']}: {hole['id']}, mended in {', '.join(hole['fix_versions']) or '-'}"
        for package in known
        for hole in package["vulns"]
    ]


def npm_packages() -> list[str]:
    """The packages of web/package-lock.json with known vulnerabilities; raises ``SkippedError``."""
    try:
        printed = npm_output("audit", "--audit=true", "--json", "--package-lock-only", seconds=SECONDS)
    except ClientError as problem:
        raise SkippedError(str(problem)) from problem
    return vulnerable_in_npm(printed)


def vulnerable_in_npm(printed: str) -> list[str]:
    """The complaints in npm's answer; raises ``SkippedError`` if it is none."""
    try:
        answer = json.loads(printed)
    except ValueError:
        raise SkippedError("npm gave no answer") from None
    if "vulnerabilities" not in answer:
        problem = answer.get("message") or answer.get("error", {}).get("summary") or "npm could not ask"
        raise SkippedError(str(problem))
    return [f"{name} {hole['range']}: {hole['severity']}" for name, hole in answer["vulnerabilities"].items()]


def _run(*command: str) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 1, "", f"no answer within {SECONDS} seconds")


def _last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1][:300] if lines else "no answer"


def main() -> int:
    """Run every audit; 1 if one complains, else 3 if one could not be made."""
    complaints = skipped = 0
    for name, audit in [
        ("our code, by Bandit", bandit),
        ("packages of uv.lock, by pip-audit", python_packages),
        ("packages of web/package-lock.json, by npm audit", npm_packages),
    ]:
        print(f"Looking for known dangers in {name} ...", flush=True)
        try:
            found = audit()
        except SkippedError as reason:
            print(f"  SKIPPED: the list of vulnerabilities cannot be had here ({reason}).", flush=True)
            skipped += 1
            continue
        complaints += len(found)
        print("\n".join(f"  {line}" for line in found) or "  none", flush=True)
    return 1 if complaints else NOT_CHECKED if skipped else 0


if __name__ == "__main__":
    sys.exit(main())
