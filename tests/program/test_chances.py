#!/usr/bin/env python3
"""test_chances.py SALVO [unittest options]: scenarios with chances over tokens, ranges and facts.

The expected figures enumerate the dice by the rules; they share nothing with the program.
"""

import itertools
import json
import sys
from collections import Counter
from math import sqrt
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "support"))
from check_schema import check
from program import main, schema
import program

HIT, FOCUS, BLANK = "hit", "focus", "blank"
ATTACK = {HIT: 0.5, FOCUS: 0.25, BLANK: 0.25}  # crits count as hits here
DEFENSE = {HIT: 3 / 8, FOCUS: 2 / 8, BLANK: 3 / 8}


def number_of_hits(dice, focus, lock):
    """The distribution of hits of an attack: a lock rerolls what the focus token does not change."""
    good = ATTACK[HIT] + (ATTACK[FOCUS] if focus else 0)
    if lock:
        good += (1 - good) * good
    out = Counter({0: 1.0})
    for _ in range(dice):
        out = mixed([(1 - good, out), (good, Counter({k + 1: p for k, p in out.items()}))])
    return out


def mixed(cases):
    out = Counter()
    for weight, pmf in cases:
        for k, p in pmf.items():
            out[k] += weight * p
    return out


def damage(attack, agility, focus=False, lock=False, evade=0, range_=2, obstructed=False):
    """The distribution of damage. An evade token changes a die that is no evade result."""
    attack += range_ == 1
    agility += (range_ == 3) + obstructed
    out = Counter()
    hits = number_of_hits(attack, focus, lock)
    for faces in itertools.product(DEFENSE, repeat=agility):
        p = 1.0
        for face in faces:
            p *= DEFENSE[face]
        evades = min(agility, faces.count(HIT) + evade)
        for k, q in hits.items():
            out[max(0, k - evades)] += p * q
    return out


def mean(pmf):
    return sum(k * p for k, p in pmf.items())


RANGES = ((1, 0.2), (2, 0.5), (3, 0.3))
EXPECTED = mixed([(f * w * o, damage(3, 2, focus=bool(focus), range_=r, obstructed=bool(obstructed)))
                  for focus, f in ((1, 0.5), (0, 0.5)) for r, w in RANGES for obstructed, o in ((1, 0.25), (0, 0.75))])
ATTACKER, DEFENDER = "3 focus=50% range=1:20%,2:50%,3:30% obstructed=25%", "2 hull=3"
FILE = {"ships": {"a": {"attack": 3, "tokens": {"focus": 0.5}}, "d": {"agility": 2, "hull": 3}},
        "attacks": [{"by": "a", "on": "d", "range": {"1": 0.2, "2": 0.5, "3": 0.3}, "obstructed": 0.25}]}


class Chances(program.Case):
    def answer(self, *arguments, stdin=""):
        return json.loads(self.answered(*arguments, "--format", "json", stdin=stdin))

    def is_expected(self, damage_of, expected):
        for k, p in enumerate(damage_of["pmf"]):
            self.assertAlmostEqual(p, expected[k], delta=1e-12)
        self.assertAlmostEqual(damage_of["mean"], mean(expected), delta=1e-12)
        self.assertAlmostEqual(sum(damage_of["pmf"]), 1, delta=1e-12)

    def test_run(self):
        answer = self.answer("run", "-a", ATTACKER, "-d", DEFENDER)
        self.assertEqual(check(answer, schema("run")), [])
        ship = answer["ships"]["d"]
        self.is_expected(ship["damage"], EXPECTED)
        self.assertAlmostEqual(answer["value"], mean(EXPECTED), delta=1e-12)
        self.assertAlmostEqual(ship["destroyed"], sum(p for k, p in EXPECTED.items() if k >= 3), delta=1e-12)
        self.assertAlmostEqual(answer["attacks"][0]["attack_dice"], 3.2, delta=1e-12)
        self.assertAlmostEqual(answer["attacks"][0]["defense_dice"], 2.55, delta=1e-12)
        note = answer["notes"][0]
        for words in ("12 cases", "a1 focus 1 (50%), 0 (50%)", "attack 1 range 1 (20%), 2 (50%), 3 (30%)",
                      "attack 1 obstructed yes (25%), no (75%)", "independent"):
            self.assertIn(words, note)
        self.assertIn("weighted over 12 cases", self.answered("run", "-a", ATTACKER, "-d", DEFENDER, "--format", "csv"))
        table = self.answered("run", "-a", ATTACKER, "-d", DEFENDER, "--format", "table")
        self.assertIn("weighted over 12", table.replace("\n", " "))

    def test_every_front_door(self):
        self.assertEqual(check(FILE, {"$ref": "#/$defs/run", "$defs": schema("request")["$defs"]}), [])
        spec = {"attack": [ATTACKER], "defend": DEFENDER}
        body = json.loads(self.answered("request", "run", "-", stdin=json.dumps(spec)))
        self.assertEqual(body, self.answer("run", "-a", ATTACKER, "-d", DEFENDER, "--no-would-add"))
        file = self.answer("run", "-", stdin=json.dumps(FILE))
        self.is_expected(file["ships"]["d"]["damage"], EXPECTED)
        line = json.loads(self.answered("batch", stdin=json.dumps(FILE) + "\n"))
        self.assertEqual(line["ships"], file["ships"])
        self.assertEqual(json.loads(self.answered("request", "run", "-", stdin=json.dumps(FILE)))["ships"], file["ships"])

    def test_tokens_and_locks(self):
        answer = self.answer("run", "-a", "2 lock=40%", "-d", "2 evade=0:30%,1:70%")
        expected = mixed([(w * v, damage(2, 2, lock=bool(lock), evade=evade))
                          for lock, w in ((1, 0.4), (0, 0.6)) for evade, v in ((0, 0.3), (1, 0.7))])
        self.is_expected(answer["ships"]["d"]["damage"], expected)
        # The defender has the token and needs it only if a hit is left and a die can be changed.
        spent = 0.7 * sum(w * sum(p * q for k, p in number_of_hits(2, False, bool(lock)).items()
                                  for e, q in {0: 25 / 64, 1: 30 / 64}.items() if k > e)
                          for lock, w in ((1, 0.4), (0, 0.6)))
        self.assertAlmostEqual(answer["ships"]["d"]["tokens_left"]["evade"], 0.7 - spent, delta=1e-12)
        locks = {**FILE, "ships": {"a": {"attack": 2, "tokens": {"lock": {"d": 0.4}}},
                                   "d": {"agility": 2, "tokens": {"evade": {"0": 0.3, "1": 0.7}}}},
                 "attacks": [{"by": "a", "on": "d"}]}
        file = self.answer("run", "-", stdin=json.dumps(locks))
        self.is_expected(file["ships"]["d"]["damage"], expected)

    def test_facts(self):
        def value(fact):
            ships = {"a": {"attack": 3, "upgrades": ["predator"]}, "d": {"agility": 2}}
            attack = {"by": "a", "on": "d", "facts": [fact]}
            return self.answer("run", "-", stdin=json.dumps({"ships": ships, "attacks": [attack]}))

        holds, not_holds, chance = value("bullseye"), value("not bullseye"), value({"bullseye": 0.3})
        self.assertGreater(holds["value"], not_holds["value"])
        self.assertAlmostEqual(chance["value"], 0.3 * holds["value"] + 0.7 * not_holds["value"], delta=1e-12)
        self.assertEqual(chance["assumed_facts"], [])
        spec = self.answer("run", "-a", "3 predator bullseye=30%", "-d", "2")
        self.assertAlmostEqual(spec["value"], chance["value"], delta=1e-12)

    def test_several_attacks_and_rounds(self):
        once = damage(2, 1, focus=True)
        never = damage(2, 1)
        one = mixed([(0.25, once), (0.75, never)])
        two = mixed([(p, Counter({k + j: q for k, q in one.items()})) for j, p in one.items()])
        self.is_expected(self.answer("run", "-a", "2 focus=25% x2", "-d", "1")["ships"]["d"]["damage"], two)
        ranges = mixed([(0.5, damage(2, 1, range_=1)), (0.5, damage(2, 1))])
        two = mixed([(p, Counter({k + j: q for k, q in ranges.items()})) for j, p in ranges.items()])
        answer = self.answer("run", "-a", "2 range=1:50%,2:50%", "-d", "1", "--rounds", "2")
        self.is_expected(answer["ships"]["d"]["damage"], two)
        self.is_expected(answer["rounds"][0]["ships"]["d"]["damage"], ranges)

    def test_engines_agree(self):
        both = self.answer("run", "-a", ATTACKER, "-d", DEFENDER, "--engine", "both", "--trials", "2e5")
        self.assertTrue(both["cross_check"]["agree"])
        self.assertEqual(both["sample"]["trials"], 200000)
        self.is_expected(both["ships"]["d"]["damage"], EXPECTED)
        sample = self.answer("run", "-a", ATTACKER, "-d", DEFENDER, "--engine", "sample", "--trials", "2e5")
        found = sample["ships"]["d"]["damage"]
        self.assertLess(abs(found["mean"] - mean(EXPECTED)), 5 * found["mean_se"])
        # A stratified sample: the variance within the cases alone.
        within = sum(f * w * o * (sum(k * k * p for k, p in pmf.items()) - mean(pmf) ** 2)
                     for f, focus in ((0.5, True), (0.5, False)) for r, w in RANGES for o, ob in ((0.25, True), (0.75, False))
                     for pmf in [damage(3, 2, focus=focus, range_=r, obstructed=ob)])
        self.assertAlmostEqual(found["mean_se"], sqrt(within / 2e5), delta=0.02 * found["mean_se"])
        few = self.answer("run", "-a", ATTACKER, "-d", DEFENDER, "--engine", "sample", "--trials", "5")
        self.assertEqual(few["sample"]["trials"], 24)  # two for each case

    def test_certain_values(self):
        for certain in ("focus=100%", "focus=0:0%,1:100%"):
            value = self.answer("run", "-a", f"3 {certain}", "-d", "2")["value"]
            self.assertEqual(value, self.answer("run", "-a", "3 focus", "-d", "2")["value"])

    def test_compare_and_sweep(self):
        rows = self.answer("compare", ATTACKER, "3", "--defend", DEFENDER)["loadouts"]
        self.assertAlmostEqual(rows[0]["average"], mean(EXPECTED), delta=1e-12)
        rows = self.answer("compare", "3", "4", "--defend", "2 evade=50%")["loadouts"]
        expected = mixed([(0.5, damage(4, 2)), (0.5, damage(4, 2, evade=1))])
        self.assertAlmostEqual(rows[0]["average"], mean(expected), delta=1e-12)
        grid = {**FILE, "attacks": [{"by": "a", "on": "d"}],
                "grid": {"ships.a.tokens.focus": [0, 0.5, 1], "attacks[0].range": [2, {"1": 0.5, "3": 0.5}]}}
        (self.folder / "grid.json").write_text(json.dumps(grid), encoding="utf-8")
        cells = [json.loads(line) for line in self.answered("sweep", "grid.json").splitlines()]
        cells = [cell for cell in cells if "cell" in cell]
        self.assertEqual(len(cells), 6)
        for cell in cells:
            focus = cell["set"]["ships.a.tokens.focus"]
            ranges = ((2, 1),) if cell["set"]["attacks[0].range"] == 2 else ((1, 0.5), (3, 0.5))
            expected = mixed([(f * w, damage(3, 2, focus=has, range_=r))
                              for has, f in ((True, focus), (False, 1 - focus)) for r, w in ranges])
            self.assertAlmostEqual(cell["value"], mean(expected), delta=1e-12)

    def test_durability(self):
        def shots(pmf, hull):
            """P(destroyed within n shots), and the mean number of shots."""
            alive, out, total = Counter({hull: 1.0}), [0.0], 0.0
            for _ in range(400):
                total += sum(alive.values())
                alive = Counter({h: p for h, p in mixed(
                    [(p, Counter({h - k: q for k, q in pmf.items()})) for h, p in alive.items()]).items() if h > 0})
                out.append(1 - sum(alive.values()))
            return out, total

        def is_geometric(pmf, hull, *arguments):
            cdf, average = shots(pmf, hull)
            answer = self.answer("durability", *arguments)
            self.assertAlmostEqual(answer["mean_shots"], average, delta=1e-9)
            for found, expected in zip(answer["cdf"], cdf):
                self.assertAlmostEqual(found, expected, delta=1e-12)
            self.assertIn("every shot draws its values anew", " ".join(answer["notes"]))

        is_geometric(EXPECTED, 3, "-a", ATTACKER, "-d", DEFENDER)
        is_geometric(EXPECTED, 3, "-a", ATTACKER, "-d", DEFENDER, "--refresh", "never")
        locked = {"defender": {"dice": 2, "hull": 3}, "attacker": {"dice": 3, "lock": 0.25}}
        (self.folder / "locked.json").write_text(json.dumps(locked), encoding="utf-8")
        is_geometric(mixed([(0.25, damage(3, 2, lock=True)), (0.75, damage(3, 2))]), 3, "locked.json")
        # The defender's tokens, as often as not, for each shot.
        is_geometric(mixed([(0.5, damage(2, 2)), (0.5, damage(2, 2, evade=1))]), 2, "-a", "2", "-d", "2 hull=2 evade=50%")

    def test_durability_in_rounds(self):
        """After one round of greedy attackers, as many ships are destroyed as in a scenario of that round."""
        specs = ("-a", "2 focus=50%", "-a", "3 range=1:50%,2:50%", "-d", "2 hull=2 focus")
        answer = self.answer("durability", *specs)
        played = self.answer("run", *specs, "--attacker-policy", "greedy", "--defender-policy", "greedy")
        self.assertAlmostEqual(answer["rounds"]["cdf"][1], played["ships"]["d"]["destroyed"], delta=1e-12)
        answer = self.answer("durability", *specs[:-1], "2 hull=2")
        first = mixed([(0.5, damage(2, 2, focus=True)), (0.5, damage(2, 2))])
        second = mixed([(0.5, damage(4, 2)), (0.5, damage(3, 2))])
        both = mixed([(p, Counter({k + j: q for k, q in second.items()})) for j, p in first.items()])
        self.assertAlmostEqual(answer["rounds"]["cdf"][1], 1 - both[0] - both[1], delta=1e-12)

    def test_durability_with_lasting_tokens(self):
        """If nothing returns, n shots destroy as many ships as a scenario of n greedy attacks."""
        for attack, ship in (("3 focus=50% range=1:50%,2:50%", "pilot=darthvader hull=1 shields=0 focus"),
                             ("3 lock=30%", "ship=t65xwing pilot=lukeskywalker hull=2 shields=0 strain"),
                             ("4 focus=50% bullseye=40% predator", "pilot=darthvader hull=2 shields=0 evade")):
            cdf = self.answer("durability", "-a", attack, "-d", ship, "--refresh", "never")["cdf"]
            for shots in (1, 2, 3):
                played = self.answer("run", "-a", f"{attack} x{shots}", "-d", ship, "--attacker-policy", "greedy",
                                     "--defender-policy", "greedy")
                self.assertAlmostEqual(cdf[shots], played["ships"]["d"]["destroyed"], delta=1e-12)

    def test_squad(self):
        answer = self.answer("squad", "pilot=wedgeantilles evade=50%")
        self.assertIn("weighted over 2 cases", " ".join(json.dumps(answer).split()))

    def test_refused(self):
        for words, message in {
                "3 focus=101%": "from 0 to 100", "3 focus=-5%": "from 0 to 100", "3 focus=nan%": "from 0 to 100",
                "3 focus=1.2.3%": "from 0 to 100",
                "3 range=1:20%,2:70%": "sum to 0.9", "3 range=1:20%,1:80%": "given twice", "3 range=7:100%": "from 0 to 5",
                "3 range=50%": "which ranges", "3 focus=2:50%": "sum to 0.5", "3 hull=50%": "takes no chances",
                "3 predator=50%": "takes no chances", "3 lock=0:50%,1:50%": "lock=50%", "3 focis=50%": "did you mean",
                "3 range=1:20,2:80%": "percentages", "3 evade=200:50%,0:50%": "from 0 to 99"}.items():
            self.refused(["run", "-a", words, "-d", "2"], message)
        many = [word for _ in range(10) for word in ("-a", "2 focus=50%")]
        self.refused(["run", *many, "-d", "2"], "1024 cases of 10 unknowns; at most 1000")
        hundred = ",".join(f"{k}:1%" for k in range(100))
        self.refused(["run", *["-a", f"2 focus={hundred}"] * 3, "-d", "2"], "1e+06 cases")
        self.refused(["run", "-a", "3 focus=50%", "-d", "2", "--certify"], "certify")
        self.refused(["worth", "-a", "3 focus=50%", "-d", "2"], "--attack 1: tokens.focus: chances are not weighted here")
        self.refused(["run", "-a", "3 focus=50%", "-d", "2", "--engine", "sample", "--out", "counts.json"],
                     "chances are not weighted here")
        self.refused(["durability", "-a", "3", "-d", "2 hull=3 evade=50%", "--refresh", "never"], "--refresh shot")
        for change, message in (({"range": {"1": 0.2, "2": 0.5}}, "attacks[0].range"), ({"range": {}}, "sum to 0"),
                                ({"range": {"1": -0.5, "2": 1.5}}, "attacks[0].range.1"), ({"obstructed": 1.5}, "from 0 to 1"),
                                ({"range": {"x": 1}}, "whole numbers from 0 to 5"), ({"range": 0.5}, "whole number"),
                                ({"facts": [{"bullseye": 0.5}, "bullseye"]}, "given twice"),
                                ({"initiative": {"1": 1}}, "whole number")):
            attack = {"by": "a", "on": "d", **change}
            self.refused(["run", "-"], message, stdin=json.dumps({**FILE, "attacks": [attack]}))


if __name__ == "__main__":
    main()
