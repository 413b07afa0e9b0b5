# %% [markdown]
# # A first look: one question, its distribution, what it assumes
# Cells begin with `# %%`; editors and Jupyter (with jupytext) open this file as a notebook.

# %%
import numpy as np

import salvo

engine = salvo.Engine()

# %% An X-wing with focus and lock shoots a TIE fighter with an evade token, at range 1.
shot = engine.run(attack=["ship=t65xwing focus lock range=1"], defend="ship=tielnfighter evade")
print(f"mean damage {shot.mean('d'):.3f}, destroyed {shot.destroyed('d'):.1%}")

# %% The distribution is an array: [k] is the probability of exactly k damage.
pmf = shot.pmf("d")
damage = np.arange(len(pmf))
spread = np.sqrt(pmf @ damage**2 - (pmf @ damage) ** 2)
print("damage", dict(zip(damage.tolist(), pmf.round(4).tolist())), f"+- {spread:.3f}")

# %% Hits and crits together: rows are hits, columns are crits.
joint = shot.joint("d")
print("chance of at least one crit:", round(joint[:, 1:].sum(), 4))

# %% The same question as a scenario, for the chance to destroy it, solved and sampled: each engine tests the other.
scenario = {
    "objective": "kill",
    "ships": {
        "red": {"ship": "t65xwing", "tokens": {"focus": 1, "lock": ["black"]}},
        "black": {"ship": "tielnfighter", "tokens": {"evade": 1}},
    },
    "attacks": [{"by": "red", "on": "black", "range": 1}],
}
both = engine.run(scenario, engine="both", trials=200_000)
print(f"destroyed {both.destroyed('black'):.4f}, engines agree: {both['cross_check']['agree']}")

# %% What the answer assumes and leaves out is part of it.
cards = engine.run(attack=["pilot=wedgeantilles predator focus"], defend="pilot=darthvader")
print(cards.caveats)

# %% An error names the place and says what would be right.
try:
    engine.run(scenario, objective="joy")
except salvo.SalvoError as error:
    print(f"{error.place}: {error.message}")
