"""The files for hosting: what they start exists, nothing has rights that it does not need, and the parts fit."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
import yaml
from typer.core import TyperGroup

from rasputitsa.cli.main import app
from rasputitsa.cli.play import PORT

ROOT = Path(__file__).resolve().parents[3]
HOST = ROOT / "packaging" / "host"
PAGE = ROOT / "docs" / "host.md"
UsageError = typer.BadParameter.__bases__[0]
"""A command line that is not understood, in whatever way."""
UNITS = sorted(path.name for path in HOST.glob("*.service"))


def instructions() -> list[tuple[str, str]]:
    """The instructions of the Containerfile, each on one line."""
    text = re.sub(r"\\\n\s*", " ", (HOST / "Containerfile").read_text())
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return [(line.partition(" ")[0], line.partition(" ")[2].strip()) for line in lines]


def composed() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((HOST / "compose.yaml").read_text())
    return found


def unit(name: str) -> dict[str, list[str]]:
    """Settings of a unit, all values of each."""
    settings: dict[str, list[str]] = {}
    for line in (HOST / name).read_text().splitlines():
        if "=" in line and not line.startswith("#"):
            key, _, value = line.partition("=")
            settings.setdefault(key, []).append(value)
    return settings


def check(words: list[str]) -> None:
    """The command line is understood: the command exists, with these options; nothing is started."""
    command: Any = typer.main.get_command(app)
    while isinstance(command, TyperGroup):
        name, *words = words
        if name not in command.commands:
            raise typer.BadParameter(f"there is no command {name}")
        command = command.commands[name]
    command.make_context(command.name, list(words))


def commands() -> Iterator[tuple[str, str]]:
    """Every command line of the program in the files and on the page, and where it stands."""
    found = dict(instructions())
    yield "Containerfile", " ".join(["rasputitsa", *json.loads(found["CMD"])])
    yield "Containerfile, health", " ".join(json.loads(found["HEALTHCHECK"].partition("CMD ")[2]))
    yield "compose.yaml", " ".join(["rasputitsa", *composed()["services"]["server"]["command"]])
    for name in UNITS:
        yield name, unit(name)["ExecStart"][0].removeprefix("/opt/rasputitsa/bin/").replace(" $OPTIONS", "")
    text = PAGE.read_text()
    for line in re.findall(r"^    (?!systemctl)(.*)$", text, re.M) + re.findall(r"`([^`]+)`", text):
        for part in re.findall(r"(?<![\w/.-])(?:/opt/rasputitsa/bin/)?(rasputitsa (?!server)[a-z].*)$", line):
            yield f"host.md: {line}", part
        if found_run := re.search(r"run --rm server (.*)$", line):
            yield f"host.md: {line}", f"rasputitsa {found_run[1]}"


def words_of(line: str) -> list[str]:
    filled = (
        re.sub(r"\$\{SITE[^}]*\}", "games.example", line).replace("NUMBER", "1").replace(" URL", " http://x.example")
    )
    return shlex.split(filled)[1:]


@pytest.mark.parametrize(("where", "line"), [pytest.param(*found, id=found[0][:60]) for found in commands()])
def test_every_command_that_is_named_is_understood(where: str, line: str) -> None:
    check(words_of(line))


def test_commands_are_found_everywhere_they_stand() -> None:
    places = {where.partition(":")[0] for where, _ in commands()}
    assert places == {"Containerfile", "Containerfile, health", "compose.yaml", "host.md", *UNITS}
    verbs = {line.split()[1] for where, line in commands() if where.startswith("host.md")}
    assert {"serve", "probe", "backup", "restore", "matches"} <= verbs


def test_what_is_not_understood_is_noticed() -> None:
    for words in (["serves"], ["serve", "--no-such-option"], ["probe"], ["matches", "rekey", "x"]):
        with pytest.raises(UsageError):
            check(words)


# -- container ---------------------------------------------------------------------------------------


def test_the_container_runs_as_nobody_in_particular_and_keeps_its_data_in_a_volume() -> None:
    steps = instructions()
    last = steps[len(steps) - 1 - [name for name, _ in reversed(steps)].index("FROM") :]
    found = dict(last)
    assert found["USER"] == "10001:10001"
    assert found["VOLUME"] == "/data"
    assert found["EXPOSE"] == str(PORT)
    names = [name for name, _ in last]
    assert names.index("USER") > max(number for number, name in enumerate(names) if name == "RUN")
    assert found["COPY"].startswith("--from=build /opt/rasputitsa"), "neither the checkout nor its tools"


def test_the_container_holds_what_the_lock_file_names() -> None:
    text = " ".join(rest for name, rest in instructions() if name == "RUN")
    assert "uv sync --locked" in text and "uv export --locked" in text and "--no-deps /wheel/" in text
    pinned = re.search(r"uv==([\d.]+)", text)
    assert pinned and f"PINNED={pinned[1]}\n" in (ROOT / "tools" / "uv.sh").read_text(), "the uv of `make`"


def test_nothing_of_a_checkout_that_is_no_source_goes_into_the_build() -> None:
    ignored = (ROOT / ".dockerignore").read_text().split()
    assert {".git", ".venv", "build", "dist", "web/node_modules", "**/__pycache__", "**/*.db*"} <= set(ignored)


# -- compose -----------------------------------------------------------------------------------------


def test_only_the_proxy_is_reached_from_outside() -> None:
    services = composed()["services"]
    assert "ports" not in services["server"]
    assert {port.split(":")[0] for port in services["proxy"]["ports"]} == {"80", "443"}


def test_the_server_believes_the_proxy_and_nobody_else() -> None:
    services = composed()["services"]
    proxy = services["proxy"]["networks"]["inside"]["ipv4_address"]
    assert f"--behind-proxy={proxy}" in services["server"]["command"]
    assert services["proxy"]["environment"]["SERVER"] == f"server:{PORT}"


def test_no_service_has_rights_it_does_not_need() -> None:
    for service in composed()["services"].values():
        assert service["cap_drop"] == ["ALL"]
        assert "no-new-privileges:true" in service["security_opt"]
        assert "privileged" not in service
    server = composed()["services"]["server"]
    assert server["read_only"] is True
    assert server["volumes"] == ["matches:/data"]
    assert "cap_add" not in server


def test_whatever_is_named_in_the_compose_file_is_there() -> None:
    found = composed()
    build = found["services"]["server"]["build"]
    assert (HOST / build["context"]).resolve() == ROOT
    assert (ROOT / build["dockerfile"]).is_file()
    used = [volume for service in found["services"].values() for volume in service["volumes"]]
    assert {name.split(":")[0] for name in used if not name.startswith("./")} == set(found["volumes"])
    assert all((HOST / name.split(":")[0]).is_file() for name in used if name.startswith("./"))


def test_the_proxy_shows_no_figures_to_others() -> None:
    text = (HOST / "Caddyfile").read_text()
    assert re.search(r"@figures path /api/metrics\n\s*respond @figures 404", text)
    assert "reverse_proxy {$SERVER:127.0.0.1:8642}" in text


# -- systemd -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", UNITS)
def test_no_unit_runs_as_root_or_writes_where_it_need_not(name: str) -> None:
    found = unit(name)
    assert found["User"] == ["rasputitsa"]
    for setting, value in {
        "NoNewPrivileges": "yes", "ProtectSystem": "strict", "ProtectHome": "yes", "PrivateTmp": "yes",
        "PrivateDevices": "yes", "CapabilityBoundingSet": "", "UMask": "0077", "StateDirectoryMode": "0700",
    }.items():  # fmt: skip
        assert found[setting] == [value], setting


def test_the_server_listens_to_the_proxy_on_its_own_machine_alone() -> None:
    (line,) = unit("rasputitsa.service")["ExecStart"]
    assert "--host 127.0.0.1" in line and "--behind-proxy 127.0.0.1" in line


def test_every_timer_starts_a_unit_that_is_there() -> None:
    timers = {path.stem for path in HOST.glob("*.timer")}
    assert timers == {name.removesuffix(".service") for name in UNITS} - {"rasputitsa"}
    text = PAGE.read_text()
    assert all(f"{name}.timer" in text for name in timers)


def test_the_alarms_name_figures_that_there_are() -> None:
    named = set(re.findall(r"\brasputitsa_[a-z_]+", PAGE.read_text()))
    source = (ROOT / "src" / "rasputitsa" / "server" / "health" / "metrics.py").read_text()
    made = {f"rasputitsa_{name}" for name in re.findall(r'(?:gauge|counter)\("(\w+)"', source)} | {
        "rasputitsa_answer_seconds"
    }
    plain = {re.sub(r"_(total|bucket)$", "", name) for name in named}
    assert named and plain <= made
    listed = set(re.findall(r"\brasputitsa_[a-z_]+", (ROOT / "docs" / "reference" / "limits.md").read_text()))
    assert {re.sub(r"_total$", "", name) for name in listed} - {"rasputitsa_info"} == made, (
        "and the reference names them all"
    )
