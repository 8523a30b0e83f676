"""Check the dice of a saved game without the program that rolled them: python check_dice.py FILE [DIGEST]

Exit code 0: every die comes from the seed, and the seed is the one whose digest was published. 1: it does not.
2: the file is no saved game. 3: it does not tell (a game under way hides its seed, an old file the sides of dice)."""

import json
import sys
from collections import Counter
from hashlib import blake2b, sha256
from pathlib import Path
from typing import Any


def key_of(source: dict[str, Any]) -> bytes | None:
    """The 32 bytes the dice are made from; None if the file does not hold the seed."""
    if "seed" not in source or source["made"] != "drawn":
        return int(source["seed"]).to_bytes(32, "big", signed=True) if "seed" in source else None
    shares = [f"{seat} {share}" for seat, share, _ in source["shares"]]
    return sha256("\n".join(["rasputitsa dice", source["salt"], source["seed"], *shares]).encode()).digest()


def fits(source: dict[str, Any]) -> bool:
    """Whether the seed is the one whose digest was published."""
    seed, promises = source.get("seed", ""), source["made"] != "plain" or source.get("digest")
    text = f"rasputitsa digest\n{source['salt']}\n{seed}" if source.get("salt") else seed
    return not seed or not promises or source["digest"] == sha256(text.encode()).hexdigest()


def main(text: str, noted: str = "") -> int:
    """Print what was found; gives the exit code. ``noted``: the digest shown during the game, or its beginning."""
    header, *entries, end = [json.loads(line) for line in text.split("\n") if line.strip()]
    sources = header.get("dice") or [{"from": 0, "made": "plain", "seed": str(header.get("seed", 0))}]
    told = {one["from"] + 1: ascii(one.get("digest", ""))[1:-1] for one in sources}
    print(*(f"digest of the seed from entry {first} on: {digest or '-'}" for first, digest in told.items()), sep="\n")
    wrong = [f"the seed from entry {one['from'] + 1} on is not the one published" for one in sources if not fits(one)]
    wrong += [] if any(digest.startswith(noted) for digest in told.values()) else ["no seed has the digest you noted"]
    wrong += [f"not all entries are there: {end}"] if end.get("end") != len(entries) else []
    numbers, confirmed, unknown, key = Counter[str](), Counter[str](), 0, None
    for place, entry in enumerate(entries):
        for source in (one for one in sources if one["from"] == place):
            key = key_of(source)
            numbers = Counter({} if source["made"] == "letters" else numbers) + Counter(source.get("skip", {}))
        for stream, value, *shown in entry.get("dice", ()):
            sides = shown[0] if shown else 6 if header["game"] == "portfolio" else 0
            name, numbers[stream] = f"{stream}:{numbers[stream]}", numbers[stream] + 1
            if key is None or not sides:
                unknown += 1
            elif int.from_bytes(blake2b(name.encode(), key=key, digest_size=8).digest(), "big") % sides + 1 == value:
                confirmed[stream] += 1
            else:
                wrong.append(f"entry {place + 1}: the die {ascii(name)[1:-1]} does not show {value!a}")
    print(*wrong[:10], f"confirmed: {dict(confirmed)}; unknown: {unknown}; wrong: {len(wrong)}", sep="\n")
    return 1 if wrong else 3 if unknown else 0


if __name__ == "__main__":
    try:
        sys.exit(main(Path(sys.argv[1]).read_text(encoding="utf-8"), *sys.argv[2:3]))
    except (ArithmeticError, AttributeError, LookupError, OSError, RecursionError, TypeError, ValueError) as problem:
        sys.exit(print(f"this is no saved game, or it is damaged: {problem!a:.90}", file=sys.stderr) or 2)
