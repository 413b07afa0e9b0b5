#!/usr/bin/python3
"""python_calls.py [PACKAGES]: what calls of the Python package cost beside the answers themselves (docs/python.md).

PACKAGES: the folder of a build, build/release/python; without it the installed package. Minima of several rounds; processor time counts where the
machine is busy.
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
    """Wall and processor seconds of the fastest round."""
    clock, processor = [], []
    for _ in range(rounds):
        begun, used = time.perf_counter(), time.process_time()
        work()
        clock.append(time.perf_counter() - begun)
        processor.append(time.process_time() - used)
    return min(clock), min(processor)


def rates(n, seconds):
    clock, processor = seconds
    return f"{n / clock:,.0f}/s by the clock, {n / processor:,.0f}/s of processor time"


def call_overhead(engine, calls=50, rounds=80):
    """Microseconds of processor time: a call of run, one with its value read, and an answer of many in a batch.

    The batch hands over to salvo once and reads nothing: what a call takes beyond that is what Python adds.
    """
    alone = salvo.Engine(threads=1)
    bodies = [json.dumps(DUEL)] * calls
    answer = fastest(lambda: alone._engine.batch("run", bodies, 1), rounds)[1]
    call = fastest(lambda: [engine.run(DUEL) for _ in range(calls)], rounds)[1]
    read = fastest(lambda: [engine.run(DUEL).value for _ in range(calls)], rounds)[1]
    return (1e6 * seconds / calls for seconds in (call, read, answer))


def sharing_questions(n):
    """Questions that differ in the dice and tokens of either side, so that they share many sides."""
    return [{"ships": {"a": {"attack": 1 + i % 5, "tokens": {"focus": i // 5 % 2, "calculate": i // 10 % 3}},
                       "d": {"agility": i // 30 % 4, "hull": 3 + i // 120 % 5, "tokens": {"focus": i // 600 % 2, "evade": i // 1200 % 3}}},
             "attacks": [{"by": "a", "on": "d", "range": 1 + i // 3600 % 3}]} for i in range(n)]


def main():
    engine = salvo.Engine()
    call, read, answer = call_overhead(engine)
    print(f"run: {call:.1f} us a call, {read:.1f} us with its value read; the answer alone {answer:.1f} us: "
          f"overhead {call - answer:.1f} us, {read - answer:.1f} us with its value read (processor time)")
    questions = sharing_questions(100_000)
    print(f"batch with columns, sharing questions: {rates(len(questions), fastest(lambda: engine.batch(questions, columns='mean'), 3))}")
    print(f"batch of whole answers: {rates(5_000, fastest(lambda: engine.batch(questions[:5_000]), 3))}")
    if "--quick" in sys.argv:
        return
    grid = {**DUEL, "grid": {"ships.a.attack": {"from": 0, "to": 9}, "ships.d.agility": {"from": 0, "to": 9},
                             "ships.a.tokens.focus": {"from": 0, "to": 9}, "ships.d.tokens.focus": {"from": 0, "to": 9},
                             "ships.d.tokens.evade": {"from": 0, "to": 9}, "ships.d.hull": {"from": 1, "to": 99},
                             "attacks[0].obstructed": [False]}}
    begun, used, rows = time.perf_counter(), time.process_time(), 0
    for chunk in engine.sweep(grid, columns="axes,mean,destroyed", chunk=100_000):
        rows += len(chunk)
    seconds = time.perf_counter() - begun, time.process_time() - used
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"sweep: {rows:,} cells, {rates(rows, seconds)}, peak {peak:.0f} MB")


main()
