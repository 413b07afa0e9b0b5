#!/usr/bin/env python3
"""test_table.py SALVO [unittest options]: what already lies on the table: rolls, results and damage cards.

Figures come from brute force over all dice, from the rules alone.
"""

import functools
import itertools
import json
import sys
from collections import Counter
from fractions import Fraction
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "support"))
from check_schema import check
from program import main, run, schema
import program

ATTACK = {"hit": 3, "crit": 1, "focus": 2, "blank": 2}
DEFENSE = {"evade": 3, "focus": 2, "blank": 3}


def rolls(die, n):
    """All results of n dice, sorted, with their probabilities."""
    out = Counter()
    for faces in itertools.product(die, repeat=n):
        weight = Fraction(1)
        for face in faces:
            weight *= Fraction(die[face], 8)
        out[tuple(sorted(faces))] += weight
    return out


def evades(faces, tokens):
    """The most evades that the defender can make of its roll."""
    count = Counter(faces)
    focus = count["focus"] if tokens.get("focus") else min(count["focus"], tokens.get("calculate", 0))
    most = count["evade"] + focus
    return most + min(len(faces) - most, tokens.get("evade", 0))


def evade_pmf(dice, tokens):
    """`dice`: a number, the faces that were rolled, or None and the results."""
    if isinstance(dice, int):
        out = Counter()
        for faces, weight in rolls(DEFENSE, dice).items():
            out[evades(faces, tokens)] += weight
        return out
    return Counter({evades(dice, tokens): Fraction(1)})


def hits(faces, tokens):
    """Hits and crits of the attack dice after focus or calculate tokens."""
    count = Counter(faces)
    focus = count["focus"] if tokens.get("focus") else min(count["focus"], tokens.get("calculate", 0))
    return count["hit"] + count["crit"] + focus


def modified(faces, tokens, value):
    """The distribution of hits plus crits if the attacker rerolls, with a lock, the dice that are best for `value`."""
    best = Counter({hits(faces, tokens): Fraction(1)})
    if not tokens.get("lock"):
        return best
    worth = lambda pmf: sum(p * value(k) for k, p in pmf.items())
    for n in range(1, len(faces) + 1):
        for chosen in set(itertools.combinations(faces, n)):
            rest = Counter(faces) - Counter(chosen)
            pmf = Counter()
            for again, weight in rolls(ATTACK, n).items():
                pmf[hits(tuple(rest.elements()) + again, tokens)] += weight
            if worth(pmf) > worth(best):
                best = pmf
    return best


def attack_pmf(dice, tokens, value=lambda k: k):
    if not isinstance(dice, int):
        return modified(tuple(dice), tokens, value)
    out = Counter()
    for faces, weight in rolls(ATTACK, dice).items():
        for k, p in modified(faces, tokens, value).items():
            out[k] += weight * p
    return out


def damage_pmf(attack, attacker, defense, defender):
    """The damage of an attack; `attack`, `defense` as in attack_pmf() and evade_pmf()."""
    met = evade_pmf(defense, defender)
    after = lambda k: sum(p * max(0, k - e) for e, p in met.items())
    out = Counter()
    for (k, p), (e, q) in itertools.product(attack_pmf(attack, attacker, after).items(), met.items()):
        out[max(0, k - e)] += p * q
    return out


def listed(pmf):
    return [float(pmf[k]) for k in range(max(k for k, p in pmf.items() if p) + 1)]


def words(tokens):
    return " ".join(f"{kind}={n}" if n > 1 else kind for kind, n in tokens.items())


# The second edition's damage deck (000: Damage_Cards), as far as cards act when damage is suffered.
DECK = {"direct-hit": 5, "fuel-leak": 4, "hull-breach": 2, "other": 22}


@functools.lru_cache(maxsize=None)
def suffer(crits, left, leaks, breach):
    """Mean damage of critical damage to a hull without shields. `left`: cards of DECK that are not seen."""
    if crits == 0:
        return Fraction(0)
    out = Fraction(0)
    for i, kind in enumerate(DECK):
        if left[i] == 0:
            continue
        rest = left[:i] + (left[i] - 1,) + left[i + 1:]
        now = breach or kind == "hull-breach"
        more = leaks + (kind == "direct-hit")  # every leak that was there is suffered and repaired
        after = suffer(crits - 1 + (more if now else 0), rest, 1 if kind == "fuel-leak" else 0, now)
        out += Fraction(left[i], sum(left)) * (1 + (0 if now else more) + after)
    return out


def mean_damage(hits, crits, faceup=()):
    """Of results on a ship without shields, with these cards already faceup."""
    known = Counter(card if card in DECK else "other" for card in faceup)
    left = tuple(DECK[kind] - known[kind] for kind in DECK)
    breach = known["hull-breach"] > 0
    if breach:
        crits, hits = hits + crits, 0
    return float(hits + suffer(crits, left, known["fuel-leak"], breach))


class Case(program.Case):
    def ask(self, *arguments, engine="both"):
        answer = json.loads(self.answered("run", *arguments, "--format", "json", "--engine", engine, "--trials", "2e5"))
        self.assertEqual(check(answer, schema("run")), [])
        return answer

    def near(self, found, expected, place=""):
        self.assertEqual(len(found), len(expected), place)
        for a, b in zip(found, expected):
            self.assertAlmostEqual(a, b, 11, place)

    def error(self, *arguments, stdin=""):
        result = run(*arguments, stdin=stdin, cwd=self.folder)
        self.assertEqual((result.returncode, result.stdout), (2, ""), result.stderr)
        return result.stderr


class Results(Case):
    def damage(self, attack, defend, *more):
        return self.ask("-a", attack, "-d", defend, *more)["ships"]["d"]["damage"]

    def test_results_of_the_attack(self):
        for faces, tokens, agility, green in [
            ("3 hits", {}, 2, {}), ("3 hits 1 crit", {}, 3, {"focus": 1}), ("1 crit", {}, 1, {}),
            ("2 hits 2 crits", {}, 2, {"evade": 1}), ("1 hit", {"focus": 1}, 3, {"calculate": 1}),
            ("4 hits", {"lock": 1}, 3, {"focus": 1, "evade": 1}), ("0 hits", {}, 2, {}),
        ]:
            n = sum(int(word) for word in faces.split() if word.isdigit())
            found = self.damage(f"{faces} {words(tokens)}", f"{agility} {words(green)}")
            self.near(found["pmf"], listed(damage_pmf(["hit"] * n, {}, agility, green)), faces)

    def test_joint_of_results(self):
        # One evade takes a hit before it takes the crit.
        answer = self.ask("-a", "1 hit 1 crit", "-d", "1")
        self.assertEqual([cell[:2] for cell in answer["ships"]["d"]["joint"]], [[0, 1], [1, 1]])
        self.assertAlmostEqual(answer["ships"]["d"]["joint"][0][2], 3 / 8, 12)
        self.assertEqual(answer["attacks"][0]["attack_dice"], 2)

    def test_rolled(self):
        for faces, tokens, agility, green in [
            ("hit,focus,blank", {"focus": 1}, 2, {}), ("hit,focus,blank", {"lock": 1}, 3, {"focus": 1}),
            ("hit,focus,blank", {"focus": 1, "lock": 1}, 3, {"evade": 1}), ("focus,focus", {"calculate": 1}, 1, {}),
            ("blank,blank,blank", {"lock": 1}, 2, {"focus": 1}),
            ("crit,focus,focus", {"calculate": 1, "lock": 1}, 2, {}),
            ("hit,hit,crit", {"lock": 1}, 0, {}), ("focus,blank", {}, 1, {"calculate": 2}),
            ("focus,focus,blank,blank", {"focus": 1, "lock": 1}, 2, {"focus": 1}), ("blank", {"focus": 1}, 1, {}),
        ]:
            found = self.damage(f"rolled={faces} {words(tokens)}", f"{agility} {words(green)}")
            self.near(found["pmf"], listed(damage_pmf(faces.split(","), tokens, agility, green)), faces)

    def test_rolls_of_the_defense(self):
        for dice, tokens, faces, green in [
            (3, {"focus": 1}, "evade,focus", {"focus": 1}), (3, {"lock": 1}, "blank,blank", {"evade": 1}),
            (2, {}, "focus,focus,blank", {"calculate": 1}), (4, {"focus": 1, "lock": 1}, "evade,focus,blank", {}),
            (3, {"lock": 1}, "focus", {"focus": 1, "evade": 1}),
        ]:
            found = self.damage(f"{dice} {words(tokens)}", f"rolled={faces} {words(green)}")
            self.near(found["pmf"], listed(damage_pmf(dice, tokens, faces.split(","), green)), faces)
            left = self.damage(f"{dice} {words(tokens)}", f"results={faces} {words(green)}")
            self.near(left["pmf"], listed(damage_pmf(dice, tokens, faces.split(","), {})), faces)

    def test_both_rolls_leave_nothing_to_chance(self):
        found = self.damage("rolled=hit,focus,blank focus", "rolled=evade,focus,blank")
        self.assertEqual(found["pmf"], [0, 1])

    def test_in_scenarios_and_requests(self):
        scenario = {"ships": {"a": {"attack": 3, "tokens": {"focus": 1}}, "d": {"agility": 2}},
                    "attacks": [{"by": "a", "on": "d", "rolled": ["hit", "focus", "blank"],
                                 "defense_rolled": "evade focus"}]}
        answer = json.loads(self.answered("run", "-", "--format", "json", stdin=json.dumps(scenario)))
        self.assertEqual(answer["ships"]["d"]["damage"]["pmf"], [0, 1])
        body = {"attack": ["rolled=hit,focus,blank focus"], "defend": "rolled=evade,focus"}
        same = json.loads(run("request", "run", "-", stdin=json.dumps(body)).stdout)
        self.assertEqual(same["ships"]["d"]["damage"]["pmf"], [0, 1])

    def test_cards_modify_a_stated_roll(self):
        # Predator rerolls one die of an attack in the bullseye arc: the blank.
        found = self.damage("rolled=hit,hit,blank predator bullseye", "0")
        self.near(found["pmf"], [0, 0, 1 / 2, 1 / 2])
        after = self.damage("2 hits predator bullseye", "0")
        self.near(after["pmf"], [0, 0, 1])

    def test_sampled_agrees_with_rerolls(self):
        answer = self.ask("-a", "rolled=focus,blank,blank focus lock", "-a", "3 focus", "-d", "2 focus evade hull=5",
                          "--objective", "kill")
        self.assertTrue(answer["cross_check"]["agree"])

    def test_refused(self):
        self.assertRegex(self.error("run", "-a", "3 rolled=hit,focus", "-d", "2"), r"--attack 1: .*2 dice.*3 attack")
        self.assertRegex(self.error("run", "-a", "X-wing rolled=hit,hit,hit range=1", "-d", "2"), "3 dice.*4 attack")
        self.assertRegex(self.error("run", "-a", "3", "-d", "TIE/ln rolled=evade"), "--defend: .*1 dice.*3 defense")
        self.assertRegex(self.error("run", "-a", "rolled=hit,evade", "-d", "2"), "evade.*hit")
        self.assertRegex(self.error("run", "-a", "rolled=hit results=hit", "-d", "2"), "results")
        self.assertRegex(self.error("run", "-a", "3", "-d", "2 evades"), "evade=2.*results=evade,evade")
        self.assertRegex(self.error("run", "-a", "3", "-d", "2 2 hits"), "--defend: .*SPEC of the attack")
        self.assertRegex(self.error("run", "-a", "2 evades", "-d", "2"), "defender")
        self.assertRegex(self.error("run", "-a", "3", "-a", "2", "-d", "2 rolled=evade,blank"), "one attack")
        self.assertRegex(self.error("run", "-a", "99 hits", "-d", "2"), "0 to 31")
        self.assertRegex(self.error("run", "-a", "rolled=", "-d", "2"), "no value")
        self.assertRegex(self.error("compare", "3", "4", "--defend", "2 rolled=evade,blank"), "one attack")
        self.assertRegex(self.error("squad", "X-wing results=hit"), "one attack")
        self.assertRegex(self.error("battle", "3 agility=2 hull=4 results=hit", "3 agility=2 hull=4"), "single attack")

    def test_in_other_questions(self):
        # Two hits without an answer take a hull of four in two shots.
        answer = json.loads(self.answered("durability", "-a", "2 hits", "-d", "0 hull=4", "--format", "json"))
        self.assertEqual(answer["mean_shots"], 2)
        answer = json.loads(self.answered("compare", "2 hits", "3 hits", "--defend", "0 hull=9", "--format", "json"))
        self.assertEqual([(row["name"], row["average"]) for row in answer["loadouts"]], [("3 hits", 3), ("2 hits", 2)])


class RollsAlone(Case):
    def test_attack(self):
        for dice, tokens in [(3, {}), (3, {"focus": 1}), (3, {"lock": 1}), (3, {"focus": 1, "lock": 1}),
                             (2, {"calculate": 1}), (4, {"calculate": 1, "lock": 1}), (1, {"lock": 1}), (0, {}),
                             (5, {"focus": 1}), (2, {"focus": 1, "lock": 1})]:
            answer = self.ask("-a", f"{dice} {words(tokens)}")
            pmf = attack_pmf(dice, tokens)
            roll = answer["roll"]
            self.near(roll["results"]["pmf"], listed(pmf), (dice, tokens))
            self.assertAlmostEqual(answer["value"], float(sum(k * p for k, p in pmf.items())), 11)
            self.assertAlmostEqual(roll["mean_hits"] + roll["mean_crits"], answer["value"], 11)
            self.assertEqual((roll["of"], roll["dice"], answer["ships"], answer["attacks"]), ("attack", dice, {}, []))
            self.assertAlmostEqual(sum(p for _, _, p in roll["joint"]), 1, 11)

    def test_defense(self):
        for dice, tokens in [(3, {}), (3, {"focus": 1}), (2, {"evade": 1}), (3, {"focus": 1, "evade": 1}),
                             (1, {"focus": 1}), (3, {"calculate": 1}), (2, {"calculate": 2, "evade": 1}), (0, {}),
                             (0, {"evade": 1}), (4, {"focus": 1})]:
            answer = self.ask("-d", f"{dice} {words(tokens)}")
            self.near(answer["roll"]["evades"]["pmf"], listed(evade_pmf(dice, tokens)), (dice, tokens))
            self.assertEqual((answer["roll"]["of"], answer["roll"]["dice"]), ("defense", dice))

    def test_tokens_left(self):
        # The focus token is spent if a die shows a focus.
        left = self.ask("-d", "3 focus")["roll"]["tokens_left"]
        self.assertAlmostEqual(left["focus"], (6 / 8) ** 3, 12)

    def test_circumstances(self):
        self.assertEqual(self.ask("-d", "X-wing range=3 obstructed")["roll"]["dice"], 4)
        self.assertEqual(self.ask("-a", "T-65 X-wing range=1 focus")["roll"]["dice"], 4)
        self.near(self.ask("-d", "rolled=focus,blank focus")["roll"]["evades"]["pmf"], [0, 1])
        self.near(self.ask("-a", "rolled=focus,blank focus")["roll"]["results"]["pmf"], [0, 1])
        # A reinforce token adds its evade later, and a bonus attack is another attack.
        self.near(self.ask("-d", "2 reinforce")["roll"]["evades"]["pmf"], listed(evade_pmf(2, {})))

    def test_everywhere(self):
        table = self.answered("run", "-d", "3 focus", "--format", "table")
        self.assertIn("mean evades", table)
        self.assertIn("mean results", self.answered("run", "-a", "3 focus", "--format", "table"))
        csv = self.answered("run", "-d", "3 focus", "--format", "csv")
        self.assertRegex(csv, r"\nd,evades_mean,,1\.87[45]\d*,\n")
        csv = self.answered("run", "-a", "3 focus", "--format", "csv")
        self.assertRegex(csv, r"\na1,results_mean,,2\.2[45]\d*,\n")
        asked = json.loads(run("request", "run", "-", stdin='{"defend": "3 focus"}').stdout)
        self.assertAlmostEqual(asked["roll"]["evades"]["mean"], 1.875, 12)
        scenario = {"ships": {"a": {}, "d": {"agility": 3, "tokens": {"focus": 1}}}, "roll": "defense",
                    "attacks": [{"by": "a", "on": "d"}]}
        asked = json.loads(run("batch", stdin=json.dumps(scenario)).stdout)
        self.assertAlmostEqual(asked["roll"]["evades"]["mean"], 1.875, 12)

    def test_refused(self):
        self.assertIn("say who is shot at", self.error("run", "-a", "3", "-a", "2"))
        self.assertIn("say who shoots", self.error("advise", "-d", "3"))
        self.assertIn("say who is shot at", self.error("worth", "-a", "3"))
        self.assertIn("one attack", self.error("run", "-a", "3 x2"))
        self.assertIn("objective", self.error("run", "-a", "3", "--objective", "kill"))
        self.assertIn("damage-deck", self.error("run", "-d", "3 hull=3", "--damage-deck", "core"))
        self.assertIn("one attack", self.error("run", "-d", "3", "--rounds", "2"))
        self.assertIn("--return", self.error("run", "-a", "X-wing", "--return", "3"))
        self.assertIn("--plot", self.error("run", "-a", "3", "--plot", "x.svg"))
        self.assertIn("certif", self.error("run", "-a", "3", "--certify"))


class DamageCards(Case):
    def damage(self, attack, defend, *more):
        return self.ask("-a", attack, "-d", defend, *more)["ships"]["d"]

    def test_the_deck_has_no_card_that_lies_on_the_table(self):
        for hits, crits, faceup in [
            (0, 1, []), (0, 2, []), (0, 1, ["direct-hit"]), (0, 2, ["structural-damage"]), (1, 2, ["fuel-leak"]),
            (0, 1, ["fuel-leak", "fuel-leak"]), (0, 2, ["direct-hit", "direct-hit", "wounded-pilot"]),
            (2, 0, ["hull-breach"]), (1, 1, ["hull-breach", "fuel-leak"]), (0, 3, ["damaged-engine"]),
            (2, 1, ["stunned-pilot", "loose-stabilizer", "panicked-pilot"]),
        ]:
            cards = f"faceup={','.join(faceup)}" if faceup else ""
            found = self.damage(f"{hits} hits {crits} crits", f"0 hull=29 {cards}", "--damage-deck", "core")
            self.assertAlmostEqual(found["damage"]["mean"], mean_damage(hits, crits, faceup), 11, (hits, crits, faceup))

    def test_cards_act(self):
        for deck in ([], ["--damage-deck", "core"]):
            for n in (0, 1, 2):
                cards = " faceup=" + ",".join(["structuraldamage"] * n) if n else ""
                found = self.damage("3 hits", f"3 focus hull=29{cards}", *deck)
                expected = listed(damage_pmf(["hit"] * 3, {}, 3 - n, {"focus": 1}))
                self.near(found["damage"]["pmf"], expected, (deck, n))
                cards = " faceup=" + ",".join(["weaponsfailure"] * n) if n else ""
                found = self.damage(f"3 focus lock{cards}", "2 hull=29")
                self.near(found["damage"]["pmf"], listed(damage_pmf(3 - n, {"focus": 1, "lock": 1}, 2, {})), n)
        blinded = self.damage('3 focus lock faceup="Blinded Pilot"', "2")
        self.near(blinded["damage"]["pmf"], listed(damage_pmf(3, {}, 2, {})))
        force = self.damage("2 force faceup=blinded-pilot", "0")
        self.near(force["damage"]["pmf"], listed(attack_pmf(2, {"calculate": 1})))

    def test_console_fire(self):
        # An attack die for the card before the ship engages: damage with a hit.
        answer = self.ask("-a", "T-65 X-wing faceup=consolefire shields=0", "-d", "2")
        self.assertAlmostEqual(answer["ships"]["a1"]["damage"]["mean"], 3 / 8, 12)

    def test_hull(self):
        ship = self.damage("3 hits", "T-65 X-wing shields=0 facedown=2")
        self.assertEqual(len(ship["hull"]), 3)
        self.near(ship["damage"]["pmf"], listed(damage_pmf(["hit"] * 3, {}, 2, {})))
        self.assertAlmostEqual(ship["destroyed"], sum(ship["damage"]["pmf"][2:]), 12)
        both = self.damage("3 hits", "T-65 X-wing shields=0 facedown=1 faceup=wounded-pilot")
        self.assertEqual(len(both["hull"]), 3)
        answer = json.loads(self.answered("durability", "-a", "1 hit", "-d", "0 hull=4 facedown=1", "--format", "json"))
        self.assertEqual(answer["mean_shots"], 3)

    def test_first_edition(self):
        first = ["--rules", "first-edition"]
        # A Direct Hit counts as two damage cards.
        ship = self.damage("1 hit", "ship=xwing shields=0 faceup=direct-hit", *first)
        self.assertEqual(len(ship["hull"]), 2)
        # A blinded pilot rolls no dice in its next attack, and then turns the card facedown.
        scenario = {"rules": "first-edition",
                    "ships": {"a": {"attack": 3, "faceup": ["Blinded Pilot"]}, "d": {"agility": 0}},
                    "attacks": [{"by": "a", "on": "d"}, {"by": "a", "on": "d"}]}
        answer = json.loads(self.answered("run", "-", "--format", "json", "--engine", "both", "--trials", "2e5",
                                          stdin=json.dumps(scenario)))
        self.assertEqual([attack["attack_dice"] for attack in answer["attacks"]], [0, 3])
        self.near(answer["ships"]["d"]["damage"]["pmf"], listed(attack_pmf(3, {})))
        self.assertTrue(answer["cross_check"]["agree"])

    def test_notes(self):
        answer = self.ask("-a", "3", "-d", "T-65 X-wing faceup=structuraldamage")
        self.assertTrue(any("shields" in note for note in answer["notes"]))
        self.assertTrue(any("deals no cards" in note for note in answer["notes"]))
        answer = self.ask("-a", "3", "-d", "X-wing shields=0 faceup=directhit")
        self.assertTrue(any("facedown card" in note for note in answer["notes"]))

    def test_refused(self):
        self.assertRegex(self.error("run", "-a", "3", "-d", "X-wing facedown=4"), "--defend: facedown: 4 damage cards")
        self.assertRegex(self.error("run", "-a", "3", "-d", "2 facedown=1"), "hull")
        self.assertRegex(self.error("run", "-a", "3", "-d", "X-wing faceup=structual-damage"), "structural-damage")
        three = "faceup=" + ",".join(["weaponsfailure"] * 3)
        self.assertRegex(self.error("run", "-a", "3", "-d", f"2 hull=9 {three}"), "3 copies.*has 2")
        self.assertRegex(self.error("run", "-a", "3", "-d", "X-wing facedown=0 facedown=1"), "twice")
        self.assertRegex(self.error("battle", "X-wing faceup=weaponsfailure", "X-wing", "--policy", "optimal"), "facedown")
        scenario = {"ships": {"a": {"attack": 3, "damage_cards": ["blindedpilot"]}, "d": {"agility": 2}},
                    "attacks": [{"by": "a", "on": "d"}]}
        self.assertRegex(self.error("run", "-", stdin=json.dumps(scenario)), "ships.a.damage_cards.*faceup")

    def test_battle(self):
        words = "3 agility=2 hull=4"
        whole = json.loads(self.answered("battle", words, words, "--format", "json", "--rounds", "2"))
        hurt = json.loads(self.answered("battle", words + " facedown=2", words, "--format", "json", "--rounds", "2"))
        less = json.loads(self.answered("battle", "3 agility=2 hull=2", words, "--format", "json", "--rounds", "2"))
        self.assertLess(hurt["win"] + hurt["draw"] / 2, whole["win"] + whole["draw"] / 2)
        self.assertEqual(hurt["win"], less["win"])


if __name__ == "__main__":
    main()
