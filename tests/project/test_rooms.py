#!/usr/bin/env python3
"""test_rooms.py BUILD: a room of src/ sees the headers of the rooms below it, and no others.

Each room's own compiler command (BUILD/compile_commands.json) is asked which headers it finds; one wrong include is
really compiled, and has to fail. One file alone includes Boost.Asio and Boost.Beast, which cost ten seconds of compiling.
A file that uses battles asks whether the program has them, since scripts/run builds it without.
"""

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

# From the lowest to the highest: a room may include itself and those before it. Deliberately not read from cmake/Rooms.cmake.
ORDER = ("base", "data", "game", "load", "compile", "exact", "sample", "answers", "decide", "review", "study", "battle", "hazard",
         "cards", "report", "questions", "api", "jobs", "serve", "cli")
STRANGERS = {("game", "data"), ("load", "game"), ("serve", "jobs"), ("jobs", "questions"), ("jobs", "api"),
             *((engine, room) for engine in ("exact", "sample") for room in ("data", "load", "compile")), ("sample", "exact"),
             ("study", "review"), ("battle", "review"),
             *((room, other) for room in ("hazard", "cards") for other in ("decide", "review", "study", "battle")),
             ("cards", "hazard")}
SOURCES = Path(__file__).resolve().parents[2] / "src"


def may_include(room, other):
    return ORDER.index(other) <= ORDER.index(room) and (room, other) not in STRANGERS


def commands(build):
    """For each room, the arguments that compile one of its objects, without files and forced includes, and the folder."""
    found = {}
    for entry in json.loads((build / "compile_commands.json").read_text(encoding="utf-8")):
        room = re.search(r"\bsalvo_room_([a-z]+)", entry["command"])
        if room is None:
            continue
        words = shlex.split(entry["command"])
        compiler = next(i for i, word in enumerate(words) if "++" in Path(word).name)
        arguments, skip = [words[compiler]], False
        for word in words[compiler + 1:]:
            if skip or word in ("-o", "-include", "-c", "-Xclang"):
                skip = not skip and word in ("-o", "-include")
            elif word != entry["file"] and not word.endswith((".gch", ".pch")) and word != "-include-pch":
                arguments.append(word)
        found.setdefault(room[1], (arguments, entry["directory"]))
    return found


def first_header(room):
    return next((f"{room}/{path.name}" for path in sorted((SOURCES / room).glob("*.h"))), None)


def includers(pattern):
    """The .cpp files of src/ that include a header of this name, directly or not."""
    included = {path.relative_to(SOURCES).as_posix(): re.findall(r'^#include ["<]([^">]+)', path.read_text(encoding="utf-8"), re.M)
                for path in SOURCES.rglob("*") if path.suffix in (".h", ".cpp")}
    reached = {name for name, others in included.items() if any(re.match(pattern, other) for other in others)}
    while more := {name for name, others in included.items() if name not in reached and reached & set(others)}:
        reached |= more
    return sorted(name for name in reached if name.endswith(".cpp"))


def links_only_with_battles(name):
    """Whether a file calls functions of battles, although a program without battles has it."""
    without = name.startswith(("battle/", "report/battle")) or name == "questions/battle_side.cpp"
    return not without and "generated/features.h" not in (SOURCES / name).read_text(encoding="utf-8")


def run(command, options, text):
    words, folder = command
    return subprocess.run([*words, *options, "-x", "c++", "-"], input=text, cwd=folder, capture_output=True, text=True,
                          timeout=120)


def main():
    found = commands(Path(sys.argv[1]))
    rooms = sorted(path.name for path in SOURCES.iterdir() if path.is_dir())
    faults = [f"src/{room} has no place in the order of rooms" for room in rooms if room not in ORDER]
    rooms = [room for room in rooms if room in found and room in ORDER]
    headers = {room: first_header(room) for room in rooms}
    for room in rooms:
        text = ""
        for other, header in headers.items():
            if header:
                seen = not may_include(room, other)
                text += f'#if {"" if seen else "!"}__has_include("{header}")\n'
                text += f'fault: src/{room} {"sees" if seen else "does not see"} {header}\n#endif\n'
        out = run(found[room], ["-E", "-P"], text)
        faults += [line for line in out.stdout.splitlines() if line.startswith("fault:")]
        if out.returncode != 0:
            faults.append(f"src/{room}: {out.stderr}")
    for wrong, fails in ((headers["exact"], False), (headers["sample"], True)):
        if (run(found["exact"], ["-fsyntax-only"], f'#include "{wrong}"\n').returncode != 0) != fails:
            faults.append(f"src/exact: #include \"{wrong}\" {'compiles' if fails else 'does not compile'}")
    asio = includers("boost/(asio|beast)/")
    faults += [f"src/{name} includes Boost.Asio; leave that to serve/http.cpp" for name in asio if name != "serve/http.cpp"]
    if "serve/http.cpp" not in asio:
        faults.append("src/serve/http.cpp does not include Boost.Asio any more: which file does?")
    battles = includers("battle/|report/battle|questions/battle_side")
    faults += [f"src/{name} uses battles: ask generated/features.h whether the program has them" for name in battles
               if links_only_with_battles(name)]
    if "questions/gauntlet.cpp" not in battles:
        faults.append("src/questions/gauntlet.cpp does not include battles any more: which file does?")
    print("\n".join(faults) or f"{len(rooms)} rooms see what they may")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
