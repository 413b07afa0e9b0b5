"""A card set that is stored as changes to a base set.

In: the imported profiles of the base, the ships and upgrades of the new set.
Out: the profiles that differ. In an index, `-` marks an entry of the base that the set lacks.
"""

import tomllib

from card_data_files import DataError

POINTS = ("cost", "loadout", "slots")
TEXT_KEYS = ("name", "faction", "ship_ability", "force_side", "size")
LIST_KEYS = ("conditions", "keywords", "standard_loadout", "weapon")


def read_base(folder, header):
    """Return the generated ships of the base by id: name, size, stat line and pilots."""
    ships = {}
    for path in sorted(folder.glob("*.toml")):
        text = path.read_text(encoding="utf-8")
        if not text.startswith(header):
            continue
        data = tomllib.loads(text)
        pilots = data.pop("pilot", [])
        head = {key: data.pop(key) for key in ("id", "name", "size")}
        ships[head["id"]] = {**head, "line": {"shields": 0, "weapon": [], **data}, "pilots": pilots}
    if not ships:
        raise DataError(f"{folder}: no imported ships; import the set that this one is based on first")
    return ships


def read_index(path):
    """Return the rows of an index: key -> the texts after the tab."""
    rows = {}
    for row in path.read_text(encoding="utf-8").splitlines():
        key, _, rest = row.partition("\t")
        rows.setdefault(key, set()).add(rest)
    return rows


def index_changes(base, own):
    """Return the rows (key, text) of the keys whose texts differ from the base's. The text is "-" for removed keys."""
    rows = [(key, text) for key, values in own.items() if base.get(key) != values for text in values]
    return rows + [(key, "-") for key in base if key not in own]


def nothing(key):
    """Return the value that removes the `key` of the base's pilot."""
    return [] if key in LIST_KEYS else "" if key in TEXT_KEYS else 0


def without_points(pilot, ship):
    """Return the pilot without points and without keys that repeat the stat line of its ship."""
    line = {"size": ship["size"], **ship["line"]}
    return {key: value for key, value in pilot.items() if key not in POINTS and (key not in line or value != line[key])}


def pilot_changes(pilot, ship, old, old_ship):
    """Return the keys of a pilot, except points, that differ from the base's pilot `old`."""
    new_facts, old_facts = without_points(pilot, ship), without_points(old, old_ship)
    changed = {key: value for key, value in new_facts.items() if old_facts.get(key) != value}
    gone = {key: {**old_ship["line"], "size": old_ship["size"]}.get(key, nothing(key))
            for key in old_facts.keys() - new_facts.keys()}
    return {**changed, **dict(sorted(gone.items()))}


def points_row(pilot, old):
    """Return a row of cost, loadout and slots if one of them differs from the base's pilot, else None."""
    same_slots = sorted(pilot.get("slots", [])) == sorted(old.get("slots", []))
    if same_slots and all(pilot.get(key) == old.get(key) for key in ("cost", "loadout")):
        return None
    slots = "=" if same_slots else ",".join(pilot.get("slots", [])) or "-"
    return f"{pilot['cost']}\t{pilot.get('loadout', '-')}\t{slots}"


def ship_changes(ship, old):
    """Return a ship with only the differences, and the rows of points by pilot id."""
    line = {key: ship["line"].get(key, 0) for key in {**old["line"], **ship["line"]}
            if ship["line"].get(key, 0) != old["line"].get(key, 0)}
    out = {"id": ship["id"], "line": line, "pilots": []}
    for key in ("name", "size"):
        if ship[key] != old[key]:
            out[key] = ship[key]
    points = {}
    before = {pilot["id"]: pilot for pilot in old["pilots"]}
    for pilot in ship["pilots"]:
        if pilot["id"] not in before:
            out["pilots"].append(pilot)
            continue
        changed = pilot_changes(pilot, ship, before[pilot["id"]], old)
        if changed:
            out["pilots"].append({"id": pilot["id"], **changed})
        row = points_row(pilot, before[pilot["id"]])
        if row:
            points[pilot["id"]] = row
    return out, points


def changes(ships, base):
    """Return the ships of the set that differ from the base (new ones completely), and the rows of points."""
    out, points = {}, {}
    for ship_id, ship in ships.items():
        if ship_id not in base:
            out[ship_id] = ship
            continue
        changed, rows = ship_changes(ship, base[ship_id])
        if changed["pilots"] or changed["line"] or len(changed) > 3:
            out[ship_id] = changed
        points.update(rows)
    return out, points
