"""The layout of the first edition's card data: ships.js, pilots.js and upgrades.js, each a JSON list."""

from card_data_files import DataError, field, identifier, one_of, read_json, slug, texts

FILES = ("ships.js", "pilots.js", "upgrades.js")
SIZES = ("small", "large", "huge")


def whole_number(value):
    """Return a number of points or skill, 0 for cards that have "?" instead."""
    return value if isinstance(value, int) else 0


def weapon_of(arcs, attack):
    """Return the primary weapon as a list, empty if the ship has none. A turret comes before its front arc."""
    if attack is None:
        return []
    names = [slug(arc) for arc in arcs]
    arc = next((name for name in ("turret", "mobile") if name in names), "front")
    return [{"arc": arc, "attack": attack}]


def stat_line(record, where):
    """Return agility, hull and shields of a ship, or of a pilot that overrides them."""
    line = {"agility": field(record, "agility", int, where), "hull": field(record, "hull", int, where)}
    line["shields"] = field(record, "shields", int, where)
    if "energy" in record:
        line["energy"] = field(record, "energy", int, where)
    return line


def read_ships(path):
    """Return the ships by name: id, name, size, stat line, arcs."""
    ships = {}
    for record in read_json(path, list):
        where = f"{path}: {record.get('xws', 'without xws')}"
        arcs = texts(record, "firing_arcs", where) if "firing_arcs" in record else []
        line = stat_line(record, where)
        line["weapon"] = weapon_of(arcs, record.get("attack"))
        name = field(record, "name", str, where)
        ships[name] = {
            "id": identifier(record, where), "name": name, "arcs": arcs, "line": line, "pilots": [], "files": 1,
            "size": one_of(field(record, "size", str, where), SIZES, "size", where),
        }
    return ships


def pilot_record(record, ship, where):
    """Return the facts of one pilot. The skill becomes the initiative, since both order the attacks."""
    out = {"id": identifier(record, where), "name": field(record, "name", str, where)}
    out["faction"] = slug(field(record, "faction", str, where))
    out["initiative"] = whole_number(record.get("skill"))
    out["limited"] = 1 if "text" in record else 0  # a named pilot has an ability text
    out["cost"] = whole_number(record.get("points"))
    out["slots"] = [slug(name, "-") for name in texts(record, "slots", where)]
    if "ship_override" in record:
        line = stat_line(record["ship_override"], where)
        out.update({key: line[key] for key in ("agility", "hull", "shields")})
        out["weapon"] = weapon_of(ship["arcs"], record["ship_override"].get("attack"))
    return out


def distinguish(pilots):
    """Make pilots with equal ids distinguishable.

    On the same ship, the second pilot gets an id with the faction as suffix. On different ships with different abilities,
    the second pilot names a separate card file. `pilots`: (record, ship id, text of the ability) in the order of the data.
    """
    seen = {}
    for record, ship, text in pilots:
        earlier = seen.setdefault(record["id"], [])
        if any(other_ship == ship for other_ship, _, _ in earlier):
            earlier.append((ship, text, None))
            record["id"] = f"{record['id']}-{record['faction']}"
            continue
        same = next((card for _, other_text, card in earlier if other_text == text), None)
        card = same or (record["id"] if not earlier else f"{record['id']}-{ship}")
        earlier.append((ship, text, card))
        if card != record["id"]:
            record["card"] = card


def read_pilots(path, ships):
    """Add the pilots to their ships."""
    pilots = []
    for record in read_json(path, list):
        where = f"{path}: {record.get('xws', 'without xws')}"
        ship = ships.get(field(record, "ship", str, where))
        if ship is None:
            raise DataError(f"{where}: the ship \"{record['ship']}\" is not in ships.js; fetch a complete checkout")
        pilot = pilot_record(record, ship, where)
        ship["pilots"].append(pilot)
        pilots.append((pilot, ship["id"], record.get("text", "")))
    distinguish(pilots)


def upgrade_rows(path):
    """Return slot and cost of every upgrade by id, from the first side of a card with two sides."""
    rows = {}
    for record in read_json(path, list):
        where = f"{path}: {record.get('xws', 'without xws')}"
        points = record.get("points")
        rows.setdefault(identifier(record, where), (
            slug(field(record, "slot", str, where), "-"), str(points) if isinstance(points, int) else ""))
    return rows


def read(folder):
    """Return the ships by id, in order of id, and the rows of the upgrades."""
    for name in FILES:
        if not (folder / name).is_file():
            raise DataError(f"{folder}: holds no {name}; name the folder of the first edition's data")
    ships = read_ships(folder / "ships.js")
    read_pilots(folder / "pilots.js", ships)
    for ship in ships.values():
        ship["pilots"].sort(key=lambda pilot: (pilot["id"], pilot["faction"]))
    return {ship["id"]: ship for ship in sorted(ships.values(), key=lambda s: s["id"])}, upgrade_rows(folder / "upgrades.js")
