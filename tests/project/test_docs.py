#!/usr/bin/env python3
"""test_docs.py SALVO [unittest options]: the pages of docs/, README and CONTRIBUTING against the project and the program.

Links, sections, files and options that they name exist, and their commands run. Comments in the source name sections of pages
and files that exist. The examples of docs/format.md work, and it describes each key that `salvo run` prints.
"""

import csv
import io
import json
import re
import shlex
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "support"))
from check_schema import check
from program import ROOT, main, run as run_salvo, schema

PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
FORMAT = (ROOT / "docs" / "format.md").read_text(encoding="utf-8")
SOURCE = ("src", "include", "tests", "bench")
COMMENTED = (*SOURCE, "cmake", "scripts", "cluster", "python")
ELSEWHERE = {"foreach_target.h", "highway.h"}  # files of other projects that comments name
WIDTH = 100
TOP = ("src", "include", "tests", "bench", "docs", "profiles", "scripts", "cmake", "examples", ".ci")
# Files that a user or a build creates.
MADE = {"build", "mycard.toml", "card.toml", "mine.json", "theirs.json", "map.svg", "shots.svg", "damage.svg", "FILE.svg",
        "battle.html", "grid.ndjson", "grid.toml", "version_info.h", "features.h", "openapi.cpp", "a.toml"}


def prose(page):
    """The text without code blocks."""
    return re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)


def lines_of_prose(page):
    """The lines of a page; those of code blocks are empty."""
    blank = lambda block: "\n" * block.group().count("\n")
    return re.sub(r"^ *```.*?^ *```", blank, page.read_text(encoding="utf-8"), flags=re.M | re.S).split("\n")


def comments(file):
    """The comments of a source file or script."""
    if file.suffix in (".h", ".cpp"):
        return re.findall(r"(?:^|\s)//.*", file.read_text(encoding="utf-8"))
    if file.suffix in (".cmake", ".py", ".sh") or file.name == "CMakeLists.txt" or (file.suffix == "" and file.parent.name == "scripts"):
        return re.findall(r"(?:^|\s)#.*", file.read_text(encoding="utf-8"))
    return []


def blocks(text, language):
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.M | re.S)


def sections(text):
    """The anchors of a page's headings."""
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in re.findall(r"^#+ (.*)$", text, re.M)}


def desk():
    """A folder that links to the project's folders, so that files written by commands stay outside the project."""
    folder = tempfile.TemporaryDirectory()
    for name in TOP:
        (Path(folder.name) / name).symlink_to(ROOT / name)
    return folder


def run(*arguments, stdin=""):
    return run_salvo(*arguments, stdin=stdin, cwd=DESK.name, timeout=300)


DESK = desk()


def keys_of(value):
    """All keys of objects in a JSON value except names of ships, tokens and states."""
    if isinstance(value, list):
        return set().union(set(), *map(keys_of, value))
    if not isinstance(value, dict):
        return set()
    named = ("ships", "tokens_left", "tokens_left_se", "tokens_pmf", "states", "faceup", "faceup_se", "added", "added_se",
             "core_would_add")
    out = set(value)
    for key, item in value.items():
        for part in item.values() if key in named else [item]:
            out |= keys_of(part)
    return out


class Links(unittest.TestCase):
    def test_links(self):
        for page in PAGES:
            for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8")):
                if re.match(r"[a-z]+:", target):
                    continue
                name, _, section = target.partition("#")
                with self.subTest(page=page.name, link=target):
                    file = (page.parent / name).resolve() if name else page
                    self.assertTrue(file.exists())
                    if section:
                        self.assertIn(section, sections(file.read_text(encoding="utf-8")))

    def test_files(self):
        """Files and folders in backticks exist, except placeholders and files that the program creates."""
        known = {file.name for top in TOP for file in (ROOT / top).rglob("*")} | {file.name for file in ROOT.iterdir()}
        for page in PAGES:
            if page.name == "CHANGELOG.md":  # names files of the past
                continue
            for name in re.findall(r"`([\w./-]+)`", prose(page)):
                part = name.strip("/").split("/")
                if part[0] in MADE or part[-1] in MADE:
                    continue
                with self.subTest(page=page.name, file=name):
                    if part[0] in TOP and len(part) > 1:
                        self.assertTrue((ROOT / name).exists() or (page.parent / name).exists())
                    elif re.fullmatch(r"[\w-]+\.(h|cpp|py|toml|tsv|md|txt|jsonl)", name):
                        self.assertIn(name, known)

    def test_comments(self):
        """Comments say (docs/format.md: SECTION)."""
        found = 0
        for file in (f for top in SOURCE for f in (ROOT / top).rglob("*") if f.suffix in (".h", ".cpp")):
            text = file.read_text(encoding="utf-8")
            for page, section in re.findall(r"docs/([\w-]+\.md): ([A-Z][\w ]*)", text):
                found += 1
                with self.subTest(file=file.name, section=section):
                    page_text = (ROOT / "docs" / page).read_text(encoding="utf-8")
                    self.assertIn(section.strip().lower().replace(" ", "-"), sections(page_text))
        self.assertGreater(found, 10)


    def test_named_files(self):
        """A comment that names a file or folder of the project names one that exists."""
        known = {file.name for top in {*TOP, *COMMENTED} for file in (ROOT / top).rglob("*")} | {file.name for file in ROOT.iterdir()}
        found = 0
        for file in (f for top in COMMENTED for f in (ROOT / top).rglob("*") if f.is_file()):
            for comment in comments(file):
                for name in re.findall(rf"(?<![\w<>*$/.-])(?:(?:{'|'.join(TOP)})/[\w./-]*[\w-]/?|[\w./-]+\.(?:h|cpp|py|md|toml|tsv|jsonl|cmake))"
                                       r"(?![\w<>*{$/])", comment):
                    found += 1
                    if Path(name).name not in MADE and name not in ELSEWHERE:
                        with self.subTest(file=str(file.relative_to(ROOT)), names=name):
                            self.assertTrue(Path(name).name in known if "/" not in name else
                                            any((base / name).exists() for base in (ROOT, *(ROOT / top for top in ("src", "include", "profiles", "tests")), file.parent)))
        self.assertGreater(found, 100)

    def test_long_classes(self):
        """A class of more than 250 lines says in the comment above it why it is one."""
        long = 0
        for file in sorted(f for top in ("src", "include") for f in (ROOT / top).rglob("*") if f.suffix in (".h", ".cpp")):
            lines = file.read_text(encoding="utf-8").split("\n")
            for start, line in enumerate(lines):
                opening = re.match(r"( *)(?:class|struct) [^;]*\{$", line)
                if opening is None or any(re.match(opening[1] + r"\}.*;", end) for end in lines[start:start + 250]):
                    continue
                long += 1
                above = start
                while re.match(r" *(///?|template)", lines[above - 1]):
                    above -= 1
                with self.subTest(file=str(file.relative_to(ROOT)), line=start + 1):
                    self.assertRegex(" ".join(lines[above:start]), r"(?i)\bone class\b|over 250 lines")
        self.assertGreater(long, 0)

    def test_width(self):
        """Lines of prose have at most 100 columns; tables, code and unbreakable words may be longer."""
        for page in PAGES:
            for number, line in enumerate(lines_of_prose(page), 1):
                with self.subTest(page=page.name, line=number):
                    self.assertTrue(len(line) <= WIDTH or line.startswith(("|", "![")) or " " not in line.strip()[WIDTH // 2:], line)

    def test_rooms(self):
        """Each folder of src/ has its line in the architecture, each page of docs/ one in the README."""
        architecture = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
        for room in (ROOT / "src").iterdir():
            with self.subTest(room=room.name):
                self.assertIn(f"\n| `{room.name}` |", architecture)
        readme = (ROOT / "README.md").read_text(encoding="utf-8")
        for page in (ROOT / "docs").glob("*.md"):
            with self.subTest(page=page.name):
                self.assertIn(f"(docs/{page.name})", readme)


class Program(unittest.TestCase):
    def test_options(self):
        """Options in backticks exist."""
        helps = [(), *((command,) for command in re.findall(r"^  (\w+)  ", run("--help").stdout, re.M)),
                 *(("cards", action) for action in ("list", "show", "check", "coverage"))]
        known = set().union(*(re.findall(r"--[\w-]+", run(*command, "--help").stdout) for command in helps))
        self.assertGreater(len(known), 40)
        for page in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]:
            for span in re.findall(r"`([^`\n]+)`", prose(page)):
                if re.match(r"cmake|cpack|ctest|pkg-config|mpirun|python3 -m build|bench/|scripts/", span):
                    continue
                with self.subTest(page=page.name, span=span):
                    self.assertEqual(set(re.findall(r"(?<![\w-])--[a-z][\w-]+", span)) - known, set())

    def test_first_answer(self):
        """The first example of the README shows the output of the program."""
        shown = next(x for x in blocks((ROOT / "README.md").read_text(encoding="utf-8"), "text") if x.startswith("$ salvo "))
        command, answer = shown.split("\n", 1)
        result = run(*shlex.split(command)[2:], "--format", "table")
        printed = result.stdout.splitlines()
        lines = [line for line in answer.splitlines() if line]
        self.assertGreater(len(lines), 5)
        self.assertEqual([line for line in lines if line not in printed], [])

    def test_commands(self):
        """Lines `salvo ...` of shell blocks; those of the README and decisions.md have their own tests."""
        for page in sorted((ROOT / "docs").glob("*.md")):
            if page.name == "decisions.md":
                continue
            lines = "".join(blocks(page.read_text(encoding="utf-8"), "sh")).replace("\\\n", " ").splitlines()
            for line in lines:
                if not line.startswith("salvo "):
                    continue
                arguments = shlex.split(line, comments=True)[1:]
                if line.startswith("salvo battle profiles/squads"):  # fewer battles print the same words
                    arguments += ["--trials", "1000"]
                with self.subTest(page=page.name, line=line):
                    result = run(*arguments)
                    self.assertEqual(result.returncode, 0, result.stderr)


class Version(unittest.TestCase):
    """CMakeLists.txt decides the version. What cannot read it there repeats it."""

    def test_copies(self):
        text = lambda name: (ROOT / name).read_text(encoding="utf-8")
        version = re.search(r"^project\(salvo VERSION ([\d.]+)", text("CMakeLists.txt"), re.M).group(1)
        abi = re.search(r"^set\(salvo_abi (\d+)\)", text("CMakeLists.txt"), re.M).group(1)
        package, page = (json.loads(text(f"web/{part}/package-lock.json"))["packages"] for part in ("package", "page"))
        for name, copy in (
                ("web/package/package.json", json.loads(text("web/package/package.json"))["version"]),
                ("web/package/package-lock.json", package[""]["version"]),
                ("web/page/package-lock.json", page["../package"]["version"]),
                ("packaging/debian/changelog", re.match(r"salvo \(([\d.]+)\)", text("packaging/debian/changelog")).group(1)),
                ("CHANGELOG.md", re.search(r"^## ([\d.]+)", text("CHANGELOG.md"), re.M).group(1)),
                ("examples/cluster/kubernetes.yaml",
                 re.search(r"image: \S+:([\d.]+)", text("examples/cluster/kubernetes.yaml")).group(1))):
            with self.subTest(file=name):
                self.assertEqual(copy, version)
        self.assertIn(f"libsalvo.so.{abi}", text("docs/promises.md"))
        self.assertEqual(run("--version").stdout.split()[1], version)
        self.assertIn(f'"salvo {version}"', run("man").stdout)


class Format(unittest.TestCase):
    def answer(self, *arguments, stdin=""):
        result = run("run", *arguments, "--format", "json", stdin=stdin)
        self.assertEqual(result.returncode, 0, result.stderr)
        answer = json.loads(result.stdout)
        self.assertEqual(check(answer, schema("run")), [])
        return answer

    def test_example(self):
        one_round, chances, two_rounds = blocks(FORMAT, "toml")
        self.assertIn("black", self.answer("-", stdin=one_round)["ships"])
        ships = "[ships.black]\nagility = 2\n"
        self.assertIn("48 cases", " ".join(self.answer("-", stdin=chances + ships)["notes"]))
        self.assertEqual(len(self.answer("-", stdin=two_rounds)["rounds"]), 2)

    def test_error(self):
        example = json.loads(next(block for block in blocks(FORMAT, "json") if '"error"' in block))
        wrong = {"ships": {"a": {"attack": 3}, "d": {"hul": 3}}, "attacks": [{"by": "a", "on": "d"}]}
        result = run("batch", stdin="\n" + json.dumps(wrong) + "\n")
        self.assertEqual(json.loads(result.stdout), example)

    def test_keys(self):
        """The keys of an answer are in the page and in the schema."""
        scenarios = ROOT / "profiles" / "scenarios"
        keys = set()
        for arguments in (["--attack", "3 focus", "--defend", "2 hull=3", "--certify"],
                          ["--attack", "3 bullseye", "--defend", "2 hull=3", "--damage-deck", "core", "--engine", "both"],
                          ["--attack", "3 ioncannon weapon=ioncannon", "--defend", "2 hull=3", "--engine", "sample",
                           "--target", "reference", "--trials", "1e4"],
                          [scenarios / "wingmen.toml"], [scenarios / "first-edition.toml"],
                          [scenarios / "three-rounds.toml"]):
            keys |= keys_of(self.answer(*arguments))
        self.assertGreater(len(keys), 40)
        words = set(re.findall(r"\w+", " ".join(re.findall(r"`([^`\n]+)`", FORMAT))))
        self.assertEqual({key for key in keys if key.removesuffix("_se") not in words}, set())

    def test_request_keys(self):
        """The section Requests describes each key of each verb; those of a scenario have a section of their own."""
        requests = FORMAT[FORMAT.index("\n## Requests"):FORMAT.index("\n## Sweeps")]
        described = set(re.findall(r"`(\w+)`", requests + FORMAT[:FORMAT.index("\n### Keys of a ship")]))
        verbs = {name: kind["properties"] for name, kind in schema("request")["$defs"].items() if "rules" in kind.get("properties", {})}
        self.assertGreater(len(verbs), 10)
        for verb, keys in verbs.items():
            with self.subTest(verb=verb):
                self.assertEqual(set(keys) - described, set())

    def test_csv(self):
        """The figures of the CSV are in the page."""
        words = set(re.findall(r"\w+", " ".join(re.findall(r"`([^`\n]+)`", FORMAT[FORMAT.index("## Table and CSV"):]))))
        for arguments in (["--certify"], ["--engine", "both", "--trials", "1e4", "--target", "reference"],
                          ["--damage-deck", "core"], ["--rounds", "2"]):
            result = run("run", "--attack", "3 focus", "--defend", "2 hull=3", *arguments, "--format", "csv")
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertEqual({row["figure"] for row in csv.DictReader(io.StringIO(result.stdout))} - words, set())


if __name__ == "__main__":
    main()
