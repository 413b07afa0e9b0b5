#!/usr/bin/env python3
"""test_words.py SALVO [unittest options]: questions in a player's words: names, SPECs, links of a squad builder.

Expected ids are those of the cards; figures are compared with those of the same question in ids.
"""

import csv
import io
import json
import subprocess
import sys
import unittest
from pathlib import Path

from check_schema import check

ROOT = Path(__file__).resolve().parent.parent
salvo = "salvo"


def run(*arguments, stdin="", env=None):
    return subprocess.run([salvo, *map(str, arguments)], input=stdin, capture_output=True, text=True, timeout=300, env=env)


class Case(unittest.TestCase):
    def answered(self, *arguments, stdin=""):
        result = run(*arguments, stdin=stdin)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def refused(self, arguments, *words, stdin=""):
        result = run(*arguments, stdin=stdin)
        self.assertEqual(result.returncode, 2, result.stdout + result.stderr)
        self.assertEqual(result.stdout, "")
        for word in words:
            self.assertIn(word, result.stderr)

    def figures(self, attack, defend, *options):
        answer = json.loads(self.answered("run", "--attack", attack, "--defend", defend, "--format", "json", *options))
        return answer["ships"]["d"]["damage"]["pmf"], answer.get("notes", [])


class Lists(Case):
    def found(self, *arguments):
        answer = json.loads(self.answered(*arguments, "--format", "json"))
        schema = json.loads((ROOT / "docs" / "schemas" / "names.schema.json").read_text(encoding="utf-8"))
        self.assertEqual(check(answer, schema), [])
        return next(rows for key, rows in answer.items() if key != "format")

    def test_by_name_part_nickname_and_id(self):
        for words in (["T-65"], ["t65xwing"], ["x-wing", "t-65"], ["T-65 X-wing"]):
            self.assertEqual([x["id"] for x in self.found("ships", *words, "--cards", "2025")], ["t65xwing"], words)
        for word in ("FCS", "fire-control", "firecontrolsystem", "Fire-Control System"):
            found = self.found("upgrades", word, "--cards", "2025")
            self.assertEqual([(x["id"], x["name"]) for x in found], [("firecontrolsystem", "Fire-Control System")], word)
        self.assertEqual({x["id"] for x in self.found("pilots", "howl")}, {"howlrunner"})

    def test_facts(self):
        ship = self.found("ships", "t65xwing")[0]
        self.assertEqual((ship["agility"], ship["hull"], ship["shields"], ship["attack"]), (2, 4, 2, "3 front"))
        self.assertEqual(ship["sets"][:2], ["2025", "legacy"])
        luke = next(x for x in self.found("pilots", "luke", "skywalker") if x["id"] == "lukeskywalker")
        self.assertEqual((luke["ship"], luke["initiative"]), ("T-65 X-wing", 5))
        torpedo = self.found("weapons", "proton", "torpedoes", "--cards", "2025")
        self.assertIn({"id": "protontorpedoes", "attack": 4, "range": "2-3", "needs": "lock", "charges": 2},
                      [{k: x.get(k) for k in ("id", "attack", "range", "needs", "charges")} for x in torpedo])
        for weapon in self.found("weapons"):
            self.assertIn("range", weapon)

    def test_all_formats_and_widths(self):
        rows = list(csv.DictReader(io.StringIO(self.answered("ships", "wing", "--format", "csv"))))
        self.assertEqual([x["id"] for x in rows], [x["id"] for x in self.found("ships", "wing")])
        for width in (80, 120, 200):
            result = run("pilots", "luke", "--format", "table", env={"COLUMNS": str(width)})
            self.assertIn("lukeskywalker", result.stdout)
            self.assertLessEqual(max(map(len, result.stdout.splitlines())), width)

    def test_suggestions_look_at_names(self):
        self.refused(["ships", "tieintercepter"], "TIE/in Interceptor (tieininterceptor)")
        self.refused(["upgrades", "predater"], "Predator (predator)")
        self.refused(["pilots", "qqqqqqqq"], "no pilot has \"qqqqqqqq\"")


class Names(Case):
    def test_names_answer_as_ids_do(self):
        expected, none = self.figures("ship=t65xwing pilot=wedgeantilles firecontrolsystem focus lock range=1",
                                      "ship=tieininterceptor focus")
        self.assertEqual(none, [])
        for attack in ("Wedge Antilles, fire-control system, focus lock range=1",
                       "T-65 X-wing Wedge Antilles fire-control system focus lock range=1",
                       "pilot=\"wedge antilles\" FCS focus lock range=1",
                       "ship=T-65 X-wing pilot=Wedge Antilles Fire-Control System focus lock range=1"):
            for defend in ("TIE/in Interceptor focus", "ship=tieinterceptor focus", "TIE interceptor focus"):
                self.assertEqual(self.figures(attack, defend)[0], expected, (attack, defend))

    def test_a_choice_is_told(self):
        notes = self.figures("vader focus", "3")[1]
        self.assertEqual([x for x in notes if "vader" in x],
                         ['--attack 1: the pilot "vader" is read as darthvader (Darth Vader)'])

    def test_scenarios(self):
        def ask(ship, pilot, upgrades, weapon):
            return json.dumps({"ships": {"a": {"ship": ship, "pilot": pilot, "upgrades": upgrades, "tokens": {"lock": ["d"]}},
                                         "d": {"agility": 2}},
                               "attacks": [{"by": "a", "on": "d", "weapon": weapon}]})
        ids = json.loads(self.answered("run", "-", "--format", "json",
                                       stdin=ask("t65xwing", "wedgeantilles", ["protontorpedoes"], "protontorpedoes")))
        for weapon in ("Proton Torpedoes", "torpedoes", "protons"):
            names = json.loads(self.answered("run", "-", "--format", "json",
                                             stdin=ask("T-65 X-wing", "Wedge", ["Proton Torpedoes"], weapon)))
            self.assertEqual(names["ships"], ids["ships"])
            self.assertTrue(any("\"Wedge\" is read as wedgeantilles" in x for x in names["notes"]))
        line = self.answered("batch", stdin=ask("T-65 X-wing", "Wedge", ["Proton Torpedoes"], "torpedoes").replace("\n", "") + "\n")
        self.assertEqual(json.loads(line)["ships"], ids["ships"])
        self.refused(["run", "-"], "ships.a.pilot", "did you mean 'wedgeantilles' (Wedge Antilles)",
                     stdin=ask("t65xwing", "wedgeantiles", [], "primary"))
        self.refused(["run", "-"], "attacks[0].weapon", "'a' does not have ioncannon (Ion Cannon)",
                     stdin=ask("t65xwing", "wedgeantilles", ["protontorpedoes"], "ion cannon"))

    def test_ambiguous_names_list_their_candidates(self):
        self.refused(["run", "--attack", "3 torpedoes", "--defend", "2"], "part of several names", "protontorpedoes")
        self.refused(["run", "--attack", "pilot=skywalker focus", "--defend", "2"], "may be one of several pilots",
                     "lukeskywalker (Luke Skywalker)", "anakinskywalker")

    def test_the_pilot_of_the_ship(self):
        answer = json.loads(self.answered("run", "--attack", "ship=Firespray boba focus", "--defend", "2", "--format", "json"))
        self.assertTrue(any("bobafett" in x for x in answer["notes"]))

    def test_tokens_are_no_parts_of_names(self):
        self.refused(["run", "--attack", "3 focu", "--defend", "2"], "did you mean \"focus\"?")

    def test_several_alike(self):
        twice = self.figures("3 focus x2", "2 focus")[0]
        answer = json.loads(self.answered("run", "--attack", "3 focus", "--attack", "3 focus", "--defend", "2 focus",
                                          "--format", "json"))
        self.assertEqual(twice, answer["ships"]["d"]["damage"]["pmf"])
        self.refused(["run", "--attack", "3", "--defend", "2 x2"], "x2", "--attack")


class Links(Case):
    LINK = "https://yasb.app/?f=Rebel%20Alliance&d=v10ZsZ50Z4XWW142WY5X&sn=Two%20of%20them&obs="

    def test_a_link_is_the_squad(self):
        table = [line.split("\t") for line in (ROOT / "profiles" / "builders" / "yasb.tsv").read_text(encoding="utf-8").splitlines()]
        number = {(row[0], row[2]): row[1] for row in table if len(row) == 5}
        link = ("https://yasb.app/?f=Rebel%20Alliance&d=v8ZsZ200Z{}XW{}WW{}Y{}XWWW&sn=Two+of%20them".format(
            number["pilot", "lukeskywalker"], number["upgrade", "predator"], number["upgrade", "r2d2"],
            number["pilot", "wedgeantilles"]))
        xws = {"faction": "rebelalliance", "name": "Two of them", "ruleset": "2.0", "pilots": [
            {"id": "lukeskywalker", "ship": "t65xwing", "upgrades": {"talent": ["predator"], "astromech": ["r2d2"]}},
            {"id": "wedgeantilles", "ship": "t65xwing"}]}
        file = json.loads(self.answered("squad", "-", "--format", "json", stdin=json.dumps(xws)))
        read = json.loads(self.answered("squad", link, "--format", "json"))
        for key in ("offense", "durability", "upgrades"):
            self.assertEqual([x[key] for x in read["pilots"]], [x[key] for x in file["pilots"]], key)
        self.assertEqual(read["unknown"], [])

    def test_everywhere(self):
        self.assertIn("Wedge Antilles", self.answered("compare", self.LINK, "--defend", "2 hull=3", "--format", "table"))
        self.assertIn("Luke Skywalker", self.answered("squad", ROOT / "profiles" / "squads" / "empire.json",
                                                      "--against", self.LINK, "--format", "table"))

    def test_unknown_by_name(self):
        table = [line.split("\t") for line in (ROOT / "profiles" / "builders" / "yasb.tsv").read_text(encoding="utf-8").splitlines()]
        row = next(x for x in table if len(x) == 5 and x[0] == "upgrade" and x[2].endswith("-epicsl"))
        link = f"https://yasb.app/?f=x&d=v10ZeZ50Z4XW{row[1]}W99999"
        answer = json.loads(self.answered("squad", link, "--format", "json"))
        self.assertEqual([x["id"] for x in answer["unknown"]], [row[4], "number 99999"])

    def test_wrong_links(self):
        self.refused(["squad", "https://yasb.app/?f=Rebel"], "the link", "quote")
        self.refused(["squad", "https://yasb.app/?d=v7ZsZ200Z4X"], "v7", "old form")
        self.refused(["squad", "https://example.org/squad"], "nothing is fetched")
        self.refused(["squad", "https://yasb.app/?d=v10ZsZ50Zabc"], "the link")
        self.refused(["squad", "https://yasb.app/?d=v10ZsZ50ZaXb"], "no number of pilot")


if __name__ == "__main__":
    salvo = sys.argv.pop(1)
    unittest.main()
