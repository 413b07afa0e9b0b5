#!/usr/bin/env python3
"""test_cli.py SALVO [unittest options]: exit statuses, messages and streams of the program.

Each test starts SALVO as a user would. SALVO_PROFILES may point to the profiles, else the program finds its own.
"""

import fcntl
import json
import os
import pty
import re
import select
import shlex
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unittest
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "support"))
from program import ROOT, SALVO, Case, main, run

JOUST = ROOT / "profiles" / "scenarios" / "joust.toml"
FLAGS = ["--attack", "3 focus lock range=1", "--attack", "2 focus", "--defend", "3 focus evade hull=3"]
SHIPS_JSON = {"ships": {"a1": {"attack": 3, "tokens": {"focus": 1}}, "d": {"agility": 2, "tokens": {"evade": 1}}},
              "attacks": [{"by": "a1", "on": "d"}]}
SHIPS_TOML = """
[ships.a1]
attack = 3
tokens = { focus = 1 }
[ships.d]
agility = 2
tokens = { evade = 1 }
[[attacks]]
by = "a1"
on = "d"
"""
# Six attacks. A best response to a greedy defender is solved without shortcuts, so a budget has something to limit.
MANY = json.dumps({
    "ships": {"d": {"agility": 2, "tokens": {"focus": 2, "evade": 2}},
              **{f"a{i}": {"attack": 3, "tokens": {"focus": 1, "lock": ["d"]}} for i in range(6)}},
    "attacks": [{"by": f"a{i}", "on": "d"} for i in range(6)], "defender_policy": "greedy"})


def fleets_at_each_other(n):
    """n ships against n, all shooting: with this many survivors the game takes hundreds of megabytes."""
    ships = {f"{side}{i}": {"attack": 4, "agility": 2, "hull": 5, "tokens": {"focus": 1}, "side": owner}
             for side, owner in (("a", "mine"), ("b", "theirs")) for i in range(n)}
    attacks = [{"by": f"a{i}", "on": f"b{i}"} for i in range(n)] + [{"by": f"b{i}", "on": f"a{(i + 1) % n}"} for i in range(n)]
    return json.dumps({"ships": ships, "attacks": attacks})


LONG = ["--engine", "sample", "--trials", "1e12"]


def on_terminal(arguments, columns=80, interrupt_after_s=None, environment=None):
    """Runs with standard output and error on one terminal; returns text and exit status."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ.update({"TERM": "xterm", **(environment or {})})
        os.execv(SALVO, [SALVO, *map(str, arguments)])
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    output, start, sent = b"", time.monotonic(), False
    while time.monotonic() - start < 120:
        if interrupt_after_s and not sent and time.monotonic() - start > interrupt_after_s:
            os.kill(pid, signal.SIGINT)
            sent = True
        if select.select([terminal], [], [], 0.05)[0]:
            try:
                data = os.read(terminal, 65536)
            except OSError:  # how Linux reports that the other side has closed
                break
            if not data:
                break
            output += data
    return output.decode(), os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def insufficient_budget():
    """Half the transitions that MANY takes: too few for all attacks, plenty for one."""
    reason = json.loads(run("run", "-", stdin=MANY).stdout)["engine_reason"]
    return int(re.search(r"([0-9,]+) of", reason)[1].replace(",", "")) // 2


class Messages(Case):
    """Wrong command lines and questions: status 2, one line, nothing on standard output."""

    def test_command_line(self):
        for arguments, *words in [
                (["rum"], "rum", "did you mean run"), (["rnu", "-a", "3"], "rnu", "did you mean run"),
                (["joust.toml"], "salvo run joust.toml"),
                (["run"], "no scenario"),
                (["run", "a", "b"], "\"b\""),
                (["run", "--engin", "exact", "x"], "--engin", "did you mean --engine"),
                (["battle", "--deck", "core", "3", "2"], "--deck", "did you mean --damage-deck"),
                (["run", "--engine", "exakt", "x"], "--engine", "exakt", "exact, sample, both"),
                (["run", "--engine", "", "x"], "--engine"),
                (["run", "x", "--seed"], "--seed", "missing"),
                (["run", "x", "--seed", "-1"], "--seed", "-1"),
                (["run", "x", "--seed", "1", "--seed", "2"], "--seed", "more than once"),
                (["run", "x", "--trials", "0"], "--trials", "from 1 to 1e15"),
                (["run", "x", "--trials", "-5"], "--trials", "-5"),
                (["run", "x", "--trials", "1.5"], "--trials", "1.5"),
                (["run", "x", "--trials", "2e15"], "--trials", "out of range", "1e15"),
                (["run", "x", "--threads", "1025"], "--threads", "0 to 1024"),
                (["run", "x", "--memory", "4"], "--memory", "500M"),
                (["run", "x", "--memory", "63M"], "63M is too little", "64M"),
                (["run", "x", "--memory", "1K"], "1K is too little", "64M"),
                (["run", "x", "--memory", "1e9G"], "1e9G is too much"),
                (["run", "x", "--memory", "manyM"], "manyM", "not an amount", "4G"),
                (["run", "x", "--engine", "a\x1b[31m\u202eb"], r'"a\x1b[31m\u202eb"'),
                (["run", "x", "--memory", "-1G"], "--memory"),
                (["run", "x", "--precision", "0.51"], "--precision", "0.5"),
                (["run", "x", "--precision", "0"], "--precision"),
                (["run", "x", "--budget", "0"], "--budget"),
                (["run", "x", "--format", "xml"], "--format", "table, json, csv"),
                (["run", "x", "--objective", "dammage"], "--objective", "did you mean \"damage\""),
                (["run", "x", "--attacker-policy", "gready"], "--attacker-policy", "did you mean \"greedy\""),
                (["run", "x", "--cards", "2024"], "--cards", "2025"),
                (["run", "x", "--attack", "3"], "x", "--attack"),
                (["worth", "--attack", "3"], "--defend"),
                (["worth", "--defend", "3"], "--attack"),
                (["run", "x", "--no-progress=1"], "--no-progress"),
                (["run", "\x1b[31m\n", "y"], "too many")]:
            with self.subTest(arguments=arguments):
                self.refused(arguments, *words)

    def test_scenario(self):
        for arguments, stdin, *words in [
                (["run", "no-such-file.toml"], "", "no-such-file.toml"),
                (["run", "-"], "", "empty"),
                (["run", "-"], "{", "standard input"),
                (["run", "-"], "ships = 3", "standard input", "ships"),
                (["run", "-"], SHIPS_TOML + "colour = 1", "colour"),
                (["run", "--attack", "3 fokus", "--defend", "2"], "", "fokus", "focus"),
                (["run", "--attack", "3", "--defend", "2", "--objective", "kill"], "", "hull"),
                (["run", "--attack", "3", "--defend", "2", "--rules", "third"], "", "--rules", "third"),
                (["run", JOUST, "--rules", "third"], "", "--rules", "third")]:
            with self.subTest(arguments=arguments, stdin=stdin):
                self.refused(arguments, *words, stdin=stdin)

    def test_too_large(self):
        few = insufficient_budget()
        for arguments in (["--engine", "exact"], ["--engine", "both"], ["--attacker-policy", "optimal"],
                          ["--engine", "sample", "--attacker-policy", "optimal"]):
            with self.subTest(arguments=arguments):
                self.refused(["run", "-", "--budget", few, *arguments], "exact engine", stdin=MANY, status=3)

    @unittest.skipIf(os.environ.get("SALVO_SANITIZED"), "sanitizers need more memory than all")
    def test_memory(self):
        """A game that exceeds --memory is sampled, or refused if --engine exact was given."""
        fleets = fleets_at_each_other(25)
        less = ["run", "-", "--budget", "1e9", "--memory", "100M"]
        self.refused([*less, "--engine", "exact"], "memory", stdin=fleets, status=3)
        asked = run(*less, "--trials", "1000", stdin=fleets)
        self.assertEqual(asked.returncode, 0, asked.stderr)
        self.assertEqual(json.loads(asked.stdout)["engine"], "sample")
        self.assertIn("memory", json.loads(asked.stdout)["engine_reason"])

    def test_no_arguments(self):
        result = run()
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertIn("Usage: salvo", result.stderr)

    def test_help_and_version(self):
        for arguments, word in [(["--help"], "run"), (["run", "--help"], "--attacker-policy"),
                                (["--version"], "instruction set"), (["--version", "--verbose"], "library fmt ")]:
            result = run(*arguments)
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            self.assertIn(word, result.stdout)


class Answers(unittest.TestCase):
    """The output of a successful `salvo run`."""

    def answer(self, *arguments, stdin=""):
        result = run("run", *arguments, stdin=stdin)
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)

    def test_keys(self):
        exact = self.answer(*FLAGS, "--engine", "exact")
        for key in ("format", "rules", "engine", "objective", "policy", "value", "ships", "attacks", "assumed_facts",
                    "unmodelled", "partly"):
            self.assertIn(key, exact)
        self.assertEqual(list(exact["ships"]), ["a1", "a2", "d"])
        self.assertNotIn("sample", exact)
        d = exact["ships"]["d"]
        for probabilities in (d["damage"]["pmf"], d["hull"], d["shields"], [p for _, _, p in d["joint"]]):
            self.assertAlmostEqual(sum(probabilities), 1, delta=1e-12)
        self.assertEqual(d["joint"], sorted(d["joint"]))
        self.assertAlmostEqual(exact["value"], d["damage"]["mean"], delta=1e-12)

    def test_both_engines(self):
        both = self.answer(*FLAGS, "--engine", "both", "--trials", "2e5", "--seed", "7")
        self.assertTrue(both["cross_check"]["agree"])
        self.assertEqual(both["sample"]["trials"], 200000)
        self.assertEqual(both["sample"]["seed"], 7)
        exact = self.answer(*FLAGS, "--engine", "exact")
        self.assertEqual(both["ships"], exact["ships"])

    def test_standard_errors(self):
        sample = self.answer(*FLAGS, "--engine", "sample", "--trials", "1e5")
        exact = self.answer(*FLAGS)
        self.assertEqual(exact["engine"], "exact")
        self.assertIn("budget", exact["engine_reason"])
        # Six standard errors: one alarm in 10^8.
        self.assertLess(abs(sample["value"] - exact["value"]), 6 * sample["value_se"])
        d, truth = sample["ships"]["d"], exact["ships"]["d"]
        self.assertLess(abs(d["destroyed"] - truth["destroyed"]), 6 * d["destroyed_se"] + 1e-12)
        self.assertLess(abs(d["damage"]["mean"] - truth["damage"]["mean"]), 6 * d["damage"]["mean_se"])

    def test_same_bytes(self):
        arguments = ["run", *FLAGS, "--engine", "sample", "--trials", "3e5", "--seed", "18446744073709551615"]
        outputs = {run(*arguments, "--threads", n).stdout for n in (0, 1, 2, 3)}
        self.assertEqual(len(outputs), 1)
        self.assertNotEqual(outputs, {run("run", *FLAGS, "--engine", "sample", "--trials", "3e5").stdout})

    def test_sources(self):
        from_toml = self.answer("-", stdin=SHIPS_TOML)
        from_json = self.answer("-", stdin=json.dumps(SHIPS_JSON))
        from_flags = self.answer("--attack", "3 focus", "--defend", "2 evade")
        self.assertEqual(from_toml, from_json)
        self.assertEqual(from_toml, from_flags)

    def test_options_override_the_scenario(self):
        scenario = "attacker_policy = \"greedy\"\n" + JOUST.read_text()
        plain = self.answer("-", stdin=scenario)
        self.assertEqual((plain["objective"], plain["policy"]["attacker"]), ("kill", "greedy"))
        other = self.answer("-", "--objective", "damage", "--attacker-policy", "hold", "--defender-policy", "greedy",
                            stdin=scenario)
        self.assertEqual((other["objective"], other["policy"]), ("damage", {"attacker": "hold", "defender": "greedy"}))

    def test_falls_back_to_greedy_sampling(self):
        for extra in ([], ["--engine", "sample"]):
            with self.subTest(extra=extra):
                result = run("run", "-", "--budget", insufficient_budget(), "--trials", "1e4", *extra, stdin=MANY)
                self.assertEqual(result.returncode, 0, result.stderr)
                answer = json.loads(result.stdout)
                self.assertEqual(answer["engine"], "sample")
                self.assertEqual(answer["policy"], {"attacker": "greedy", "defender": "greedy"})
                self.assertIn("greedy", answer["engine_reason"])
                self.assertIn("greedy", result.stderr)

    def test_precision(self):
        answer = self.answer(*FLAGS, "--engine", "sample", "--precision", "0.01")
        self.assertLessEqual(1.96 * answer["value_se"], 0.01)
        self.assertLessEqual(1.96 * answer["ships"]["d"]["destroyed_se"], 0.01)

    def test_trials_or_precision_ended_the_run(self):
        """Given both limits, the answer names the one reached; an unreachable precision is refused with the trials it needs."""
        sample = [*FLAGS, "--engine", "sample"]
        few = self.answer(*sample, "--precision", "0.0001", "--trials", "1000")["sample"]
        self.assertEqual((few["trials"], few["ended_by"]), (1000, "trials"))
        many = self.answer(*sample, "--precision", "0.01", "--trials", "1e9")["sample"]
        self.assertEqual(many["ended_by"], "precision")
        self.assertLess(many["trials"], 10**6)
        self.assertNotIn("ended_by", self.answer(*sample, "--precision", "0.01")["sample"])
        self.assertIn("ended by the trials", run("run", *sample, "--precision", "0.0001", "--trials", "1000", "--format", "table").stdout)
        self.assertIn("sample_ended_by,trials", run("run", *sample, "--precision", "0.0001", "--trials", "1000", "--format", "csv").stdout)
        result = run("run", *sample, "--precision", "1e-9")
        self.assertEqual(result.returncode, 2)
        self.assertRegex(result.stderr, r"precision: 1e-09 would need some \d(\.\d)?e\+1[78] trials")  # z^2 p (1 - p) / 1e-18
        self.assertIn("ask for", result.stderr)

    def test_unused_trials_are_noted(self):
        self.assertIn("--trials is for sampling", run("run", *FLAGS, "--trials", "100").stderr)

    def test_csv(self):
        result = run("run", *FLAGS, "--format", "csv")
        lines = result.stdout.splitlines()
        self.assertEqual((result.returncode, lines[0]), (0, "ship,figure,key,value,se"))
        self.assertTrue(any(line.startswith("d,damage_pmf,0,0.") for line in lines))


class Streams(unittest.TestCase):
    """Terminals, pipes and signals."""

    def test_pipe_gets_json_and_no_progress(self):
        result = run("run", *FLAGS, "--engine", "sample", "--trials", "3e6")
        self.assertEqual(result.stderr, "")
        self.assertEqual(json.loads(result.stdout)["engine"], "sample")

    def test_terminal_gets_a_table(self):
        for columns in (60, 80, 100):
            text, status = on_terminal(["run", *FLAGS], columns, environment={"NO_COLOR": "1"})
            self.assertEqual(status, 0)
            self.assertIn("a1, a2 → d", text)
            self.assertNotIn("\x1b", text)
            self.assertLessEqual(max(map(len, text.splitlines())), columns)
        self.assertIn("\x1b[1m", on_terminal(["run", *FLAGS])[0])
        self.assertNotIn("\x1b", on_terminal(["run", *FLAGS], environment={"TERM": "dumb"})[0])

    def test_help_fits_80_columns(self):
        names = re.findall(r"^  ([a-z]+) {2,}", run("--help").stdout, re.MULTILINE)
        self.assertIn("battle", names)
        for name in names:
            wide = [line for line in run(name, "--help").stdout.splitlines() if len(line) > 80]
            self.assertEqual(wide, [], name)

    def test_columns_apply_without_a_terminal(self):
        text = run("run", *FLAGS, "--format", "table", environment={"COLUMNS": "100"}).stdout
        self.assertGreater(max(map(len, text.splitlines())), 80)
        self.assertLessEqual(max(map(len, text.splitlines())), 100)

    def test_progress_and_interrupt_on_a_terminal(self):
        text, status = on_terminal(["run", *FLAGS, *LONG], interrupt_after_s=1.5)
        self.assertEqual(status, 130)
        self.assertIn("sampling  ", text)
        self.assertIn(" left", text)
        self.assertIn("interrupted: sampled from the first", text)
        text, status = on_terminal(["run", *FLAGS, *LONG, "--no-progress"], interrupt_after_s=1.5)
        self.assertEqual(status, 130)
        self.assertNotIn("sampling  ", text)

    def test_interrupt_prints_partial_results(self):
        process = subprocess.Popen([SALVO, "run", *FLAGS, *LONG], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   text=True)
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=60)
        self.assertEqual((process.returncode, errors), (130, ""))
        answer = json.loads(output)
        self.assertTrue(answer["interrupted"])
        self.assertGreater(answer["sample"]["trials"], 0)
        self.assertAlmostEqual(sum(answer["ships"]["d"]["damage"]["pmf"]), 1, delta=1e-12)

    def test_interrupt_of_a_battle(self):
        """An exact battle has no partial result and ends at once; a sampled one prints the trials so far."""
        duel = [SALVO, "battle", "pilot=lukeskywalker", "pilot=darthvader", "--cards", "2025", "--format", "json"]

        def interrupted(*words, after_s):
            process = subprocess.Popen([*duel, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            time.sleep(after_s)
            process.send_signal(signal.SIGINT)
            output, errors = process.communicate(timeout=20)
            self.assertEqual(process.returncode, 130, errors)
            return output, errors

        exact = ["--engine", "exact", "--damage-deck", "core", "--flight", "chase", "--budget", "1e9"]
        self.assertEqual(interrupted(*exact, after_s=4), ("", "\nsalvo: interrupted\n"))
        sampled = ["--flight", "range-2", "--engine", "sample", "--trials", "1e12"]
        for seconds in (4, 40):  # a slow machine has nothing to print after four
            output, _ = interrupted(*sampled, after_s=seconds)
            if output:
                break
        self.assertTrue(json.loads(output)["interrupted"])

    def test_closed_pipe_is_quiet(self):
        for handler in (signal.SIG_DFL, signal.SIG_IGN):
            process = subprocess.Popen([SALVO, "run", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                       stderr=subprocess.PIPE, text=True, restore_signals=False,
                                       preexec_fn=lambda: signal.signal(signal.SIGPIPE, handler))
            process.stdout.close()
            process.stdin.write(SHIPS_TOML)
            process.stdin.close()
            self.assertEqual(process.stderr.read(), "")
            process.stderr.close()
            self.assertIn(process.wait(timeout=60), (141, -signal.SIGPIPE))

    def test_output_cannot_control_the_terminal(self):
        """Bidirectional marks and line separators are removed from messages and notes."""
        odd = "\u202a\u202e\u2066\u2069\u200e\u200f\u2028\u2029\u0085"
        with tempfile.TemporaryDirectory() as folder:
            grid, out = f"{folder}/{odd}.toml", f"{folder}/{odd}"
            result = run("sweep", grid)
            self.assertEqual(result.returncode, 2)
            self.assertIn(r"\u202e", result.stderr)
            self.assertEqual([c for c in odd if c in result.stderr], [])
            Path(grid).write_text(SHIPS_TOML + "[grid]\n\"ships.a.attack\" = [1, 2]\n")
            for _ in range(2):
                result = run("sweep", grid, "--out", out)
                self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn("2 of 2 cells are in", result.stderr)
            self.assertEqual([c for c in odd if c in result.stderr], [])

    def test_long_names_fit(self):
        ships = {name * 300: {"attack": 3, "agility": 2, "hull": 4} for name in "ad"}
        question = json.dumps({"ships": ships, "attacks": [{"by": "a" * 300, "on": "d" * 300}]})
        for columns in (40, 80):
            text = run("run", "-a", "3", "-d", "2", "--format", "table", environment={"COLUMNS": str(columns)}).stdout
            self.assertLessEqual(max(map(len, text.splitlines())), columns)
            text = run("run", "-", "--format", "table", stdin=question, environment={"COLUMNS": str(columns)}).stdout
            self.assertIn("ddd", text)
            self.assertLessEqual(max(map(len, text.splitlines())), columns)

    def closed(self, stream, *words, text=""):
        """Runs the program with descriptor `stream`, one of 0 to 2, closed."""
        return subprocess.run([SALVO, *map(str, words)], input=text, capture_output=True, text=True, timeout=120,
                              preexec_fn=lambda: os.close(stream))

    def test_closed_descriptors(self):
        """A file the program opens never takes the place of a closed stream: output fails, errors are lost, input is unreadable."""
        question = '{"attack": "3", "defend": "2"}'
        prints = [["run", *FLAGS], ["ships"], ["rules", "second-edition"], ["cards", "show", "predator"], ["--help"],
                  ["--version"], ["advise", *FLAGS], ["durability", *FLAGS[-4:]], ["compare", "3", "4"]]
        for words in prints:
            whole = run(*words)
            self.assertEqual(whole.returncode, 0, whole.stderr)
            result = self.closed(1, *words)
            self.assertEqual((result.returncode, result.stdout), (4, ""), words)
            self.assertIn("cannot be written", result.stderr)
            for stream in (0, 2):
                result = self.closed(stream, *words)
                self.assertEqual((result.returncode, result.stdout), (0, whole.stdout), words)
        answer = json.loads(self.closed(0, "request", "run", "-", text=question).stdout)
        self.assertIn("cannot be read", answer["error"]["message"])
        for words, status in ((["batch"], 4), (["run", "-"], 2), (["sweep", "-"], 2)):
            result = self.closed(0, *words, text=question)
            self.assertEqual((result.returncode, result.stdout), (status, ""), words)
            self.assertRegex(result.stderr, "standard input:? cannot be read")
        self.assertEqual(self.closed(2, "run", "no-such-file.toml").returncode, 2)

    def test_files_do_not_receive_streams(self):
        """The notes of a sweep do not end up in its file."""
        with tempfile.TemporaryDirectory() as folder:
            grid, out = Path(folder, "grid.toml"), Path(folder, "rows")
            grid.write_text(SHIPS_TOML + "[grid]\n\"ships.a.attack\" = [1, 2, 3, 4]\n")
            whole = run("sweep", grid).stdout
            for stream in (0, 1, 2):
                for begun in ("", whole[:len(whole) // 2], whole):
                    self.assertEqual(run("sweep", grid, "--out", out, "--restart").returncode, 0)
                    out.write_text(begun)
                    self.assertEqual(self.closed(stream, "sweep", grid, "--out", out).returncode, 0)
                    self.assertEqual(out.read_text(), whole, (stream, begun))

    def test_full_disk(self):
        with open("/dev/full", "w") as full:
            result = subprocess.run([SALVO, "run", *FLAGS], stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
        self.assertEqual(result.returncode, 4)
        self.assertIn("No space left", result.stderr)


CARD_TOML = """
id = "mylaser"
kind = "upgrade"
facts = { bullseye = false }

[[effect]]
side = "attacker"
at = "attack-mod"
when = "bullseye"
may = true
do = [{ verb = "change", dice = "attack", from = ["blank"], to = "hit", n = 1 }]
"""
PROFILES = JOUST.parent.parent
CARD_DATA = Path(__file__).resolve().parents[1] / "data" / "card-data"


class Cards(Case):
    """salvo cards list, show, check, coverage, suspects, and salvo run --card."""

    def card(self, text=CARD_TOML, name="home made.toml"):
        path = self.folder / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def json(self, *arguments, status=0):
        result = run(*arguments, "--format", "json")
        self.assertEqual(result.returncode, status, result.stderr)
        return json.loads(result.stdout)

    def test_list(self):
        cards = self.json("cards", "list")["cards"]
        self.assertGreater(len(cards), 180)
        predator = next(card for card in cards if card["id"] == "predator")
        self.assertEqual(predator, {"id": "predator", "kind": "upgrade", "charges": 0, "facts": ["bullseye"],
                                    "summary": "attack-mod: reroll 1 attack die, may", "partly": []})
        pilots = self.json("cards", "list", "--kind", "pilot")["cards"]
        self.assertEqual({card["kind"] for card in pilots}, {"pilot"})
        found = self.json("cards", "list", "--search", "REROLL bullseye")["cards"]
        self.assertIn("predator", [card["id"] for card in found])
        self.assertLess(len(found), len(cards) / 4)
        partly = self.json("cards", "list", "--partly")["cards"]
        self.assertTrue(partly and all(card["partly"] for card in partly))
        lines = run("cards", "list", "--format", "csv").stdout.splitlines()
        self.assertEqual(lines[0], "id,kind,summary,charges,facts,partly")
        self.assertEqual(len(lines), len(cards) + 1)
        self.assertEqual(self.json("cards", "list", "--search", "no-card-says-this")["cards"], [])

    def test_show(self):
        card, = self.json("cards", "show", "predator")["cards"]
        for name in ("Fire-Control System", "fire control system", "FireControlSystem"):
            self.assertEqual(self.json("cards", "show", name), self.json("cards", "show", "firecontrolsystem"), name)
        self.assertIn({"pilot", "upgrade"}, [{one["kind"] for one in self.json("cards", "show", name)["cards"]}
                                             for name in ("Han Solo", "Luke Skywalker", "Boba Fett")])
        self.assertEqual(card["file"], "cards/upgrade/predator.toml")
        self.assertIn("you may reroll 1 attack die", card["effects"][0]["text"])
        self.assertEqual(card["facts"][0]["usual"], True)
        both = self.json("cards", "show", "bossk")["cards"] if (PROFILES / "cards/upgrade/bossk.toml").exists() else []
        self.assertIn(len(both), (0, 2))
        table = run("cards", "show", "crackshot", "--format", "table").stdout
        self.assertIn("Costs 1 charge of this card.", " ".join(table.split()))
        for arguments, *words in [(["predatr"], "did you mean predator"), (["moraloeval"], "no dice, tokens or damage depend on it"), (["trandoshanslaver"], "has no ability, or a new one"),
                                  (["predator", "--kind", "pilot"], "no pilot"), (["\x1b[31m"], "no card")]:
            result = run("cards", "show", *arguments)
            self.assertEqual((result.returncode, result.stdout), (2, ""), result.stderr)
            self.assertEqual(result.stderr.count("\n"), 1)
            self.assertNotIn("\x1b", result.stderr)
            for word in words:
                self.assertIn(word, result.stderr)

    def test_check_and_run_agree(self):
        checked, = self.json("cards", "check", self.card())["checked"]
        self.assertTrue(checked["good"])
        trial = checked["trial"]
        self.assertGreater(trial["with"], trial["without"])
        self.assertEqual(trial["scenario"]["attacks"][0]["facts"], ["bullseye"])
        again = run(*shlex.split(trial["command"])[1:], "--format", "json")
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertEqual(json.loads(again.stdout)["value"], trial["with"])
        scenario = run("run", "-", "--card", self.card(), stdin=json.dumps(trial["scenario"]))
        self.assertEqual(json.loads(scenario.stdout)["value"], trial["with"])

    def test_home_made_card_replaces_a_known_one(self):
        flags = ["--attack", "3 predator bullseye", "--defend", "2"]
        before = json.loads(run("run", *flags).stdout)["value"]
        path = self.card(CARD_TOML.replace("mylaser", "predator"))
        after = json.loads(run("run", "--card", path, *flags).stdout)["value"]
        self.assertNotEqual(before, after)
        result = run("run", "--card", path, "--card", path, *flags)
        self.assertEqual(result.returncode, 2)
        self.assertIn("earlier file", result.stderr)
        self.assertEqual(run("run", "--card", "no-such.toml", *flags).returncode, 2)

    def test_check_refuses(self):
        for old, new, *words in [
                ("attack-mod", "attack-mood", ":8: ", "did you mean"),
                ("change", "chnage", ":11: ", "did you mean"),
                ('"bullseye"', '"bullseye and"', ":9: ", "column"),
                ('when = "bullseye"', 'when = "bulseye"', ":9: ", "did you mean"),
                ('"blank"', '"evade"', ":11: ", "not a face of the attack die"),
                ("do = [{", 'repeats = true\ndo = [{ verb = "gain", token = "focus" }, {', ":6: ", "never end")]:
            result = run("cards", "check", self.card(CARD_TOML.replace(old, new)))
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertEqual(result.stderr.count("\n"), 1, result.stderr)
            for word in ["home made.toml", *words]:
                self.assertIn(word, result.stderr)
            self.assertFalse(json.loads(result.stdout)["checked"][0]["good"])
        for text in (b"", b"\x7fELF\x00\xff", b"\x00", b"[[[[", b"a = " + b"[" * 5000):
            result = run("cards", "check", self.card(text), "--format", "table")
            self.assertEqual((result.returncode, result.stdout), (2, ""), result.stderr)
        for path in (self.folder, "no-such.toml", "/dev/null"):
            self.assertEqual(run("cards", "check", path).returncode, 2)

    def test_check_of_several(self):
        idle = self.card(CARD_TOML.replace('"bullseye"', '"bullseye and range == 9"'), "idle.toml")
        result = run("cards", "check", self.card(), self.card("?", "broken.toml"), idle, "--format", "csv")
        self.assertEqual(result.returncode, 2)
        lines = result.stdout.splitlines()
        self.assertEqual(lines[0], "file,id,kind,good,objective,with,without,difference,scenario,changes,error")
        self.assertEqual([",true," in line for line in lines[1:]], [True, False, False])
        table = run("cards", "check", idle, "--format", "table")
        self.assertEqual(table.returncode, 2)
        self.assertIn("it changes nothing", table.stdout)

    def test_card_with_the_text_of_another(self):
        shown = self.json("cards", "show", "fennrau-armedanddangerous", "--set", "xwa")["cards"]
        self.assertEqual([card["id"] for card in shown], ["fennrau"])
        self.assertEqual(run("cards", "show", "fennrau-armedanddangerous", "--set", "2025").returncode, 2)

    def test_card_set_of_answers(self):
        named = self.json("run", "--attack", "pilot=wedgeantilles", "--defend", "2")
        self.assertEqual((named["cards"], named["cards_date"]), ("xwa", "2026-02-18"))
        other = self.json("run", "--attack", "pilot=wedgeantilles", "--defend", "2", "--cards", "2025")
        self.assertEqual((other["cards"], other["cards_date"]), ("2025", "2025-01-21"))
        self.assertNotIn("cards", self.json("run", "--attack", "3", "--defend", "2"))
        self.assertIn("cards xwa of 2026-02-18", run("run", "--attack", "pilot=wedgeantilles", "--defend", "2", "--format", "table").stdout)

    def test_coverage(self):
        report = self.json("cards", "coverage", CARD_DATA / "second", "--list", "partly")
        self.assertEqual(report["total"], {"modelled": 4, "partly": 1, "not": 1, "irrelevant": 3, "unclassified": 2,
                                           "relevant": 6})
        self.assertEqual(report["kinds"]["condition"]["modelled"], 1)
        self.assertEqual([card["id"] for card in report["unclassified_cards"]], ["madeupace", "madeupgadget"])
        self.assertEqual([card["id"] for card in report["cards"]], ["babufrik"])
        self.assertEqual(run("cards", "coverage", CARD_DATA / "second", "--format", "csv").stdout.splitlines()[-1],
                         "total,4,1,1,3,2,6")
        listed = run("cards", "coverage", CARD_DATA / "second", "--list", "partly", "--format", "csv").stdout
        self.assertIn("upgrade,babufrik,partly,", listed)
        self.assertEqual(self.json("cards", "coverage", CARD_DATA / "first")["set"], "first-edition")
        for arguments in ([CARD_DATA], ["no-such-folder"], [CARD_DATA / "first", "--set", "2025"]):
            result = run("cards", "coverage", *arguments)
            self.assertEqual((result.returncode, result.stdout), (2, ""), result.stderr)

    def test_suspects(self):
        data = CARD_DATA / "suspects"
        report = self.json("cards", "suspects", data, "--set", "2025", status=2)
        self.assertEqual((report["set"], report["texts"], report["open"], report["checked"]), ("2025", 4, 1, 1))
        self.assertEqual(report["suspects"], [{"kind": "upgrade", "id": "predator", "file": "cards/upgrade/predator.toml",
                                               "words": ["charges"], "reason": None}])
        self.assertEqual([(entry["id"], entry["of"]) for entry in report["stale"]], [("afterburners", "no effect")])
        checked = self.json("cards", "suspects", data, "--set", "2025", "--list", "checked", status=2)["suspects"]
        self.assertEqual([(card["id"], card["file"], card["words"]) for card in checked],
                         [("thermaldetonators", None, ["tokens", "phases"])])
        self.assertIn("bombs", checked[0]["reason"])
        both = run("cards", "suspects", data, "--set", "2025", "--list", "all", "--format", "csv").stdout
        self.assertEqual([line.split(",")[4] for line in both.splitlines()], ["state", "open", "checked", "stale"])
        table = run("cards", "suspects", data, "--set", "2025", "--format", "table").stdout
        self.assertIn("predator: its file has nothing for charges", table)
        self.assertNotIn("Spend", table)  # a text of the data set
        self.json("cards", "suspects", data, "--set", "2025", "--kind", "pilot")  # none of them: status 0
        for arguments in ([], ["no-such-folder"], [data, "--set", "first-edition"], [data, "--list", "partly"]):
            result = run("cards", "suspects", *arguments)
            self.assertEqual((result.returncode, result.stdout), (2, ""), result.stderr)

    def test_one_id_of_two_texts(self):
        """First-edition data have cards of two ships or factions under one id."""
        (self.folder / "pilots.js").write_text(json.dumps([
            {"xws": "bobafett", "ship": "Firespray-31", "faction": faction, "text": text}
            for faction, text in [("Galactic Empire", "-"), ("Scum and Villainy", "- -")]]))
        report = self.json("cards", "coverage", self.folder, "--list", "all")
        self.assertEqual([(card["id"], card["state"]) for card in report["cards"]],
                         [("bobafett", "irrelevant"), ("bobafett-scumandvillainy", "modelled")])

    def test_on_a_terminal(self):
        text, status = on_terminal(["cards", "check", self.card()], columns=70)
        self.assertEqual(status, 0)
        self.assertIn("\x1b[32m", text)
        for line in re.sub(r"\x1b\[[0-9;]*[mK]", "", text).splitlines():
            self.assertLessEqual(len(line), 70)

    def test_schema(self):
        try:
            import jsonschema
        except ImportError:
            self.skipTest("python3-jsonschema is not there")
        schema = json.loads((JOUST.parents[2] / "docs" / "cards-command.schema.json").read_text())
        for arguments, status in [(["list"], 0), (["show", "ioncannon"], 0), (["check", self.card()], 0),
                                  (["check", self.card("?", "broken.toml")], 2),
                                  (["coverage", CARD_DATA / "second", "--list", "all"], 0),
                                  (["suspects", CARD_DATA / "suspects", "--set", "2025", "--list", "all"], 2)]:
            jsonschema.validate(self.json("cards", *arguments, status=status), schema)


if __name__ == "__main__":
    main()
