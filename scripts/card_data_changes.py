"""The differences between two checkouts of the second edition's card data, for the authors of the card library.

Changed texts are printed but never stored. Each card is listed with its file in the library, if it has one.
"""

import re

from card_data_files import field, read_json, slug

# The facts of a card besides its text, by kind of card.
PILOT_FACTS = ("initiative", "limited", "charges", "force", "shipStats", "standardLoadout", "conditions", "engagement")
SIDE_FACTS = ("attack", "charges", "force", "grants")


def plain(text):
    """Return a text without case, punctuation and markup, which vary between versions of the data without a change of meaning."""
    return " ".join(re.findall(r"[a-z0-9+-]+", re.sub(r"<[^>]*>", " ", text).lower()))


def ordered(value):
    """Return a JSON value with its lists in a fixed order."""
    if isinstance(value, list):
        return sorted((ordered(item) for item in value), key=repr)
    return {key: ordered(value[key]) for key in sorted(value)} if isinstance(value, dict) else value


def pilot_cards(data, where, cards):
    """Add the pilots of a ship file and their ship abilities to `cards`."""
    for pilot in field(data, "pilots", list, where):
        facts = {key: pilot[key] for key in PILOT_FACTS if key in pilot}
        ability = pilot.get("shipAbility") or {}
        if ability:
            facts["ship ability"] = slug(field(ability, "name", str, where))
        cards["pilot", field(pilot, "xws", str, where)] = {
            "texts": {pilot.get("ability") or ""}, "facts": facts, "points": (pilot.get("cost"), pilot.get("loadout"))}
        if ability:
            card = cards.setdefault(("ship", slug(ability["name"])), {"texts": set(), "facts": {}, "points": None})
            card["texts"].add(ability.get("text") or "")


def side_facts(side):
    """Return the facts of one side of an upgrade."""
    return {key: ordered(side[key]) for key in SIDE_FACTS if key in side}


def stat_line(data):
    """Return size and stats of a ship file. A stat of 0 counts as missing."""
    stats = [stat for stat in data.get("stats", []) if stat.get("value") != 0]
    return {"texts": set(), "facts": {"stats": ordered(stats), "size": data.get("size")}, "points": None}


def read_cards(root):
    """Return all cards by kind and id: texts, facts, points."""
    cards = {}
    for path in sorted((root / "pilots").glob("*/*.json")):
        data = read_json(path)
        pilot_cards(data, path, cards)
        cards["stat line", f"{data.get('xws')} of {path.parent.name}/{path.stem}"] = stat_line(data)
    for folder, kind in (("upgrades", "upgrade"), ("conditions", "condition")):
        for path in sorted((root / folder).glob("*.json")):
            for card in read_json(path, list):
                sides = card.get("sides") or [card]
                text = "\n".join(side.get("ability") or "" for side in sides)
                cards[kind, field(card, "xws", str, path)] = {
                    "texts": {text}, "facts": [side_facts(side) for side in sides], "points": ordered(card.get("cost"))}
    return cards


def library_file(kind, card_id, folder):
    """Return the card's files below profiles/cards, or "no file"."""
    found = [path.relative_to(folder) for path in sorted(folder.glob(f"**/{kind}/{card_id}.toml"))]
    return ", ".join(path.as_posix() for path in found if path.parts[0] != "first-edition") or "no file"


def changed_card(key, old, new, folder):
    """Return the lines about a card that both checkouts have, none if text and facts mean the same."""
    lines = []
    if {plain(text) for text in old["texts"]} != {plain(text) for text in new["texts"]}:
        lines += [f"    was: {text}" for text in sorted(old["texts"] - new["texts"])]
        lines += [f"    now: {text}" for text in sorted(new["texts"] - old["texts"])]
    if old["facts"] != new["facts"]:
        lines += [f"    was: {old['facts']}", f"    now: {new['facts']}"]
    return [f"  {' '.join(key)} ({library_file(*key, folder)})", *lines] if lines else []


def same_text(key, card, old):
    """Return the lines that name older cards of the same kind with the text of a new card. Weapons have none."""
    words = {plain(text) for text in card["texts"]}
    if words <= {""} or "attack" in str(card["facts"]):
        return []
    like = [other for other in sorted(old) if other[0] == key[0] and {plain(text) for text in old[other]["texts"]} == words]
    return [f"    the text of {'/'.join(other)}" for other in like]


def titled(title, lines):
    """Return a section, or nothing if it has no lines."""
    return [title, *lines] if lines else []


def report(old_root, new_root, folder):
    """Return the differences as lines. `folder`: the cards of the profiles."""
    old, new = read_cards(old_root), read_cards(new_root)
    both = sorted(old.keys() & new.keys())
    changed = [line for key in both for line in changed_card(key, old[key], new[key], folder)]
    points = [f"  {' '.join(key)}: {old[key]['points']} -> {new[key]['points']}" for key in both
              if old[key]["points"] != new[key]["points"]]
    added = []
    for key in sorted(new.keys() - old.keys()):
        added.append(f"  {' '.join(key)} ({library_file(*key, folder)})")
        added += same_text(key, new[key], old) or [f"    {text}" for text in sorted(new[key]["texts"]) if text]
    gone = [f"  {' '.join(key)} ({library_file(*key, folder)})" for key in sorted(old.keys() - new.keys())]
    return (titled("cards that are new", added) + titled("cards that are gone", gone)
            + titled("cards with another text or other facts", changed) + titled("points", points)
            or ["no card differs"])
