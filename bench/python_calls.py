#!/usr/bin/python3
"""python_calls.py [PACKAGES]: what calls of the Python package cost beside the answers themselves (docs/python.md).

PACKAGES: the folder of a build, build/release/python; without it the installed package. Minima of several rounds.
"""

import json
import resource
import sys
import time

sys.path[:0] = sys.argv[1:2]

import salvo  # noqa: E402

DUEL = {"ships": {"a": {"attack": 3, "tokens": {"focus": 1}}, "d": {"agility": 2, "hull": 3, "tokens": {"evade": 1}}},
        "attacks": [{"by": "a", "on": "d"}]}


def fastest(work, rounds=7):
    """Seconds of the fastest round."""
    times = []
    for _ in range(rounds):
        begun = time.perf_counter()
        work()
        times.append(time.perf_counter() - begun)
    return min(times)


def call_overhead(engine, calls=2000):
    """Microseconds of a call from question to value, of its answer alone, and of the difference.

    The answer alone is what one thread takes for each of many in a batch, which hands over once.
    """
    alone = salvo.Engine(threads=1)
    bodies = [json.dumps(DUEL)] * calls
    answer = fastest(lambda: alone._engine.batch("run", bodies, 1)) / calls
    call = fastest(lambda: [engine.run(DUEL) for _ in range(calls)]) / calls
    read = fastest(lambda: [engine.run(DUEL).value for _ in range(calls)]) / calls
    return call * 1e6, read * 1e6, answer * 1e6


def sharing_questions(n):
    """Questions that differ in the dice and tokens of either side, so that they share many sides."""
    return [{"ships": {"a": {"attack": 1 + i % 5, "tokens": {"focus": i // 5 % 2, "calculate": i // 10 % 3}},
                       "d": {"agility": i // 30 % 4, "hull": 3 + i // 120 % 5, "tokens": {"focus": i // 600 % 2, "evade": i // 1200 % 3}}},
             "attacks": [{"by": "a", "on": "d", "range": 1 + i // 3600 % 3}]} for i in range(n)]


def main():
    engine = salvo.Engine()
    call, read, answer = call_overhead(engine)
    print(f"run: {call:.1f} us a call, {read:.1f} us with its value read; the answer alone {answer:.1f} us: "
          f"overhead {call - answer:.1f} us, {read - answer:.1f} us with its value read")
    questions = sharing_questions(100_000)
    seconds = fastest(lambda: engine.batch(questions, columns="mean"), 5)
    print(f"batch with columns: {len(questions) / seconds:,.0f} answers/s of sharing questions")
    seconds = fastest(lambda: engine.batch(questions[:10_000]), 5)
    print(f"batch of whole answers: {10_000 / seconds:,.0f} answers/s")
    grid = {**DUEL, "grid": {"ships.a.attack": {"from": 0, "to": 9}, "ships.d.agility": {"from": 0, "to": 9},
                             "ships.a.tokens.focus": {"from": 0, "to": 9}, "ships.d.tokens.focus": {"from": 0, "to": 9},
                             "ships.d.tokens.evade": {"from": 0, "to": 9}, "ships.d.hull": {"from": 1, "to": 99},
                             "attacks[0].obstructed": [False]}}
    begun, rows = time.perf_counter(), 0
    for chunk in engine.sweep(grid, columns="axes,mean,destroyed", chunk=100_000):
        rows += len(chunk)
    seconds = time.perf_counter() - begun
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"sweep: {rows:,} cells, {rows / seconds:,.0f} cells/s, peak {peak:.0f} MB")


main()
