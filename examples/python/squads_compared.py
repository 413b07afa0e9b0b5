# %% [markdown]
# # Squads: what each ship does, what it survives, and who shoots best for the points

# %%
import json
from pathlib import Path

import salvo

engine = salvo.Engine()
squads = Path(engine.profiles) / "squads"

# %% XWS as builders export it.
rebels = json.loads((squads / "rebels.json").read_text(encoding="utf-8"))
empire = json.loads((squads / "empire.json").read_text(encoding="utf-8"))
report = engine.squad(rebels, against=empire)
for pilot in report["pilots"]:
    summary = pilot["summary"]
    print(f"{pilot['name']:24} damage {summary['damage']:.2f}  shots survived {summary['shots']:.1f}")

# %% Every ship against every ship.
forth = report["matrix"]["forth"]
for name, row in zip(forth["rows"], forth["cells"]):
    print(f"{name:24}", " ".join(f"{cell['mean']:5.2f}" for cell in row))

# %% Loadouts, ranked.
ranking = engine.compare(["3 focus", "3 lock", "3 focus lock", "4 focus"], defend=["2 focus hull=4", "3 evade hull=3"])
print(json.dumps(ranking.data, indent=1)[:400])

# %% How long does a ship survive?
life = engine.durability(attack="3 focus lock", defend="ship=t65xwing focus")
print({key: life[key] for key in list(life)[:6]})
