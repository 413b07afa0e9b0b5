# %% [markdown]
# # Many questions at once: how lucky were we?
# A log of attacks with their actual damage. `batch` answers all of them on all cores, without the GIL.

# %%
import random

import numpy as np

import salvo

engine = salvo.Engine()
dice = random.Random(7)

# %% A log: 3,000 attacks of a league night. The damage is drawn here; yours comes from a file.
log = []
for _ in range(3000):
    log.append({
        "ships": {
            "a": {"attack": dice.randint(2, 4), "tokens": {"focus": dice.randint(0, 1)}},
            "d": {"agility": dice.randint(1, 3), "tokens": {"focus": dice.randint(0, 1), "evade": dice.randint(0, 1)}},
        },
        "attacks": [{"by": "a", "on": "d", "range": dice.randint(1, 3)}],
    })

# %% The figures as a table with one row per question. Questions share the work on sides that they have in common.
expected = engine.batch(log, columns="mean,at_least_1,at_least_2,at_least_3")
print(expected.describe().loc[["mean", "min", "max"]].round(3))

# %% Whole answers have the distribution: the probability of the actual damage or more.
answers = engine.batch(log[:200])
happened = np.array([np.searchsorted(np.cumsum(answer.pmf("d")), dice.random()) for answer in answers])
luck = sum(int(damage) - answer.mean("d") for damage, answer in zip(happened, answers))
print(f"in 200 attacks {happened.sum()} damage, {luck:+.1f} against expectation")

# %% The two agree.
means = np.array([answer.mean("d") for answer in answers])
assert np.allclose(means, expected["d.mean"][:200], atol=1e-12)

# %% A faulty question yields an error in its place, and the others are answered.
odd = engine.batch([log[0], {"ships": {}}, log[1]], errors="return")
print([type(answer).__name__ for answer in odd])
