#!/usr/bin/env python3
"""test_words.py SALVO [unittest options]: questions in a player's words: names, SPECs, squad builder links.

Figures are compared with those of the same question in ids.
"""

import csv
import io
import json
import math
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "support"))
from check_schema import check
from program import ROOT, SALVO, main, run, schema
import program


class Case(program.Case):
    def figures(self, attack, defend, *options):
        answer = json.loads(self.answered("run", "--attack", attack, "--defend", defend, "--format", "json", *options))
        return answer["ships"]["d"]["damage"]["pmf"], answer.get("notes", [])


class Lists(Case):
    def found(self, *arguments):
        answer = json.loads(self.answered(*arguments, "--format", "json"))
        self.assertEqual(check(answer, schema("names")), [])
        return next(rows for key, rows in answer.items() if key != "format")

    def test_by_name_part_nickname_and_id(self):
        for words in (["T-65"], ["t65xwing"], ["x-wing", "t-65"], ["T-65 X-wing"]):
            self.assertEqual([x["id"] for x in self.found("ships", *words, "--cards", "2025")], ["t65xwing"], words)
        for word in ("FCS", "fire-control", "firecontrolsystem", "Fire-Control System"):
            found = self.found("upgrades", word, "--cards", "2025")
            self.assertEqual([(x["id"], x["name"]) for x in found], [("firecontrolsystem", "Fire-Control System")], word)
        self.assertEqual({x["id"] for x in self.found("pilots", "howl")}, {"howlrunner"})

    def test_the_reading_of_a_spec(self):
        def reading(*arguments):
            return json.loads(self.answered(*arguments, "--format", "json")).get("reading")

        for words, set_, expected in (("tie interceptor", "xwa", "tieininterceptor"), ("y-wing", "xwa", "btla4ywing"),
                                      ("tie fighter", "2025", "tielnfighter"), ("squint", "legacy", "tieininterceptor"),
                                      ("falcon", "xwa", "modifiedyt1300lightfreighter"),
                                      ("tie interceptor", "first-edition", "tieinterceptor")):
            self.assertEqual(reading("ships", words, "--cards", set_), {"id": expected, "whole": True}, words)
        self.assertEqual(reading("pilots", "soontir"), {"id": "soontirfel", "whole": True})
        self.assertEqual(reading("upgrades", "FCS"), {"id": "firecontrolsystem", "whole": True})
        self.assertEqual(reading("ships", "kimog"), {"id": "m12lkimogilafighter", "whole": False})
        self.assertIsNone(reading("ships", "wing"))   # several
        self.assertIsNone(reading("ships"))

    def test_facts(self):
        ship = self.found("ships", "t65xwing")[0]
        self.assertEqual((ship["agility"], ship["hull"], ship["shields"], ship["attack"]), (2, 4, 2, "3 front"))
        self.assertLessEqual({"2025", "legacy"}, set(ship["sets"]))
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
            result = run("pilots", "luke", "--format", "table", environment={"COLUMNS": str(width)})
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

    def test_an_ambiguous_name_is_noted(self):
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

    def test_a_pilot_of_another_ship(self):
        for attack in ("Wedge Antilles ship=tielnfighter", "TIE/ln fighter wedge focus", "ship=tielnfighter Wedge Antilles"):
            self.refused(["run", "--attack", attack, "--defend", "2"], "does not fly the tielnfighter, but")
        # A gunner has the name of a pilot; the error says that the gunner may be meant.
        notes = self.figures("Luke Skywalker ship=modifiedyt1300lightfreighter", "2")[1]
        self.assertTrue(any("is read as the upgrade lukeskywalker, since no pilot of that name flies" in x for x in notes), notes)

    def test_a_nickname_of_a_ship_behind_a_pilot(self):
        for attack, pilot in (("Poe Dameron X-wing focus", "T-70 X-wing"), ("Poe Dameron (X-wing) focus", "T-70 X-wing"),
                              ("Anakin Skywalker, Y-wing, focus", "BTL-B Y-wing"), ("Soontir Fel TIE focus", "TIE/in Interceptor")):
            notes = self.figures(attack, "2")[1]
            self.assertTrue(any(f"({pilot})" in x for x in notes), (attack, notes))
        self.refused(["run", "--attack", "Wedge Antilles (TIE Fighter)", "--defend", "2"], "does not fly the tielnfighter, but")
        notes = self.figures("anakinskywalker ship=btlbywing", "2")[1]
        self.assertTrue(any("anakinskywalker-btlbywing (Anakin Skywalker)" in x for x in notes), notes)
        # In parentheses a ship is meant before an upgrade of that name.
        self.refused(["run", "--attack", "Wedge Antilles (Gauntlet)", "--defend", "2"], "does not fly the gauntletfighter, but")

    def test_the_ship_that_a_pilot_flies_in_a_file(self):
        def scenario(pilot, ship):
            return json.dumps({"ships": {"a": {"pilot": pilot, "ship": ship}, "d": {"agility": 2}},
                               "attacks": [{"by": "a", "on": "d"}]})
        for pilot, ship, name in (("temminwexley", "X-wing", "T-70 X-wing"), ("midnight", "TIE Fighter", "TIE/fo Fighter"),
                                  ("Oddball", "Y-wing", "BTL-B Y-wing"), ("tallissanlintra", "awing", "RZ-2 A-wing")):
            answer = json.loads(self.answered("run", "-", "--format", "json", stdin=scenario(pilot, ship)))
            self.assertTrue(any(f'the ship "{ship}" is read as' in x and f"({name})" in x for x in answer["notes"]), answer["notes"])
        notes = self.figures("pilot=poedameron ship=X-wing", "2")[1]
        self.assertTrue(any("(T-70 X-wing)" in x for x in notes), notes)
        for ship in ("t65xwing", "T-65 X-wing", "TIE Fighter"):
            self.refused(["run", "-"], "ships.a.pilot: pilot 'temminwexley' does not fly the", "but t70xwing",
                         stdin=scenario("temminwexley", ship))

    def test_the_faction_of_a_pilot(self):
        for attack, pilot in (("Han Solo (Scum) focus", "hansolo"), ("Han Solo (Resistance) focus", "hansolo-scavengedyt1300"),
                              ("Han Solo (Rebel Alliance) focus", "hansolo-modifiedyt1300lightfreighter"),
                              ("Han Solo (Rebel) focus", "hansolo-modifiedyt1300lightfreighter"),
                              ("boba fett (separatist)", "bobafett-firesprayclasspatrolcraft")):
            tokens = " focus" if "focus" in attack else ""
            self.assertEqual(self.figures(attack, "2")[0], self.figures(f"pilot={pilot}{tokens}", "2")[0], attack)
        self.refused(["run", "--attack", "Jango Fett (First Order)", "--defend", "2"], "--attack", '"(First Order)"',
                     "Jango Fett", "separatistalliance")

        def scenario(pilot):
            return json.dumps({"ships": {"a": {"pilot": pilot}, "d": {"agility": 2}}, "attacks": [{"by": "a", "on": "d"}]})
        self.answered("run", "-", stdin=scenario("Lando Calrissian (Resistance)"))
        # The faction stays, whatever the ship beside it could mean.
        notes = self.figures("Han Solo (Scum) YT-1300", "2")[1]
        self.assertTrue(any("customizedyt1300lightfreighter" in x for x in notes), notes)
        self.refused(["run", "--attack", "Han Solo ship=scavengedyt1300 (Scum)", "--defend", "2"], "does not fly the scavengedyt1300")
        self.refused(["run", "-"], "ships.a.pilot", "rebelalliance", stdin=scenario("Ten Numb (Scum)"))

    def test_the_box_of_a_pilot(self):
        for box, pilot in (("BoY", "wedgeantilles-battleofyavin"), ("Battle of Yavin", "wedgeantilles-battleofyavin")):
            self.assertEqual(self.figures(f"Wedge Antilles ({box})", "2")[0], self.figures(f"pilot={pilot}", "2")[0], box)

    def test_an_upgrade_tells_the_ship(self):
        expected = self.figures("pilot=herasyndulla-vcx100lightfreighter ghost focus", "2")[0]
        for attack, typed in (("Hera Syndulla, Ghost focus", "Ghost"), ("Hera Syndulla, ghost focus", "ghost"),
                              ("Ghost, Hera Syndulla focus", "Ghost"), ("ghost pilot=herasyndulla focus", "ghost"),
                              ("pilot=\"Hera Syndulla\" focus Ghost", "Ghost"), ("Hera Syndulla (Ghost) focus", "(Ghost)")):
            damage, notes = self.figures(attack, "2")
            self.assertEqual(damage, expected, attack)
            self.assertTrue(any(f'the upgrade "{typed}" needs another ship' in x and "vcx100lightfreighter (" in x
                                for x in notes), (attack, notes))
            self.assertFalse(any('the ship "' in x for x in notes), notes)
        self.refused(["run", "--attack", "Hera Syndulla, Ghost, ship=attackshuttle", "--defend", "2"],  # a ship that is named stays
                     '--attack 1: "Ghost" belongs to the ship VCX-100 Light Freighter, and this is Attack Shuttle')
        self.refused(["squad", "Jek Porkins, moldy crow"], '"moldy crow" belongs to the ship HWK-290', "name its ship")

    def test_tokens_are_no_parts_of_names(self):
        self.refused(["run", "--attack", "3 focu", "--defend", "2"], "did you mean \"focus\"?")

    def test_several_alike(self):
        twice = self.figures("3 focus x2", "2 focus")[0]
        answer = json.loads(self.answered("run", "--attack", "3 focus", "--attack", "3 focus", "--defend", "2 focus",
                                          "--format", "json"))
        self.assertEqual(twice, answer["ships"]["d"]["damage"]["pmf"])
        self.refused(["run", "--attack", "3", "--defend", "2 x2"], "x2", "--attack")


def pmf_of_dice(dice, agility):
    """Uncancelled results of plain dice: success 1/2 each, evade 3/8 each."""
    def binomial(n, p):
        return [math.comb(n, k) * p**k * (1 - p)**(n - k) for k in range(n + 1)]
    out = [0.0] * (dice + 1)
    for hits, a in enumerate(binomial(dice, 0.5)):
        for evades, d in enumerate(binomial(agility, 0.375)):
            out[max(0, hits - evades)] += a * d
    return out


class Choices(Case):
    """Choice of target and weapon, against binomial distributions computed here."""

    def ask(self, scenario, *options):
        return json.loads(self.answered("run", "-", "--format", "json", *options, stdin=json.dumps(scenario)))

    def scenario(self, attacks, black, grey, **red):
        return {"objective": "kill", "ships": {"red": {"attack": 3, **red}, "blue": {"attack": 2, "side": "mine"},
                                               "black": black, "grey": grey}, "attacks": attacks}

    def test_one_shot_is_the_better_of_two(self):
        black, grey = {"agility": 0, "hull": 3}, {"agility": 2, "hull": 2}
        kill = {"black": pmf_of_dice(3, 0)[3], "grey": sum(pmf_of_dice(3, 2)[2:])}
        answer = self.ask(self.scenario([{"by": "red", "on": ["black", "grey"]}], black, grey))
        self.assertAlmostEqual(answer["value"], max(kill.values()), delta=1e-12)
        self.assertEqual({x["on"]: x["happens"] for x in answer["attacks"]},
                         {name: float(kill[name] == max(kill.values())) for name in kill})

    def test_the_second_shot_depends_on_the_first(self):
        # Two ships of hull 1 and agility 0: the second attacker shoots at the survivor.
        black, grey = {"agility": 0, "hull": 1}, {"agility": 0, "hull": 1}
        attacks = [{"by": "red", "on": ["black", "grey"]}, {"by": "blue", "on": ["black", "grey"]}]
        answer = self.ask(self.scenario(attacks, black, grey))
        first, second = 1 - 0.5**3, 1 - 0.5**2
        self.assertAlmostEqual(answer["value"], first + second, delta=1e-12)
        # Hull 2: after one damage the second attacker shoots at the same ship, after none or a kill at either.
        answer = self.ask(self.scenario(attacks, {"agility": 0, "hull": 2}, {"agility": 0, "hull": 2}))
        three, two = pmf_of_dice(3, 0), pmf_of_dice(2, 0)
        expected = sum(three[2:]) * (1 + sum(two[2:])) + three[1] * sum(two[1:]) + three[0] * sum(two[2:])
        self.assertAlmostEqual(answer["value"], expected, delta=1e-12)

    def test_sampled_by_both_engines(self):
        attacks = [{"by": "red", "on": ["black", "grey"]}, {"by": "blue", "on": ["black", "grey"]}]
        scenario = self.scenario(attacks, {"agility": 2, "hull": 2, "tokens": {"focus": 1}}, {"agility": 1, "hull": 3})
        scenario["ships"]["red"]["tokens"] = {"focus": 1}
        answer = self.ask(scenario, "--engine", "both", "--trials", "100000")
        self.assertTrue(answer["cross_check"]["agree"], answer["cross_check"])
        for deck in ("none", "core"):
            self.assertTrue(self.ask(scenario, "--engine", "both", "--damage-deck", deck, "--trials", "20000")["cross_check"]["agree"])

    def test_never_worse_than_naming_one(self):
        red = {"ship": "t65xwing", "upgrades": ["protontorpedoes"], "tokens": {"focus": 1, "lock": ["black"]}}
        for objective in ("kill", "damage"):
            def value(on, weapon):
                ships = {"red": red, "black": {"agility": 3, "hull": 3, "tokens": {"evade": 1}}, "grey": {"agility": 1, "hull": 4}}
                try:
                    return self.ask({"objective": objective, "ships": {**ships, "grey": {**ships["grey"], "side": "theirs"},
                                     "black": {**ships["black"], "side": "theirs"}},
                                     "attacks": [{"by": "red", "on": on, "weapon": weapon}]})["value"]
                except AssertionError:
                    return None  # the torpedoes need a lock
            named = [value(on, weapon) for on in ("black", "grey") for weapon in ("primary", "protontorpedoes")]
            self.assertEqual(named.count(None), 1)
            self.assertAlmostEqual(value(["black", "grey"], "best"), max(x for x in named if x is not None), delta=1e-12)

    def test_the_same_weapon_is_not_fired_without_charges(self):
        scenario = {"ships": {"red": {"ship": "t65xwing", "upgrades": ["protontorpedoes"], "tokens": {"lock": ["black"]}},
                              "black": {"agility": 1, "hull": 9}},
                    "attacks": [{"by": "red", "on": "black", "weapon": "best"}] * 4}
        answer = self.ask(scenario)
        torpedoes = sum(x["happens"] for x in answer["attacks"][1::2])
        self.assertLessEqual(torpedoes, 2 + 1e-12)
        self.assertAlmostEqual(sum(x["happens"] for x in answer["attacks"]), 4, delta=1e-12)

    def test_specs_and_options(self):
        specs = json.loads(self.answered("run", "-a", "3", "-a", "2", "-d", "0 hull=1", "-d", "0 hull=1", "--objective", "kill",
                                         "--format", "json"))
        self.assertAlmostEqual(specs["value"], 1 - 0.5**3 + 1 - 0.5**2, delta=1e-12)
        self.assertTrue(any("a1 chooses among d1, d2" in x for x in specs["notes"]))
        scenario = self.scenario([{"by": "red", "on": "black"}, {"by": "blue", "on": "black"}], {"agility": 0, "hull": 1},
                                 {"agility": 0, "hull": 1, "side": "theirs"})
        self.assertAlmostEqual(self.ask(scenario, "--on", "black grey")["value"], specs["value"], delta=1e-12)
        self.refused(["run", "-a", "3 lock", "-d", "2", "-d", "1"], "lock=d1")
        self.assertEqual(json.loads(self.answered("run", "-a", "3 lock=d2", "-d", "2", "-d", "1", "--format", "json"))["engine"], "exact")

    def test_advice_and_order(self):
        scenario = self.scenario([{"by": "red", "on": ["black", "grey"]}, {"by": "blue", "on": ["black", "grey"]}],
                                 {"agility": 0, "hull": 3}, {"agility": 2, "hull": 2})
        advice = json.loads(self.answered("advise", "-", "--format", "json", stdin=json.dumps(scenario)))
        self.assertEqual(sorted(x["play"] for x in advice["options"]), ["shoot at black", "shoot at grey"])
        for option in advice["options"]:
            fixed = json.loads(json.dumps(scenario))
            fixed["attacks"][0]["on"] = option["play"].split()[-1]
            fixed["ships"]["black"]["side"] = fixed["ships"]["grey"]["side"] = "theirs"
            self.assertAlmostEqual(self.ask(fixed)["value"], option["value"], delta=1e-12)
        order = json.loads(self.answered("order", "-", "--format", "json", stdin=json.dumps(scenario)))
        self.assertEqual(len(order["orders"]), 2)

    def test_wrong(self):
        self.refused(["run", "-"], "attacks[0].on", stdin=json.dumps(self.scenario([{"by": "red", "on": []}], {}, {})))
        self.refused(["run", "-"], "cannot attack itself",
                     stdin=json.dumps(self.scenario([{"by": "red", "on": ["black", "red"]}], {"hull": 1}, {"hull": 1, "side": "theirs"})))


class CommandLine(Case):
    def commands(self):
        text = self.answered("--help")
        return re.findall(r"^  ([a-z]+) {2,}", text[text.index("Subcommands"):text.index("Example")], re.M)

    def test_specs_in_decisions(self):
        specs = ["-a", "3 focus", "-a", "3 focus", "-d", "2 evade hull=4"]
        for command in ("worth", "order", "advise", "card"):
            json.loads(self.answered(command, *specs, "--format", "json"))
            self.refused([command, "-a", "3"], "--defend")
            self.refused([command], "no scenario")
        best = json.loads(self.answered("advise", *specs, "--rolled", "hit focus blank", "--number", "2", "--format", "json"))
        self.assertEqual(best["attack"], 2)
        for option in best["options"]:
            self.assertAlmostEqual(sum(x["probability"] for x in option["then"]) + option["then_nothing"], 1, delta=1e-9)

    def test_help_of_every_command(self):
        self.assertEqual(self.answered("help"), self.answered("--help"))
        self.assertEqual(self.answered("-V"), self.answered("--version"))
        self.assertGreater(len(self.commands()), 15)
        for command in self.commands():
            text = self.answered("help", command)
            self.assertEqual(text, self.answered(command, "--help"))
            examples = text[text.index("Example"):].splitlines()[1:]
            lines = [line.strip() for line in examples if line.startswith("  salvo ")]
            self.assertTrue(lines, command)
            for line in lines:
                self.assertTrue(line.startswith(f"salvo {command}"), line)
        self.refused(["help", "rnu"], "did you mean run?")

    def test_completions_and_manual_name_every_option(self):
        texts = {shell: self.answered("completions", shell) for shell in ("bash", "zsh", "fish")}
        manual = self.answered("man")
        for command in self.commands():
            help_text = self.answered(command, "--help") if command != "cards" else self.answered("cards", "list", "--help")
            for option in set(re.findall(r"^  (?:-\w,)?(--[a-z-]+)", help_text, re.M)):
                self.assertIn(option.replace("-", "\\-"), manual)
                self.assertIn(option, texts["bash"])
                self.assertIn(option, texts["zsh"])
                self.assertIn("-l " + option[2:], texts["fish"])
        self.refused(["completions", "csh"], "bash, zsh, fish")

    def test_bash_completes(self):
        script = self.answered("completions", "bash")
        def complete(*words):
            line = f"{script}\nCOMP_WORDS=({' '.join(words)}); COMP_CWORD={len(words) - 1}; _salvo; echo ${{COMPREPLY[@]}}"
            return subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=True).stdout.split()
        self.assertEqual(complete("salvo", "wor"), ["worth"])
        self.assertEqual(complete("salvo", "run", "--engine", "s"), ["sample"])
        self.assertEqual(complete("salvo", "battle", "--first", "t"), ["theirs"])
        self.assertEqual(complete("salvo", "compare", "--tokens", "n"), ["none"])
        self.assertIn("--objective", complete("salvo", "run", "--ob"))
        self.assertEqual(complete("salvo", "cards", "cov"), ["coverage"])

    def test_values_and_quotes(self):
        self.refused(["run", "--engine=", "--attack", "3", "--defend", "2"], "--engine: a value is missing")
        self.refused(["run", "--attack", "3", "focus", "--defend", "2"], "quotes", "focus")
        self.refused(["compare", "3 fcous", "3"], "ITEM", "did you mean \"focus\"?")
        self.assertNotIn("--attack", self.answered("compare", "Luke Skywalker", "wedge", "--defend", "2", "--format", "json"))
        self.assertIn("\x1b[", self.answered("run", "-a", "3", "-d", "2", "-f", "table", "--color", "always"))
        self.assertNotIn("\x1b[", self.answered("run", "-a", "3", "-d", "2", "-f", "table", "--color", "never"))
        duel = ROOT / "profiles" / "scenarios" / "duel.toml"
        self.assertEqual(self.answered("run", "-f", "json", "--", duel), self.answered("run", duel, "--format", "json"))

    def test_exactly_and_at_least(self):
        table = self.answered("run", "-a", "2", "-d", "0", "-f", "table")
        self.assertRegex(table, r"no damage +25\.00%")
        self.assertRegex(table, r"1 or more +75\.00% +exactly 50\.00%")
        self.assertRegex(table, r"2 or more +25\.00% +exactly 25\.00%")

    def test_order_distinguishes_attacks_of_one_ship(self):
        scenario = {"ships": {"red": {"ship": "t65xwing", "upgrades": ["protontorpedoes"], "tokens": {"lock": ["d"]}},
                              "d": {"agility": 2, "hull": 3}},
                    "attacks": [{"by": "red", "on": "d"}, {"by": "red", "on": "d", "weapon": "protontorpedoes"}]}
        orders = json.loads(self.answered("order", "-", "--format", "json", stdin=json.dumps(scenario)))["orders"]
        self.assertEqual(sorted(orders[0]["order"]), ["red with primary", "red with protontorpedoes"])
        scenario["attacks"][1]["weapon"] = "primary"
        orders = json.loads(self.answered("order", "-", "--format", "json", stdin=json.dumps(scenario)))["orders"]
        self.assertEqual(sorted(orders[0]["order"]), ["red (attack 1)", "red (attack 2)"])

    def test_per_point_of_specs(self):
        answer = json.loads(self.answered("compare", "Wedge focus", "Luke Skywalker focus", "--by", "per_point", "--defend", "2 hull=3",
                                          "--format", "json"))
        self.assertEqual(len(answer["loadouts"]), 2)
        self.refused(["compare", "3 focus", "Wedge focus", "--by", "per_point"], "per_point")

    def test_per_point_in_each_card_set(self):
        """Points come from the chosen card set: the mean divided by the cost that `salvo pilots` shows."""
        for cards in ("xwa", "2025", "legacy"):
            cost = json.loads(self.answered("pilots", "wedgeantilles", "--cards", cards, "--format", "json"))["pilots"][0]["cost"]
            figures = [json.loads(self.answered("compare", "pilot=wedgeantilles", "--cards", cards, "--by", by, "--defend", "2",
                                                "--format", "json"))["loadouts"][0]["average"] for by in ("mean", "per_point")]
            self.assertGreater(cost, 0)
            self.assertAlmostEqual(figures[0] / cost, figures[1], delta=1e-12)

    def test_words_of_conditions(self):
        """Tokens and faces without a pool or ship."""
        for when, remedy in (("focus > 0", "self.focus or foe.focus for tokens"), ("blanks > 0", "count(attack.blank) for dice"),
                             ("attack.blank > 1", "count(attack.blank)"), ("evades == 0", "count(defense.evade)"),
                             ("bullsey", 'did you mean "bullseye"')):
            card = f'id = "mycard"\nkind = "upgrade"\n[[effect]]\nside = "attacker"\nat = "attack-mod"\nwhen = "{when}"\nmay = true\n' \
                   'do = [{ verb = "reroll", dice = "attack", n = 1 }]\n'
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / "mycard.toml"
                path.write_text(card, encoding="utf-8")
                self.assertIn(remedy, run("cards", "check", path, "--format", "table").stderr)

    def test_words_of_a_spec_as_options(self):
        self.refused(["run", "-a", "4 focus", "-d", "2", "--range", "1"], "a word of a SPEC, as --attack '3 range=1'")
        self.refused(["advise", "-a", "4", "-d", "2", "--focus"], "--attack '3 focus'")
        self.refused(["run", "-a", "4", "-d", "2", "--hull=3"], "--defend '3 hull=3'")
        self.refused(["run", "-a", "4", "-d", "2", "--atack", "3"], "did you mean --attack?")

    def test_only_weapons_are_listed(self):
        """Upgrades without a weapon are not listed."""
        self.refused(["run", "-a", "wedgeantilles predator ioncannon weapon=protontorpedoes", "-d", "2"], "use one of primary, ioncannon")

    def test_mistakes_in_conditions(self):
        for when, remedy in (("range = 1", "write =="), ("range == 1 && obstructed", "write and"), ("range == 1 || obstructed", "write or"),
                             ("!obstructed", "write not"), ("spent.fokus", "did you mean 'focus'")):
            card = f'id = "mycard"\nkind = "upgrade"\n[[effect]]\nside = "attacker"\nat = "attack-mod"\nwhen = "{when}"\nmay = true\n' \
                   'do = [{ verb = "reroll", dice = "attack", n = 1 }]\n'
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / "mycard.toml"
                path.write_text(card, encoding="utf-8")
                self.refused(["run", "--card", path, "-a", "3 mycard", "-d", "2"], "mycard.toml", when.split()[0], remedy)
                path.write_text(card.replace(when, "obstructed").replace("n = 1", 'n = "two"'), encoding="utf-8")
                self.refused(["run", "--card", path, "-a", "3 mycard", "-d", "2"], "do[0].n", "a number, as n = 2")

    def test_a_small_stack_is_enough(self):
        deep = 'id = "mycard"\nkind = "upgrade"\n[[effect]]\nside = "attacker"\nat = "attack-mod"\nwhen = "' + "(" * 5000 + \
               '"\nmay = true\ndo = [{ verb = "reroll", dice = "attack", n = 1 }]\n'
        with tempfile.TemporaryDirectory() as folder:
            card = Path(folder) / "mycard.toml"
            card.write_text(deep, encoding="utf-8")
            for status, text, *words in ((2, "[" * 100_000, "run", "-"), (2, '{"a":' * 100_000, "run", "-"),
                                         (2, "", "run", "--card", card, "-a", "3 mycard", "-d", "2"),
                                         (0, "", "run", "-a", "3 focus", "-d", "2 evade", "--engine", "both", "--trials", "1000")):
                result = subprocess.run(["bash", "-c", 'ulimit -s 64; exec "$@"', "_", SALVO, *map(str, words)], input=text,
                                        capture_output=True, text=True, timeout=300)
                self.assertEqual(result.returncode, status, result.stderr[:200])

    def test_too_many_cards(self):
        scenario = {"ships": {"a": {"attack": 3, "upgrades": ["predator"] * 500}, "d": {}}, "attacks": [{"by": "a", "on": "d"}]}
        self.refused(["run", "-"], "ships.a.upgrades", "500", stdin=json.dumps(scenario))


class OwnGame(Case):
    FOLDER = ROOT / "examples" / "skirmish"

    def test_a_whole_game(self):
        # Four dice, each a success with 3/4 after the aim's reroll, plus one blank changed by the card; three dice with an
        # evade of 1/3 each, plus one blank changed by the dodge; two hull.
        def binomial(n, p):
            return [math.comb(n, k) * p**k * (1 - p)**(n - k) for k in range(n + 1)]
        expected = sum(a * d for hits, a in enumerate(binomial(4, 3 / 4)) for evades, d in enumerate(binomial(3, 1 / 3))
                       if min(4, hits + 1) - min(3, evades + 1) >= 2)
        own = {"SALVO_PROFILES": str(self.FOLDER / "profiles")}
        result = run("run", self.FOLDER / "ambush.toml", "--format", "json", "--engine", "both", "--trials", "50000", environment=own)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertAlmostEqual(json.loads(result.stdout)["value"], expected, delta=1e-12)
        self.assertEqual(run("run", "--rules", "skirmish", "-a", "ship=hauler aim", "-d", "pilot=mara dodge", environment=own).returncode, 0)
        self.assertIn("Raider", run("ships", "--format", "csv", environment=own).stdout)

    def test_rules_from_a_file(self):
        rules = self.FOLDER / "profiles" / "rules" / "skirmish.toml"
        answer = json.loads(self.answered("run", "--rules", rules, "-a", "1", "-d", "0", "--format", "json"))
        self.assertAlmostEqual(answer["value"], 0.5, delta=1e-12)
        for command in (["worth"], ["advise"], ["durability"]):
            self.answered(*command, "--rules", rules, "-a", "2 aim", "-d", "1 dodge hull=3", "--format", "json")
        self.answered("compare", "--rules", rules, "2 aim", "2", "--defend", "1 hull=2", "--format", "json")


class Tables(Case):
    """Columns too wide for the terminal move below the table; nothing is cut, and figures equal those of the JSON."""

    LOADOUTS = ("Luke Skywalker crackshot protontorpedoes lock", "Wedge Antilles predator protontorpedoes focus")

    def table(self, width, *arguments):
        result = run(*arguments, "--format", "table", environment={"COLUMNS": str(width)})
        self.assertEqual(result.returncode, 0, result.stderr)
        for line in result.stdout.splitlines():
            self.assertLessEqual(len(line), width, line)
        return result.stdout

    def test_compare(self):
        question = ["compare", *self.LOADOUTS, "--defend", "2 focus hull=3", "--defend", "TIE interceptor focus evade"]
        answer = json.loads(self.answered(*question, "--format", "json"))
        for width in (40, 60, 80, 200):
            table = self.table(width, *question)
            flat = re.sub(r"\s+", " ", table)
            self.assertNotIn("…", table)
            for loadout in answer["loadouts"]:
                self.assertIn(loadout["label"], flat)
                self.assertIn(f"{loadout['average']:.3f}", flat)
                for cell in loadout["cells"]:
                    self.assertIn(f"{cell['figure']:.2f}", flat)
        wide = next(x for x in self.table(200, *question).splitlines() if answer["loadouts"][0]["label"] in x)
        self.assertGreaterEqual(len(re.findall(r"\d\.\d\d", wide)), 3)  # the mean and both targets

    def test_squad(self):
        mine, theirs = (ROOT / "profiles" / "squads" / f"{name}.json" for name in ("rebels", "empire"))
        names = {pilot["name"] for squad in (mine, theirs)
                 for pilot in json.loads(self.answered("squad", squad, "--format", "json"))["pilots"]}
        for width in (40, 80, 200):
            table = self.table(width, "squad", mine, "--against", theirs)
            flat = re.sub(r"\s+", " ", table)
            self.assertNotIn("…", table)
            for words in (*names, "d3fe", "a4fl"):
                self.assertIn(words, flat)
            self.assertIn("shots, focus" if width > 80 else "shots,", flat)

    def test_battle_and_durability(self):
        for width in (40, 80, 200):
            table = self.table(width, "battle", "Luke Skywalker", "Academy Pilot")
            self.assertGreaterEqual(re.sub(r"\s+", " ", table).count("Luke Skywalker (T-65 X-wing)"), 2)
            self.assertNotIn("…", table)
            table = self.table(width, "durability", "-a", "3 focus", "--all", "-d", "focus")
            self.assertIn("Modified YT-1300 Light Freighter", re.sub(r"\s+", " ", table))
            self.assertNotIn("…", table)

    def test_nothing_is_cut(self):
        squads = ["Luke Skywalker", "Darth Vader", "Wedge Antilles"]
        for width in (40, 80, 200):
            for question in (["gauntlet", *squads, "--flight", "range-2"], ["hazard", "list"], ["rules"],
                             ["rules", "second-edition", "--left-out"],
                             ["cards", "coverage", ROOT / "tests" / "data" / "card-data" / "second"],
                             ["cards", "check", ROOT / "profiles" / "cards" / "upgrade" / "predator.toml"],
                             ["run", "-a", "3 focus lock", "-d", "2 focus hull=3", "-e", "sample", "-n", "1000"]):
                with self.subTest(width=width, question=question[0]):
                    self.assertNotIn("…", self.table(width, *question))
        matrix = json.loads(self.answered("gauntlet", *squads, "--flight", "range-2", "--format", "json"))
        table = self.table(40, "gauntlet", *squads, "--flight", "range-2")
        for i, row in enumerate(matrix["squads"]):
            self.assertIn(row["name"], table)
            for win in row["win"][:i] + row["win"][i + 1:]:
                self.assertIn(f"{100 * win:.1f}", table)
        heads = self.table(40, "cards", "coverage", ROOT / "tests" / "data" / "card-data" / "second")
        for head in ("modelled", "partly", "share", "irrelevant", "unclassified"):
            self.assertIn(head, heads)
        sampled = re.sub(r"\s+", " ", self.table(40, *question))
        self.assertRegex(sampled, r"1 or more +[\d.]+% [\d.]+–[\d.]+ [\d.]+% exactly")

    def test_long_lives(self):
        """A durability table stays short, however many rounds have a figure."""
        question = ["durability", "-a", "3 focus", "-d", "ship=cr90corelliancorvette", "--refresh", "round"]
        rows = re.findall(r"by round (\d+) +(\S+)%", self.table(80, *question))
        self.assertLessEqual(len(rows), 21)
        self.assertGreater(len(rows), 5)
        answer = json.loads(self.answered(*question, "--format", "json"))
        for n, share in rows:
            if share[0].isdigit():
                self.assertAlmostEqual(float(share), 100 * answer["rounds"]["cdf"][int(n)], delta=0.006)
        self.assertIn("recovers 2 shields after each round, up to 7", re.sub(r"\s+", " ", self.table(80, *question)))

    def test_title_of_many_attacks(self):
        self.assertTrue(self.table(80, "run", "-a", "3 x7", "-d", "2").startswith("a1, a2, a3, a4, a5, a6, a7 → d\n"))
        ships = {"red": {"attack": 2}, "gold": {"attack": 3, "side": "mine"}, "black": {"agility": 2}}
        attacks = [{"by": "gold", "on": "black"}] + [{"by": "red", "on": "black"}] * 200
        for_stdin = json.dumps({"ships": ships, "attacks": attacks})
        table = self.answered("run", "-", "--format", "table", "-e", "sample", "-n", "100", stdin=for_stdin)
        self.assertTrue(table.startswith("gold, red ×200 → black\n"), table[:80])

    def test_who_is_who(self):
        for command in (["order"], ["worth"], ["advise"], ["run"]):
            table = self.table(80, *command, "-a", "Wedge Antilles focus", "-a", "Luke Skywalker focus", "-d", "2 hull=3")
            flat = re.sub(r"\s+", " ", table)
            self.assertIn("ships a1 Wedge Antilles (T-65 X-wing), a2 Luke Skywalker (T-65 X-wing)", flat, command)

    def test_luck_in_short(self):
        question = ["luck", "-a", "2", "-d", "3 focus evade", "--damage", "2"]
        table = self.table(80, *question)  # with an evade token, best play never takes two hits
        self.assertIn("best play never lets so much through", table)
        decisions = json.loads(self.answered(*question, "--format", "json"))["decisions"]
        self.assertEqual(table.count("; better:"), 8)
        self.assertIn(f"and {len(decisions) - 8} more", table)


class Sampled(Case):
    def test_battles_show_the_error_of_their_columns(self):
        question = ["battle", "Luke Skywalker", "Darth Vader", "--flight", "range-2"]
        sampled = [*question, "--engine", "sample", "--trials", "2000", "--format"]
        errors = [x["survives_se"] for x in json.loads(self.answered(*sampled, "json"))["ships"]]
        said = re.search(r"single ships is at most ([\d.]+) %", re.sub(r"\s+", " ", self.answered(*sampled, "table")))
        self.assertGreaterEqual(float(said.group(1)), 0.99 * 196 * max(errors))
        self.assertNotIn("half-width", self.answered(*question, "--engine", "exact", "--format", "table"))

    def test_rolls_for_player_order(self):
        question = ["hazard", "player-order", "--format", "json"]
        exact = json.loads(self.answered(*question))
        sampled = json.loads(self.answered(*question, "--engine", "sample", "--trials", "20000"))
        for figure in ("tie", "mean_rolls"):
            self.assertNotIn(f"{figure}_se", exact)
            self.assertLess(abs(sampled[figure] - exact[figure]), 4 * sampled[f"{figure}_se"])
        # Rolls until one decides are geometric: variance tie / (1 - tie)^2; of ties among rolls it is that of a share.
        tie, rolls = exact["tie"], 20000 * sampled["mean_rolls"]
        self.assertAlmostEqual(sampled["mean_rolls_se"] / math.sqrt(tie / (1 - tie) ** 2 / 20000), 1, delta=0.1)
        self.assertAlmostEqual(sampled["tie_se"] / math.sqrt(tie * (1 - tie) / rolls), 1, delta=0.1)

    def test_trials_that_all_agree_prove_nothing(self):
        table = self.answered("gauntlet", "pilot=lukeskywalker x3", "1 hull=1", "--flight", "range-2", "--trials", "100", "--engine",
                              "sample", "--format", "table")
        self.assertIn("100.0", table)
        error = float(re.search(r"±([\d.]+) % at most", re.sub(r"\s+", " ", table)).group(1))
        self.assertGreater(error, 1)
        self.assertLess(error, 3)

    def test_what_huge_ships_recover(self):
        shots = ["durability", "-a", "4 focus lock", "-a", "3 focus", "--format", "json", "--refresh"]
        for defender in ("CR90 Corellian Corvette", "pilot=republicjudiciary"):
            by_round, by_shot = (json.loads(self.answered(*shots, refresh, "-d", defender)) for refresh in ("round", "shot"))
            self.assertRegex(" ".join(by_round["notes"]), r"recovers \d shields? after each round, up to \d")
            self.assertIn("shields that a huge ship recovers are not counted; --refresh round counts them", by_shot["notes"])
            self.assertGreater(by_round["mean_shots"], by_shot["mean_shots"])
        battle = json.loads(self.answered("battle", "CR90 Corellian Corvette", "Luke Skywalker", "--flight", "range-2", "--rounds", "2",
                                          "--trials", "100", "--format", "json"))
        self.assertRegex(" ".join(battle["notes"]), "shields that .* recovers in the End Phase are left out")
        # A huge ship without a name has no known shield recovery.
        answer = json.loads(self.answered(*shots, "round", "-d", "0 hull=8 shields=3 size=huge"))
        self.assertIn("shields and energy that a huge ship recovers between rounds are not counted", answer["notes"])
        answer = json.loads(self.answered(*shots, "round", "-d", "T-65 X-wing"))
        self.assertNotIn("recovers", json.dumps(answer.get("notes", [])))

    def test_attackers_alike_in_a_round(self):
        """x3 means three attackers that shoot once each round."""
        defend = ("-d", "2 focus hull=5", "--format", "json")
        once = json.loads(self.answered("durability", "-a", "3 x3", "--refresh", "round", *defend))
        self.assertEqual(once, {**json.loads(self.answered("durability", "-a", "3", "-a", "3", "-a", "3", *defend)),
                                "attacker": once["attacker"]})
        single = json.loads(self.answered("durability", "-a", "3", "--refresh", "round", *defend))
        self.assertEqual(single["round"], 1)

    def test_charges_of_a_squad_recover_by_the_rules(self):
        """One shot a round: one Force recovers, and Iden Versio's charge prevents damage only once."""
        squad = json.loads(self.answered("squad", "pilot=idenversio ship=tielnfighter", "--format", "json"))
        shots = {(x["from"], x["tokens"]): x["mean_shots"] for x in squad["pilots"][0]["durability"]}
        for (attacker, tokens), mean in shots.items():
            self.assertIsNotNone(mean, attacker)
        by_hand = json.loads(self.answered("durability", "-a", "3 focus", "--refresh", "round", "--format", "json", "-d",
                                           "pilot=idenversio ship=tielnfighter"))
        self.assertAlmostEqual(shots[("a3f", "none")], by_hand["mean_shots"], delta=1e-9)


class ReturnFire(Case):
    """--return: ships that shoot back at the first attacker, compared with a scenario file."""

    SPECS = ("-a", "X-wing focus", "-d", "TIE/ln fighter evade", "--return", "3 focus lock range=1", "--return", "2")

    def test_as_in_a_file(self):
        question = {
            "cards": "xwa",
            "ships": {"a1": {"ship": "t65xwing", "tokens": {"focus": 1}}, "d": {"ship": "tielnfighter", "tokens": {"evade": 1}},
                      "b1": {"attack": 3, "tokens": {"focus": 1, "lock": ["a1"]}}, "b2": {"attack": 2}},
            "attacks": [{"by": "a1", "on": "d"}, {"by": "b1", "on": "a1", "range": 1}, {"by": "b2", "on": "a1"}]}
        for command in (["run"], ["advise", "--rolled", "hit focus blank"], ["advise"], ["worth"]):
            expected = json.loads(self.answered(*command, "-", "--format", "json", stdin=json.dumps(question)))
            answer = json.loads(self.answered(*command, *self.SPECS, "--format", "json"))
            answer.pop("notes", None)
            self.assertEqual(answer, expected, command)

    def test_to_spend_or_to_save(self):
        """Without return fire the focus is spent; with it, the focus is worth more on defense."""
        alone = json.loads(self.answered("advise", *self.SPECS[:4], "--rolled", "hit focus blank", "--format", "json"))
        self.assertEqual(alone["options"][0]["play"], "spend focus")
        under_fire = json.loads(self.answered("advise", *self.SPECS, "--rolled", "hit focus blank", "--format", "json"))
        self.assertTrue(any(x["later"] != 0 for x in under_fire["options"]))

    def test_places(self):
        self.refused(["run", *self.SPECS[:4], "--return", "3 fcous"], "--return 1: ", "did you mean \"focus\"?")
        self.refused(["run", *self.SPECS[:4], "--return", "3", "--return", "3 weapon=protontorpedoes"], "--return 2: weapon: ")
        self.refused(["run", "profiles/scenarios/joust.toml", "--return", "3"], "--return: it goes with attack and defend")
        self.refused(["run", "-a", "3", "-d", "2", "--return", "3"], "no agility", "name its ship")


class Compare(Case):
    def test_a_torpedo_once_or_the_primary_weapon_twice(self):
        answer = json.loads(self.answered("compare", "3 focus x2", "4 lock", "--defend", "2 focus hull=5", "--format", "json"))
        for loadout in answer["loadouts"]:
            mine = json.loads(self.answered("run", "-a", loadout["name"], "-d", "2 focus hull=5", "--format", "json"))
            self.assertEqual(loadout["cells"][0]["at_least"], mine["ships"]["d"]["damage"]["at_least"])
            self.assertEqual(loadout["cells"][0]["hit"], mine["ships"]["d"]["damage"]["at_least"][1])
        costs = {x["name"]: x["cost"] for x in json.loads(self.answered(
            "compare", "Wedge Antilles", "Wedge Antilles x2", "--defend", "2", "--format", "json"))["loadouts"]}
        self.assertEqual(costs["Wedge Antilles x2"], 2 * costs["Wedge Antilles"])

    def test_the_card_set_is_noted(self):
        for items in (["Wedge Antilles predator", "3 focus"], ["3 focus", "Wedge Antilles predator"]):
            answer = json.loads(self.answered("compare", *items, "--defend", "2", "--format", "json"))
            self.assertEqual((answer["cards"], len(answer["cards_date"])), ("xwa", 10))


class Limits(Case):
    def limited(self, question, *options):
        """With a memory limit of one gigabyte, which sanitizers ignore."""
        return subprocess.run([SALVO, "run", "-", "--memory", "1G", *options],
                              input=json.dumps(question), capture_output=True, text=True, timeout=300)

    def test_two_hundred_attacks_with_tokens(self):
        """Ten ships attack one, twenty times each: tables of hits and crits must not grow with all that may follow."""
        ships = {f"a{i}": {"side": "mine", "attack": 3, "tokens": {"focus": 1}} for i in range(10)}
        ships["d"] = {"agility": 2, "tokens": {"focus": 1, "evade": 1}}
        question = {"ships": ships, "attacks": [{"by": f"a{i % 10}", "on": "d"} for i in range(200)]}
        result = self.limited(question, "-e", "sample", "-n", "2000", "--attacker-policy", "hold", "--defender-policy", "hold",
                              "--format", "json")
        self.assertEqual(result.returncode, 0, result.stderr)
        answer = json.loads(result.stdout)
        one = sum(k * p for k, p in enumerate(pmf_of_dice(3, 2)))  # no tokens are spent, so each attack is the same
        self.assertAlmostEqual(answer["value"], 200 * one, delta=5 * answer["value_se"])

    def test_too_many_ships_give_a_plain_error(self):
        ships = {f"{side}{i}": {"side": side, "attack": 3, "agility": 2, "hull": 3, "tokens": {"focus": 1, "evade": 1}}
                 for side in ("mine", "theirs") for i in range(200)}
        question = {"ships": ships, "attacks": [{"by": f"mine{i}", "on": f"theirs{i}"} for i in range(200)]}
        result = self.limited(question)
        self.assertEqual(result.returncode, 3)
        self.assertIn("leave out ships and tokens that do not matter", result.stderr)


class SquadPlay(Case):
    SQUAD = "Luke Skywalker crackshot"

    def mean(self, *options):
        answer = json.loads(self.answered("squad", self.SQUAD, "--format", "json", *options))
        cell = next(x for x in answer["pilots"][0]["offense"]
                    if (x["range"], x["tokens"], x["against"]) == (2, "focus", "d2f"))
        return cell["mean"], answer["squad"]["notes"]

    def test_policies_objective_and_deck(self):
        usual, notes = self.mean()
        self.assertEqual([x for x in notes if x.startswith("played with")], [])
        held, notes = self.mean("--attacker-policy", "hold", "--defender-policy", "hold")
        expected = sum(k * p for k, p in enumerate(pmf_of_dice(3, 2)))  # no tokens are spent
        self.assertAlmostEqual(held, expected, delta=1e-12)
        self.assertNotAlmostEqual(held, usual, delta=1e-3)
        self.assertTrue(any(x.startswith("played with attacker hold, defender hold") for x in notes), notes)
        for output in ("table", "csv"):
            said = self.answered("squad", self.SQUAD, "--format", output, "--objective", "kill", "--damage-deck", "core")
            self.assertIn("played with objective kill, damage deck core", re.sub(r"\s+", " ", said))


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

    def test_standard_input_in_messages(self):
        for squad in ({"pilots": [{"id": "nobody"}]}, {"pilots": [{"id": "jakefarrell", "ship": "vt49decimator"}]}):
            self.refused(["squad", "-"], "standard input: none of its pilots is known", stdin=json.dumps(squad))
        self.refused(["compare", "-", "--defend", "2"], "standard input", stdin="Jake Farrell (VT-49 Decimator)\n")

    def test_everywhere(self):
        self.assertIn("Wedge Antilles", self.answered("compare", self.LINK, "--defend", "2 hull=3", "--format", "table"))
        self.assertIn("Luke Skywalker", self.answered("squad", ROOT / "profiles" / "squads" / "empire.json",
                                                      "--against", self.LINK, "--format", "table"))

    def test_unknown_by_name(self):
        table = [line.split("\t") for line in (ROOT / "profiles" / "builders" / "yasb.tsv").read_text(encoding="utf-8").splitlines()]
        upgrades = json.loads(self.answered("upgrades", "--format", "json"))["upgrades"]
        known = {x["id"].split("-")[0] for x in upgrades} | {x["name"] for x in upgrades}
        row = next(x for x in table if len(x) == 5 and x[0] == "upgrade" and not {x[2].split("-")[0], x[4].split(" (")[0]} & known)
        link = f"https://yasb.app/?f=x&d=v10ZeZ50Z4XW{row[1]}W99999"
        answer = json.loads(self.answered("squad", link, "--format", "json"))
        self.assertEqual([x["id"] for x in answer["unknown"]], [row[4], "number 99999"])

    def ids(self, *squad, stdin=""):
        answer = json.loads(self.answered("squad", *squad, "--format", "json", stdin=stdin))
        self.assertEqual(answer["unknown"], [])
        return answer["squad"]["ruleset"], [(x["id"], x["upgrades"]) for x in answer["pilots"]]

    def test_every_builder_and_version(self):
        table = [line.split("\t") for line in (ROOT / "profiles" / "builders" / "yasb.tsv").read_text(encoding="utf-8").splitlines()]
        number = {(row[0], row[2]): row[1] for row in table if len(row) == 5}
        luke, wedge = number["pilot", "lukeskywalker"], number["pilot", "wedgeantilles"]
        predator, r2d2 = number["upgrade", "predator"], number["upgrade", "r2d2"]
        ships = [("lukeskywalker", ["predator", "r2d2"]), ("wedgeantilles", [])]
        lettered = f"{luke}XW{predator}WW{r2d2}Y{wedge}XWWW"
        for link, ruleset in [
                (f"https://raithos.github.io/?f=Rebel%20Alliance&d=v8ZsZ200Z{lettered}&sn=x&obs=", "2.0"),
                (f"http://raithos.github.io/xwing/?f=Rebel%20Alliance&d=v8ZhZ100Z{lettered}", "2.0"),
                (f"https://xwing-legacy.com//?f=Rebel%20Alliance&d=v8ZsZ200Z{lettered}", "2.0"),
                (f"xwing-legacy.com/?f=Rebel%20Alliance&amp;d=v10ZsZ50Z{lettered}", "2.0"),
                (f"https://www.yasb.app/?f=Rebel%20Alliance&d=v9ZsZ20Z{lettered}", "2.5"),
                (f"https://yasb.app/?f=Rebel%20Alliance&d=v10ZsZ50Z{lettered}", "XWA"),
                (f"https://yasb.app/?f=Rebel%20Alliance&d=v7!s=200!{luke}:,{predator},,{r2d2}:;{wedge}::&sn=x", "2.0"),
                (f"https://raithos.github.io/?f=x&d=v6!h=200!{luke}:{predator},{r2d2}:U.-1;{wedge}:,,:U.-1", "2.0"),
                (f"https://raithos.github.io/?f=x&d=v4!s!{luke}:-1,{predator}:-1:-1:U.{r2d2};{wedge}:-1,168:-1:-1:", "2.0")]:
            self.assertEqual(self.ids(link), (ruleset, ships), link)

    def test_launch_bay_next(self):
        # 33: T-65 X-wing; 5: Jek Porkins, 11: Blue Squadron Escort; 297: Hull Upgrade, 333: Servomotor S-foils
        ships = [("jekporkins", ["servomotorsfoils", "hullupgrade"]), ("bluesquadronescort", [])]
        for lbx in ("'Two'.200.1.0.(33.5.(18.333).(14.297)).(33.11)", "%27Two%27.200.1.0.ll33.5.l18.333r.l14.297rr.l33.11rr.lr",
                    "'Two'.200.1.0.ll't65xwing'.'jekporkins'.l18.'servomotorsfoils'r.l14.297rr.l33.11rr.l0.4.8r"):
            self.assertEqual(self.ids(f"https://launchbaynext.app/print?lbx={lbx}"), ("2.0", ships), lbx)

    def test_the_builder_of_the_first_edition(self):
        rows = [line.split("\t") for line in (ROOT / "profiles" / "builders" / "yasb1.tsv").read_text(encoding="utf-8").splitlines()]
        n = {(row[0], row[2]): row[1] for row in rows if len(row) == 3}
        fel, ptl, thrusters, royal = (n["pilot", "soontirfel"], n["upgrade", "pushthelimit"], n["modification", "autothrusters"],
                                      n["title", "royalguardtie"])
        stealth, boba, slave, torpedoes = (n["modification", "stealthdevice"], n["pilot", "bobafett"], n["title", "slavei"],
                                           n["upgrade", "protontorpedoes"])
        ships = [("soontirfel", ["pushthelimit", "royalguardtie", "autothrusters", "stealthdevice"]),
                 ("bobafett", ["slavei", "protontorpedoes"])]
        usual = f"{fel}:{ptl}:{royal}:{thrusters}:M.{stealth};{boba}:-1,-1:{slave}:-1:U.{torpedoes}"
        for d, expected in ((f"v4!s!{usual}", ships), (f"v3!c=150!{usual};", ships), (f"v2!{usual}", ships),
                            (f"{boba}:-1,-1:{slave}:{torpedoes}:-1", ships[1:]),
                            (f"v4%21s%21{usual.replace(':', '%3A')}", ships)):
            self.assertEqual(self.ids(f"http://geordanr.github.io/xwing/?f=Galactic%20Empire&d={d}&sn=x"),
                             ("first-edition", expected), d)
        poe = n["pilot", "poedameron"]  # of a faction that is a part of the squad's
        self.assertEqual(self.ids(f"https://geordanr.github.io/xwing/?f=Rebel%20Alliance&d=v4!s!{poe}:"), ("first-edition", [("poedameron", [])]))
        luke = next(row[1] for row in (line.split("\t") for line in (ROOT / "profiles" / "builders" / "yasb.tsv").read_text(
            encoding="utf-8").splitlines()) if row[0] == "pilot" and row[2] == "lukeskywalker")
        self.assertEqual(self.ids(f"https://geordanr.github.io/?f=x&d=v7!s=200!{luke}::"), ("2.0", [("lukeskywalker", [])]))
        for d in ("v4!s!", "v4!s", "v3!12:1", "v2!"):
            self.refused(["squad", f"https://geordanr.github.io/xwing/?f=x&d={d}"], "cut off", "geordanr.github.io", "first edition",
                         "export the squad as XWS")

    def test_wrong_links(self):
        self.refused(["squad", "https://raithos.github.io/?f=x&d=v3!s!0:1,2"], "v3", "first edition")
        self.refused(["squad", "https://yasb.app/?f=x&d=v8ZsZ200Z"], "cut off", "v8")
        self.refused(["squad", "https://yasb.app/?f=x&d=v8ZqZ8Z4X"], "quick builds")
        self.refused(["squad", "https://launchbaynext.app/?lbx='a'.200.1"], "Launch Bay Next")
        self.refused(["squad", "https://launchbaynext.app/print/12345"], "nothing is fetched", "export the squad as XWS")
        self.assertIn("links of version 23 are not known here", self.answered(
            "squad", "https://yasb.app/?d=v23ZsZ50Z4X", "--format", "json"))
        self.refused(["squad", "https://yasb.app/?f=Rebel"], "the link", "quote")
        self.refused(["squad", "https://yasb.app/?d=v7ZsZ200Z4X"], "v7", "old form")
        self.refused(["squad", "https://example.org/squad"], "nothing is fetched")
        self.refused(["squad", "https://yasb.app/?d=v10ZsZ50Zabc"], "the link")
        self.refused(["squad", "https://yasb.app/?d=v10ZsZ50ZaXb"], "not a valid pilot number")


class StandardLoadouts(Case):
    """A pilot of a SPEC has its standard loadout, in every command; a file states upgrades, and a note lists what it lacks."""

    LUKE = "pilot=lukeskywalker-battleofyavin"
    NOTE = "lukeskywalker-battleofyavin has the standard loadout attackspeed-battleofyavin, instinctiveaim, protontorpedoes, r2d2-battleofyavin"

    def test_commands(self):
        for command in (["run", "-a", self.LUKE, "-d", "2"], ["run", "-a", "3", "-d", self.LUKE], ["compare", self.LUKE, "-d", "2"],
                        ["compare", "3", "-d", self.LUKE], ["durability", "-a", "3", "-d", self.LUKE], ["squad", self.LUKE],
                        ["battle", self.LUKE, "pilot=academypilot", "--policy", "value", "--engine", "sample", "--trials", "100"], ["hazard", "proton-bomb", "--ship", self.LUKE],
                        ["advise", "-a", self.LUKE + " lock range=1", "-d", "2"]):
            self.assertIn(self.NOTE, self.answered(*command, "--format", "json"), command)

    def test_weapon(self):
        answer = json.loads(self.answered("run", "-a", self.LUKE + " lock", "-d", "0 hull=9", "--format", "json"))
        self.assertEqual(answer["attacks"][0]["attack_dice"], 4)
        self.assertTrue(any(note.startswith("a1 uses the weapon protontorpedoes (") for note in answer["notes"]), answer["notes"])
        named = self.answered("run", "-a", self.LUKE + " lock weapon=protontorpedoes", "-d", "0 hull=9", "--format", "json")
        self.assertEqual(json.loads(named)["value"], answer["value"])
        bare = json.loads(self.answered("run", "-a", self.LUKE + " loadout=none lock", "-d", "0 hull=9", "--format", "json"))
        self.assertEqual(bare["attacks"][0]["attack_dice"], 3)
        self.refused(["run", "-a", self.LUKE + " loadout=some", "-d", "2"], "--attack 1", "write loadout=none")

    def test_file(self):
        scenario = {"ships": {"red": {"pilot": "lukeskywalker-battleofyavin"}, "d": {"agility": 2}}, "attacks": [{"by": "red", "on": "d"}]}
        answer = json.loads(self.answered("run", "-", stdin=json.dumps(scenario)))
        self.assertTrue(any("red: Luke Skywalker flies without the standard loadout Attack Speed" in x for x in answer["notes"]))
        self.assertEqual(answer["attacks"][0]["attack_dice"], 3)


class NotesInWords(Case):
    """Notes name facts and cards in words. Ids are left only in quotes, as what a scenario would state."""

    QUOTED = re.compile(r'"[^"]*"')
    ID = re.compile(r"(?<![\w-])[a-z0-9]+(?:-[a-z0-9]+)*(?![\w-])")

    @classmethod
    def setUpClass(cls):
        facts = (ROOT / "profiles/rules/facts.toml").read_text()
        cls.facts = {name for name in re.findall(r"^([a-z0-9-]+) = ", facts, re.MULTILINE) if "-" in name}
        rows = [line.split("\t") for line in (ROOT / "profiles/names.tsv").read_text().splitlines() if not line.startswith("#")]
        # An id of one word may be the word.
        cls.cards = {id: name for _, id, name in rows if re.search(r"[\s-]", name) or re.search(r"[-\d]", id)}

    def ids_in(self, note):
        # A bonus attack's card as the scenario names it, and the condition in the card's file.
        note = re.sub(r"'[\w-]+' grants ('[^']+' none.*) \(it asks for: .*", r"\1", note)
        return [word for word in self.ID.findall(self.QUOTED.sub("", note)) if word in self.facts or word in self.cards]

    def test_finds_ids(self):
        self.assertEqual(self.ids_in("attacks[0]: nothing reads the fact 'in-front-arc'"), ["in-front-arc"])
        self.assertEqual(self.ids_in("black: lukeskywalker flies alone"), ["lukeskywalker"])
        self.assertEqual(self.ids_in('list it, with bonus = "clustermissiles"'), [])

    def test_scenarios_of_all_cards(self):
        asked = []
        for name in ("cards", "cards-xwa", "cards-first-edition"):
            for line in (ROOT / f"tests/data/{name}.jsonl").read_text().splitlines():
                asked.append(json.dumps({**json.loads(line)["with"], "engine": "sample", "trials": 2}))
        answers = [json.loads(line) for line in self.answered("batch", "--no-progress", stdin="\n".join(asked) + "\n").splitlines()]
        self.assertEqual(len(answers), len(asked))
        notes = {note for answer in answers for note in answer.get("notes", [])}
        self.assertGreater(len(notes), 100)
        # A card that the set of the scenario does not have has no name there.
        self.assertEqual({note for note in notes if set(self.ids_in(note)) - {"itsatrap-battleoverendor", "noescape-battleoverendor"}}, set())

    def test_squads_and_battles(self):
        lists = ["Luke Skywalker + Proton Torpedoes | 4-LOM", "“Mauler” Mithel + Afterburners | Kylo Ren + Extreme Maneuvers"]
        for text in lists:
            for body in (["squad", json.dumps({"squad": text})], ["battle", json.dumps({"mine": text, "theirs": "Darth Vader", "engine": "sample", "trials": 20})]):
                answer = json.loads(self.answered("request", body[0], "-", stdin=body[1]))
                for note in answer.get("notes", []) + answer.get("squad", {}).get("notes", []):
                    self.assertEqual(self.ids_in(note), [], note)
                    self.assertNotIn("--", note)


class UnreadTokens(Case):
    def test_notes(self):
        for rules, attack, defend, note in (("first-edition", "3 jam", "2", "a1: nothing in these attacks reads its jam token"),
                                            ("first-edition", "3 reinforce", "2", "a1: nothing in these attacks reads its reinforce token"),
                                            ("second-edition", "3", "2 stress", "d: nothing in these attacks reads its stress token")):
            answer = json.loads(self.answered("run", "--rules", rules, "-a", attack, "-d", defend, "--format", "json"))
            self.assertEqual(answer["notes"], [note])
        self.assertNotIn("notes", json.loads(self.answered("run", "--rules", "first-edition", "-a", "3", "-d", "2 reinforce", "--format", "json")))
        durability = self.answered("durability", "-a", "3", "-d", "2 hull=3 stress", "--format", "json")
        self.assertIn("d: nothing in these attacks reads its stress token", durability)


class TokensInBothRoles(Case):
    """A note names a token that neither attacks by its ship nor attacks on it read."""

    def notes(self, *command):
        return [note for note in json.loads(self.answered(*command, "--format", "json"))["notes"] if "reads its" in note]

    def test_battle(self):
        bare = ["battle", "3 hull=4", "--trials", "100", "--no-sensitivity", "--engine", "sample"]
        for tokens, unread in (("evade", []), ("tractor", []), ("deplete strain", []), ("stress ion", []), ("evade aided", ["aided"])):
            notes = self.notes(*bare, f"2 agility=2 hull=3 {tokens}")
            self.assertEqual([note.split()[-2] for note in notes], unread, notes)

    def test_ships_that_cannot_attack(self):
        for policy in ("greedy", "focus-fire", "value", "sound"):
            for token in ("cloak", "disarm"):
                answer = json.loads(self.answered("battle", f"3 agility=1 hull=4 {token}", "2 hull=4", "--flight", "range-2", "--policy", policy,
                                                  "--engine", "sample", "--trials", "200", "--format", "json", "--no-sensitivity"))
                self.assertAlmostEqual(answer["win"] + answer["draw"] + answer["loss"], 1)

    def test_too_much_health(self):
        self.refused(["battle", "Luke Skywalker | 3 hull=60 shields=4", "2 hull=4"], "mine", "hull", "64 hull and shields", "63")


class Lists(Case):
    LIST = "Rey [Push the Limit, Kanan Jarrus, Finn] (57)\nPoe Dameron (PS9 Version) [Black One, BB-8] (36)\n"
    SHIPS = [("rey", ["pushthelimit", "kananjarrus", "finn"]), ("poedameron-swx57", ["blackone", "bb8"])]

    def ships(self, *squad, stdin=""):
        answer = json.loads(self.answered("squad", *squad, "--format", "json", stdin=stdin))
        return [(x["id"], x["upgrades"]) for x in answer["pilots"]], answer

    def test_everywhere(self):
        path = self.folder / "list.txt"
        path.write_text(self.LIST)
        for ships, answer in (self.ships(path), self.ships("-", stdin=self.LIST), self.ships(self.LIST)):
            self.assertEqual(ships, self.SHIPS)
            self.assertEqual((answer["squad"]["ruleset"], answer["unknown"]), ("first-edition", []))
        self.answered("compare", path, "Han Solo + Predator", "--rules", "first-edition", "--defend", "2 hull=3")
        self.answered("squad", path, "--against", "Han Solo + Predator", "--rules", "first-edition")
        answer = json.loads(self.answered("request", "squad", "-", stdin=json.dumps({"squad": self.LIST})))
        self.assertEqual([x["id"] for x in answer["pilots"]], ["rey", "poedameron-swx57"])

    def test_what_is_not_understood(self):
        ships, answer = self.ships("-", "--cards", "legacy", stdin="Luke Skywalker [Predator, Xqzzt]\nZzyzx Qwrt (12)\n")
        self.assertEqual(ships, [("lukeskywalker", ["predator"])])
        self.assertEqual([(x["path"], x["id"]) for x in answer["unknown"]], [("line 1", "Xqzzt"), ("line 2", "Zzyzx Qwrt")])
        self.refused(["squad", "-"], "standard input:1", "no pilot", "XWS", stdin="not a squad\n")

    def test_a_side_without_a_known_pilot(self):
        text = "Midnight [TIE/ln Fighter]"
        path = self.folder / "mine.txt"
        path.write_text(text)
        why = ("no ship to fight", "tielnfighter", "line 1: the pilot midnight does not fly it, but tiefofighter")
        for given, place in ((text, "list \"Midnight"), (path, "mine.txt: none")):
            self.refused(["battle", given, "X-wing"], place, *why)
            self.refused(["battle", "X-wing", given], place, *why)
        self.refused(["battle", "-", "X-wing"], "standard input: none", *why, stdin=text)
        error = json.loads(run("request", "battle", "-", stdin=json.dumps({"mine": text, "theirs": "X-wing"})).stdout)["error"]
        self.assertEqual((error["place"], [x for x in why if x not in error["message"]]), ("mine", []))

    def test_one_word(self):
        self.assertEqual(self.ships("Kavil", "--rules", "first-edition")[0], [("kavil", [])])
        self.refused(["squad", "Kavill", "--rules", "first-edition"], "no such file", "Kavil")
        self.answered("battle", "Kavil", "Kavil", "--rules", "first-edition", "--trials", "100", "--engine", "sample")

    def test_as_people_write(self):
        torpedoes = [("lukeskywalker", ["protontorpedoes", "r2d2"])]
        for text, ships in (("Academy Pilot x 2", [("academypilot", [])] * 2), ("Academy Pilots × 3", [("academypilot", [])] * 3),
                            ("Luke  Skywalker [Proton Torpedoes,  R2-D2] (80)", torpedoes),
                            ("Luke Skywalker    Proton Torpedoes    R2-D2", torpedoes),
                            ("Luke Skywalker (Proton Torpedoes; R2-D2)", torpedoes),
                            ("Luke Skywalker (Proton Torpedoes, R2-D2) (80)", torpedoes),
                            ("Luke Skywalker with Proton Torpedoes and R2-D2", torpedoes),
                            ("Luke Skywalker w/ Proton Torpedoes & R2-D2", torpedoes),
                            ("Darth Vader in TIE Advanced x1", [("darthvader", [])])):
            self.assertEqual(self.ships("-", "--cards", "xwa", stdin=text)[0], ships, text)

    def test_too_many_cards(self):
        for lines in (1, 22, 30):
            text = "9999x Luke Skywalker\n" + "    9999x Predator\n" * lines
            self.refused(["squad", "-", "--cards", "xwa"], "more than 500 cards", "2x", stdin=text)

    def test_words_that_begin_as_a_slot_does(self):
        for text, expected in (
                ("Jek Porkins [Sensor Jamer]", [("jekporkins", ["sensorjammer-battleofyavin"])]),
                ("Jek Porkins (Sensor Jammer)", [("jekporkins", ["sensorjammer-battleofyavin"])]),
                ("Luke Skywalker [Tactical Officr]", [("lukeskywalker", ["tacticalofficer"])]),
                ("Wedge Antilles\nLuke Skywalker [Talent]", [("wedgeantilles", []), ("lukeskywalker", [])]),
                ("Jan Ors\nLuke Skywalker [Gunner]", [("janors", ["lukeskywalker"])]),
                ("Luke Skywalker\nR2-D2 [Astromech]\n[Talents] Predator", [("lukeskywalker", ["r2d2", "predator"])]),
                ("Luke Skywalker\nElite Pilot Talent: Predator\nAstromech Slot 1: R2-D2",
                 [("lukeskywalker", ["predator", "r2d2"])])):
            self.assertEqual(self.ships("-", "--cards", "xwa", stdin=text)[0], expected, text)
        for text, card in (("Wedge Antilles\nLuke Skywalker [Bombardeir]", "Bombardeir"), ("Garven Dreis [Force Pushh]", "Force Pushh")):
            ships, answer = self.ships("-", "--cards", "xwa", stdin=text)
            self.assertEqual(len(ships), 1 + text.count("\n"), text)
            self.assertEqual([x["id"] for x in answer["unknown"]], [card], text)

    def test_tags_and_line_ends(self):
        pair = [("lukeskywalker", []), ("wedgeantilles", [])]
        loaded = [("lukeskywalker", ["predator", "r2d2"]), ("wedgeantilles", ["crackshot"])]
        items = "<ul>\n  <li>Luke Skywalker\n    <ul>\n      <li>Predator</li>\n      <li>R2-D2</li>\n    </ul>\n  </li>\n"
        rows = "<table>\n  <tr>\n    <td>Luke Skywalker</td>\n    <td>Predator</td>\n    <td>\n      R2-D2\n    </td>\n  </tr>\n"
        for text, expected in (
                ("Luke Skywalker\nWedge Antilles<br>Jek Porkins", pair + [("jekporkins", [])]),
                ("My list<br>\nLuke Skywalker\nWedge Antilles", pair),
                ("My list<link>\nLuke Skywalker\nWedge Antilles", pair),
                ("<h1>My list</h1>Luke Skywalker<br/>\r\nWedge Antilles", pair),
                ("<p>Luke Skywalker</p>Wedge Antilles", pair),
                ("<p>Luke Skywalker</p>\n\n<p>Wedge Antilles</p>", pair),
                ("Luke Skywalker<br>\nPredator<br>\nR2-D2<br>\n<br>\nWedge Antilles<br>\nCrack Shot<br>\n", loaded),
                (items + "  <li>\n    Wedge Antilles\n    <ul><li>\n      Crack Shot\n    </li></ul>\n  </li>\n</ul>\n", loaded),
                (rows + "<tr><th>Wedge Antilles</th><td>Crack Shot</td></tr></table>", loaded),
                ("<span>Luke</span> <span>Skywalker</span><span>Predator</span>, R2-D2\n<span>Wedge Antilles</span> + Crack Shot", loaded)):
            self.assertEqual(self.ships("-", "--cards", "xwa", stdin=text)[0], expected, text)

    def test_the_faction_behind_a_pilot(self):
        for text, pilot in (("Han Solo (Rebel)", "hansolo-modifiedyt1300lightfreighter"), ("Han Solo (Scum)", "hansolo"),
                            ("Lando Calrissian (Rebel)", "landocalrissian-modifiedyt1300lightfreighter"),
                            ("Poe Dameron (Resistance)", "poedameron"), ("Han Solo (Resistance)", "hansolo-scavengedyt1300")):
            self.assertEqual(self.ships("-", "--cards", "xwa", stdin=text)[0], [(pilot, [])], text)

    def test_upgrades_of_a_pilot_as_a_text(self):
        for upgrades in ('"r2d2"', '["r2d2"]', '{"astromech": "r2d2"}'):
            squad = '{"pilots": [{"id": "lukeskywalker", "upgrades": %s}]}' % upgrades
            self.assertEqual(self.ships("-", "--cards", "xwa", stdin=squad)[0], [("lukeskywalker", ["r2d2"])], upgrades)
        for upgrades in ('""', "null", "[]", "{}"):
            squad = '{"pilots": [{"id": "lukeskywalker", "upgrades": %s}]}' % upgrades
            self.assertEqual(self.ships("-", "--cards", "xwa", stdin=squad)[0], [("lukeskywalker", [])], upgrades)

    def test_equal_upgrades(self):
        two = "Scimitar Squadron Pilot, Flechette Torpedoes, Flechette Torpedoes"
        ships, _ = self.ships(two, "--rules", "first-edition")
        self.assertEqual(ships, [("scimitarsquadronpilot", ["flechettetorpedoes", "flechettetorpedoes"])])
        self.refused(["squad", two + ", Flechette Torpedoes", "--rules", "first-edition"], "3 times", "torpedo")
        self.refused(["run", "-a", "X-wing predator predator", "-d", "2"], "given twice", "once")

    def test_tokens_in_any_case(self):
        usual = self.answered("run", "-a", "3 focus lock range=1", "-d", "2 evade", "--format", "json")
        self.assertEqual(self.answered("run", "-a", "3 FOCUS Lock Range=1", "-d", "2 Evade", "--format", "json"), usual)

    def test_a_quote_that_is_not_closed(self):
        for spec in ('3 "focus', '3 "', '3 faceup="Structural Damage hull=4'):
            self.refused(["run", "-a", spec, "-d", "2"], "--attack 1", "quotation mark", "close")

    def test_upgrades_behind_with(self):
        usual = self.answered("run", "-a", "Luke Skywalker Proton Torpedoes lock", "-d", "2", "--format", "json")
        for words in ("with", "w/", "With"):
            spec = f"Luke Skywalker {words} Proton Torpedoes lock"
            self.assertEqual(self.answered("run", "-a", spec, "-d", "2", "--format", "json"), usual, words)

    def test_the_number_of_ships(self):
        usual = self.answered("run", "-a", "X-wing focus x3", "-d", "2 hull=9", "--format", "json")
        for spec in ("3x X-wing focus", "3 x X-wing focus", "3\u00d7 X-wing focus", "X-wing focus X 3", "X-wing focus \u00d73"):
            self.assertEqual(self.answered("run", "-a", spec, "-d", "2 hull=9", "--format", "json"), usual, spec)

    def test_ships_between_semicolons(self):
        def battle(mine):
            return json.loads(self.answered("battle", mine, "2 agility=2 hull=3", "--engine", "sample", "--trials", "200",
                                            "--format", "json"))

        one, other = battle("Darth Vader | Soontir Fel"), battle("Darth Vader; Soontir Fel")
        self.assertEqual(one["win"], other["win"])
        self.assertEqual(other["mine"], "Darth Vader, Soontir Fel")  # a list without a name is called by its pilots
        self.assertEqual(battle("Academy Pilot x2; Soontir Fel")["mine"], "Academy Pilot x2, Soontir Fel")

    def test_two_pilots_in_one_spec(self):
        for spec in ("Academy Pilot, Academy Pilot", "Luke Skywalker Wedge Antilles"):
            self.refused(["run", "-a", spec, "-d", "2"], "--attack 1", "second pilot", "SPEC of its own")
        self.refused(["battle", "Luke Skywalker Wedge Antilles", "Darth Vader"], "second pilot", "|")

    def test_ships_in_words_in_place_of_a_file(self):
        for command in ("run", "durability", "advise", "order", "worth", "luck", "card"):
            self.refused([command, "soontir fel"], "soontir fel", "no file", "--attack and --defend")
        self.refused(["run", "none.toml"], "none.toml", "check the name")

    def test_files_and_ships_by_their_names(self):
        for command in (["squad"], ["compare"], ["battle", "Guri"], ["gauntlet", "Guri"]):
            for name in ("none.txt", "my lists.xws", "./none"):
                self.refused([*command, name], name, "check the name")
        ships = json.loads(self.answered("squad", "TIE/ln", "--format", "json"))["pilots"]
        self.assertEqual(ships[0]["ship"], "tielnfighter")
        self.refused(["durability", "--defend", "X-wing"], "both an attack and a defender")

    def test_words_as_people_say_them(self):
        for words in (["ships", "Falcons"], ["ships", "the falcon"], ["ships", "y wings"], ["weapons", "torps"], ["ships", "slave"]):
            self.assertTrue(json.loads(self.answered(*words, "--format", "json"))[words[0]], words)
        ships = json.loads(self.answered("ships", "YT-2400", "--cards", "xwa", "--format", "json"))["ships"]
        self.assertEqual(ships[0]["attack"], "4 double-turret")  # as Dash Rendar and Leebo have
        self.assertEqual(self.figures("YT-2400", "2 hull=5")[0], self.figures("pilot=leebo weapon=primary", "2 hull=5")[0])
        self.assertEqual(self.figures("YT-2400", "2 hull=5")[0], self.figures("4", "2 hull=5")[0])

    def test_a_number_before_a_plural_counts_ships(self):
        for spec, ships in (("2 Academy Pilots", 2), ("3 Z-95s and Kavil", 4), ("3 Z-95 and Kavil", 2), ("x2 Obsidian Squadron Pilot", 2)):
            self.assertEqual(len(json.loads(self.answered("squad", spec, "--format", "json"))["pilots"]), ships, spec)
        self.assertEqual(self.figures("2 Black Sun Soldiers", "2")[0], self.figures("x2 pilot=blacksunsoldier", "2")[0])
        self.assertTrue(any("number of ships" in x for x in self.figures("2 Black Sun Soldiers", "2")[1]))

    def test_what_a_number_beside_results_means(self):
        for attack in ("3 hits 2", "2 3 hits", "1 crit 4 lock"):
            self.refused(["run", "--attack", attack, "--defend", "2"], "may be dice or more results", "rolled=hit,focus,blank")
        self.refused(["run", "--attack", "3 lock=1/4", "--defend", "2"], '"lock=1/4" is not a whole number; write lock=25%')
        self.refused(["run", "--attack", "3 range=2-3", "--defend", "2"], "range=2:50%,3:50%")
        self.refused(["run", "--attack", "3 range=1-3", "--defend", "2"], "range=1:34%,2:33%,3:33%")
        self.refused(["run", "--attack", "3 range=a-b", "--defend", "2"], "range")
        self.refused(["run", "--attack", "3 focus/lock", "--defend", "2"], "between words write a blank")
        self.refused(["run", "--attack", "3 lock", "--defend", "2 Black Sun Soldiers"], "--defend", "the name in the singular")
        self.refused(["run", "--attack", "3 evade 60 %", "--defend", "2"], "write evade=60%")
        self.refused(["run", "--attack", "3 lock 25%", "--defend", "2"], '"25%" is not', "write lock=25%")
        self.refused(["squad", "Dash Rendar/Kavil"], "write / with blanks around it")


if __name__ == "__main__":
    main()
