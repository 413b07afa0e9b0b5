#!/usr/bin/env python3
"""test_commands.py SALVO [unittest options]: batch, durability, squad, compare, sweep, hazard, rules, plots, schemas, and the README.

Each test starts SALVO as a user would, from a folder of its own.
"""

import csv
import io
import json
import math
import os
import re
import shutil
import signal
import subprocess
import sys
import unittest
import xml.dom.minidom
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "support"))
from check_schema import check
from program import ROOT, SALVO, main, run, schema
import program

SQUADS = ROOT / "tests" / "data" / "squads"
RED, BLACK = ROOT / "profiles" / "squads" / "rebels.json", ROOT / "profiles" / "squads" / "empire.json"
SLOWER = 10 if os.environ.get("SALVO_SANITIZED") else 1
GRID = ROOT / "profiles" / "scenarios" / "range-and-tokens.grid.toml"
DUEL = {"ships": {"a": {"attack": 3, "tokens": {"focus": 1}}, "d": {"agility": 2, "hull": 3, "tokens": {"evade": 1}}},
        "attacks": [{"by": "a", "on": "d"}]}


class Case(program.Case):
    def fits(self, value, name):
        self.assertEqual(check(value, schema(name)), [])


class Rounds(Case):
    SPECS = ("--attack", "3 focus lock", "--defend", "2 evade hull=5")

    def test_run(self):
        answer = json.loads(self.answered("run", *self.SPECS, "--rounds", "3"))
        self.fits(answer, "run")
        self.assertEqual([attack["round"] for attack in answer["attacks"]], [1, 2, 3])
        self.assertEqual(answer["rounds"][2]["ships"], answer["ships"])
        means = [after["ships"]["d"]["damage"]["mean"] for after in answer["rounds"]]
        self.assertEqual(means, sorted(means))
        for engine in ("sample", "both"):
            self.fits(json.loads(self.answered("run", *self.SPECS, "--rounds", "2", "--engine", engine, "--trials", "1e4")), "run")
        rows = list(csv.DictReader(io.StringIO(self.answered("run", *self.SPECS, "--rounds", "2", "--format", "csv"))))
        self.assertIn(("d", "round_tokens_left", "2:evade"), [(row["ship"], row["figure"], row["key"]) for row in rows])
        self.assertIn("round 2", self.answered("run", *self.SPECS, "--rounds", "2", "--format", "table"))
        self.assertNotIn("rounds", json.loads(self.answered("run", *self.SPECS, "--rounds", "1")))

    def test_the_same_question_in_all_ways(self):
        expected = json.loads(self.answered("run", *self.SPECS, "--rounds", "2", "--format", "json"))
        body = {"attack": ["3 focus lock"], "defend": "2 evade hull=5", "rounds": 2}
        self.assertEqual(json.loads(self.answered("request", "run", "-", stdin=json.dumps(body))), expected)
        line = json.dumps({**DUEL, "rounds": 2})
        whole = json.loads(self.answered("run", "-", stdin=line))
        self.assertEqual(json.loads(self.answered("batch", stdin=line + "\n")), whole)
        self.assertEqual(json.loads(self.answered("batch", "--rounds", "2", stdin=json.dumps(DUEL) + "\n")), whole)

    def test_advise_and_worth(self):
        flags = ["--attack", "2 focus lock", "--defend", "3 evade"]
        for rounds, later in (("1", 0), ("2", 1)):
            answer = json.loads(self.answered("advise", *flags, "--rolled", "hit blank", "--rounds", rounds))
            self.fits(answer, "advise")
            self.assertEqual(answer["options"][0]["later"] > 0, later == 1)
        self.fits(json.loads(self.answered("worth", *flags, "--rounds", "2")), "worth")

    def test_refused(self):
        self.refused(["run", *self.SPECS, "--rounds", "0"], "--rounds")
        self.refused(["run", *self.SPECS, "--rounds", "51"], "--rounds")
        own = {"ships": DUEL["ships"], "rounds": [{"attacks": DUEL["attacks"]}]}
        self.refused(["run", "-", "--rounds", "2"], "already has rounds", stdin=json.dumps(own))
        self.refused(["run", "-"], "leave this list out", stdin=json.dumps({**own, "attacks": DUEL["attacks"]}))


class Batch(Case):
    def test_same_as_run(self):
        kill = {**DUEL, "objective": "kill", "defender_policy": "greedy"}
        sampled = {**DUEL, "engine": "sample", "trials": 1000, "seed": 18446744073709551615, "id": "x"}
        both = {**DUEL, "engine": "both", "trials": 20000}
        lines = [json.dumps(line) for line in (DUEL, kill, sampled, both)]
        out = [json.loads(line) for line in self.answered("batch", stdin="\n".join(lines) + "\n\n").splitlines()]
        self.assertEqual(len(out), 4)
        for answer in out:
            self.fits(answer, "batch")

        def plain(question, *options):
            answer = json.loads(self.answered("run", "-", *options, stdin=json.dumps(question)))
            answer.pop("damage_deck", None)  # only `run` reports what a damage deck would add
            return answer

        self.assertEqual(out[0], plain(DUEL))
        self.assertEqual(out[1], plain(kill))
        self.assertEqual(out[2].pop("id"), "x")
        self.assertEqual(out[2], plain(DUEL, "--engine", "sample", "--trials", "1000", "--seed", str(2**64 - 1)))
        self.assertEqual(out[3], plain(DUEL, "--engine", "both", "--trials", "20000"))
        for answer in (plain(DUEL), plain(DUEL, "--engine", "both", "--trials", "20000")):
            self.fits(answer, "run")

    def test_bad_lines_do_not_stop_it(self):
        bad = {"not json": ("", 2), json.dumps({**DUEL, "ships": {**DUEL["ships"], "a": {"attack": 21}}}): ("ships.a.attack", 2),
               json.dumps({**DUEL, "engine": "fast"}): ("engine", 2), json.dumps({**DUEL, "colour": 1}): ("colour", 2),
               json.dumps({**DUEL, "trials": 0}): ("trials", 2), "[]": ("", 2), "\"\\ud800\"": ("", 2),
               json.dumps({**DUEL, "ships": {**DUEL["ships"], "a": {"attack": 3, "tokens": {"fokus": 1}}}}): ("ships.a.tokens.fokus", 2),
               json.dumps({**DUEL, "engine": "exact", "budget": 1}): ("attacks[0]", 3)}
        lines = [line for text in bad for line in (text, json.dumps(DUEL))]
        result = run("batch", stdin="\n".join(lines))
        self.assertEqual(result.returncode, 0)
        out = [json.loads(line) for line in result.stdout.splitlines()]
        self.assertEqual(len(out), len(lines))
        for number, (place, status) in enumerate(bad.values()):
            error = out[2 * number]["error"]
            self.fits(out[2 * number], "batch")
            self.assertEqual((error["line"], error["place"], error["status"]), (2 * number + 1, place, status), error)
            self.assertEqual(out[2 * number + 1]["value"], out[1]["value"])
        self.assertIn(f"{len(bad)} of {len(lines)}", result.stderr)

    def test_order_and_threads(self):
        lines = [json.dumps({**DUEL, "id": str(n), "ships": {"a": {"attack": n % 5 + 1}, "d": {"agility": n % 4}}})
                 for n in range(3000)]
        outputs = [self.answered("batch", "--threads", threads, stdin="\n".join(lines)) for threads in (1, 2, 8)]
        self.assertEqual([json.loads(line)["id"] for line in outputs[0].splitlines()], [str(n) for n in range(3000)])
        self.assertEqual(len(set(outputs)), 1)

    def test_answers_before_the_input_ends(self):
        for threads in (1, 2):
            process = subprocess.Popen([SALVO, "batch", "--threads", str(threads)], stdin=subprocess.PIPE,
                                       stdout=subprocess.PIPE, text=True)
            for _ in range(3):
                process.stdin.write(json.dumps(DUEL) + "\n")
                process.stdin.flush()
                self.assertIn("value", json.loads(process.stdout.readline()))
            process.stdin.close()
            self.assertEqual(process.stdout.read(), "")
            process.stdout.close()
            self.assertEqual(process.wait(timeout=60), 0)

    def test_any_scalar_id_comes_back_also_in_errors(self):
        wrong = {"ships": {"a": {"attack": 3}}, "attacks": [{"by": "a", "on": "e"}]}
        ids = ["seven", 7, -2.5, True, None, 123456789012345678901234567890]
        lines = "".join(json.dumps({**question, "id": one}) + "\n" for one in ids for question in (DUEL, wrong))
        out = [json.loads(line) for line in self.answered("batch", stdin=lines).splitlines()]
        self.assertEqual([line["id"] for line in out], [one for one in ids for _ in range(2)])
        self.assertEqual(["error" in line for line in out], [False, True] * len(ids))
        for line in out:
            self.fits(line, "batch")
        refused = json.loads(self.answered("batch", stdin=json.dumps({**DUEL, "id": [1]}) + "\n"))
        self.assertIn("id", refused["error"]["place"])
        self.assertNotIn("id", refused)

    def test_long_line(self):
        lines = json.dumps(DUEL) + "\n" + "x" * (9 << 20) + "\n" + json.dumps(DUEL) + "\n"
        out = [json.loads(line) for line in self.answered("batch", stdin=lines).splitlines()]
        self.assertEqual(["error" in line for line in out], [False, True, False])


class Battle(Case):
    def test_an_exact_and_a_sampled_answer_fit_the_schema(self):
        words = ("battle", "pilot=redsquadronveteran", "pilot=academypilot", "--flight", "range-2", "--policy", "value",
                 "--format", "json")
        exact = json.loads(self.answered(*words))
        self.fits(exact, "battle")
        self.assertEqual(exact["engine"], "exact")
        self.assertNotIn("win_se", exact)
        sampled = json.loads(self.answered(*words, "--engine", "sample", "--trials", "20000"))
        self.fits(sampled, "battle")
        for key in ("win", "draw", "loss", "my_points", "mean_rounds"):
            self.assertLess(abs(exact[key] - sampled[key]), 5 * sampled[f"{key}_se"] + 1e-9, key)
        both = json.loads(self.answered(*words, "--engine", "both", "--trials", "3000", "--plain"))
        self.fits(both, "battle")
        self.assertGreater(both["g_test"], 1e-6)

    def test_best_play_fits_the_schema_and_80_columns(self):
        words = ("battle", "pilot=redsquadronveteran", "pilot=academypilot", "--flight", "range-2", "--rounds", "4")
        report = json.loads(self.answered(*words, "--policy", "optimal", "--format", "json"))
        self.fits(report, "battle")
        self.assertLessEqual(report["played_to_the_end"]["lower"], report["played_to_the_end"]["upper"])
        self.assertEqual(report["positions"][0]["round"], 1)
        table = self.answered(*words, "--my-policy", "best", "--format", "table")
        self.assertTrue(all(len(line) <= 80 for line in table.splitlines()), table)
        self.assertIn("proven bounds", " ".join(table.split()))
        self.refused([*words, "--policy", "optimal", "--engine", "sample"], "solved")

    def test_worth_and_gauntlet_fit_their_schemas(self):
        luke, tie = "pilot=lukeskywalker instinctiveaim", "pilot=academypilot"
        words = ("battle", luke, tie, "--flight", "range-2", "--worth")
        self.fits(json.loads(self.answered(*words, "--format", "json")), "battle-worth")
        table = self.answered(*words, "--engine", "sample", "--trials", "500", "--format", "table")
        self.assertTrue(all(len(line) <= 80 for line in table.splitlines()), table)
        self.assertIn("instinctiveaim", table)
        self.fits(json.loads(self.answered(*words, "--engine", "sample", "--trials", "500", "--format", "json")), "battle-worth")
        self.refused([*words, "--plot", "x.svg"], "--worth")
        words = ("gauntlet", luke, f"{tie}@2", f"{tie} x2", "--flight", "range-2", "--engine", "sample", "--trials", "500")
        report = json.loads(self.answered(*words, "--format", "json", "--plot", self.folder / "heat.svg"))
        self.fits(report, "gauntlet")
        self.assertEqual([squad["weight"] for squad in report["squads"]], [0.25, 0.5, 0.25])
        xml.dom.minidom.parse(str(self.folder / "heat.svg"))
        table = self.answered(*words, "--format", "table")
        self.assertTrue(all(len(line) <= 80 for line in table.splitlines()), table)
        self.refused(["gauntlet", tie], "two squads")
        for weight in ("-1", "x", "99999999"):
            self.refused(["gauntlet", f"a.toml@{weight}", tie], f'"a.toml@{weight}"', f'not "{weight}"', "a.toml@3")

    def test_squads_fight_and_every_answer_names_the_flight(self):
        trials = str(500 // SLOWER)
        out = self.answered("battle", RED, BLACK, "--trials", trials, "--flight", "chase", "--format", "table")
        self.assertTrue(all(len(line) <= 80 for line in out.splitlines()), out)
        self.assertIn("chase", out)
        self.assertIn("left", out)
        rows = list(csv.reader(io.StringIO(self.answered("battle", RED, BLACK, "--trials", trials, "--format", "csv"))))
        self.assertIn(["flight", "joust"], [row[1:3] for row in rows])
        report = json.loads(self.answered("battle", RED, BLACK, "--trials", trials, "--format", "json",
                                          "--plot", self.folder / "alive.svg"))
        self.fits(report, "battle")
        self.assertTrue(any("joust" in words for words in report["assumptions"]))
        xml.dom.minidom.parse(str(self.folder / "alive.svg"))

    def test_report_is_a_page_by_itself(self):
        words = ["battle", "3 hull=2", "2 hull=2", "--flight", "range-2", "--trials", "200", "--report"]
        self.answered(*words, "battle.html")
        page = (self.folder / "battle.html").read_text(encoding="utf-8")
        self.assertTrue(page.startswith("<!DOCTYPE html>"), page[:40])
        self.assertTrue(page.endswith("</html>\n"), page[-40:])
        self.assertNotRegex(page, r"http|<script|\bnan\b")
        self.assertNotIn("predator", page)
        self.answered("battle", "3 hull=2 predator", *words[2:], "worth.html", "--worth")
        self.assertIn("upgrade predator", (self.folder / "worth.html").read_text(encoding="utf-8"))
        self.refused([*words, "battle.txt"], "--report", ".html")
        self.refused(["squad", RED, "--report", "x.html"], "--report", "it is an option of battle")
        (self.folder / "mine.html").write_text("3 hull=2")
        self.refused(["battle", "mine.html", *words[2:], "mine.html"], "--report", "is an input")

    @unittest.skipIf(SLOWER > 1, "a minute of the code of shorter battles")
    def test_the_same_bytes_with_any_number_of_threads(self):
        words = ("battle", RED, BLACK, "--trials", "4000", "--flight", "range-2", "--format", "json")
        self.assertEqual(self.answered(*words, "--threads", "1"), self.answered(*words, "--threads", "3"))

    def test_ships_attack_in_the_order_that_the_player_names(self):
        """Three dice with a focus or a lock miss with chance 1/4 each, so a target of one hull lives with 1/64."""
        words = ["battle", "3 agility=2 hull=5", "0 agility=0 hull=1 x2", "--flight", "range-2", "--rounds", "1", "--format", "json"]
        for policy in ("greedy", "focus-fire", "likeliest-kill", "points", "value", "sound", "best", "optimal"):
            report = json.loads(self.answered(*words, "--policy", policy, "--target-order", "a2"))
            self.fits(report, "battle")
            survives = {ship["name"]: ship["survives"] for ship in report["ships"]}
            mine, other, first = survives.values()
            self.assertAlmostEqual(first, 1 / 64, 9, (policy, survives))
            self.assertEqual((mine, other), (1, 1), (policy, survives))
            self.assertTrue(any("the first of a2" in text for text in report["assumptions"]), report["assumptions"])
        # The second of the list where the first is gone, those without a name last; the sampled engine does the same.
        words[2] = "0 agility=0 hull=1 x3"
        for extra in (("--trials", "20000"), ("--plain", "--trials", "2000")):
            report = json.loads(self.answered(*words[:5], "--rounds", "2", "--format", "json", "--policy", "greedy",
                                              "--target-order", "a3,a1", *extra))
            survives = [ship["survives"] for ship in report["ships"][1:]]
            self.assertEqual(survives[1], 1, survives)
            self.assertLess(survives[2], 0.02, survives)
            self.assertAlmostEqual(survives[0], 1 - 63 / 64 * 63 / 64, delta=0.02)
        body = {"mine": "3 agility=2 hull=5", "theirs": "3 agility=2 hull=1 x2", "flight": "range-2", "rounds": 1}
        asked = json.dumps({**body, "their_target_order": ["a1"], "target_order": "a2"})
        self.assertEqual(json.loads(self.answered("request", "battle", "-", stdin=asked))["format"], 1)
        self.refused(words + ["--target-order", "a7"], "--target-order", "a7", "a2")
        self.refused(words + ["--target-order", "a2,a2"], "--target-order", "twice")
        self.refused(words + ["--their-target-order", "a2"], "--their-target-order", "a2", "a1")

    def test_an_ace_has_its_second_action(self):
        """Vader locks and pays a Force for a focus: three dice, each of which misses with 1/16."""
        words = ("battle", "pilot=darthvader force=1", "0 agility=0 hull=40", "--policy", "greedy", "--flight", "range-2",
                 "--rounds", "1", "--format", "json")
        report = json.loads(self.answered(*words))
        self.assertAlmostEqual(report["ships"][0]["damage_done"], 3 * 15 / 16, 9)
        self.assertNotIn("darthvader", report.get("no_effect", []))
        report = json.loads(self.answered("battle", "pilot=darthvader afterburners", *words[2:]))
        self.assertNotIn("afterburners", report.get("no_effect", []))
        self.assertTrue(any("Afterburners does with actions" in note for note in report["notes"]), report["notes"])
        table = self.answered("battle", "pilot=darthvader afterburners", *words[2:-1], "table")
        self.assertIn("Afterburners does with actions", " ".join(table.split()))

    def test_a_friend_helps_those_that_the_flight_says_are_near(self):
        """Two dice hit with 1/2 each; Howlrunner lets her friend reroll one that missed: half a damage more in 3 of 4 rolls."""
        def flight(near):
            (self.folder / "near.toml").write_text('format = 1\nid = "near"\n[[round]]\n'
                                                   f'ship = [{{ is = "any", no_action = 100, near_friends = {near} }}]\n')
            return ["--flight", "near.toml", "--rounds", "1", "--policy", "greedy", "--format", "json"]
        alone, helped = 1, 1 + 3 / 4 / 2
        sides = ["battle", "pilot=howlrunner | 2 agility=0 hull=9", "0 agility=0 hull=40"]
        for near in (0, 50, 100):
            report = json.loads(self.answered(*sides, *flight(near), "--engine", "exact"))
            self.fits(report, "battle")
            self.assertAlmostEqual(report["ships"][1]["damage_done"], alone + near / 100 * (helped - alone), 9)
            self.assertTrue(any("howlrunner helps" in text for text in report["assumptions"]), report["assumptions"])
        # Her help ends when she is removed, before a friend of a lower initiative fires.
        sides[2] = "6 agility=0 hull=40 initiative=9"
        words = [*sides, *flight(100), "--their-target-order", "howlrunner"]
        report = json.loads(self.answered(*words, "--engine", "exact"))
        lives = report["ships"][0]["survives"]
        self.assertTrue(0.01 < lives < 0.99, lives)
        self.assertAlmostEqual(report["ships"][1]["damage_done"], alone + lives * (helped - alone), 9)
        report = json.loads(self.answered(*words, "--trials", "20000", "--engine", "sample"))
        self.assertAlmostEqual(report["ships"][1]["damage_done"], alone + lives * (helped - alone), delta=0.03)
        # All engines agree where the flight draws who is near.
        words = ["battle", "pilot=howlrunner | pilot=academypilot", "pilot=redsquadronveteran", "--flight", "turning-fight",
                 "--rounds", "3", "--policy", "greedy", "--format", "json"]
        both = json.loads(self.answered(*words, "--engine", "both", "--trials", "20000"))
        self.assertGreater(both["g_test"], 1e-6)
        plain = json.loads(self.answered(*words, "--plain", "--trials", "3000"))
        self.assertAlmostEqual(plain["win"], both["win"], delta=5 * plain["win_se"])

    def test_what_is_refused(self):
        self.refused(["battle", "pilot=academypilot"], "two sides")
        self.refused(["battle", "pilot=academypilot", "pilot=academypilot", "--flight", "jost"], "joust")
        self.refused(["battle", "pilot=academypilot", "pilot=academypilot", "--policy", "brave"], "brave")
        self.refused(["battle", "3 hull=2 lock", "3 hull=2"], "lock")
        self.refused(["battle", "3 focus", "3 hull=2"], "hull")
        self.refused(["battle", "pilot=academypilot", "pilot=academypilot", "--engine", "exact", "--budget", "5"], "budget", status=3)
        (self.folder / "f.toml").write_text('format = 1\nid = "f"\n[[round]]\nshot = [{ by = "any", on = "any", arc = 500 }]\n')
        self.refused(["battle", "pilot=academypilot", "pilot=academypilot", "--flight", "f.toml"], "f.toml:4", "500")


class DamageCardsFromTheStart(Case):
    """Battles of ships that one damage destroys, without actions: a geometric series in closed form."""

    OTHER = "3 agility=1 hull=1 initiative=5"

    def fought(self, mine, *options):
        flight = self.folder / "bare.json"
        flight.write_text(json.dumps({"format": 1, "id": "bare", "name": "Bare", "round": [{
            "ship": [{"is": "any", "no_action": 100}], "pair": [{"of": ["any", "any"], "range": {"2": 100}}],
            "shot": [{"by": "any", "on": "any", "arc": 100}]}]}))
        return json.loads(self.answered("battle", mine, self.OTHER, "--flight", flight, "--no-sensitivity",
                                        "--format", "json", *options))

    @staticmethod
    def hit(attack, agility):
        """The chance that an attack without tokens does damage."""
        def exactly(n, k, p):
            return math.comb(n, k) * p ** k * (1 - p) ** (n - k)
        return sum(exactly(attack, h, 1 / 2) * exactly(agility, e, 3 / 8)
                   for h in range(attack + 1) for e in range(agility + 1) if h > e)

    def win(self, attack, agility):
        """The other ship fires first; 12 rounds."""
        mine, theirs = self.hit(attack, 1), self.hit(3, agility)
        nothing = (1 - mine) * (1 - theirs)
        return (1 - theirs) * mine * (1 - nothing ** 12) / (1 - nothing)

    def test_cards_act_from_the_start(self):
        for card, attack, agility in (("structuraldamage", 4, 2), ("\"Weapons Failure\"", 3, 3), ("directhit", 4, 3)):
            with self.subTest(card):
                found = self.fought(f"4 agility=3 hull=2 initiative=3 faceup={card}")
                self.assertEqual(found["engine"], "exact")
                self.assertAlmostEqual(found["win"], self.win(attack, agility), places=9)
                self.assertEqual(found["damage_deck"], "core")
                self.assertTrue(any("faceup damage cards lie on ships" in note for note in found["notes"]))
        two = self.fought("4 agility=3 hull=3 initiative=3 faceup=structuraldamage,weaponsfailure", "--engine", "both",
                          "--trials", "20000")
        self.assertAlmostEqual(two["win"], self.win(3, 2), places=9)
        plain = self.fought("4 agility=3 hull=2 initiative=3 faceup=structuraldamage", "--plain", "--trials", "4000",
                            "--engine", "sample")
        self.assertLess(abs(plain["win"] - self.win(4, 2)), 5 * plain["win_se"])

    def test_what_is_refused(self):
        ship = "4 agility=3 hull=4 faceup=structuraldamage"
        self.refused(["battle", f"{ship} x3", "3 hull=4"], "MINE", "3 copies of structural-damage", "has 2")
        self.refused(["battle", "3 hull=4 faceup=structuraldamge", "3 hull=4"], "did you mean 'structural-damage'?")
        self.refused(["battle", "3 hull=1 faceup=structuraldamage", "3 hull=4"], "destroy")
        self.refused(["battle", "3 hull=4", ship, "--policy", "optimal"], "theirs", "faceup", "policy")
        self.refused(["battle", "3 hull=4 faceup=hullbreach", "3 hull=4", "--rules", "first-edition"], "hullbreach")


class Durability(Case):
    def test_short_form(self):
        for line in (ROOT / "tests" / "data" / "durability.jsonl").read_text().splitlines():
            case = json.loads(line)
            question = json.dumps({"defender": case["defender"], "attacker": case["attacker"]})
            answer = json.loads(self.answered("durability", "-", "--format", "json", stdin=question))
            self.assertAlmostEqual(answer["mean_shots"], case["expect"]["mean_shots"], delta=1e-9 * answer["mean_shots"])
            for mine, theirs in zip(answer["cdf"], case["expect"]["cdf"]):
                self.assertAlmostEqual(mine, theirs, delta=1e-9)
            self.fits(answer, "durability")

    def test_forms_of_the_question(self):
        flags = json.loads(self.answered("durability", "--attack", "3 focus lock range=1", "--defend", "2 focus hull=4"))
        short = {"defender": {"dice": 2, "hull": 4, "focus": 1}, "attacker": {"dice": 3, "focus": 1, "lock": 1},
                 "attack": {"range": 1}}
        scenario = {"ships": {"a": {"attack": 3, "tokens": {"focus": 1, "lock": ["d"]}},
                              "d": {"agility": 2, "hull": 4, "tokens": {"focus": 1}}},
                    "attacks": [{"by": "a", "on": "d", "range": 1}]}
        for question in (short, scenario):
            answer = json.loads(self.answered("durability", "-", stdin=json.dumps(question)))
            self.assertEqual(answer["cdf"], flags["cdf"])

    def test_refresh_and_lists(self):
        flags = ["durability", "--attack", "3 focus", "--defend", "ship=t65xwing focus evade"]
        means = []
        for options in ([], ["--refresh", "round", "--round", "2"], ["--refresh", "round", "--round", "5"], ["--refresh", "never"]):
            answer = json.loads(self.answered(*flags, *options))
            self.fits(answer, "durability")
            self.assertLess(answer["mean_bound"], 1e-9)
            self.assertLess(answer["beyond"], 1e-9)
            means.append(answer["mean_shots"])
        self.assertEqual(means, sorted(means, reverse=True))
        every = json.loads(self.answered("durability", "--attack", "3 focus", "--all", "--defend", "focus"))
        self.fits(every, "durability")
        self.assertGreater(len(every["ships"]), 80)
        never = json.loads(self.answered("durability", "--attack", "0", "--defend", "1 hull=2"))
        self.fits(never, "durability")
        self.assertEqual((never["mean_shots"], never["destructible"]), (None, False))
        rows = list(csv.DictReader(io.StringIO(self.answered(*flags, "--format", "csv"))))
        self.assertEqual({row["figure"] for row in rows}, {"health", "mean_shots", "mean_bound", "cdf", "beyond"})
        self.assertIn("mean shots", self.answered(*flags, "--format", "table"))

    def test_several_attackers_in_rounds(self):
        flags = ["durability", "--attack", "3 focus", "--attack", "2 lock", "--attack", "2", "--defend", "pilot=darthvader focus"]
        answer = json.loads(self.answered(*flags))
        self.fits(answer, "durability")
        self.assertEqual((answer["refresh"], answer["round"]), ("round", 3))
        self.assertEqual(answer["rounds"]["cdf"][:4], answer["cdf"][:10:3])
        self.assertTrue(any("recover by the rules" in note for note in answer["notes"]), answer["notes"])
        table = self.answered(*flags, "--format", "table")
        for words in ("mean rounds", "half by", "5 % by", "95 % by", "by round 2", "3 focus | 2 lock | 2", "recover by the rules"):
            self.assertIn(words, table)
        self.assertIn("mean_rounds", self.answered(*flags, "--format", "csv"))
        # Recovering one Force a round, he survives for less time than with all of it, and longer than with none.
        means = [json.loads(self.answered(*flags, "--refresh", when))["mean_shots"] for when in ("never", "round", "shot")]
        self.assertEqual(means, sorted(means))

    def test_rounds_of_a_scenario(self):
        attack = {"by": "a", "on": "d"}
        rounds = {"ships": DUEL["ships"], "rounds": [{"attacks": [attack]}, {"attacks": [attack, attack], "again": True}]}
        answer = json.loads(self.answered("durability", "-", stdin=json.dumps(rounds)))
        self.fits(answer, "durability")
        self.assertEqual((answer["refresh"], answer["round"]), ("rounds", 2))
        self.assertEqual(answer["rounds"]["cdf"][:4], [answer["cdf"][shots] for shots in (0, 1, 3, 5)])
        self.refused(["durability", "-", "--refresh", "never"], "the scenario's rounds", stdin=json.dumps(rounds))
        played = json.loads(self.answered("run", "-", "--attacker-policy", "greedy", "--defender-policy", "greedy",
                                          stdin=json.dumps(rounds)))
        for number, after in enumerate(played["rounds"]):
            self.assertAlmostEqual(after["ships"]["d"]["destroyed"], answer["rounds"]["cdf"][number + 1], delta=1e-12)

    def test_caveats_in_every_format(self):
        flags = ["durability", "--attack", "3 predator afterburners range=4", "--defend", "ship=t65xwing"]
        for form in ("table", "csv", "json"):
            text = self.answered(*flags, "--format", form)
            for words in ("bullseye (predator)", "afterburners", "does not reach range 4"):
                self.assertIn(words, " ".join(text.split()))

    def test_wrong_questions(self):
        for arguments, stdin, *words in [
                (["durability"], "", "no question"), (["durability", "--attack", "3"], "", "--defend"),
                (["durability", "--attack", "3", "--defend", "2"], "", "hull"),
                (["durability", "--attack", "3 x2", "--defend", "2 hull=1", "--refresh", "round", "--round", "2"],
                 "", "one shot of each"),
                (["durability", "--attack", "3", "--attack", "2", "--defend", "2 hull=1", "--refresh", "round", "--round", "2"],
                 "", "one shot of each"),
                (["durability", "-"], json.dumps({"defender": {"dice": 1, "hull": 1}}), "attacker"),
                (["durability", "-"], json.dumps({"defender": {"dice": 1, "hull": 1, "lock": 1}, "attacker": {"dice": 1}}), "lock"),
                (["durability", "-"], json.dumps({**DUEL, "attacks": [*DUEL["attacks"], {"by": "d", "on": "a"}]}), "another ship"),
                (["durability", "--refresh", "never", "--attacker-policy", "optimal", "--attack", "3", "--defend", "2 hull=1"],
                 "", "optimal")]:
            with self.subTest(arguments=arguments):
                self.refused(arguments, *words, stdin=stdin)


class Squad(Case):
    def test_real_forms(self):
        for name, known in [("empty-lists", 2), ("standard-loadouts", 3), ("partly-unknown", 2)]:
            result = run("squad", SQUADS / f"{name}.json", "--format", "json")
            self.assertEqual(result.returncode, 0, result.stderr)
            answer = json.loads(result.stdout)
            self.fits(answer, "squad")
            self.assertEqual(len(answer["pilots"]), known)
            self.assertEqual(result.stderr.count("warning"), len(answer["unknown"]), result.stderr)

    def test_figures_are_those_of_run(self):
        answer = json.loads(self.answered("squad", RED, "--format", "json"))
        wedge = answer["pilots"][0]
        entry = next(x for x in wedge["offense"] if x["weapon"] == "primary:front" and x["range"] == 1
                     and x["tokens"] == "focus+lock" and x["against"] == "d2f")
        single = json.loads(self.answered(
            "run", "--attack", "ship=t65xwing pilot=wedgeantilles predator protontorpedoes focus lock range=1",
            "--defend", "2 focus hull=4 shields=2"))["ships"]["d"]
        self.assertAlmostEqual(entry["mean"], single["damage"]["mean"], delta=1e-12)
        self.assertEqual(len(entry["at_least"]), len(single["damage"]["at_least"]))
        self.assertAlmostEqual(entry["destroyed"], single["destroyed"], delta=1e-12)
        predator = next(x for x in wedge["worth"] if x["id"] == "predator")
        self.assertGreaterEqual(predator["damage"], 0)
        shield = next(x for x in answer["pilots"][1]["worth"] if x["id"] == "shieldupgrade")
        self.assertGreater(shield["shots"], 0.5)
        self.assertEqual(shield["damage"], 0)

    def test_against(self):
        answer = json.loads(self.answered("squad", RED, "--against", BLACK, "--format", "json"))
        self.fits(answer, "squad")
        self.assertEqual((len(answer["matrix"]["forth"]["cells"]), len(answer["matrix"]["forth"]["cells"][0])), (3, 4))
        self.assertEqual((len(answer["matrix"]["back"]["cells"]), len(answer["matrix"]["back"]["cells"][0])), (4, 3))
        for text in (self.answered("squad", RED, "--against", BLACK, "--format", "table"),
                     self.answered("squad", RED, "--format", "csv")):
            self.assertIn("Wedge" if "Red flight" in text else "wedgeantilles", text)

    def test_worth_by_weapon_and_tokens(self):
        """Predator rerolls one die, which a lock does as well: it is worth nothing only where there is a lock."""
        answer = json.loads(self.answered("squad", RED, "--format", "json"))
        self.fits(answer, "squad")
        predator = next(x for x in answer["pilots"][0]["worth"] if x["id"] == "predator")
        by = {(x["weapon"], x["tokens"]): x for x in predator["attacks"]}
        self.assertGreater(by["primary:front", "none"]["damage"], 0.1)
        self.assertAlmostEqual(by["primary:front", "lock"]["damage"], 0, delta=1e-12)
        self.assertIsNone(by["protontorpedoes", "focus"]["damage"])  # without a lock there is no such attack
        self.assertAlmostEqual(by["primary:front", "focus"]["damage_per_point"], by["primary:front", "focus"]["damage"] / 3, delta=1e-12)
        # The same, asked of run, against the mean of all reference defenders.
        defenders = ["0 hull=12 shields=4 size=large reinforce", "1 hull=6 shields=2 focus", "2 hull=4 shields=2",
                     "2 hull=4 shields=2 focus", "3 hull=3 focus", "3 hull=3 shields=1 focus evade"]
        def mean(words):
            values = [json.loads(self.answered("run", "--attack", f"pilot=wedgeantilles {words}", "--defend", one))["value"]
                      for one in defenders]
            return sum(values) / len(values)
        self.assertAlmostEqual(by["primary:front", "focus"]["damage"],
                               mean("predator protontorpedoes focus") - mean("protontorpedoes focus"), delta=1e-12)
        torpedoes = next(x for x in answer["pilots"][0]["worth"] if x["id"] == "protontorpedoes")
        entry = next(x for x in torpedoes["attacks"] if (x["weapon"], x["tokens"]) == ("protontorpedoes", "lock"))
        self.assertAlmostEqual(entry["damage"], mean("predator protontorpedoes weapon=protontorpedoes lock") - mean("predator lock"),
                               delta=1e-12)
        for form in ("table", "csv"):
            self.assertIn("with the upgrade minus without it", " ".join(self.answered("squad", RED, "--format", form).split()))

    def test_sampled_figures_are_marked(self):
        """An attack over budget is sampled with greedy players: its figures have standard errors, and a note says why."""
        spec, words = "ship=yv666lightfreighter bossk predator", "the default policy became greedy"
        target = self.folder / "target.toml"
        target.write_text('[[defender]]\nid = "x"\nagility = 2\nhull = 3\ntokens = { focus = 1 }\n[[attacker]]\nid = "y"\nattack = 2\n')
        budget, answer = 20000, {}
        while not any(x["engine"] == "sample" for x in answer.get("pilots", [{"offense": []}])[0]["offense"]):
            budget = budget * 4 // 5
            self.assertGreater(budget, 100)  # otherwise no budget was tried at which only some attacks are sampled
            options = ["--budget", budget, "--trials", "1000", "--reference", target]
            answer = json.loads(self.answered("squad", spec, *options, "--format", "json"))
        self.fits(answer, "squad")
        for entry in answer["pilots"][0]["offense"]:
            self.assertEqual("mean_se" in entry, entry["engine"] == "sample")
            if entry["engine"] != "sample":
                continue
            self.assertGreater(entry["mean_se"], 0)
            self.assertAlmostEqual(entry["destroyed_se"], (entry["destroyed"] * (1 - entry["destroyed"]) / 1000) ** 0.5, delta=1e-12)
        for form in ("table", "csv", "json"):
            self.assertIn(words, " ".join(self.answered("squad", spec, *options, "--format", form).split()))
        compared = [spec + " focus lock range=1", "3", *options]
        rows = json.loads(self.answered("compare", *compared))
        self.fits(rows, "compare")
        sampled = next(row for row in rows["loadouts"] if row["cells"][0]["engine"] == "sample")
        self.assertGreater(sampled["average_se"], 0)
        for form in ("table", "csv", "json"):
            self.assertIn(words, " ".join(self.answered("compare", *compared, "--format", form).split()))

    def test_a_title_of_another_ship_is_noted_once(self):
        export = {"pilots": [{"id": "wedgeantilles", "ship": "t65xwing", "upgrades": {"title": ["outrider"]}}]}
        answer = self.answered("squad", "-", "--format", "json", stdin=json.dumps(export))
        self.assertIn("the upgrade outrider is counted", answer)
        self.assertNotIn("belongs to the ship", answer)

    def test_spec_as_a_squad(self):
        answer = json.loads(self.answered("squad", "pilot=wedgeantilles crackshot afterburners", "--cards", "2025", "--format", "json"))
        self.fits(answer, "squad")
        crack, burners = answer["pilots"][0]["worth"]
        self.assertEqual((crack["id"], crack["cost"], burners["state"], burners["damage"]), ("crackshot", 4, "no_effect", 0))
        self.assertTrue(all(x["damage_per_point"] > 0 for x in crack["attacks"]))
        plain = json.loads(self.answered("squad", "3 predator", "--format", "json"))
        self.fits(plain, "squad")
        self.assertEqual(plain["pilots"][0]["durability"], [])
        self.assertIn("no effect on dice", self.answered("squad", "pilot=wedgeantilles afterburners", "--format", "table"))

    def test_caveats_in_every_format(self):
        path = self.folder / "odd.json"
        path.write_text(json.dumps({"version": "2.5.0", "points": 20, "name": "Odd", "pilots": [
            {"id": "wedgeantilles", "ship": "tielnfighter", "points": 5},
            {"id": "lukeskywalker", "ship": "t65xwing", "points": 5, "upgrades": {"talent": ["predator", "nosuch"], "mod": ["afterburners"]}}]}))
        for form in ("table", "csv", "json"):
            result = run("squad", path, "--format", form)
            self.assertEqual(result.returncode, 0, result.stderr)
            for words in ("does not fly", "nosuch", "bullseye (predator)", "afterburners"):
                self.assertIn(words, " ".join(result.stdout.split()))
        old = SQUADS / "first-edition.json"
        self.refused(["squad", RED, "--against", old], "two editions")
        self.refused(["compare", RED, old], "two editions")
        legacy = SQUADS / "empty-lists.json"
        for form in ("table", "csv", "json"):
            result = run("squad", RED, "--against", legacy, "--format", form)
            self.assertIn("card set legacy", " ".join(result.stdout.split()))

    def test_same_bytes_on_any_number_of_threads(self):
        outputs = {self.answered("squad", RED, "--format", "json", "--threads", n) for n in (1, 2, 5)}
        self.assertEqual(len(outputs), 1)

    def test_references_can_be_replaced(self):
        mine = self.folder / "mine.toml"
        mine.write_text('[[defender]]\nid = "x"\nagility = 1\nhull = 2\n[[attacker]]\nid = "y"\nattack = 2\ntokens = { lock = 1 }\n')
        answer = json.loads(self.answered("squad", RED, "--reference", mine))
        self.assertEqual([x["id"] for x in answer["references"]["defenders"]], ["x"])
        self.assertEqual({x["from"] for x in answer["pilots"][0]["durability"]}, {"y"})
        mine.write_text('[[defender]]\nid = "x"\nagilty = 1\n[[attacker]]\nid = "y"\nattack = 2\n')
        self.refused(["squad", RED, "--reference", mine], "agilty", "agility")

    def test_nothing_known(self):
        self.refused(["squad", "-"], "none of its pilots", "nobody", "pilots[0]",
                     stdin='{"pilots": [{"id": "nobody", "ship": "nothing"}]}')
        self.refused(["squad", "-"], "standard input", stdin="[]")
        self.refused(["squad", "no-such-file.json"], "no-such-file.json")


class Compare(Case):
    def test_ranked(self):
        answer = json.loads(self.answered("compare", "3 focus", "3 lock focus", "3", "--by", "at_least:2"))
        self.fits(answer, "compare")
        self.assertEqual(answer["common"], ["3"])
        self.assertEqual([x["label"] for x in answer["loadouts"]], ["lock focus", "focus", "(nothing else)"])
        averages = [x["average"] for x in answer["loadouts"]]
        self.assertEqual(averages, sorted(averages, reverse=True))
        for row in answer["loadouts"]:
            for cell in row["cells"]:
                self.assertEqual(cell["figure"], cell["at_least"][2])

    def test_sampled_pairs(self):
        options = ["compare", "3 focus", "3 lock", "--engine", "sample", "--trials", "10000"]
        answer = json.loads(self.answered(*options))
        self.fits(answer, "compare")
        self.assertEqual(answer["loadouts"][0]["behind_se"], 0)
        self.assertGreater(answer["loadouts"][1]["behind_se"], 0)
        self.assertEqual(self.answered(*options, "--threads", 1), self.answered(*options, "--threads", 3))

    def test_range_of_loadouts_that_name_none(self):
        """Three dice with a hit or crit on four faces of eight, a die more at range 1, against no dice."""
        answer = json.loads(self.answered("compare", "3", "2 range=2", "ship=t65xwing focus=0", "-d", "0", "--range", "1"))
        means = {row["name"]: row["average"] for row in answer["loadouts"]}
        self.assertEqual(means, {"3": 2, "2 range=2": 1, "ship=t65xwing focus=0": 2})

    def test_best_weapon(self):
        answer = json.loads(self.answered("compare", RED, "--tokens", "focus+lock"))
        self.fits(answer, "compare")
        wedge = answer["loadouts"][0]
        self.assertEqual({cell["weapon"] for cell in wedge["cells"]}, {"protontorpedoes"})
        primary = json.loads(self.answered("compare", RED, "--tokens", "focus+lock", "--weapon", "primary"))
        self.assertLess(next(x for x in primary["loadouts"] if x["label"] == wedge["label"])["average"], wedge["average"])
        for form in ("table", "csv", "json"):
            text = " ".join(self.answered("compare", RED, "--tokens", "focus+lock", "--format", form).split())
            for words in ("protontorpedoes", "bullseye (crackshot)", "uses the weapon that does the most"):
                self.assertIn(words, text)
        self.refused(["compare", RED, "--weapon", "protontorpedoes"], "Red Squadron Veteran", "does not have protontorpedoes")
        self.refused(["compare", "3 focus weapon=protontorpedoes"], "does not have protontorpedoes")
        spec = json.loads(self.answered("compare", "3 lock protontorpedoes"))
        self.assertEqual({cell["weapon"] for cell in spec["loadouts"][0]["cells"]}, {"protontorpedoes"})

    def test_squads_and_formats(self):
        for form in ("table", "csv", "json"):
            self.assertIn("Wedge", self.answered("compare", RED, BLACK, "--by", "per_point", "--format", form))
        answer = json.loads(self.answered("compare", RED, "--defend", "3 evade hull=3", "--by", "destroyed"))
        self.assertEqual([x["id"] for x in answer["against"]], ["3 evade hull=3"])

    def test_wrong_questions(self):
        for arguments, *words in [(["compare"], "nothing to compare"), (["compare", "3", "--by", "mena"], 'did you mean "mean"'),
                                  (["compare", "3", "--by", "at_least"], "at_least:2"),
                                  (["compare", "3", "--by", "per_point"], "cost"), (["compare", "3 fokus"], "fokus"),
                                  (["compare", "none.json"], "none.json"), (["compare", "3", "--tokens", "all"], "--tokens")]:
            with self.subTest(arguments=arguments):
                self.refused(arguments, *words)


class Sweep(Case):
    def grid(self, keys, base=DUEL):
        path = self.folder / "grid.json"
        path.write_text(json.dumps({**base, "grid": keys}))
        return path

    def test_rows(self):
        grid = self.grid({"ships.a.attack": [2, 3], "ships.d.agility": {"from": 0, "to": 2}})
        rows = [json.loads(line) for line in self.answered("sweep", grid).splitlines()]
        self.assertEqual([tuple(row["set"].values()) for row in rows], [(a, d) for a in (2, 3) for d in (0, 1, 2)])
        for row in rows:
            self.fits(row, "sweep")
            question = json.loads(json.dumps(DUEL))
            question["ships"]["a"]["attack"], question["ships"]["d"]["agility"] = row["set"].values()
            answer = json.loads(self.answered("run", "-", stdin=json.dumps(question)))
            self.assertAlmostEqual(row["value"], answer["value"], delta=1e-12)
            self.assertEqual(len(row["ships"]["d"]["at_least"]), len(answer["ships"]["d"]["damage"]["at_least"]))
        table = list(csv.DictReader(io.StringIO(self.answered("sweep", grid, "--format", "csv"))))
        self.assertEqual([float(row["value"]) for row in table], [row["value"] for row in rows])

    def test_columns(self):
        grid = self.grid({"ships.a.attack": [2, 3], "ships.d.agility": [0, 1]})
        usual = [json.loads(line) for line in self.answered("sweep", grid).splitlines()]
        chosen = [json.loads(line) for line in self.answered("sweep", grid, "--columns", "axes,mean,d.at_least_2").splitlines()]
        for row, other in zip(chosen, usual):
            self.fits(row, "sweep")
            tails = [*other["ships"]["d"]["at_least"], 0, 0, 0]
            self.assertEqual(row, {**other["set"], "d.mean": other["ships"]["d"]["mean"], "d.at_least_2": tails[2]})
        table = self.answered("sweep", grid, "--columns", "cell,value", "--format", "csv")
        self.assertEqual(table.splitlines()[0], "cell,value")
        self.refused(["sweep", grid, "--columns", "nope"], "nope", "at_least")
        self.refused(["sweep", grid, "--columns", "mean", "--out", self.folder / "x.csv"], "cell")
        self.refused(["sweep", grid, "--columns", ","], "--columns")

    def test_example_of_the_format(self):
        page = (ROOT / "docs" / "format.md").read_text(encoding="utf-8")
        grid = self.folder / "grid.toml"
        grid.write_text(re.search(r"^```toml grid\n(.*?)^```", page, re.M | re.S)[1], encoding="utf-8")
        table = list(csv.DictReader(io.StringIO(self.answered("sweep", grid, "--format", "csv"))))
        ships = json.loads(self.answered("ships", "--cards", "xwa", "--format", "json"))["ships"]
        self.assertEqual(len(table), len(ships) * 3 * 2)
        tokens = [(row["ships.red.tokens.focus"], row["ships.black.tokens.evade"]) for row in table]
        self.assertEqual(set(tokens), {("0", "1"), ("1", "0")})
        self.assertEqual({row["error"] for row in table if row["ships.red.ship"] == "t65xwing"}, {""})

    def test_costs(self):
        """Points of the publisher's last list: Luke Skywalker 6, Wedge Antilles 5; upgrades are paid with loadout."""
        base = {"cards": "2025", "ships": {"a": {"pilot": "lukeskywalker", "upgrades": ["protontorpedoes"]}, "d": {"agility": 2}},
                "attacks": [{"by": "a", "on": "d"}]}
        grid = self.grid({"ships.a.pilot": ["lukeskywalker", "wedgeantilles"]}, base)
        rows = [json.loads(line) for line in self.answered("sweep", grid, "--columns", "cost").splitlines()]
        self.assertEqual(rows, [{"a.cost": 6, "d.cost": None}, {"a.cost": 5, "d.cost": None}])

    @unittest.skipUnless(shutil.which("sqlite3"), "the program sqlite3 is not installed")
    def test_database(self):
        grid = self.grid({"ships.a.attack": {"from": 0, "to": 9}, "ships.d.agility": {"from": 0, "to": 9},
                          "attacks[0].obstructed": [True, False], "objective": ["damage", "kill", "joy"],
                          "ships.d.hull": {"from": 1, "to": 40}})
        file = self.folder / "grid.sqlite"
        first = run("sweep", grid, "--out", file)
        if "built without SQLite" in first.stderr:
            self.skipTest("salvo was built without SQLite")
        self.assertEqual(first.returncode, 0, first.stderr)

        def ask(sql):
            done = subprocess.run(["sqlite3", "-json", str(file), sql], capture_output=True, text=True, timeout=60)
            self.assertEqual(done.returncode, 0, done.stderr)
            return json.loads(done.stdout or "[]")

        rows = list(csv.DictReader(io.StringIO(self.answered("sweep", grid, "--format", "csv"))))
        found = ask("SELECT * FROM cells ORDER BY cell")
        self.assertEqual(len(found), len(rows))
        for row, other in list(zip(found, rows))[::97]:
            for name, value in other.items():
                stored = row[name]
                if value == "":
                    self.assertIsNone(stored, name)
                elif name in ("engine", "objective", "error"):
                    self.assertEqual(stored, value)
                elif name == "attacks[0].obstructed":
                    self.assertEqual(stored, int(value == "true"))
                else:
                    self.assertEqual(float(stored), float(value), name)
        # Killed and resumed, it gives the same rows.
        whole = found
        half = file.stat().st_size // 2
        for _ in range(10):  # a fast machine can finish before it is killed
            file.unlink()
            process = subprocess.Popen([SALVO, "sweep", str(grid), "--out", str(file), "-j", "1"], stderr=subprocess.DEVNULL)
            while process.poll() is None and not (file.exists() and file.stat().st_size > half):
                pass
            process.kill()
            if process.wait() < 0:
                break
        count = ask("SELECT count(*) AS n FROM cells")[0]["n"]
        self.assertGreater(count, 0)
        self.assertLess(count, len(whole))
        self.answered("sweep", grid, "--out", file)
        self.assertEqual(ask("SELECT * FROM cells ORDER BY cell"), whole)
        self.refused(["sweep", grid, "--out", file, "--seed", "3"], "--restart")
        self.refused(["sweep", grid, "--out", file, "--format", "csv"], "--format")

    def test_invalid_cells_are_rows_too(self):
        grid = self.grid({"ships.a.attack": [3, 99], "objective": ["damage", "kill", "joy"]})
        result = run("sweep", grid)
        self.assertEqual(result.returncode, 0)
        rows = [json.loads(line) for line in result.stdout.splitlines()]
        for row in rows:
            self.fits(row, "sweep")
        self.assertEqual(["error" in row for row in rows], [False, False, True, True, True, True])
        self.assertEqual(rows[2]["error"]["place"], "objective")
        self.assertIn("4 cells", result.stderr)

    def test_no_cell_can_be_answered(self):
        grid = self.grid({"ships.a.attack": [98, 99], "objective": ["joy"]})
        result = run("sweep", grid)
        self.assertEqual((result.returncode, result.stdout.count('"error"')), (0, 2))
        self.assertIn("no cell could be answered", result.stderr)

    def test_options_that_fit_no_cell(self):
        """They are refused as by `salvo run`, before any file is touched; an option that fits some cell is accepted."""
        grid, out = self.grid({"ships.a.attack": [2, 3]}), self.folder / "rows"
        self.answered("sweep", grid, "--out", out)
        before = out.read_bytes()
        for option, value in (("--damage-deck", "zzz"), ("--damage-deck", "first-edition"), ("--rules", "zzz"),
                              ("--cards", "first-edition"), ("--objective", "zzz"), ("--attacker-policy", "zzz")):
            self.refused(["sweep", grid, "--out", out, "--restart", option, value], option, value)
            self.refused(["sweep", grid, option, value], option, value)
        self.assertEqual(out.read_bytes(), before)
        grid = self.grid({"ships.a.attack": [2, 3], "rules": ["second-edition", "first-edition"]})
        for value, right in (("legacy", [True, False]), ("first-edition", [False, True])):
            rows = [json.loads(line) for line in self.answered("sweep", grid, "--cards", value).splitlines()]
            self.assertEqual(["error" not in row for row in rows], right * 2)
        self.refused(["sweep", grid, "--damage-deck", "zzz"], "--damage-deck", "zzz")

    def test_corrupt_rows(self):
        """A file with foreign lines, or bytes left by a crash, is not called complete."""
        grid, out = self.grid({"ships.a.attack": [1, 2, 3], "ships.d.agility": [0, 1, 2]}), self.folder / "rows"
        for form in ("json", "csv"):
            words = ["sweep", grid, "--out", out, "--format", form]
            self.answered(*words, "--restart")
            whole = out.read_bytes()
            lines = whole.splitlines(keepends=True)
            zeros = b"".join([*lines[:3], lines[3][:9] + bytes(20) + lines[3][29:], *lines[4:]])
            for wrong, line in ((zeros, 4), (b"".join([*lines[:3], b"mine\n", *lines[4:]]), 4), (b"".join(lines[:4] + lines[5:]), 5),
                                (whole + lines[-1], len(lines) + 1)):
                out.write_bytes(wrong)
                self.refused(words, f"line {line} of", "rows", "--restart")
                self.assertEqual(out.read_bytes(), wrong)
            out.write_bytes(b"".join(lines[:4]))
            self.answered(*words)
            self.assertEqual(out.read_bytes(), whole)

    def test_many_attacks_cards_and_sampling(self):
        base = {"ships": {**DUEL["ships"], "b": {"ship": "t65xwing", "tokens": {"focus": 1}}},
                "attacks": [{"by": "a", "on": "d"}, {"by": "b", "on": "d"}]}
        grid = self.grid({"attacks[*].range": [1, 3], "ships.b.upgrades": [[], ["predator"], ["afterburners"]]}, base)
        rows = [json.loads(line) for line in self.answered("sweep", grid).splitlines()]
        self.assertEqual([row.get("no_effect") for row in rows], [None, None, ["afterburners"]] * 2)
        self.assertEqual([row.get("assumed_facts") for row in rows], [None, ["bullseye (predator)"], None] * 2)
        sampled = ["sweep", grid, "--engine", "sample", "--trials", "1000"]
        rows = [json.loads(line) for line in self.answered(*sampled).splitlines()]
        for row in rows:
            self.fits(row, "sweep")
            self.assertEqual(row["engine"], "sample")
            ship = row["ships"]["d"]
            for p, se in zip(ship["at_least"], ship["at_least_se"], strict=True):
                self.assertAlmostEqual(se, (p * (1 - p) / 1000) ** 0.5, delta=1e-12)
        self.assertEqual(self.answered(*sampled, "--threads", 1), self.answered(*sampled, "--threads", 4))

    def test_caveats_of_each_cell(self):
        base = {"ships": {"a": {"attack": 3}, "d": {"agility": 2, "hull": 4}}, "attacks": [{"by": "a", "on": "d"}]}
        grid = self.grid({"attacks[0].range": [3, 4], "ships.a.upgrades": [[], ["predator"]], "ships.d.size": ["small", "huge"]}, base)
        rows = [json.loads(line) for line in self.answered("sweep", grid).splitlines()]
        table = list(csv.DictReader(io.StringIO(self.answered("sweep", grid, "--format", "csv"))))
        for row, line in zip(rows, table, strict=True):
            self.fits(row, "sweep")
            far = row["set"]["attacks[0].range"] == 4 and row["set"]["ships.d.size"] == "small"
            self.assertEqual(any("range 4" in note for note in row.get("notes", [])), far, row)
            self.assertEqual("range 4" in line["notes"], far)
            fact = ["bullseye (predator)"] if row["set"]["ships.a.upgrades"] else []
            self.assertEqual(row.get("assumed_facts", []), fact)
            self.assertEqual(line["assumed_facts"], "; ".join(fact))

    def test_resumes_when_killed_at_any_moment(self):
        keys = {"ships.a.attack": {"from": 1, "to": 6}, "ships.a.tokens.focus": [0, 1], "ships.a.tokens.calculate": [0, 1, 2],
                "ships.a.tokens.lock": [[], ["d"]], "ships.d.agility": {"from": 0, "to": 5}, "ships.d.tokens.focus": [0, 1],
                "ships.d.tokens.evade": {"from": 0, "to": 3}, "ships.d.tokens.reinforce": [0, 1],
                "ships.d.tokens.strain": [0, 1], "attacks[0].range": [1, 2, 3], "attacks[0].obstructed": [False, True]}
        grid = self.grid(keys)
        for form in ("json", "csv"):
            whole, broken = self.folder / f"whole.{form}", self.folder / f"broken.{form}"
            self.answered("sweep", grid, "--out", whole, "--format", form)
            kills = 0
            for attempt in range(200):
                process = subprocess.Popen([SALVO, "sweep", grid, "--out", broken, "--format", form],
                                           stderr=subprocess.DEVNULL)
                # Later each time, so that even the slowest machine finishes.
                try:
                    process.wait(timeout=0.02 + 0.01 * attempt)
                    break
                except subprocess.TimeoutExpired:
                    process.send_signal(signal.SIGKILL)
                    process.wait()
                    kills += 1
            self.assertEqual(process.returncode, 0)
            self.assertGreater(kills, 0)
            self.assertEqual(broken.read_bytes(), whole.read_bytes())

    def test_resumes_when_cut_anywhere(self):
        grid = self.grid({"ships.a.attack": {"from": 1, "to": 4}, "ships.d.agility": [0, 1, 2]})
        for form in ("json", "csv"):
            whole, cut = self.folder / f"whole.{form}", self.folder / f"cut.{form}"
            self.answered("sweep", grid, "--out", whole, "--format", form)
            data = whole.read_bytes()
            self.answered("sweep", grid, "--out", cut, "--format", form)
            for size in [0, 1, *range(2, len(data), 97), len(data) - 1, len(data)]:
                cut.write_bytes(data[:size])
                self.answered("sweep", grid, "--out", cut, "--format", form)
                self.assertEqual(cut.read_bytes(), data, f"cut at {size}")

    def test_foreign_files_are_left_alone(self):
        grid, out = self.grid({"ships.a.attack": [1, 2]}), self.folder / "out"
        out.write_text("mine")
        self.refused(["sweep", grid, "--out", out], "--restart")
        self.assertEqual(out.read_text(), "mine")
        self.answered("sweep", grid, "--out", out, "--restart")
        self.refused(["sweep", grid, "--out", out, "--objective", "kill"], "another grid")
        grid = self.grid({"ships.a.attack": [1, 3]})
        self.refused(["sweep", grid, "--out", out], "another grid")

    def test_wrong_grids(self):
        for text, *words in [("{}", "no axis"), ('{"grid": {}}', "no axis"), ('{"grid": {"ships..a": [1]}}', "ships..a"),
                             ('{"grid": {"attacks[9].range": [1]}, "attacks": []}', "attacks[9]")]:
            self.refused(["sweep", "-"], *words, stdin=text)
        self.refused(["sweep"], "no grid")

    @unittest.skipIf(os.environ.get("SALVO_SANITIZED"), "sanitizers hold freed memory")
    def test_memory_does_not_grow_with_the_grid(self):
        keys = {"ships.a.attack": {"from": 1, "to": 5}, "ships.d.agility": {"from": 0, "to": 5},
                "ships.d.hull": {"from": 1, "to": 99}, "ships.d.shields": {"from": 0, "to": 33}}
        grid = self.grid(keys)  # 100,980 cells with 20,196 different defenders
        out = self.folder / "out"
        pid = os.posix_spawn(SALVO, [SALVO, "sweep", str(grid), "--out", str(out)], os.environ)
        _, status, usage = os.wait4(pid, 0)
        self.assertEqual(status, 0)
        self.assertLess(usage.ru_maxrss, 200_000)  # KiB


class Plots(Case):
    def test_pictures_are_svg(self):
        for name, arguments in [
                ("run", ["run", "--attack", "3 focus", "--attack", "4", "--defend", "2 hull=3"]),
                ("compare", ["compare", "3 focus", "4 lock"]),
                ("durability", ["durability", "--attack", "3", "--defend", "2 hull=3"]),
                ("every", ["durability", "--attack", "3", "--all"])]:
            self.answered(*arguments, "--plot", f"{name}.svg")
            picture = xml.dom.minidom.parse(str(self.folder / f"{name}.svg"))
            self.assertEqual(picture.documentElement.tagName, "svg")
            self.assertGreater(len(picture.getElementsByTagName("text")), 8)
            text = (self.folder / f"{name}.svg").read_text()
            self.assertNotRegex(text, r"\b(nan|inf)\b")
            self.answered(*arguments, "--plot", "again.svg")
            self.assertEqual((self.folder / "again.svg").read_text(), text)

    def test_names_are_escaped(self):
        odd = json.loads(json.dumps(DUEL).replace('"d"', '"<d&\\""'))
        self.answered("run", "-", "--plot", "odd.svg", stdin=json.dumps(odd))
        xml.dom.minidom.parse(str(self.folder / "odd.svg"))

    def test_input_is_not_overwritten_by_a_plot(self):
        file = self.folder / "x.svg"
        file.write_text(json.dumps(DUEL))
        self.refused(["run", "x.svg", "--plot", "./x.svg"], "--plot", "is an input")
        (self.folder / "link.svg").symlink_to(file)
        self.refused(["run", "x.svg", "--plot", "link.svg"], "--plot", "is an input")
        self.refused(["compare", "3", "x.svg", "--plot", "x.svg"], "is an input")
        with file.open() as text:
            result = subprocess.run([SALVO, "run", "-", "--plot", file], stdin=text, capture_output=True, text=True)
        self.assertEqual((result.returncode, "is an input" in result.stderr), (2, True), result.stderr)
        self.assertEqual(json.loads(file.read_text()), DUEL)

    def test_links_and_rights_stay(self):
        words = ["run", "--attack", "3", "--defend", "2", "--plot"]
        self.answered(*words, "one.svg")
        whole = (self.folder / "one.svg").read_bytes()
        (self.folder / "two.svg").write_text("what was there")
        (self.folder / "two.svg").chmod(0o640)
        (self.folder / "link.svg").symlink_to("two.svg")
        self.answered(*words, "link.svg")
        self.assertTrue((self.folder / "link.svg").is_symlink())
        self.assertEqual((self.folder / "two.svg").read_bytes(), whole)
        self.assertEqual((self.folder / "two.svg").stat().st_mode & 0o777, 0o640)
        (self.folder / "pipe.svg").symlink_to("/dev/stdout")
        self.assertIn(whole.decode(), self.answered(*words, "pipe.svg"))
        self.assertEqual(list(self.folder.glob("*.part")), [])

    def test_wrong_names(self):
        self.refused(["run", "--attack", "3", "--defend", "2", "--plot", "x.png"], ".svg")
        self.refused(["run", "--attack", "3", "--defend", "2", "--plot", "no/such/folder.svg"], "no/such/folder.svg")


class Schemas(unittest.TestCase):
    def test_the_checker_finds_faults(self):
        row = {"cell": 0, "set": {}, "engine": "exact", "value": 1.0, "ships": {}}
        self.assertEqual(check(row, schema("sweep")), [])
        for wrong in ({**row, "cell": "0"}, {**row, "extra": 1}, {**row, "engine": "fast"}, 3,
                      {**row, "ships": {"d": {"mean": 1, "at_least": [2.0], "destroyed": None}}}):
            self.assertNotEqual(check(wrong, schema("sweep")), [], wrong)


class Hazard(Case):
    def test_forms(self):
        for options in ([], ["--engine", "sample", "--trials", "1000"], ["--engine", "both", "--trials", "20000"]):
            ships = ["--ship", "ship=t65xwing", "--ships", "hull=3 size=large ion=1"]
            self.fits(json.loads(self.answered("hazard", "gas-cloud", *ships, "--times", "2", *options)), "hazard")
            self.fits(json.loads(self.answered("hazard", "player-order", *options)), "hazard")
            self.assertIn("s2,ionized,", self.answered("hazard", "gas-cloud", *ships, "--format", "csv", *options))
            self.assertIn("ionized", self.answered("hazard", "gas-cloud", *ships, "--format", "table", *options))
        self.fits(json.loads(self.answered("hazard", "huge-ship-overlap", "--set", "speed=3")), "hazard")
        every = json.loads(self.answered("hazard", "list"))
        self.fits(every, "hazard")
        files = (ROOT / "profiles" / "hazards" / "second-edition").glob("*.toml")
        self.assertEqual([one["id"] for one in every["hazards"]], sorted(path.stem for path in files))
        for one in every["hazards"]:
            self.answered("hazard", one["id"], "--format", "table")
        self.assertIn("asteroid", self.answered("hazard", "list", "--format", "table"))
        self.assertIn("asteroid,", self.answered("hazard", "list", "--format", "csv"))

    def test_upgrades_count_by_their_stat_line(self):
        plain = json.loads(self.answered("hazard", "asteroid", "--ship", "ship=t65xwing"))
        upgraded = json.loads(self.answered("hazard", "asteroid", "--ship", "ship=t65xwing hullupgrade"))
        self.assertEqual(len(upgraded["ships"]["s1"]["hull"]), len(plain["ships"]["s1"]["hull"]) + 1)
        self.assertEqual(plain["notes"], [])
        self.assertIn("hullupgrade", upgraded["notes"][0])

    def test_faceup_cards_take_hull_and_are_counted(self):
        """A direct hit turns facedown, so only the other card lies faceup."""
        found = json.loads(self.answered("hazard", "asteroid", "--ship", "hull=4 faceup=hullbreach,directhit"))
        plain = json.loads(self.answered("hazard", "asteroid", "--ship", "hull=2"))
        ship, other = found["ships"]["s1"], plain["ships"]["s1"]
        self.assertAlmostEqual(ship["destroyed"], other["destroyed"])
        self.assertAlmostEqual(ship["faceup"]["mean"], other["faceup"]["mean"] + 1)
        self.assertIn("s1: what its faceup damage cards do is left out", found["notes"])
        both = ["hazard", "concussion-bomb", "--ship", "hull=4 faceup=hullbreach", "--engine", "both"]
        self.assertTrue(json.loads(self.answered(*both, "--trials", "10000"))["cross_check"]["agree"])
        self.refused(["hazard", "asteroid", "--ship", "hull=2 faceup=hulbreach"], "did you mean 'hull-breach'?")
        self.refused(["hazard", "asteroid", "--ship", "hull=2 faceup=hullbreach facedown=1"], "destroy")

    def test_the_same_bytes(self):
        sampled = ["hazard", "thermal-detonator", "--ship", "hull=3", "--engine", "sample", "--trials", "1000"]
        self.assertEqual(self.answered(*sampled), self.answered(*sampled, "--seed", "1"))
        self.assertNotEqual(self.answered(*sampled), self.answered(*sampled, "--seed", "2"))

    def test_wrong(self):
        self.refused(["hazard"], "no hazard")
        self.refused(["hazard", "asteriod"], "asteroid")
        self.refused(["hazard", "asteroid", "mine"], "one word too many")
        self.refused(["hazard", "asteroid", "--ship", "hull=0"], "--ship 1: hull")
        self.refused(["hazard", "asteroid", "--ship", "hul=3"], "hull")
        self.refused(["hazard", "asteroid", "--ship", "size=tiny"], "small")
        self.refused(["hazard", "asteroid", "--times", "0"], "--times")
        self.refused(["hazard", "asteroid", "--set", "speed"], "NAME=N")
        self.refused(["hazard", "asteroid", "--set", "speed=1"], "it has none")
        self.refused(["hazard", "huge-ship-overlap", "--set", "speed=1", "--set", "speed=2"], "twice")
        self.refused(["hazard", "asteroid", "--situation", "hug"], "did you mean huge?")
        self.refused(["hazard", "asteroid", "--rules", "second"], "second-edition")
        self.refused(["hazard", "player-order", "--ship", "hull=1"], "--ship", "leave it out")


class Rules(Case):
    def test_forms(self):
        summary = json.loads(self.answered("rules"))
        self.fits(summary, "rules")
        for edition in summary["editions"]:
            listed = json.loads(self.answered("rules", edition["id"]))
            self.fits(listed, "rules")
            self.assertEqual(listed["edition"], edition)
            states = [rule["state"] for rule in listed["rules"]]
            self.assertEqual([states.count("modelled"), states.count("partly"), states.count("left out")],
                             [edition["modelled"], edition["partly"], edition["left_out"]])
            for rule in listed["rules"]:
                self.assertEqual(bool(rule["why"]), rule["state"] != "modelled", rule)
                self.assertEqual(bool(rule["proof"]), rule["state"] != "left out", rule)
            left_out = json.loads(self.answered("rules", edition["id"], "--left-out"))["rules"]
            self.assertEqual(left_out, [rule for rule in listed["rules"] if rule["state"] != "modelled"])
        found = json.loads(self.answered("rules", "second-edition", "--search", "Reinforce"))["rules"]
        self.assertIn("reinforce", [rule["id"] for rule in found])
        self.assertLess(len(found), 20)
        self.assertIn("reinforce  partly", self.answered("rules", "second-edition", "--format", "table"))
        self.assertIn("second-edition", self.answered("rules", "--format", "table"))
        self.assertIn("second-edition,000,", self.answered("rules", "--format", "csv"))
        rows = list(csv.reader(io.StringIO(self.answered("rules", "second-edition", "--format", "csv"))))
        self.assertEqual({len(row) for row in rows}, {6})

    def test_wrong(self):
        self.refused(["rules", "second"], "second-edition")
        self.refused(["rules", "--left-out"], "--left-out", "an edition")
        self.refused(["rules", "second-edition", "more"], "one word too many")


class Readme(Case):
    def test_every_command_works(self):
        """Runs each `salvo ...` line of the README's shell blocks, from a folder with the profiles."""
        text = (ROOT / "README.md").read_text(encoding="utf-8")
        blocks = re.findall(r"^```sh\n(.*?)^```", text, re.M | re.S)
        lines = [line for block in blocks for line in block.replace("\\\n", " ").splitlines()]
        commands = [line for line in lines if re.match(r"(\w+ .*\| )?salvo ", line)]
        self.assertGreater(len(commands), 12)
        (self.folder / "bin").mkdir()
        (self.folder / "bin" / "salvo").symlink_to(SALVO)
        (self.folder / "profiles").symlink_to(ROOT / "profiles")
        # What the README assumes: its home-made card, and a checkout of the card data in the home folder.
        card = re.search(r"^```toml\n(.*?)^```", text, re.M | re.S).group(1)
        (self.folder / "mycard.toml").write_text(card, encoding="utf-8")
        (self.folder / "xwing-data2").symlink_to(ROOT / "tests" / "data" / "card-data" / "second")
        environment = {**os.environ, "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}", "HOME": str(self.folder)}
        for command in commands:
            with self.subTest(command=command):
                result = subprocess.run(["sh", "-c", command], cwd=self.folder, env=environment, capture_output=True,
                                        text=True, timeout=300)
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertNotIn("warning", result.stderr)


if __name__ == "__main__":
    main()
