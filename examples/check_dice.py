"""Check the dice of a saved game without the program that rolled them: python check_dice.py FILE

Exit code 0: every die comes from the seed, and the seed is the one whose digest was published. 1: it does not.
3: the file does not tell (a game under way hides its seed; old files do not say how many sides a die has).
"""

import json
import sys
from collections import Counter
from hashlib import blake2b, sha256
from pathlib import Path
from typing import Any


def key_of(source: dict[str, Any]) -> bytes | None:
    """The 32 bytes the dice are made from; None if the file does not hold the seed."""
    if "seed" not in source:
        return None
    if source["made"] != "drawn":
        return int(source["seed"]).to_bytes(32, "big", signed=True)
    shares = [f"{seat} {share}" for seat, share, _ in source["shares"]]
    return sha256("\n".join(["rasputitsa dice", source["salt"], source["seed"], *shares]).encode()).digest()


def fits(source: dict[str, Any]) -> bool:
    """Whether the seed is the one whose digest was published."""
    salt, seed = source.get("salt"), source.get("seed", "")
    text = f"rasputitsa digest\n{salt}\n{seed}" if salt else seed
    return not seed or source["digest"] == sha256(text.encode()).hexdigest()


def main(text: str) -> int:
    """Print what was found; gives the exit code."""
    header, *entries, end = [json.loads(line) for line in text.split("\n") if line.strip()]
    sources = header.get("dice") or [{"from": 0, "made": "plain", "seed": str(header.get("seed", 0))}]
    bound = [one for one in sources if one["made"] != "plain" or one.get("digest")]
    wrong = [f"the seed from entry {one['from'] + 1} on is not the one published" for one in bound if not fits(one)]
    wrong += [f"not all entries are there: {end}"] if end.get("end") != len(entries) else []
    numbers, confirmed, unknown, key = Counter[str](), Counter[str](), 0, None
    for place, entry in enumerate(entries):
        for source in sources:
            if source["from"] == place:
                key = key_of(source)
                numbers.update(source.get("skip", {}))
        for stream, value, *told in entry.get("dice", ()):
            sides = told[0] if told else 6 if header["game"] == "portfolio" else 0
            name, numbers[stream] = f"{stream}:{numbers[stream]}", numbers[stream] + 1
            if key is None or not sides:
                unknown += 1
            elif int.from_bytes(blake2b(name.encode(), key=key, digest_size=8).digest(), "big") % sides + 1 == value:
                confirmed[stream] += 1
            else:
                wrong.append(f"entry {place + 1}: the die {ascii(name)[1:-1]} does not show {value}")
    print(*wrong[:10], f"confirmed: {dict(confirmed)}; unknown: {unknown}; wrong: {len(wrong)}", sep="\n")
    return 1 if wrong else 3 if unknown else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).read_text(encoding="utf-8")))
