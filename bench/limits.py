#!/usr/bin/env python3
"""limits.py SALVO [--seconds N]: the largest question of each command, its cost, and whether Ctrl-C ends it.

Prints the table of docs/speed.md. Each question is as large as the command allows within its default budget, so these are bounds: of
time, of memory, and of the kind of answer (exact, sampled, or an error that names the remedy). A question that takes more than N
seconds (default 60) is interrupted, and must end within five seconds.
"""

import argparse
import json
import os
import signal
import subprocess
import tempfile
import time
from pathlib import Path

PROFILES = Path(__file__).resolve().parent.parent / "profiles"
PATIENCE = 5  # seconds between Ctrl-C and the end


def many_attacks(n, tokens):
    """n ships shoot at one."""
    ships = {f"a{i}": {"attack": 3, "tokens": tokens} for i in range(n)}
    return {"ships": {"d": {"agility": 2, "hull": 10, "tokens": {"focus": 2, "evade": 2}}, **ships},
            "attacks": [{"by": f"a{i}", "on": "d"} for i in range(n)]}


def hard(n):
    """Optimal play against a greedy player, which allows no shortcut."""
    return {**many_attacks(n, {"focus": 1, "lock": ["d"]}), "defender_policy": "greedy"}


def everything():
    """20 dice with all tokens on 20 dice with all tokens."""
    return {"ships": {"a": {"attack": 20, "tokens": {"focus": 5, "lock": ["d"], "calculate": 5}},
                      "d": {"agility": 20, "tokens": {"focus": 5, "evade": 5, "calculate": 5}}},
            "attacks": [{"by": "a", "on": "d"}]}


def grid(cells):
    per_axis = round(cells ** 0.25)
    return f"""
[ships.red]
attack = 3
[ships.black]
agility = 2
hull = 3
[[attacks]]
by = "red"
on = "black"
[grid]
"ships.red.attack" = {{ from = 1, to = 6 }}
"ships.black.agility" = {{ from = 0, to = 6 }}
"ships.red.tokens.focus" = {{ from = 0, to = {per_axis} }}
"ships.red.tokens.calculate" = {{ from = 0, to = {per_axis} }}
"ships.black.tokens.focus" = {{ from = 0, to = {per_axis} }}
"ships.black.tokens.calculate" = {{ from = 0, to = {per_axis} }}
"""


def cases(salvo, folder):
    """For each case its name, arguments and standard input."""
    def file(name, content):
        path = folder / name
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
        return path

    def shards(name, command, *words):
        """The files of two shards of that command."""
        files = [folder / f"{name}.{i}" for i in (1, 2)]
        for i, path in enumerate(files):
            subprocess.run([salvo, *map(str, command), "--shard", f"{i + 1}/2", "--out", path, *words], check=True,
                           stderr=subprocess.DEVNULL)
        return files

    squads = sorted(path for path in (PROFILES / "squads").iterdir() if path.suffix == ".json")
    dice, many, thousand = file("dice.json", everything()), file("many.json", many_attacks(100, {"focus": 1})), \
        file("thousand.json", many_attacks(1000, {}))
    yield "run: 20 dice with all tokens on as many", ["run", dice], None
    yield "run: 100 attacks with tokens", ["run", many], None
    yield "run: 1,000 attacks without", ["run", thousand], None
    yield "run: as much as the budget lets look ahead", ["run", file("hard.json", hard(12))], None
    yield "run: both engines, 1e9 trials", ["run", dice, "--engine", "both", "--trials", "1e9"], None
    yield "run: sampled, 1e15 trials", ["run", file("some.json", many_attacks(2, {"focus": 1})), "-e", "sample", "-n", "1e15"], None
    yield "run: 20,000 attacks", ["run", file("long.json", many_attacks(20_000, {}))], None
    yield "run: 20,000 attacks, sampled", ["run", folder / "long.json", "--engine", "sample"], None
    yield "run: brackets in brackets", ["run", file("deep.json", "[" * 1_000_000)], None
    yield "advise: 20 dice with all tokens on as many", ["advise", dice], None
    yield "advise: the last of 1,000 attacks", ["advise", thousand, "--attack", "1000"], None
    yield "luck: 20 dice with all tokens on as many", ["luck", dice, "--damage", "5"], None
    yield "luck: the first of 1,000 attacks", ["luck", thousand, "--damage", "0"], None
    yield "review: 99 rounds of 40 attacks", ["review", file("game.txt", game_log(99, 40))], None
    yield "worth: 12 ships", ["worth", file("twelve.json", many_attacks(12, {"focus": 1}))], None
    yield "worth: 1,000 attacks", ["worth", thousand], None
    yield "order: 7 ships", ["order", file("seven.json", many_attacks(7, {"focus": 1}))], None
    yield "order: 7 ships, looked ahead", ["order", file("seven-hard.json", hard(7))], None
    yield "card: 100 attacks, five rules", ["card", many, "--most", "5"], None
    yield "batch: 100,000 lines", ["batch"], (json.dumps(many_attacks(1, {"focus": 1})) + "\n") * 100_000
    yield "batch: 100 lines of 100 attacks", ["batch"], (json.dumps(many_attacks(100, {"focus": 1})) + "\n") * 100
    yield "durability: all ships", ["durability", "--all", "--attack", "3 focus lock"], None
    yield "durability: all ships, 20 dice, 6 attackers", ["durability", "--all", *["--attack", "20 focus lock"] * 6], None
    yield "squad: a squad against another", ["squad", squads[0], "--against", squads[1]], None
    yield "battle: squads, 10^5 battles", ["battle", squads[0], squads[1], "--trials", "1e5"], None
    yield "battle: squads, 10^12 battles", ["battle", squads[0], squads[1], "--engine", "sample", "--trials", "1e12"], None
    yield "battle: a duel, exact, with a deck", ["battle", "pilot=lukeskywalker", "pilot=darthvader", "--engine", "exact",
                                                 "--damage-deck", "core", "--flight", "chase", "--budget", "1e9"], None
    yield "battle: eight ships a side", ["battle", *["|".join(["ship=t65xwing focus"] * 8)] * 2], None
    yield "gauntlet: 100 squads", ["gauntlet", *(squads * 100)[:100]], None
    yield "compare: 200 loadouts, 10^14 trials", ["compare", *[f"{1 + i % 5} focus" for i in range(200)], "--engine", "sample",
                                                  "--trials", "1e14"], None
    yield "sweep: 10^12 cells and more", ["sweep", file("huge.grid.toml", grid(1e12))], None
    yield "sweep: 10^6 cells", ["sweep", file("large.grid.toml", grid(1e4)), "--out", folder / "cells.csv"], None
    yield "sweep: cells of 20 dice", ["sweep", file("dice.grid.json", {**everything(), "grid": {
        "ships.a.attack": {"from": 10, "to": 20}, "ships.d.agility": {"from": 10, "to": 20}}})], None
    yield "atlas: a card set", ["atlas", "--out", folder / "atlas.sqlite"], None
    yield "merge: 10^6 cells", ["merge", *shards("cells", ["sweep", folder / "large.grid.toml"])], None
    yield "merge: counts of 10^6 trials", ["merge", *shards("counts", ["run", many, "--engine", "sample", "--trials", "1e6"])], None
    yield "hazard: 99 times", ["hazard", "proximity-mine", "--times", "99", "--ship", "hull=30 shields=10"], None
    yield "hazard: 99 times on 99 hull and 99 shields", ["hazard", "proximity-mine", "--times", "99", "--ship", "hull=99 shields=99"], None
    yield "hazard: sampled, 10^12 trials", ["hazard", "proximity-mine", "--engine", "sample", "--trials", "1e12"], None
    yield "request: worth of 1,000 attacks", ["request", "worth", thousand], None
    yield "request: run, sampled, 1e15 trials", ["request", "run", file("sampled.json", {
        "attack": "3 focus", "defend": "2 evade", "engine": "sample", "trials": 10**15})], None
    yield "cards: 200 files to try", ["cards", "check", *sorted((PROFILES / "cards" / "upgrade").glob("*.toml"))[:200]], None


def game_log(rounds, attacks):
    lines = ["player Ann", "luke: pilot=lukeskywalker", "player Bob", "vader: pilot=darthvader ship=tieadvancedx1"]
    for i in range(rounds * attacks):
        if i % attacks == 0:
            lines.append(f"round {i // attacks + 1}: luke focus; vader focus")
        lines.append("luke > vader r2: hit focus blank | evade focus blank")
    return "\n".join(lines)


def megabytes(pid):
    """Peak memory of the process, from /proc; resource.getrusage would include that of this process."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM:")), 0)


def play(salvo, arguments, text, seconds):
    """Seconds, megabytes, exit status, and the last line of stderr or the engine."""
    out, error = tempfile.TemporaryFile(), tempfile.TemporaryFile()
    stdin = tempfile.TemporaryFile()
    stdin.write((text or "").encode())
    stdin.seek(0)
    begun = time.monotonic()
    process = subprocess.Popen([salvo, *map(str, arguments)], stdin=stdin, stdout=out, stderr=error)
    stopped, peak = False, 0
    while True:
        peak = max(peak, megabytes(process.pid))
        pid, status = os.waitpid(process.pid, os.WNOHANG)
        if pid:
            break
        age = time.monotonic() - begun
        if age > seconds and not stopped:
            process.send_signal(signal.SIGINT)
            stopped = True
        if age > seconds + PATIENCE:
            process.kill()
            _, status = os.waitpid(process.pid, 0)
            break
        time.sleep(0.01)
    took = time.monotonic() - begun
    process.returncode = os.waitstatus_to_exitcode(status)
    error.seek(0)
    said = error.read().decode(errors="replace").strip().splitlines()
    out.seek(0)
    start = out.read(4096).decode(errors="replace")
    engine = next((name for name in ("exact", "sample", "both") if f'"engine": "{name}"' in start), "")
    return took, peak, process.returncode, stopped, engine, said[-1] if said else ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("salvo")
    parser.add_argument("--seconds", type=float, default=60)
    options = parser.parse_args()
    print("| question | seconds | MB | what came |\n| --- | --- | --- | --- |")
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, arguments, text in cases(options.salvo, Path(folder)):
            took, mb, status, stopped, engine, said = play(options.salvo, arguments, text, options.seconds)
            outcome = {0: engine or "all of it", 2: "refused", 3: "too large", 130: "interrupted"}.get(status, f"status {status}")
            if stopped and status == 0:
                outcome = "interrupted: partial results"
            wrong += status not in (0, 2, 3, 130)
            detail = f": {said.replace(folder + '/', '').removeprefix('salvo: ')[:110]}" if status in (2, 3, 4) else ""
            print(f"| {name} | {took:.1f} | {mb:.0f} | {outcome}{detail} |", flush=True)
    raise SystemExit(1 if wrong else 0)


if __name__ == "__main__":
    main()
