#!/usr/bin/env python3
"""test_battles.py SALVO [--battles N] [unittest options]: sampled battles against the literal reference of battles.

Every policy plays in both; G-tests compare results and rounds. The reference plays N battles of each kind (200), the
program 100 times as many. Seeds are fixed; with other seeds one run in 10,000 would fail by chance.
"""

import json
import math
import os
import sys
import unittest
from pathlib import Path

sys.path += [str(Path(__file__).resolve().parents[1] / folder) for folder in ("support", "literal")]
from program import Case, main
from battles import POLICIES, Battle, Kind, Tokens

BATTLES = 20 if os.environ.get("SALVO_SANITIZED") else 200
if "--battles" in sys.argv:
    BATTLES = int(sys.argv.pop(sys.argv.index("--battles") + 1))
    sys.argv.remove("--battles")

LEAST = 1e-6
SLOW = unittest.skipIf(os.environ.get("SALVO_SANITIZED"), "minutes of the same code as in shorter battles")
XWING = "pilot=redsquadronveteran points=5", Kind(3, 2, 4, 2, 3, points=5, actions=("focus", "lock"))
TIE = "pilot=academypilot points=2", Kind(2, 3, 3, 0, 1, points=2, actions=("focus", "evade"))
TORPEDOES = "pilot=redsquadronveteran protontorpedoes"
GUN = "3 agility=1 hull=5 shields=1 initiative=1 points=6", Kind(3, 1, 5, 1, 1, points=6)
ACE = ("2 agility=3 hull=3 initiative=4 points=5 focus evade",
       Kind(2, 3, 3, 0, 4, points=5, tokens=Tokens(focus=1, evade=1)))


def chance_beyond(g, df):
    """The chance that chi-squared with this many degrees of freedom is larger."""
    if df < 1:
        return 1.0
    half = g / 2
    out, first = (math.erfc(math.sqrt(half)), 1) if df % 2 else (0.0, 0)
    for k in range(first, df, 2):
        out += half ** (k / 2) * math.exp(-half) / math.gamma(k / 2 + 1)
    return min(1.0, out)


def g_test(one, other):
    """The p of two lists of counts in the same cells. Rare cells at the end join the one before."""
    n, m = sum(one), sum(other)
    cells = []
    for a, b in zip(one, other):
        if cells and min((a + b), sum(cells[-1])) * min(n, m) / (n + m) < 10:
            cells[-1] = cells[-1][0] + a, cells[-1][1] + b
        else:
            cells.append((a, b))
    g = 0
    for a, b in cells:
        for counted, whole in ((a, n), (b, m)):
            if counted:
                g += 2 * counted * math.log(counted / ((a + b) * whole / (n + m)))
    return chance_beyond(g, len(cells) - 1)


class Battles(Case):
    def sampled(self, mine, theirs, flight, policies):
        """Counts of losses, draws and wins, and of rounds, of the program."""
        trials = 100 * BATTLES
        answer = json.loads(self.answered(
            "battle", " | ".join(ship[0] for ship in mine), " | ".join(ship[0] for ship in theirs), "--flight", flight,
            "--my-policy", policies[0], "--their-policy", policies[1], "--engine", "sample", "--trials", trials,
            "--no-sensitivity", "--format", "json"))
        return ([round(answer[key] * trials) for key in ("loss", "draw", "win")],
                [round(p * trials) for p in answer["rounds"]])

    @staticmethod
    def literal(mine, theirs, flight, policies, seed):
        battle = Battle([ship[1] for ship in mine], [ship[1] for ship in theirs], flight, policies, seed)
        results, rounds = [0] * 3, [0] * (battle.most_rounds + 1)
        for _ in range(BATTLES):
            result, took = battle.play()
            results[result + 1] += 1
            rounds[took] += 1
        return results, rounds

    def agree(self, mine, theirs, flight, policies, played=None, seed=1):
        """The least p of results and rounds. `played`: the policies of the reference, if it plays others."""
        results, rounds = self.sampled(mine, theirs, flight, policies)
        played = played or [POLICIES[name] for name in policies]
        own_results, own_rounds = self.literal(mine, theirs, flight, played, seed)
        rounds += [0] * (len(own_rounds) - len(rounds))
        return min(g_test(own_results, results), g_test(own_rounds, rounds))

    def test_policies_at_range_2(self):
        for name in POLICIES:
            with self.subTest(name):
                self.assertGreater(self.agree((XWING, TIE), (XWING, TIE), "range-2", (name, "greedy")), LEAST)
                self.assertGreater(self.agree((ACE, GUN), (TIE, TIE, XWING), "range-2", (name, name)), LEAST)

    def test_policies_in_a_joust(self):
        for name in POLICIES:
            with self.subTest(name):
                self.assertGreater(self.agree((XWING, ACE), (GUN, TIE), "joust", (name, "value")), LEAST)

    def played(self, mine, theirs, policies, *more, flight="range-2"):
        return json.loads(self.answered(
            "battle", mine, theirs, "--flight", flight, "--my-policy", policies[0], "--their-policy", policies[1],
            "--no-sensitivity", "--format", "json", *more))

    def chance(self, *words, **more):
        answer = self.played(*words, **more)
        return answer["win"] + answer["draw"] / 2

    def test_the_default_loses_nothing_where_it_solves_the_battle(self):
        for mine, theirs in ((XWING[0], TIE[0]), (TORPEDOES, TORPEDOES), ("pilot=greensquadronpilot", TIE[0]),
                             (XWING[0], f"{TIE[0]} x2"), (f"{TIE[0]} x2", XWING[0])):
            with self.subTest(f"{mine} against {theirs}"):
                best = self.chance(mine, theirs, ("optimal", "optimal"))
                self.assertAlmostEqual(self.chance(mine, theirs, ("sound", "optimal")), best, delta=1e-9)
                self.assertAlmostEqual(self.chance(mine, theirs, ("sound", "sound")), best, delta=1e-9)
                self.assertAlmostEqual(self.chance(mine, theirs, ("sound", "sound"), "--engine", "exact"), best, delta=1e-9)

    def test_where_it_solves_the_battle_it_expects_optimal_play(self):
        """Against a policy it does at least as well as against optimal play, at most as well as the best response."""
        mine, theirs = XWING[0], f"{TIE[0]} x2"
        for name in POLICIES:
            with self.subTest(name):
                for sides in ((mine, theirs), (theirs, mine)):
                    best = self.chance(*sides, ("optimal", "optimal"))
                    response = self.chance(*sides, ("optimal", name))
                    sound = self.chance(*sides, ("sound", name))
                    self.assertGreaterEqual(sound, best - 1e-9)
                    self.assertLessEqual(sound, response + 1e-9)
        self.assertLess(self.chance(mine, theirs, ("sound", "likeliest-kill")),
                        self.chance(mine, theirs, ("optimal", "likeliest-kill")) - 1e-3)

    @SLOW
    def test_it_plays_by_its_rule_where_solving_the_battle_takes_too_long(self):
        def answer(rounds, *more):
            return self.played(TORPEDOES, f"{XWING[0]} x2", ("sound", "sound"), "--rounds", rounds, *more)

        solved, played = answer(24), answer(26)
        self.assertIn("the policy sound solved it", solved["engine_reason"])
        self.assertNotIn("solved", played["engine_reason"])
        for one, words in ((solved, "the policy sound solved the battle"), (played, "the policy sound may keep a lock")):
            self.assertEqual([words in assumed for assumed in one["assumptions"]].count(True), 1)
        for one, rounds in ((solved, 24), (played, 26)):
            self.assertEqual(one, answer(rounds, "--threads", "3"))
        # Not on what the budget of the exact engine allows beyond it.
        self.assertEqual(played["win"], answer(26, "--engine", "exact", "--budget", "1e8")["win"])

    @SLOW
    def test_battles_that_are_compared_are_played_alike(self):
        """With one more hull the battle is too large to solve by itself."""
        sides, rounds = (f"{XWING[0]} hull=5", f"{XWING[0]} x2"), ("--rounds", 100)
        worth = self.played(*sides, ("sound", "sound"), "--worth", *rounds)
        gain = next(entry["gain"] for entry in worth["worth"] if entry["what"] == "one more hull")
        optimal = [self.chance(f"{XWING[0]} hull={hull}", sides[1], ("optimal", "optimal"), *rounds) for hull in (5, 6)]
        self.assertAlmostEqual(gain, optimal[1] - optimal[0], delta=1e-9)
        report = json.loads(self.answered("gauntlet", XWING[0], TIE[0], f"{XWING[0]} x3", "--flight", "range-2",
                                          "--trials", "1000", "--format", "json"))
        self.assertEqual(["in some pairs the policy sound solved" in one for one in report["assumptions"]].count(True), 1)

    @SLOW
    def test_its_rule_loses_little_to_optimal_play(self):
        """In points of the chance to win. With so many rounds, `sound` does not solve these duels."""
        for mine, theirs, rounds, most in ((TORPEDOES, TORPEDOES, 40, 2.5),
                                           ("pilot=lukeskywalker", "pilot=darthvader", 30, 0.5)):
            with self.subTest(f"{mine} against {theirs}"):
                best, sound = (self.chance(mine, theirs, (policy, "optimal"), "--rounds", rounds, flight="joust")
                               for policy in ("optimal", "sound"))
                self.assertGreater(best - sound, 1e-4)
                self.assertLess(100 * (best - sound), most)

    def test_ships_of_one_type_are_told_apart(self):
        """Ships that differ by initiative alone do not share scores, which threads would fill in in any order."""
        sides = ["tielnfighter initiative=1 | tielnfighter initiative=3 | tielnfighter initiative=5",
                 "t65xwing initiative=3 | t65xwing initiative=2"]
        for policy in POLICIES:
            with self.subTest(policy):
                answers = {self.answered("battle", *sides, "--policy", policy, "--engine", "sample", "--trials", "20000",
                                         "--no-sensitivity", "--format", "csv", "--threads", threads) for threads in (1, 2, 3, 5)}
                self.assertEqual(len(answers), 1)

    @SLOW
    def test_a_wrong_policy_fails(self):
        """The partner: whoever fires at the worst target, or takes no action, differs."""
        for name, right in POLICIES.items():
            class Worst(right):
                def target(self, ship):
                    best = super().target(ship)
                    return next((enemy for enemy in reversed(self.targets(ship)) if enemy is not best), best)

            class Idle(right):
                def action(self, ship):
                    return None, None

            with self.subTest(name):
                for wrong in (Worst, Idle):
                    p = min(self.agree(squad, squad, "range-2", (name, name), (wrong, right))
                            for squad in ((XWING, XWING), (XWING, TIE)))
                    self.assertLess(p, LEAST, wrong.__name__)


if __name__ == "__main__":
    main()
