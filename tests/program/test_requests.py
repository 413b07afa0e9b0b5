#!/usr/bin/env python3
"""test_requests.py SALVO [unittest options]: requests in JSON get the same bytes as commands.

docs/format.md (Requests) describes the format; each case asks the same question both ways.
"""

import json
import sys
import tempfile
import tomllib
import unittest
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "support"))
from check_schema import check
from program import ROOT, main, run, schema

SCENARIOS = sorted(file for file in (ROOT / "profiles" / "scenarios").glob("*.toml") if ".grid." not in file.name)
REBELS = ROOT / "profiles" / "squads" / "rebels.json"


def request(verb, body):
    return run("request", verb, "-", stdin=body if isinstance(body, str) else json.dumps(body))


SCHEMA = schema("request")
ERROR = schema("error")


class SameAsTheCommand(unittest.TestCase):
    maxDiff = 2000

    def same(self, verb, body, *words):
        if verb == "run":  # a command computes it unless told otherwise, a request if it is asked
            body = {"would_add": True, **body}
        self.assertEqual(check(body, {"$ref": f"#/$defs/{verb}"}, whole=SCHEMA), [])
        asked, expected = request(verb, body), run(*words, "--format", "json")
        self.assertEqual(expected.returncode, 0, expected.stderr)
        self.assertEqual(asked.stderr, "")
        self.assertEqual(asked.stdout, expected.stdout)
        self.assertEqual(asked.returncode, 0)

    def test_scenarios(self):
        for file in SCENARIOS:
            with self.subTest(file.name):
                scenario = tomllib.loads(file.read_text())
                if any(str(scenario.get(key, "")).endswith(".toml") for key in ("attacker_policy", "defender_policy")):
                    continue  # a request reads no files
                self.same("run", scenario, "run", str(file))
                self.same("worth", scenario, "worth", str(file))

    def test_battles(self):
        body = {"mine": ["pilot=redsquadronveteran"], "theirs": "pilot=academypilot x2", "flight": "range-2", "rounds": 6}
        words = ("battle", "pilot=redsquadronveteran", "pilot=academypilot x2", "--flight", "range-2", "--rounds", "6")
        self.same("battle", body, *words)
        self.same("battle", {**body, "engine": "sample", "trials": 2000, "seed": 3, "my_policy": "points", "first": "mine"},
                  *words, "--engine", "sample", "--trials", "2000", "--seed", "3", "--my-policy", "points", "--first", "mine")
        self.same("battle", {**body, "rounds": 2, "my_policy": "optimal", "worth": True},
                  *words[:-1], "2", "--my-policy", "optimal", "--worth")
        red = {"name": "red", "ships": {"a": {"attack": 3, "agility": 1, "hull": 4, "initiative": 3, "points": 4}}}
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "red.json"
            file.write_text(json.dumps(red))
            self.same("battle", {"mine": red, "theirs": red, "flight": "range-2"},
                      "battle", str(file), str(file), "--flight", "range-2")

    def test_gauntlets(self):
        squads = ["pilot=redsquadronveteran", "pilot=academypilot x2", "3 hull=4"]
        self.same("gauntlet", {"squads": squads, "flight": "range-2", "rounds": 6},
                  "gauntlet", *squads, "--flight", "range-2", "--rounds", "6")
        self.same("gauntlet", {"squads": squads, "weights": [1, 0, 3], "flight": "ambush", "engine": "sample", "trials": 500,
                               "seed": 3, "policy": "points"},
                  "gauntlet", squads[0], squads[1] + "@0", squads[2] + "@3", "--flight", "ambush", "--engine", "sample",
                  "--trials", "500", "--seed", "3", "--policy", "points")
        for body, words in (({"squads": ["3 hull=2"]}, "two squads"), ({"squads": "3 hull=2"}, "list of squads"),
                            ({"squads": squads, "weights": [1]}, "1 weights"),
                            ({"squads": squads, "weights": [-1, 0, 1]}, "weights[0]"), ({}, "squads")):
            result = request("gauntlet", body)
            self.assertEqual(result.returncode, 2, result.stdout)
            self.assertIn(words, result.stdout)

    def test_specs(self):
        self.same("run", {"attack": "3 focus lock range=1", "defend": "3 focus evade hull=3"},
                  "run", "-a", "3 focus lock range=1", "-d", "3 focus evade hull=3")
        self.same("run", {"attack": ["3 focus x2"], "defend": ["TIE/ln fighter", "1 hull=5"], "objective": "kill"},
                  "run", "-a", "3 focus x2", "-d", "TIE/ln fighter", "-d", "1 hull=5", "--objective", "kill")
        self.same("run", {"attack": "3 lock", "defend": "2 hull=4", "damage_deck": "core", "attacker_policy": "greedy",
                          "defender_policy": "hold", "certify": True},
                  "run", "-a", "3 lock", "-d", "2 hull=4", "--damage-deck", "core", "--attacker-policy", "greedy",
                  "--defender-policy", "hold", "--certify")
        self.same("run", {"attack": "3 focus", "defend": "2", "rules": "first-edition", "engine": "sample",
                          "trials": 20000, "seed": 18446744073709551615, "generator": "ars-7", "count_tokens": False},
                  "run", "-a", "3 focus", "-d", "2", "--rules", "first-edition", "--engine", "sample", "--trials",
                  "20000", "--seed", "18446744073709551615", "--generator", "ars-7", "--no-tokens")

    def test_among(self):
        scenario = {"ships": {"red": {"attack": 3, "tokens": {"focus": 1}}, "black": {"agility": 3, "hull": 3},
                              "grey": {"agility": 1, "hull": 5}}, "attacks": [{"by": "red", "on": "black"}]}
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            file.write(json.dumps(scenario))
            file.flush()
            self.same("run", {**scenario, "among": ["black", "grey"]}, "run", file.name, "--on", "black grey")

    def test_return_fire(self):
        self.same("run", {"attack": ["X-wing focus", "2"], "defend": "2 hull=3", "return": ["3 focus", "2 lock"]},
                  "run", "-a", "X-wing focus", "-a", "2", "-d", "2 hull=3", "--return", "3 focus", "--return", "2 lock")
        self.same("advise", {"attack": "X-wing focus", "defend": "TIE/ln fighter", "return": "3",
                             "point": {"rolled": "hit focus blank"}},
                  "advise", "-a", "X-wing focus", "-d", "TIE/ln fighter", "--return", "3", "--rolled", "hit focus blank")
        for body, place, words in (
                ({"attack": "X-wing", "defend": "2", "return": ["3", "3 focsu"]}, "return[1]", 'did you mean \"focus\"'),
                ({"attack": "3", "defend": "2", "return": "3"}, "return", "no agility"),
                ({"return": "3", "ships": {}, "attacks": []}, "return", "lists the return fire")):
            result = request("run", body)
            error = json.loads(result.stdout)["error"]
            self.assertEqual((result.returncode, error["place"], error["status"]), (2, place, 2))
            self.assertIn(words, error["message"])

    def test_decisions(self):
        joust = tomllib.loads((ROOT / "profiles" / "scenarios" / "joust.toml").read_text())
        file = str(ROOT / "profiles" / "scenarios" / "joust.toml")
        self.same("advise", joust, "advise", file)
        self.same("advise", {**joust, "point": {"attack": 1, "rolled": "hit focus focus blank"}},
                  "advise", file, "--attack", "1", "--rolled", "hit focus focus blank")
        self.same("advise", {"attack": "3 focus lock", "defend": "2 evade hull=4",
                             "point": {"rolled": "hit focus blank", "tokens": {"a1": {"focus": 0}}, "damage": {"d": 2},
                                       "to_move": "attacker"}},
                  "advise", "-a", "3 focus lock", "-d", "2 evade hull=4", "--rolled", "hit focus blank", "--tokens",
                  "a1 focus=0", "--damage", "d=2", "--to-move", "attacker")
        self.same("luck", {"attack": "3 focus lock", "defend": "2 evade hull=4", "damage": 1, "objective": "kill",
                           "point": {"rolled": "hit focus blank", "spent": "", "tokens": {"a1": {"focus": 0}},
                                     "damage": {"d": 2}}},
                  "luck", "-a", "3 focus lock", "-d", "2 evade hull=4", "--damage", "1", "--objective", "kill", "--rolled",
                  "hit focus blank", "--spent", "nothing", "--tokens", "a1 focus=0", "--damaged", "d=2")
        log = ("player Ann\nx: attack=2 agility=1 hull=4\nplayer Bob\ny: attack=2 agility=1 hull=4\n"
               "x (focus) > y r2: hit focus; focus | blank\ny > x r2: ? = 1\n")
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as file_of_log:
            file_of_log.write(log)
            file_of_log.flush()
            self.same("review", {"log": log, "damage_deck": "core"}, "review", file_of_log.name, "--damage-deck", "core")
        self.same("order", {"attack": ["3 focus", "2 lock"], "defend": "2 evade hull=3", "objective": "kill"},
                  "order", "-a", "3 focus", "-a", "2 lock", "-d", "2 evade hull=3", "--objective", "kill")

    def test_squads(self):
        rebels, other = json.loads(REBELS.read_text()), json.loads(REBELS.read_text())
        self.same("squad", {"squad": rebels}, "squad", str(REBELS))
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "-.json"
            path.write_text(json.dumps(other))
            expected = run("squad", str(REBELS), "--against", str(path), "--range", "1", "--format", "json")
            self.assertEqual(expected.returncode, 0, expected.stderr)
            self.assertEqual(json.loads(request("squad", {"squad": rebels, "against": other, "range": 1}).stdout),
                             json.loads(expected.stdout))
        self.same("squad", {"squad": "pilot=wedgeantilles predator protontorpedoes"},
                  "squad", "pilot=wedgeantilles predator protontorpedoes")
        self.same("squad", {"squad": "pilot=wedgeantilles", "attacker_policy": "hold", "objective": "kill", "damage_deck": "core"},
                  "squad", "pilot=wedgeantilles", "--attacker-policy", "hold", "--objective", "kill", "--damage-deck", "core")
        link = "https://yasb.app/?f=Rebel%20Alliance&d=v10ZsZ50Z4X"
        self.same("squad", {"squad": link}, "squad", link)

    def test_wrapped_squads(self):
        rebels = json.loads(REBELS.read_text())
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "wrapped.json"
            for wrapped in ({"data": {"xws": rebels}}, [rebels]):
                path.write_text(json.dumps(wrapped))
                expected = json.loads(run("squad", str(path), "--format", "json").stdout)["squad"]
                self.assertEqual(expected["pilots"], len(rebels["pilots"]))
                for squad in (wrapped, json.dumps(wrapped)):
                    self.assertEqual(json.loads(request("squad", {"squad": squad}).stdout)["squad"], expected)
                piped = run("squad", "-", "--format", "json", stdin=json.dumps(wrapped))
                self.assertEqual(json.loads(piped.stdout)["squad"]["pilots"], expected["pilots"])
                fight = {"mine": wrapped, "theirs": rebels, "flight": "range-2", "rounds": 1, "engine": "sample", "trials": 50}
                plain = request("battle", {**fight, "mine": rebels})
                self.assertEqual(request("battle", fight).stdout, plain.stdout)
        self.assertIn("one of them", request("squad", {"squad": [rebels, rebels]}).stdout)

    def test_squad_as_a_list_of_texts(self):
        link = "https://yasb.app/?f=Galactic%20Empire&d=v10ZsZ50Z173XY193X&sn=x"
        for text in (link, "Luke Skywalker [Predator]", "Luke Skywalker | Wedge Antilles"):
            squad = json.loads(request("squad", {"squad": text}).stdout)["squad"]
            self.assertEqual(json.loads(request("squad", {"squad": [text]}).stdout)["squad"], squad)
        squad = json.loads(request("squad", {"squad": ["Luke Skywalker", "Wedge Antilles"]}).stdout)["squad"]
        self.assertEqual((squad["name"], squad["pilots"]), ("Luke Skywalker, Wedge Antilles", 2))
        for texts, place in (["Luke Skywalker", link], "squad[1]"), ([link, link], "squad[0]"):
            error = json.loads(request("squad", {"squad": texts}).stdout)["error"]
            self.assertEqual((error["place"], error["message"][:9]), (place, "is a link"))

    def test_compare(self):
        self.same("compare", {"items": ["3 focus", "3 lock", "3 focus lock"], "by": "at_least:2"},
                  "compare", "3 focus", "3 lock", "3 focus lock", "--by", "at_least:2")
        self.same("compare", {"items": [json.loads(REBELS.read_text())], "tokens": "focus+lock", "range": 1,
                              "weapon": "primary", "defend": ["3 focus evade", "TIE/ln fighter"]},
                  "compare", str(REBELS), "--tokens", "focus+lock", "--range", "1", "--weapon", "primary",
                  "-d", "3 focus evade", "-d", "TIE/ln fighter")
        self.same("compare", {"items": ["3 focus", "3 lock"], "engine": "sample", "trials": 20000},
                  "compare", "3 focus", "3 lock", "--engine", "sample", "--trials", "20000")

    def test_durability(self):
        self.same("durability", {"attack": "3 focus lock", "all": True, "defend": "focus"},
                  "durability", "--attack", "3 focus lock", "--all", "--defend", "focus")
        self.same("durability", {"attack": ["2 focus", "3 lock"], "defend": "pilot=darthvader", "tail": 0.001},
                  "durability", "--attack", "2 focus", "--attack", "3 lock", "--defend", "pilot=darthvader", "--tail",
                  "0.001")
        question = {"defender": {"dice": 2, "hull": 3, "focus": 1}, "attacker": {"dice": 3, "lock": 1},
                    "attack": {"range": 1}}
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            file.write(json.dumps(question))
            file.flush()
            self.same("durability", {**question, "refresh": "round", "round": 2},
                      "durability", file.name, "--refresh", "round", "--round", "2")

    def test_hazards(self):
        self.same("hazard", {"hazard": "list"}, "hazard", "list")
        self.same("hazard", {"hazard": "player-order", "engine": "both", "trials": 30000},
                  "hazard", "player-order", "--engine", "both", "--trials", "30000")
        self.same("hazard", {"hazard": "debris-cloud", "times": 2, "ships": ["hull=4 shields=2"]},
                  "hazard", "debris-cloud", "--times", "2", "--ship", "hull=4 shields=2")

    def test_library(self):
        self.same("pilots", {"words": "luke"}, "pilots", "luke")
        self.same("ships", {}, "ships")
        self.same("weapons", {"words": "torpedoes", "cards": "2025"}, "weapons", "torpedoes", "--cards", "2025")
        self.same("cards", {"show": "predator"}, "cards", "show", "predator")
        self.same("cards", {"list": True, "kind": "upgrade", "search": "reroll"},
                  "cards", "list", "--kind", "upgrade", "--search", "reroll")
        self.same("rules", {}, "rules")
        self.same("rules", {"edition": "second-edition", "left_out": True}, "rules", "second-edition", "--left-out")

    def test_batch(self):
        """A line of a batch is the body of `run`, and its id is returned."""
        line = {"ships": {"a": {"attack": 3, "tokens": {"focus": 1}}, "d": {"agility": 2}},
                "attacks": [{"by": "a", "on": "d"}], "id": "x7"}
        expected = json.loads(run("batch", stdin=json.dumps(line) + "\n").stdout)
        self.assertEqual(json.loads(request("run", line).stdout), expected)

    def test_would_add(self):
        """What the usual damage deck would add: a command computes it unless told otherwise, all others if it is asked."""
        specs = {"attack": "pilot=lukeskywalker focus range=1", "defend": "ship=tielnfighter focus"}
        words = ("run", "-a", specs["attack"], "-d", specs["defend"], "--format", "json")
        told, without = run(*words).stdout, run(*words, "--no-would-add").stdout
        added = json.loads(told)["damage_deck"]["core_would_add"]["d"]
        core = json.loads(run(*words, "--damage-deck", "core").stdout)["ships"]["d"]["damage"]["mean"]
        self.assertEqual(added, core - json.loads(told)["ships"]["d"]["damage"]["mean"])
        self.assertEqual({key: value for key, value in json.loads(told).items() if key != "damage_deck"}, json.loads(without))
        self.assertEqual(request("run", specs).stdout, without)
        self.assertEqual(request("run", {**specs, "would_add": False}).stdout, without)
        self.assertEqual(request("run", {**specs, "would_add": True}).stdout, told)
        self.assertIn("would change mean damage", run(*words[:-1], "table").stdout)
        self.assertNotIn("would change mean damage", run(*words[:-1], "table", "--no-would-add").stdout)
        line = {"ships": {"a1": {"pilot": "lukeskywalker", "tokens": {"focus": 1}}, "d": {"ship": "tielnfighter", "tokens": {"focus": 1}}},
                "attacks": [{"by": "a1", "on": "d", "range": 1}]}
        lines = [line, {**line, "would_add": True}, {**line, "would_add": False}]
        out = [json.loads(one) for one in run("batch", stdin="".join(json.dumps(one) + "\n" for one in lines)).stdout.splitlines()]
        self.assertEqual([one.pop("damage_deck", None) for one in out], [None, json.loads(told)["damage_deck"], None])
        self.assertEqual(out[1], out[0])
        self.assertEqual(out[2], out[0])
        for wrong in (request("run", {**specs, "would_add": 1}), run("batch", stdin=json.dumps({**line, "would_add": "yes"}))):
            error = json.loads(wrong.stdout)["error"]
            self.assertEqual(error["place"], "would_add")
            self.assertIn("true or false", error["message"])

    def test_stronger_weapons_are_noted(self):
        """The note on a weapon that would do more does not depend on what the damage deck would add."""
        body = {"ships": {"a": {"pilot": "lukeskywalker", "upgrades": ["protontorpedoes"], "tokens": {"lock": ["d"]}},
                          "d": {"ship": "tielnfighter"}}, "attacks": [{"by": "a", "on": "d"}]}
        notes = [json.loads(request("run", {**body, **more}).stdout)["notes"] for more in ({}, {"would_add": True})]
        self.assertTrue(any("the weapon protontorpedoes" in note and "does more" in note for note in notes[0]), notes[0])
        self.assertEqual(notes[0], notes[1])

    def test_whole_numbers(self):
        """A million is accepted in every notation of JSON, as the schema says."""
        body = {"attack": "3", "defend": "2", "engine": "sample", "seed": 7}
        expected = request("run", {**body, "trials": 1000}).stdout
        self.assertIn('"trials": 1000', expected)
        for trials in ("1000.0", "1e3"):
            self.assertEqual(request("run", json.dumps(body)[:-1] + f', "trials": {trials}}}').stdout, expected)


class Own(unittest.TestCase):
    CARD = 'kind = "upgrade"\nid = "surehit"\n\n[[effect]]\nat = "attack-mod"\nside = "attacker"\nmay = true\n' \
           'do = [{ verb = "change", dice = "attack", from = ["blank"], to = "hit", n = 1 }]\n'

    def mean(self, body):
        answered = request("run", body)
        self.assertEqual(answered.returncode, 0, answered.stdout)
        return json.loads(answered.stdout)["ships"]["d"]["damage"]["mean"]

    def test_home_made_card(self):
        """One die, and a blank may become a hit: 6 of 8 faces are damage instead of 4, against no defense."""
        checked = json.loads(request("cards", {"check": self.CARD}).stdout)["checked"][0]
        self.assertTrue(checked["good"], checked)
        body = {"attack": "1", "defend": "0"}
        self.assertAlmostEqual(self.mean(body), 4 / 8)
        self.assertAlmostEqual(self.mean({"attack": "1 surehit", "defend": "0", "card": [self.CARD]}), 6 / 8)
        self.assertEqual(request("run", {"attack": "1 surehit", "defend": "0"}).returncode, 2)

    def test_broken_card(self):
        answered = request("run", {"attack": "1", "defend": "0", "card": ["kind = 7"]})
        self.assertEqual(answered.returncode, 2)
        self.assertIn("kind", json.loads(answered.stdout)["error"]["place"])
        self.assertFalse(json.loads(request("cards", {"check": "kind = 7"}).stdout)["checked"][0]["good"])


class Errors(unittest.TestCase):
    def wrong(self, verb, body, place, *words, status=2):
        answered = request(verb, body)
        self.assertEqual(answered.returncode, status, answered.stdout)
        self.assertEqual(check(json.loads(answered.stdout), ERROR), [])
        error = json.loads(answered.stdout)["error"]
        self.assertEqual(error["place"], place)
        self.assertEqual(error["status"], status)
        for word in words:
            self.assertIn(word, error["message"])

    def test_places(self):
        self.wrong("run", {"attack": ["3", "3 fokus"], "defend": "2"}, "attack[1]", "focus")
        self.wrong("worth", {"attack": "3"}, "attack", "defend")
        self.wrong("run", {"attack": "3", "defend": "2", "objectiv": "kill"}, "objectiv", "objective")
        self.wrong("run", {"attack": "3", "defend": "2", "engine": "fast"}, "engine", "exact")
        self.wrong("run", {"attack": "3", "defend": "2", "trials": -1}, "trials")
        for trials in (1.5, 0.0, -1e3, 1e16):
            self.wrong("run", {"attack": "3", "defend": "2", "trials": trials}, "trials", "from 1 to 1e15")
        self.wrong("run", {"attack": "3", "defend": "2", "threads": 5000}, "threads")
        self.wrong("luck", {"attack": "3", "defend": "2", "damage": 4}, "damage", "which gives 0, 1, 2, 3")
        self.wrong("luck", {"attack": "3", "defend": "2", "point": {"rolled": "hit"}}, "point.rolled", "3 attack dice")
        self.wrong("luck", {"attack": "3", "defend": "2 hull=2", "point": {"damage": {"d": 2}}}, "point.damage", "destroys")
        self.wrong("review", {"log": "player A\nx: attack=1\n"}, "log", "no attack")
        self.wrong("review", {"log": "player A\nhello"}, "log", "log:2", "not a line of a log")
        self.wrong("review", {}, "", "log")
        self.wrong("advise", {"attack": "3", "defend": "2", "point": {"rolled": "hit evade"}}, "point.rolled", "evade")
        self.wrong("advise", {"attack": "3", "defend": "2", "point": {"damage": {"x": 1}}}, "point.damage.x", "no ship")
        self.wrong("squad", {"squad": {"pilots": [{"id": "nobody", "ship": "nothing"}]}}, "squad", "none of its pilots")
        self.wrong("squad", {}, "", "squad")
        self.wrong("compare", {"items": []}, "items", "empty")
        self.wrong("compare", {"items": ["3"], "by": "at_least"}, "by", "at_least:2")
        self.wrong("durability", {"attack": "3", "defend": "2", "round": 3}, "round", "refresh")
        self.wrong("hazard", {"hazard": "asteroid", "rules": "third-edition"}, "rules")
        self.wrong("cards", {}, "", "show")
        self.wrong("cards", {"show": "predtor"}, "show", "did you mean predator?")
        self.wrong("cards", {"show": 3}, "show", "found 3")
        self.wrong("run", "[1]", "")
        self.wrong("run", "{", "", "JSON")

    def test_places_of_specs(self):
        """An error in a SPEC names the key that holds it: a word, a range, a name, a card."""
        ship = {"attack": "X-wing", "defend": "2"}
        self.wrong("run", {"attack": "3 focus=x", "defend": "2"}, "attack[0]", "tokens.focus: found")
        self.wrong("run", {"attack": ["3 x2", "3 focus=100"], "defend": "2"}, "attack[1]", "tokens.focus: 100")
        self.wrong("run", {"attack": ["3 x2", "3 range=7"], "defend": "2"}, "attack[1]", "range: 7")
        self.wrong("run", {"attack": "3", "defend": "2 hull=0"}, "defend", "hull: 0")
        self.wrong("run", {"attack": "3", "defend": ["2", "3 range=1"]}, "defend[1]", "in the attack it is meant for")
        self.wrong("run", {"attack": "3", "defend": "pilot=nobody"}, "defend", "unknown pilot 'nobody'")
        self.wrong("run", {"attack": ["3", "3 weapon=ioncannon"], "defend": "2"}, "attack[1]", "weapon: ", "ioncannon")
        self.wrong("run", {**ship, "return": ["3", "3 focus=x"]}, "return[1]", "tokens.focus: found")
        self.wrong("run", {**ship, "return": "3 weapon=ioncannon"}, "return[0]", "weapon: ", "ioncannon")
        self.wrong("run", {"attack": "3", "defend": "2", "rounds": 2, "objective": "foo"}, "objective", "foo")
        self.wrong("battle", {"mine": ["X-wing", "X-wing fokus"], "theirs": "tiefighter"}, "mine[1]", "focus")
        self.wrong("battle", {"mine": "X-wing|X-wing fokus", "theirs": "tiefighter"}, "mine", "focus")
        self.wrong("battle", {"mine": "X-wing", "theirs": ["tiefighter focus=x"]}, "theirs[0]", "tokens.focus: found")
        self.wrong("battle", {"mine": "X-wing", "theirs": ["tiefighter x2", "pilot=nobody"]}, "theirs[1]", "nobody")
        self.wrong("battle", {"mine": "X-wing", "theirs": ["tiefighter", "tiefighter lock"]}, "theirs[1]", "locks")
        self.wrong("gauntlet", {"squads": [["X-wing"], ["3 hull=3", "3 fokus"]]}, "squads[1][1]", "focus")
        self.wrong("squad", {"squad": "X-wing fokus"}, "squad", "focus")
        self.wrong("compare", {"items": ["3", "3 fokus"]}, "items[1]", "focus")
        self.wrong("compare", {"items": ["3"], "defend": ["2", "2 fokus"]}, "defend[1]", "focus")
        self.wrong("durability", {"attack": ["3", "3 fokus"], "defend": "2 hull=3"}, "attack[1]", "focus")
        self.wrong("durability", {"attack": "3", "defend": "2 hul=3"}, "defend", "hull")
        self.wrong("hazard", {"hazard": "asteroid", "ships": ["hull=3", "hull=0"]}, "ships[1]", "hull: 0")
        self.wrong("hazard", {"hazard": "asteroid", "ships": "pilot=nobody"}, "ships[0]", "nobody")

    def test_places_in_parts(self):
        """An error within a nested object or text names the key that holds it."""
        self.wrong("battle", {"mine": "X-wing", "theirs": {"pilots": 5}}, "theirs.pilots", "list of pilots")
        self.wrong("battle", {"mine": {}, "theirs": "X-wing"}, "mine", "pilots")
        self.wrong("battle", {"mine": {"ships": {"red": {"hul": 3}}}, "theirs": "X-wing"}, "mine.ships.red.hul", "hull")
        self.wrong("battle", {"mine": {"ships": {"red": {"hull": 3, "tokens": {"fokus": 1}}}}, "theirs": "X-wing"},
                   "mine.ships.red.tokens.fokus", "focus")
        self.wrong("battle", {"mine": "X-wing", "theirs": "X-wing", "flight": "format = 1\nid = 4\n"}, "flight.id", "text")
        unknown = {"pilots": [{"id": "nobody", "ship": "t65xwing"}]}
        self.wrong("battle", {"mine": "X-wing", "theirs": unknown}, "theirs", "none of its pilots is known")
        self.wrong("gauntlet", {"squads": ["X-wing", unknown]}, "squads[1]", "none of its pilots is known")
        self.wrong("gauntlet", {"squads": ["X-wing"]}, "squads", "two squads")
        self.wrong("gauntlet", {"squads": ["X-wing", {"ships": {"red": {"hull": 3, "pilot": "nobody"}}}]},
                   "squads[1].ships.red.pilot", "nobody")
        self.wrong("compare", {"items": ["3", {"pilots": []}]}, "items[1].pilots", "no pilot")
        self.wrong("squad", {"squad": {"pilots": 5}}, "squad.pilots", "list of pilots")
        self.wrong("squad", {"squad": "X-wing", "against": {}}, "against", "pilots")
        self.wrong("run", {"attack": "3", "defend": "2", "card": ["id = 'x'\nkind = 'upgrade'", "id = 'y'\nkind = 4"]},
                   "card[1].kind", "found 4")
        self.wrong("run", {"attack": "3", "defend": "2", "card": ["x"]}, "card[0]", "TOML")
        self.wrong("hazard", {"hazard": "asteroid", "ships": ["hull=3"], "situation": "sideways"}, "situation", "moved-through")
        self.wrong("hazard", {"hazard": "comet", "ships": ["hull=3"]}, "hazard", "comet")

    def test_squads_of_two_editions_do_not_fight(self):
        """A ship of another edition would be left out as unknown, and its squad would lose without it."""
        first = {"pilots": [{"name": "wedgeantilles", "ship": "xwing", "points": 29, "upgrades": {"ept": ["predator"]}},
                            {"name": "prototypepilot", "ship": "awing", "points": 17, "upgrades": {"amd": ["r2d2"]}}], "points": 46}
        second = json.loads(REBELS.read_text())
        words = "squads of two editions cannot meet"
        self.wrong("battle", {"mine": second, "theirs": first}, "theirs", words)
        self.wrong("battle", {"mine": first, "theirs": second}, "theirs", words)
        self.wrong("gauntlet", {"squads": [second, second, first]}, "squads[2]", words)

    def test_points_of_two_kinds_do_not_compare(self):
        """Ships of 2.0 cost ten times as many points as those of 2.5, so each counts its six hull and shields instead."""
        old = {"ruleset": "2.0", "points": 41, "pilots": [{"id": "redsquadronveteran", "ship": "t65xwing", "points": 41}]}
        new = {"ruleset": "2.5", "points": 4, "pilots": [{"id": "redsquadronveteran", "ship": "t65xwing", "points": 4}]}
        ask = {"flight": "range-2", "rounds": 4, "first": "random"}
        mixed = json.loads(request("battle", {"mine": new, "theirs": old, **ask}).stdout)
        alike = json.loads(request("battle", {"mine": new, "theirs": new, **ask}).stdout)
        for key in ("win", "draw", "loss"):
            self.assertAlmostEqual(mixed[key], alike[key], delta=1e-12)
        self.assertEqual([ship["points"] for ship in mixed["ships"]], [6, 6])
        self.assertTrue(any("points of 2.0 and 2.5" in note for note in mixed["notes"]), mixed["notes"])

    def test_messages_are_short(self):
        """A message quotes only part of a long wrong value."""
        for key in ("objective", "damage_deck", "cards", "rules", "attacker_policy"):
            error = json.loads(request("run", {"attack": "X-wing", "defend": "2", key: "x" * 30_000}).stdout)["error"]
            self.assertLess(len(error["message"]), 500, key)

    def test_ships_without_hull(self):
        """The error names the ship that cannot be destroyed, as the user wrote it."""
        for body, place in (({"mine": "X-wing", "theirs": ["X-wing", "3"]}, "theirs[1]"),
                            ({"mine": {"ships": {"red": {"attack": 3}}}, "theirs": "X-wing"}, "mine.ships.red")):
            self.wrong("battle", body, place, "no hull", "hull=N")

    def test_too_large(self):
        self.wrong("run", {"attack": ["3 focus"] * 6, "defend": "3 focus evade hull=4", "engine": "exact", "budget": 10},
                   "attack[0]", status=3)

    def test_no_file_is_read(self):
        content = "CONTENT"  # names of temporary folders have no capital letters
        with tempfile.TemporaryDirectory() as folder:
            policy = Path(folder) / "secret.toml"
            policy.write_text(f"secret = \"{content}\"\n")
            for body in ({"attack": "3", "defend": "2", "attacker_policy": str(policy)},
                         {"attack": "3", "defend": "2", "rules": str(policy)},
                         {"attack": "3", "defend": "2", "card": [str(policy)]}):
                answered = request("run", body)
                self.assertEqual(answered.returncode, 2)
                self.assertNotIn(content, answered.stdout)
            answered = request("squad", {"squad": str(policy)})
            self.assertNotIn(content, answered.stdout)
            self.assertEqual(answered.returncode, 2)

    def test_the_schema_has_each_key_and_no_other(self):
        """Every key of the schema is read, and every other key is refused."""
        for verb in [one["$ref"].removeprefix("#/$defs/") for one in SCHEMA["anyOf"]]:
            answered = json.loads(request(verb, {"nokey": 1}).stdout)
            self.assertIn("error", answered, verb)
            for key in SCHEMA["$defs"][verb]["properties"]:
                if verb == "durability" and key in ("attack", "defend"):
                    continue  # an object at attack goes with attacker and defender, a list with defend
                message = request(verb, {key: {"nokey": []}}).stdout
                self.assertNotIn(f'"place": "{key}",\n    "message": "unknown key', message, verb)

    def test_verbs(self):
        self.assertEqual(run("request", "dance", "-").returncode, 2)
        self.assertEqual(run("request", "run").returncode, 2)


if __name__ == "__main__":
    main()
