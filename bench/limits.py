#!/usr/bin/env python3
"""limits.py SALVO [--seconds N]: the largest that each command takes, what it costs, and whether Ctrl-C ends it.

Prints the table of docs/limits.md. Each question is as large as the command allows within its usual budget, so that these are bounds: of
time, of memory, and of what is answered (an exact figure, a sampled one, or an error that says what to leave out). What is not done
after N seconds (default 60) is interrupted, and has to be over five seconds later.
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
    """Looked ahead against one who does not: nothing of it can be cut short."""
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


def cases(folder):
    """What it is, the arguments, standard input."""
    def file(name, content):
        path = folder / name
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
        return path

    squads = sorted(path for path in (PROFILES / "squads").iterdir() if path.suffix == ".json")
    yield "run: 20 dice with all tokens on as many", ["run", file("dice.json", everything())], None
    yield "run: 100 attacks with tokens", ["run", file("many.json", many_attacks(100, {"focus": 1}))], None
    yield "run: 1,000 attacks without", ["run", file("thousand.json", many_attacks(1000, {}))], None
    yield "run: as much as the budget lets look ahead", ["run", file("hard.json", hard(12))], None
    yield "run: sampled, 1e15 trials", ["run", file("some.json", many_attacks(2, {"focus": 1})), "-e", "sample", "-n", "1e15"], None
    yield "run: 20,000 attacks", ["run", file("long.json", many_attacks(20_000, {}))], None
    yield "run: brackets in brackets", ["run", file("deep.json", "[" * 1_000_000)], None
    yield "advise: 20 dice with all tokens on as many", ["advise", folder / "dice.json"], None
    yield "order: 7 ships", ["order", file("seven.json", many_attacks(7, {"focus": 1}))], None
    yield "worth: 12 ships", ["worth", file("twelve.json", many_attacks(12, {"focus": 1}))], None
    yield "batch: 100,000 lines", ["batch"], (json.dumps(many_attacks(1, {"focus": 1})) + "\n") * 100_000
    yield "sweep: 10^12 cells and more", ["sweep", file("huge.grid.toml", grid(1e12))], None
    yield "sweep: 10^6 cells", ["sweep", file("large.grid.toml", grid(1e4)), "--out", folder / "cells.csv"], None
    yield "durability: all ships", ["durability", "--all", "--attack", "3 focus lock"], None
    yield "squad: a squad against another", ["squad", squads[0], "--against", squads[1]], None
    yield "battle: squads, 10^5 battles", ["battle", squads[0], squads[1], "--trials", "1e5"], None
    yield "hazard: 99 times", ["hazard", "proximity-mine", "--times", "99", "--ship", "hull=30 shields=10"], None
    yield "review: 380 attacks", ["review", file("game.txt", game_log(380))], None


def game_log(attacks):
    lines = ["player Ann", "luke: pilot=lukeskywalker", "player Bob", "vader: pilot=darthvader ship=tieadvancedx1"]
    for i in range(attacks):
        if i % 4 == 0:
            lines.append(f"round {i // 4 + 1}: luke focus; vader focus")
        lines.append("luke > vader r2: hit focus blank | evade focus blank")
    return "\n".join(lines)


def megabytes(pid):
    """The most that the process has used, as Linux knows it; that of resource.getrusage would count this one's, too."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM:")), 0)


def play(salvo, arguments, text, seconds):
    """Seconds, megabytes, exit status, what it printed last on stderr or of its engine."""
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
        for name, arguments, text in cases(Path(folder)):
            took, mb, status, stopped, engine, said = play(options.salvo, arguments, text, options.seconds)
            told = {0: engine or "all of it", 2: "refused", 3: "too large", 130: "interrupted"}.get(status, f"status {status}")
            if stopped and status == 0:
                told = "interrupted: what there was"
            wrong += status not in (0, 2, 3, 130)
            detail = f": {said.replace(folder + '/', '').removeprefix('salvo: ')[:110]}" if status in (2, 3, 4) else ""
            print(f"| {name} | {took:.1f} | {mb:.0f} | {told}{detail} |", flush=True)
    raise SystemExit(1 if wrong else 0)


if __name__ == "__main__":
    main()
