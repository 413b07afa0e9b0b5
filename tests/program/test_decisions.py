"""test_decisions.py SALVO [unittest options]: the commands about decisions: their JSON against docs/schemas, the examples of
docs/decisions.md and the README, and what is refused.
"""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "support"))
from check_schema import check
from program import ROOT, SALVO, Case, main, run, schema

SCENARIOS = ROOT / "profiles" / "scenarios"
JOUST, DUEL, FOUR = (SCENARIOS / name for name in ("joust.toml", "duel.toml", "four-on-one.toml"))
CAREFUL = ROOT / "profiles" / "policies" / "careful-defender.toml"


class Decisions(Case):
    def answer(self, command, *arguments, stdin=""):
        result = run(command, *arguments, stdin=stdin)
        self.assertEqual(result.returncode, 0, result.stderr)
        answer = json.loads(result.stdout)
        self.assertEqual(check(answer, schema(command)), [])
        return answer

    def test_schemas_can_fail(self):
        answer = self.answer("advise", JOUST, "--rolled", "hit focus focus blank")
        for spoil in (lambda a: a.pop("best"), lambda a: a["options"][0].update(loss=-1), lambda a: a.update(to_move="x"),
                      lambda a: a["options"][0].update(new=1), lambda a: a.update(value="1")):
            wrong = json.loads(json.dumps(answer))
            spoil(wrong)
            self.assertNotEqual(check(wrong, schema("advise")), [])

    def test_advise(self):
        answer = self.answer("advise", JOUST, "--attack", 1, "--rolled", "hit focus focus blank")
        self.assertEqual(answer["to_move"], "attacker")
        self.assertEqual(answer["best"], "spend the lock: reroll blank")
        self.assertEqual(answer["options"][0]["play"], answer["best"])
        self.assertEqual(answer["options"][0]["loss"], 0)
        losses = [option["loss"] for option in answer["options"]]
        self.assertEqual(losses, sorted(losses))
        answer = self.answer("advise", JOUST, "--rolled", "hit hit focus blank", "--spent", "lock", "--rerolled",
                             "blank=hit", "--defense-rolled", "evade focus blank")
        self.assertEqual((answer["to_move"], answer["ship"]), ("defender", "black"))
        answer = self.answer("advise", JOUST, "--attack", 2, "--tokens", "black evade=0", "--damage", "black=2")
        self.assertEqual(answer["options"], [])
        self.assertAlmostEqual(sum(r["probability"] for r in answer["rolls"]) + answer["no_decision"], 1, delta=1e-12)
        self.answer("advise", DUEL, "--to-move", "defender", "--attack", 2)
        self.answer("advise", "-", "--rolled", "hit hit", stdin='{"ships": {"a": {"attack": 2}, "d": {}}, '
                    '"attacks": [{"by": "a", "on": "d"}]}')

    def test_advice_in_a_later_round(self):
        shot = ["-a", "2 focus lock", "-d", "3 evade", "--rounds", 3]
        # Two rounds are left, as at the beginning of two; a spent lock does not return, a focus token does.
        late, two = (self.answer("advise", *shot[:-1], rounds, "--number", number) for rounds, number in ((3, 2), (2, 1)))
        self.assertEqual((late["round"], two["round"]), (2, 1))
        self.assertAlmostEqual(late["value"], two["value"], 12)
        expected = self.answer("advise", *shot, "--number", 2, "--tokens", "a1 focus=0 lock=0")
        self.assertEqual(expected["situation"], "a1 has no tokens; d has evade")
        alone, fresh = (self.answer("advise", "-a", spec, "-d", "3 evade")["value"] for spec in ("2", "2 focus"))
        self.assertAlmostEqual(expected["value"], alone + fresh, 12)
        # The same as a request, and in the last round of a file.
        body = {"attack": ["2 focus lock"], "defend": "3 evade", "rounds": 3,
                "point": {"attack": 2, "tokens": {"a1": {"focus": 0, "lock": []}}}}
        result = run("request", "advise", "-", stdin=json.dumps(body))
        self.assertEqual((result.returncode, json.loads(result.stdout)), (0, expected), result.stderr)
        table = run("advise", *shot, "--number", 3, "--format", "table").stdout
        self.assertIn("attack 3, round 3: a1", table)
        self.assertNotIn("round", run("advise", "-a", "2", "-d", "2", "--format", "table").stdout)
        # Luck of an attack in a later round, with the reported tokens.
        rounds = {"ships": {"a": {"attack": 2}, "d": {"agility": 0}}, "rounds": [
            {"attacks": [{"by": "a", "on": "d"}]},
            {"tokens": {"a": {"focus": 1}}, "attacks": [{"by": "a", "on": "d"}]}]}
        for tokens, expected in ((["--tokens", "a focus=0"], 1), ([], 1.5)):
            answer = self.answer("luck", "-", "--attack", 2, "--damage", 1, *tokens, stdin=json.dumps(rounds))
            self.assertAlmostEqual(answer["expected"]["damage"], expected, 12)

    def test_an_option_as_data_leads_to_the_next_decision(self):
        roll = ["--attack", 1, "--rolled", "hit focus focus blank"]
        options = self.answer("advise", JOUST, *roll)["options"]
        parts = {option["play"]: (option["spends"], option["rerolls"]) for option in options}
        self.assertEqual(parts["spend the lock: reroll blank"], (["lock"], ["blank"]))
        self.assertEqual(parts["spend focus, then the lock: reroll blank"], (["focus", "lock"], ["blank"]))
        self.assertEqual(parts["spend nothing"], ([], []))
        for option in options:
            self.assertNotIn("target", option)
            reported = ["--spent", " ".join(option["spends"])] if option["spends"] else []
            if option["rerolls"]:
                reported += ["--rerolled", " ".join(f"{face}=hit" for face in option["rerolls"])]
            elif not reported:
                continue
            self.answer("advise", JOUST, *roll, *reported, "--to-move", "defender")
        # Cards are used, and two tokens of one kind may be spent.
        answer = self.answer("advise", "-a", "3 predator calculate=2", "-d", "2", "--rolled", "focus focus blank")
        parts = {option["play"]: (option["spends"], option["rerolls"]) for option in answer["options"]}
        self.assertEqual(parts["use predator: reroll blank"], (["predator"], ["blank"]))
        self.assertEqual(parts["spend 2 calculates"], (["calculate", "calculate"], []))
        # A choice of target, before the attack.
        answer = self.answer("advise", "-a", "3 focus", "-d", "3", "-d", "1")
        self.assertEqual({option["play"]: option.get("target") for option in answer["options"]},
                         {"shoot at d1": "d1", "shoot at d2": "d2"})

    def test_luck(self):
        answer = self.answer("luck", JOUST, "--attack", 1, "--rolled", "hit focus focus blank", "--spent", "nothing",
                             "--damage", 0)
        for unit in ("damage", "value"):
            self.assertAlmostEqual(answer["expected"][unit] + answer["luck"][unit] + answer["skill"][unit],
                                   answer["result"][unit], 9)
        self.assertEqual(answer["decisions"][0]["better"], "spend the lock: reroll blank")
        self.assertGreater(answer["decisions"][0]["loss"], 0)
        one = self.answer("luck", "-a", "1", "-d", "1", "--damage", 0)
        self.assertAlmostEqual(one["with_best_play"]["at_most"], 11 / 16)
        self.answer("luck", "-a", "3 focus", "-d", "2 evade hull=3", "--damage", 2, "--damage-deck", "core")
        table = run("luck", "-a", "3 focus lock", "-d", "2 evade", "--damage", 0, "--format", "table")
        self.assertEqual(table.returncode, 0, table.stderr)
        self.assertLessEqual(max(map(len, table.stdout.splitlines())), 80)
        self.refused(["luck", "-a", "2", "-d", "1", "--damage", 3], "--damage", "0, 1, 2")
        self.refused(["luck", "-a", "2", "-d", "1 hull=2", "--damage", 1, "--damaged", "d=2"], "--damaged")
        self.refused(["luck", "-a", "2", "-d", "1", "--rolled", "hit"], "--rolled", "2 attack dice")

    def test_review(self):
        log = ("player Ann\nluke: pilot=lukeskywalker\nplayer Bob\nvader: pilot=darthvader ship=tieadvancedx1\n"
               "round 1: luke focus lock=vader; vader focus\n"
               "luke > vader r2: hit focus blank; lock blank -> crit; focus | evade focus blank; focus = 1\n"
               "vader > luke r2: 2 hit; ? | ?\n")
        with tempfile.TemporaryDirectory() as folder:
            file, picture = Path(folder) / "game.txt", Path(folder) / "luck.svg"
            file.write_text(log, encoding="utf-8")
            self.refused(["review", file], "game.txt:7", "state the damage")
            file.write_text(log.replace("| ?", "| ? = 1"), encoding="utf-8")
            answer = self.answer("review", file, "--plot", picture)
            self.assertIn("<svg", picture.read_text(encoding="utf-8"))
            table = run("review", file, "--format", "table").stdout
            self.assertLessEqual(max(map(len, table.splitlines())), 80)
        self.assertEqual([player["name"] for player in answer["players"]], ["Ann", "Bob"])
        self.assertAlmostEqual(answer["players"][0]["luck"], answer["attacks"][1]["so_far"])
        self.assertAlmostEqual(sum(answer["difference"]["pmf"]), 1)
        self.refused(["review"], "no log")
        self.refused(["review", "no-such-log.txt"], "no-such-log.txt")

    def test_review_of_json_lines(self):
        lines = [{"ships": {"x": {"player": "Ann", "spec": "attack=3 agility=1"},
                            "y": {"player": "Bob", "spec": "attack=1 agility=0"}}},
                 {"round": 1, "tokens": {"x": {"focus": 1}}},
                 {"round": 1, "by": "x", "on": "y", "rolled": "hit focus blank", "spent": "focus"}]
        kinds = ["head", "line", "line"]
        for line, kind in zip(lines, kinds):
            self.assertEqual(check(line, {"$ref": f"#/$defs/{kind}"}, whole=schema("log")), [])
        answer = self.answer("review", "-", stdin="\n".join(map(json.dumps, lines)))
        self.assertEqual(answer["attacks"][0]["result"], {"damage": 2.0, "value": 2.0})
        self.assertEqual(answer["attacks"][0]["line"], 3)

    def test_advise_refuses(self):
        for arguments, *words in [
                (["--rolled", "hit hit hit hit hit"], "--rolled", "5 dice", "rolls 4"),
                (["--rolled", "hit hit hit evade"], "no face 'evade'"),
                (["--attack", "3"], "--attack", "numbered from 1"),
                (["--attack", "x"], "--attack"),
                (["--rolled", "hit focus focus blank", "--spent", "evade"], "--spent"),
                (["--tokens", "blak focus=1"], "did you mean black?"),
                (["--tokens", "black"], "--tokens"),
                (["--tokens", "black fokus=1"], "--tokens: black: ", "fokus", "focus"),
                (["--number", "3"], "--number: there is no attack 3"),
                (["--damage", "black=3"], "--damage", "destroys"),
                (["--to-move", "red"], "attacker, defender"),
                (["--format", "csv"], "table or json"),
                (["--rolld", "hit"], "did you mean --rolled?")]:
            with self.subTest(arguments=arguments):
                self.refused(["advise", JOUST, *arguments], *words)
        self.refused(["advise"], "no scenario")
        self.refused(["advise", "-a", "2", "-d", "2", "--rounds", 2, "--number", 3],
                     "--number: there is no attack 3", "has 2, ", "through all rounds")
        self.refused(["advise", "-a", "3 focus", "-d", "2", "--tokens", "a1 fokus=1"], "--tokens: a1: unknown", "focus")
        self.refused(["advise", "-a", "3 focus fokus", "-d", "2", "--tokens", "a1 focus=1"], "--attack 1: ", "focus")
        self.refused(["luck", "-a", "2", "-d", "2", "--number", 2, "--damage", 0], "--number: there is no attack 2")
        self.refused(["advise", "no-such-file.toml"], "no-such-file.toml")

    def test_worth(self):
        answer = self.answer("worth", JOUST)
        gains = [entry["gain"] for entry in answer["worth"]]
        self.assertEqual(gains, sorted(gains, reverse=True))
        self.assertIn({"ship": "red", "what": "one more evade", "why": "nothing in this scenario uses it"},
                      answer["skipped"])
        self.answer("worth", DUEL)

    def test_order(self):
        answer = self.answer("order", FOUR)
        self.assertEqual(len(answer["orders"]), 24)
        self.assertEqual(answer["best"], answer["orders"][0]["order"])
        self.refused(["order", DUEL], "swap places")

    def test_card_is_a_policy_that_both_engines_play(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "card.toml"
            card = self.answer("card", FOUR, "--role", "defender", "--write", file)
            self.assertLessEqual(card["loss"], card["greedy_loss"] + 1e-12)
            played = json.loads(run("run", FOUR, "--defender-policy", file, "--engine", "both", "--trials", "2e5").stdout)
            self.assertTrue(played["cross_check"]["agree"])
            self.assertAlmostEqual(played["value"], card["scenarios"][0]["value"], delta=1e-12)
            measured = self.answer("card", FOUR, "--role", "defender", "--measure", file)
            self.assertAlmostEqual(measured["loss"], card["loss"], delta=1e-12)
            # A file named by a scenario is relative to the scenario.
            scenario = Path(folder) / "scenario.toml"
            scenario.write_text('defender_policy = "card.toml"\n' + FOUR.read_text(encoding="utf-8"), encoding="utf-8")
            beside = json.loads(run("run", scenario, "--engine", "exact").stdout)
            self.assertAlmostEqual(beside["value"], played["value"], delta=1e-12)
        self.answer("card", JOUST, FOUR, "--most", "1")
        self.refused(["card", JOUST, DUEL], "objective")
        self.refused(["card", JOUST, "--most", "6"], "--most")

    def test_policy_files_are_refused_with_place_and_reason(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "bad.toml"
            for text, *words in [("[[rule]]\nspend = -1\n", "bad.toml:2", "0 to 99"), ("x = 1\n", "unknown key"),
                                 ("[[rule]]\nwhen = 'nett_hits > 1'\nspend = 0\n", "bad.toml:2", "nett_hits"),
                                 ("[[rule]\n", "bad.toml:1")]:
                file.write_text(text, encoding="utf-8")
                with self.subTest(text=text):
                    self.refused(["run", JOUST, "--attacker-policy", file], *words)
        self.refused(["run", JOUST, "--attacker-policy", "no-such.toml"], "no-such.toml")
        self.refused(["run", JOUST, "--attacker-policy", "careful"], "optimal, greedy, hold")

    def test_example_scenarios(self):
        for scenario in sorted(SCENARIOS.glob("*.toml")):
            if scenario.name.endswith(".grid.toml"):
                continue
            with self.subTest(scenario=scenario.name):
                both = json.loads(run("run", scenario, "--engine", "both", "--trials", "2e5").stdout)
                self.assertTrue(both["cross_check"]["agree"])
                advice = self.answer("advise", scenario)
                self.assertAlmostEqual(advice["value"], both["value"], delta=1e-12)

    def test_certificate(self):
        answer = json.loads(run("run", "--attack", "1", "--defend", "0", "--certify").stdout)
        self.assertEqual((answer["certificate"]["fraction"], answer["certificate"]["error"]), ("1/2", 0))
        answer = json.loads(run("run", DUEL, "--certify").stdout)
        self.assertEqual(check(answer, schema("run")), [])
        above, below = map(int, answer["certificate"]["fraction"].split("/"))
        self.assertAlmostEqual(above / below, answer["value"], delta=1e-15)
        self.refused(["run", JOUST, "--certify", "--engine", "sample"], "--certify")

    def test_examples_of_the_docs(self):
        examples = 0
        for document in (ROOT / "docs" / "decisions.md", ROOT / "README.md"):
            text = document.read_text(encoding="utf-8")
            for block in re.findall(r"```sh\n(.*?)```", text, re.S):
                for line in block.replace("\\\n", " ").splitlines():
                    if not re.match(r"salvo (advise |worth |order |card |run .*policy|run .*certify)", line):
                        continue
                    with self.subTest(line=line), tempfile.TemporaryDirectory() as folder:
                        (Path(folder) / "profiles").symlink_to(ROOT / "profiles")
                        result = subprocess.run(["bash", "-c", line.replace("salvo", f"'{SALVO}'", 1)],
                                                cwd=folder, capture_output=True, text=True, timeout=600, check=False)
                        self.assertEqual(result.returncode, 0, result.stderr)
                        self.assertTrue(result.stdout)
                        examples += 1
        self.assertGreaterEqual(examples, 10)


if __name__ == "__main__":
    main()
