#!/usr/bin/env python3
"""questions.py [EVERY]: prints a fixed list of questions, one {"verb", "body"} a line: those of tests/data and profiles/scenarios, and
many more made from them. EVERY: print only every Nth of the many.
"""

import itertools
import json
import random
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
DATA = ROOT / "tests" / "data"


def lines(name):
    for line in (DATA / name).read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("//"):
            yield json.loads(line)


def scenarios():
    for name in ("attacks", "rulings", "rulings-first-edition", "editions"):
        for case in lines(f"{name}.jsonl"):
            yield case["scenario"]
    for name in ("cards", "cards-xwa", "cards-first-edition"):
        for case in lines(f"{name}.jsonl"):
            yield case["with"]


def stored_scenarios():
    for file in sorted((ROOT / "profiles" / "scenarios").glob("*.toml")):
        scenario = tomllib.loads(file.read_text(encoding="utf-8"))
        if ".grid." not in file.name and not any(str(value).endswith(".toml") for value in scenario.values()):
            yield scenario


def sampled(scenario, number):
    """The scenario with sampling. The parameters vary, so that each sampling kernel is used."""
    return {**scenario, "engine": "sample", "trials": (1_000, 30_000, 70_000)[number % 3], "seed": number,
            "generator": ("philox4x32-10", "ars-7", "xoshiro256++")[number // 3 % 3]}


def many():
    for number, scenario in enumerate(scenarios()):
        yield "run", scenario
        if number % 4 == 0:
            yield "run", sampled(scenario, number)
    attacks = [f"{dice} {tokens}".strip() for dice in (2, 3, 4) for tokens in ("", "focus", "lock", "focus lock", "calculate=2")]
    defenders = [f"{dice} {tokens} {hull}".strip() for dice in (1, 3) for tokens in ("", "focus", "evade") for hull in ("", "hull=3 shields=1")]
    pairs = list(itertools.product(attacks, defenders))
    random.Random(16).shuffle(pairs)
    for number, (attack, defender) in enumerate(pairs):
        body = {"attack": [attack, attacks[number % len(attacks)]], "defend": defender,
                "objective": ("damage", "kill", "health", "exchange")[number % 4], "id": number}
        yield "run", body
        if number % 3 == 0:
            yield "run", {**body, "engine": "both", "trials": 20_000}
        if number % 7 == 0:
            yield "run", {**body, "budget": 20}  # too large, so sampled
            yield "run", {**body, "budget": 20, "engine": "exact"}  # refused
            yield "run", {**body, "engine": "sample", "precision": 0.01}
        if number % 10 == 0:
            yield "worth", body
            yield "durability", {"defend": [defender], "attack": [attack]}


def few():
    for scenario in stored_scenarios():
        yield "run", scenario
        yield "worth", scenario
        yield "advise", scenario
    fight = {"attack": ["3 focus lock", "3 focus"], "defend": "3 focus evade hull=3"}
    yield "advise", {**fight, "point": {"attack": 1, "rolled": "hit focus blank"}}
    yield "advise", {**fight, "point": {"attack": 2, "rolled": "hit hit focus", "defense_rolled": "evade focus blank"}}
    yield "order", {"attack": ["3 focus init=3", "2 lock init=3"], "defend": "3 hull=3"}
    for name in ("rebels", "empire"):
        squad = json.loads((ROOT / "profiles" / "squads" / f"{name}.json").read_text(encoding="utf-8"))
        yield "squad", {"squad": squad}
        yield "squad", {"squad": squad, "against": squad, "range": 1}
    yield "compare", {"items": ["3 focus", "3 lock", "2 focus lock"], "defend": ["2 focus", "3"]}
    yield "compare", {"items": ["3 focus", "4"], "defend": ["2 focus"], "engine": "sample", "trials": 100_000, "seed": 3}
    for case in lines("hazards.jsonl"):
        body = {key: case[key] for key in ("rules", "hazard", "ships", "situation", "numbers", "times") if key in case}
        yield "hazard", body
        yield "hazard", {**body, "engine": "sample", "trials": 50_000, "seed": 1}
    yield "hazard", {"hazard": "list"}
    for cards in ("xwa", "2025", "legacy", "first-edition"):
        for verb in ("ships", "pilots", "upgrades", "weapons"):
            yield verb, {"cards": cards}
            yield verb, {"cards": cards, "words": "tor"}
        yield "cards", {"list": True, "cards": cards}
    for card in ("predator", "lukeskywalker", "crackshot", "no-such-card"):
        yield "cards", {"show": card}
    yield "cards", {"list": True, "search": ["reroll", "attack"], "kind": "upgrade"}
    mine = (ROOT / "profiles" / "cards" / "upgrade" / "predator.toml").read_text(encoding="utf-8")
    yield "cards", {"check": mine}
    yield "cards", {"check": mine.replace("reroll", "rerol")}
    yield "run", {"attack": "3 focus lock", "defend": "2 focus hull=4", "would_add": True}
    yield "run", {"attack": ["3 mine"], "defend": "2", "card": [mine.replace('"predator"', '"mine"')]}
    for rules in ("second-edition", "first-edition"):
        yield "rules", {"edition": rules}
        yield "rules", {"edition": rules, "left_out": True, "search": "damage"}
    squads = [json.loads((ROOT / "profiles" / "squads" / f"{name}.json").read_text(encoding="utf-8")) for name in ("rebels", "empire")]
    brief = {"engine": "sample", "trials": 2_000}
    for policy in ("greedy", "focus-fire"):
        yield "battle", {"mine": squads[0], "theirs": squads[1], "my_policy": policy, **brief}
    yield "battle", {"mine": "Luke Skywalker", "theirs": "Darth Vader", "damage_deck": "core", **brief}
    yield "battle", {"mine": "3 hull=2", "theirs": "2 hull=2", "flight": "range-2", "worth": True}
    yield "gauntlet", {"squads": ["3 hull=2", "2 hull=3", "1 hull=4"], "weights": [1, 2, 3], "flight": "range-2"}
    yield "gauntlet", {"squads": squads, **brief}
    yield "luck", {**fight, "point": {"rolled": "hit focus blank", "defense_rolled": "evade blank focus"}, "damage": 1}
    yield "luck", {**fight, "damage": 9}
    log = "player Ann\nx: attack=2 agility=1 hull=4\nplayer Bob\ny: attack=2 agility=1 hull=4\nx (focus) > y r2: hit focus; focus | blank\n"
    yield "review", {"log": log}
    yield "review", {"log": log.replace("blank", "blnk")}
    # Errors must have the same messages.
    for body in ({}, {"attack": "3"}, {"attack": ["three"], "defend": "2"}, {"attack": ["Lukee"], "defend": "2"},
                 {"ships": {"red": {"attak": 3}}, "attacks": []}, {"attack": "3", "defend": "2", "seed": -1},
                 {"attack": "3", "defend": "2", "precision": 0.7}, {"attack": "3", "defend": "2", "trials": 1e3}, [], 7, "x", None,
                 {"attack": "<script>alert(1)</script>", "defend": "2"}, {"attack": "3", "defend": "2", "attacker_policy": "/etc/passwd"}):
        yield "run", body
    yield "squad", {"squad": "https://yasb.app/?f=Rebel%20Alliance&d=v9ZhZ20Z1X2WW3Y4X5W6"}


def main():
    every = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    for verb, body in itertools.chain(few(), itertools.islice(many(), 0, None, every)):
        print(json.dumps({"verb": verb, "body": body}))


if __name__ == "__main__":
    main()
