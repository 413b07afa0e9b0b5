# %% [markdown]
# # What a token is worth: a grid as a table
# Every number of dice against every agility, with and without tokens on both sides.

# %%
import salvo

engine = salvo.Engine()

# %% A scenario with a grid: each combination is a row.
grid = {
    "ships": {"a": {"attack": 3}, "d": {"agility": 2, "hull": 3}},
    "attacks": [{"by": "a", "on": "d"}],
    "grid": {
        "ships.a.attack": {"from": 2, "to": 5},
        "ships.d.agility": {"from": 0, "to": 3},
        "ships.a.tokens.focus": [0, 1],
        "ships.d.tokens.focus": [0, 1],
    },
}
table = engine.sweep(grid, columns="axes,mean,at_least_2,destroyed")
table = table.rename(columns=lambda name: name.rpartition(".")[2] if name.startswith("d.") else name)
print(table.head())

# %% The attacker's focus: the difference of two rows, for each dice and agility.
keys = ["ships.a.attack", "ships.d.agility", "ships.d.tokens.focus"]
wide = table.pivot(index=keys, columns="ships.a.tokens.focus", values="mean")
worth = (wide[1] - wide[0]).unstack("ships.d.tokens.focus")
print("damage that a focus token adds; columns: the defender's focus")
print(worth.round(3))

# %% It is worth most against a defender without tokens.
assert (worth[0] > 0).all()
best = worth[0].idxmax()
print(f"most with {best[0]} dice against agility {best[1]}: {worth[0].max():.3f}")

# %% A large grid in bounded memory, as a sequence of DataFrames.
total = rows = 0
for chunk in engine.sweep(grid, columns="mean", chunk=16):
    total += chunk["d.mean"].sum()
    rows += len(chunk)
print(f"{rows} rows, mean of all cells {total / rows:.4f}")
