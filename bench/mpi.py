#!/usr/bin/env python3
"""mpi.py SALVO SALVO_MPI [--ranks N] [--threads N] [--runs N] [--apart] [--case WORD]: what ranks lose to threads.

Prints the table of docs/cluster.md: the same sweeps and samplings by `salvo` with threads and by `salvo-mpi` with ranks of one thread, in
turn, the least of several runs each: processor time of all processes (user and system) and wall time, and both without the start,
which is that of a grid of one cell. What they write is compared. `--apart` makes each rank a machine of its own, so that sides are
worked out by each and rows travel.
"""

import argparse
import filecmp
import os
import tempfile
import time
from pathlib import Path

SHIPS = """
[ships.a]
attack = 3
[ships.d]
agility = 2
hull = 4
[[attacks]]
by = "a"
on = "d"
[grid]
"""
ONE = SHIPS + '"ships.a.attack" = [3]\n'
CHEAP = SHIPS + """
"ships.a.attack" = { from = 1, to = 6 }
"ships.a.tokens.focus" = [0, 1]
"ships.a.tokens.calculate" = { from = 0, to = 4 }
"ships.a.tokens.force" = { from = 0, to = 2 }
"ships.a.tokens.deplete" = [0, 1]
"ships.a.tokens.lock" = [[], ["d"]]
"ships.d.agility" = { from = 0, to = 4 }
"ships.d.tokens.focus" = [0, 1]
"ships.d.tokens.evade" = { from = 0, to = 2 }
"ships.d.tokens.calculate" = { from = 0, to = 3 }
"ships.d.tokens.reinforce" = { from = 0, to = 3 }
"ships.d.hull" = { from = 1, to = 6 }
"""
COSTLY = SHIPS + """
"ships.a.attack" = { from = 1, to = 6 }
"ships.a.tokens.focus" = [0, 1]
"ships.d.agility" = { from = 0, to = 4 }
"ships.d.tokens.evade" = { from = 0, to = 2 }
"ships.d.hull" = { from = 1, to = 16 }
"""
DUEL = ["run", "-a", "3 focus lock range=1", "-a", "3 focus", "-d", "3 focus evade hull=4 shields=1", "--engine", "sample"]
# What is asked, and the words, with GRID and OUT in place of files.
CASES = {
    "start": (ONE, ["sweep", "GRID", "--out", "OUT"]),
    "3 x 10^9 trials of two attacks": (ONE, [*DUEL, "--trials", "3e9", "--out", "OUT"]),
    "2,880 cells, sampled": (COSTLY, ["sweep", "GRID", "--engine", "sample", "--trials", "4e5", "--out", "OUT"]),
    "2,073,600 cheap cells, three columns": (CHEAP, ["sweep", "GRID", "--columns", "cell,mean,destroyed", "--out", "OUT"]),
    "2,073,600 cheap cells, all columns": (CHEAP, ["sweep", "GRID", "--out", "OUT"]),
}
# Allows more ranks than cores, and root.
MPIRUN = ["mpirun", "--oversubscribe", "--allow-run-as-root", "-n"]
APART = ["sh", "-c", 'SALVO_MPI_MACHINE=$OMPI_COMM_WORLD_RANK exec "$0" "$@"']


def measured(words):
    """Processor time of a command with all that it starts, and wall time, in seconds."""
    begin = time.monotonic()
    pid = os.posix_spawnp(words[0], words, {**os.environ, "OMPI_MCA_btl_vader_single_copy_mechanism": "none"},
                          file_actions=[(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)])
    _, status, usage = os.wait4(pid, 0)
    if status != 0:
        raise SystemExit(f"{' '.join(words)}: status {os.waitstatus_to_exitcode(status)}")
    return usage.ru_utime + usage.ru_stime, time.monotonic() - begin


def play(grid, words, options, folder):
    """The fastest of several alternating runs: ((processor, wall) of threads, of ranks)."""
    (folder / "grid.toml").write_text(grid)
    ways = {"threads": [options.salvo], "ranks": [*MPIRUN, str(options.ranks), *(APART if options.apart else []), options.salvo_mpi]}
    least = {}
    for _ in range(options.runs):
        for way, start in ways.items():
            out = folder / way
            for file in (out, Path(f"{out}.grid")):
                file.unlink(missing_ok=True)
            threads = options.threads if way == "threads" else 1
            places = {"GRID": folder / "grid.toml", "OUT": out}
            took = measured([*start, *(str(places.get(word, word)) for word in words), "--threads", str(threads)])
            least[way] = tuple(map(min, took, least.get(way, took)))
        if not filecmp.cmp(folder / "threads", folder / "ranks", shallow=False):
            raise SystemExit(f"not the same bytes: {' '.join(words)}")
    return least["threads"], least["ranks"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("salvo", type=os.path.abspath)
    parser.add_argument("salvo_mpi", type=os.path.abspath)
    parser.add_argument("--ranks", type=int, default=4)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--apart", action="store_true")
    parser.add_argument("--case", default="")
    parser.add_argument("--folder", help="where files are written (default: that of temporary files)")
    options = parser.parse_args()
    start = None
    for name, (grid, words) in CASES.items():
        if start is not None and options.case not in name:
            continue
        with tempfile.TemporaryDirectory(dir=options.folder) as folder:
            threads, ranks = play(grid, words, options, Path(folder))
        if start is None:
            start = threads, ranks
        for i, what in enumerate(("processor", "wall")):
            line = f"{name:40} {what:10} threads {threads[i]:7.2f} s   ranks {ranks[i]:7.2f} s   {ranks[i] / threads[i] - 1:+7.1%}"
            if start != (threads, ranks):
                work = (ranks[i] - start[1][i]) / (threads[i] - start[0][i])
                line += f"   without the start {work - 1:+7.1%}"
            print(line, flush=True)


if __name__ == "__main__":
    main()
