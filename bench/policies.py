#!/usr/bin/env python3
"""policies.py SALVO [--trials N] [--mine POLICY...] [--setups FILE]: plays the policies of battles against each other.

Prints the tables of docs/battles.md (Policies compared) for the set-ups of bench/policies.toml. Mirrors: the share of
decided battles that the policy of the row's side wins against each other one. Unequal set-ups: the chance to win, a
draw counted half, that my side has with each policy, as the mean over the policies of the opponent.
"""

import argparse
import json
import subprocess
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NAMED = ["greedy", "focus-fire", "likeliest-kill", "points", "value", "sound"]


def played(options, mine, theirs, flight, policies):
    """The answer of sampled battles in which the sides have these two policies."""
    command = [options.salvo, "battle", mine, theirs, "--flight", flight, "--my-policy", policies[0],
               "--their-policy", policies[1], "--engine", "sample", "--trials", str(options.trials),
               "--format", "json", "--no-progress", *options.more]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(command)}\n{done.stderr}")
    return json.loads(done.stdout)


def decided(answer):
    """The share of decided battles that my side wins."""
    return answer["win"] / (answer["win"] + answer["loss"])


def row(cells):
    print("| " + " | ".join(cells) + " |", flush=True)


def mirrors(options, setups, policy):
    others = [one for one in NAMED if one != policy]
    row([f"{policy} against, mirrored", "flight", *others])
    row(["---"] * (len(others) + 2))
    for setup in setups:
        shares = [decided(played(options, setup["side"], setup["side"], setup["flight"], (policy, other)))
                  for other in others]
        row([setup["name"], setup["flight"], *(f"{100 * share:.1f}" for share in shares)])


def unequal(options, setups):
    row(["unequal: my policy", "flight", *NAMED])
    row(["---"] * (len(NAMED) + 2))
    for setup in setups:
        means = []
        for policy in NAMED:
            chances = []
            for other in NAMED:
                answer = played(options, setup["mine"], setup["theirs"], setup["flight"], (policy, other))
                chances.append(answer["win"] + answer["draw"] / 2)
            means.append(sum(chances) / len(chances))
        row([setup["name"], setup["flight"], *(f"{100 * mean:.1f}" for mean in means)])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("salvo")
    parser.add_argument("--trials", type=int, default=60_000)
    parser.add_argument("--mine", nargs="*", default=["sound"], help="policies that get a table of mirrors")
    parser.add_argument("--setups", type=Path, default=ROOT / "bench" / "policies.toml")
    parser.add_argument("--more", nargs="*", default=[], help="further options of salvo battle")
    parser.add_argument("--no-unequal", action="store_true")
    options = parser.parse_args()
    options.salvo = str(Path(options.salvo).resolve())
    setups = tomllib.loads(options.setups.read_text())
    for policy in options.mine:
        mirrors(options, setups["mirror"], policy)
        print()
    if not options.no_unequal:
        unequal(options, setups["unequal"])


if __name__ == "__main__":
    main()
