"""The literal reference of battles: squads that fight round after round, as docs/battles.md says.

Written from that page, the rules and docs/format.md (Policies, Ties) alone; it shares nothing with the program. It is
plain and slow, and knows ships without cards: dice, focus, evade and locks.
"""

import functools
import math
import random
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

PROFILES = Path(__file__).resolve().parents[2] / "profiles"
SAME = 1e-9  # scores this close are equal: the first one is taken
TIE = 1e-11  # values of plays this close are equal

# ------------------------------------------------------------------------------------------------------- one attack


class Tokens(NamedTuple):
    """What a ship can spend. `lock`: on the ship that it attacks."""

    focus: int = 0
    evade: int = 0
    lock: bool = False



@functools.cache
def rolls(kind, dice):
    """The chance of (successes, focus results, blanks) of this many dice."""
    faces = {"attack": (4 / 8, 2 / 8, 2 / 8), "defense": (3 / 8, 2 / 8, 3 / 8)}[kind]
    out = {(0, 0, 0): 1.0}
    for _ in range(dice):
        more = {}
        for roll, p in out.items():
            for face, chance in enumerate(faces):
                one = tuple(n + (i == face) for i, n in enumerate(roll))
                more[one] = more.get(one, 0) + p * chance
        out = more
    return out


def best_of(plays, least):
    """Of (value, tokens left, dice rerolled, result) the best value, then the most tokens, then focus spent before
    evade before a lock, then the fewest dice rerolled."""
    values = [play[0] for play in plays]
    best = min(values) if least else max(values)
    left = [play for play in plays if abs(play[0] - best) <= TIE]
    return min(left, key=lambda play: (-sum(play[1]), play[1].focus, play[1].evade, play[1].lock, play[2]))


@functools.cache
def defended(results, roll, tokens):
    """The (damage, tokens left) of a defender against this many hits and critical hits."""
    evades, focused, blanks = roll
    plays = []
    for focus in range(tokens.focus + 1):
        good = evades + (focused if focus else 0)
        for evade in range(min(tokens.evade, evades + focused + blanks - good) + 1):
            left = Tokens(tokens.focus - focus, tokens.evade - evade)
            plays.append((max(0, results - good - evade), left, 0, None))
    damage, left, _, _ = best_of(plays, least=True)
    return damage, left


@functools.cache
def expected_damage(results, agility, tokens):
    return sum(p * defended(results, roll, tokens)[0] for roll, p in rolls("defense", agility).items())


@functools.cache
def finished(roll, mine, agility, theirs):
    """The best (value, tokens left, dice rerolled, hits) of an attacker that rerolls nothing any more."""
    hits, focused, _ = roll
    plays = []
    for focus in range(mine.focus + 1):
        good = hits + (focused if focus else 0)
        plays.append((expected_damage(good, agility, theirs), Tokens(mine.focus - focus, mine.evade, mine.lock), 0, good))
    return best_of(plays, least=False)


@functools.cache
def modified(roll, mine, agility, theirs, keeps):
    """The chance of (hits, tokens left) of an attacker with these dice. `keeps`: it does not spend its lock."""
    value, left, _, good = finished(roll, mine, agility, theirs)
    plays = [(value, left, 0, {(good, left): 1.0})]
    hits, focused, blanks = roll
    spent = Tokens(mine.focus, mine.evade, False)
    for old_focused in range(focused + 1 if mine.lock and not keeps else 0):
        for old_blanks in range(blanks + 1):
            value, ends = 0, {}
            for new, p in rolls("attack", old_focused + old_blanks).items():
                after = (hits + new[0], focused - old_focused + new[1], blanks - old_blanks + new[2])
                worth, left, _, good = finished(after, spent, agility, theirs)
                value += p * worth
                ends[good, left] = ends.get((good, left), 0) + p
            plays.append((value, spent, old_focused + old_blanks, ends))
    return best_of(plays, least=False)[3]


class Attack:
    """All ends of an attack: (damage, attacker's tokens, defender's tokens) and their chances."""

    def __init__(self, dice, agility, mine, theirs, keeps):
        ends = {}
        for roll, p in rolls("attack", dice).items():
            for (hits, left), q in modified(roll, mine, agility, theirs, keeps).items():
                for defense, r in rolls("defense", agility).items():
                    end = (*defended(hits, defense, theirs), left)
                    ends[end] = ends.get(end, 0) + p * q * r
        self.ends = [(damage, left, kept) for damage, kept, left in ends]
        self.chances = list(ends.values())

    @functools.cache
    def counted(self, health):
        """The mean damage, up to the target's health."""
        return sum(p * min(end[0], health) for end, p in zip(self.ends, self.chances))

    @functools.cache
    def at_least(self, health):
        return sum(p for end, p in zip(self.ends, self.chances) if end[0] >= health)

    @functools.cache
    def left(self):
        """The chance of what both have left: the tokens of the attacker, and of the defender."""
        out = {}
        for (_, *left), p in zip(self.ends, self.chances):
            out[tuple(left)] = out.get(tuple(left), 0) + p
        return out


attack_of = functools.cache(Attack)


class Shot(NamedTuple):
    """Where a target lies."""

    range: int
    obstructed: bool


def attack_at(shot, attacker, mine, defender, theirs, keeps=False):
    dice = attacker.attack + (shot.range == 1)
    agility = defender.agility + (shot.range == 3) + shot.obstructed
    return attack_of(dice, agility, Tokens(mine.focus, 0, mine.lock), Tokens(theirs.focus, theirs.evade), keeps)


# ------------------------------------------------------------------------------------------------------- the battle


@dataclass(eq=False)
class Kind:
    """A ship as it comes to the table. `actions`: focus, evade, lock, in the order of its action bar."""

    attack: int
    agility: int
    hull: int
    shields: int = 0
    initiative: int = 0
    points: int = 0
    actions: tuple = ("focus", "lock")
    tokens: Tokens = Tokens()

    def __post_init__(self):
        self.health = self.hull + self.shields


@dataclass(eq=False)
class Ship:
    kind: Kind
    mine: bool
    place: int  # in its squad
    health: int = 0
    focus: int = 0
    evade: int = 0
    lock: object = None  # the ship
    gone: bool = False
    shots: dict = field(default_factory=dict)  # by number of an enemy, in this round
    near: set = field(default_factory=set)  # enemies in range

    def __post_init__(self):
        self.name = (self.mine, self.place)

    def tokens(self, enemy):
        return Tokens(self.focus, self.evade, self.lock is enemy)


def flight_of(name):
    with open(PROFILES / "flights" / f"{name}.toml", "rb") as file:
        return tomllib.load(file)["round"]


class Battle:
    """`policies`: of me, of the opponent."""

    def __init__(self, mine, theirs, flight, policies, seed=1, most_rounds=12):
        self.kinds = (mine, theirs)
        self.flight = flight_of(flight)
        self.policies = [policies[0](self), policies[1](self)]
        self.random = random.Random(seed)
        self.most_rounds = most_rounds

    def play(self):
        """(1 I win, 0 a draw, -1 I lose; rounds)"""
        self.ships = [Ship(kind, side == 0, i, kind.health, kind.tokens.focus, kind.tokens.evade)
                      for side in (0, 1) for i, kind in enumerate(self.kinds[side])]
        rounds = 0
        while rounds < self.most_rounds and self.side(True) and self.side(False):
            self.round(self.flight[min(rounds, len(self.flight) - 1)])
            rounds += 1
        return self.result(), rounds

    def side(self, mine):
        return [ship for ship in self.ships if ship.mine == mine and not ship.gone]

    def enemies(self, ship):
        return self.side(not ship.mine)

    def result(self):
        me, them = bool(self.side(True)), bool(self.side(False))
        difference = self.points_lost(False) - self.points_lost(True)
        if me != them:
            difference = me - them
        return (difference > 0) - (difference < 0)

    def points_lost(self, mine):
        return sum(points_for(ship.kind, ship.health) for ship in self.ships if ship.mine == mine)

    def chance(self, percent):
        return self.random.random() < percent / 100

    def round(self, flown):
        mine_first = self.chance(50)
        self.place(flown)

        def second(ship):
            return ship.mine != mine_first

        self.order = sorted((ship for ship in self.ships if not ship.gone),
                            key=lambda ship: (-ship.kind.initiative, second(ship), ship.place))
        self.turns = sorted(self.order, key=lambda ship: (ship.kind.initiative, second(ship), ship.place))
        for ship in self.turns:
            if not self.chance(chosen(flown.get("ship", []), "no_action", 0)):
                self.act(ship)
        for initiative in sorted({ship.kind.initiative for ship in self.order}, reverse=True):
            for ship in self.order:
                if ship.kind.initiative == initiative and not ship.gone:
                    self.engage(ship)
            self.remove_destroyed()
        for ship in self.ships:
            ship.focus = ship.evade = 0

    def place(self, flown):
        ranges = chosen(flown["pair"], "range", {"2": 100})
        for ship in self.ships:
            ship.shots, ship.near = {}, set()
        for ship in self.side(True):
            for enemy in self.side(False):
                drawn = self.random.random() * 100
                for range_, percent in ranges.items():
                    drawn -= percent
                    if drawn < 0:
                        break
                else:
                    continue  # out of range
                shot = Shot(int(range_), self.chance(chosen(flown["pair"], "obstructed", 0)))
                for one, other in ((ship, enemy), (enemy, ship)):
                    one.near.add(other.name)
                    if self.chance(chosen(flown["shot"], "arc", 100)):
                        one.shots[other.name] = shot

    def act(self, ship):
        action, target = self.policies[0 if ship.mine else 1].action(ship)
        if action == "lock":
            ship.lock = target
        elif action is not None:
            setattr(ship, action, getattr(ship, action) + 1)

    def engage(self, ship):
        policy = self.policies[0 if ship.mine else 1]
        target = policy.target(ship)
        if target is None:
            return
        attack = policy.attack_on(ship, target)
        damage, left, kept = self.random.choices(attack.ends, attack.chances)[0]
        if ship.lock is target and not left.lock:
            ship.lock = None
        ship.focus, target.focus, target.evade = left.focus, kept.focus, kept.evade
        target.health = max(0, target.health - damage)

    def remove_destroyed(self):
        for ship in self.ships:
            ship.gone = ship.health == 0
        for ship in self.ships:
            if ship.gone or (ship.lock and ship.lock.gone):
                ship.lock = None

    def engages_first(self, ship, other):
        return self.order.index(ship) < self.order.index(other)

    def acts_first(self, ship, other):
        return self.turns.index(ship) < self.turns.index(other)


def chosen(rules, key, usual):
    """What the rules for any ship say of a key, the last one first. Other rules are for kinds that do not play here."""
    out = usual
    for rule in rules:
        if all(value == "any" or value == ["any", "any"] for name, value in rule.items() if name in ("is", "of", "by", "on")):
            out = rule.get(key, out)
    return out


def points_for(kind, health):
    if health == 0:
        return kind.points
    return kind.points // 2 if 2 * (kind.health - health) >= kind.health else 0


# ------------------------------------------------------------------------------------------------------- policies


class Greedy:
    """The most expected damage, up to the target's health."""

    def __init__(self, battle):
        self.battle = battle

    # What distinguishes policies.
    def score(self, attack, target):
        return attack.counted(target.health)

    def weight(self, ship):
        return 1

    def target_score(self, ship, target, attack):
        return self.score(attack, target)

    def action_score(self, attack, ship, target):
        return self.score(attack, target)

    def when_attacking(self, ship, enemy, tokens):
        """The chance of what the enemy has when the ship, with these tokens after its action, attacks it."""
        return {enemy.tokens(ship): 1.0}

    def when_attacked(self, ship, enemy, tokens, action):
        """The chance of what the ship and the enemy have when the enemy attacks it."""
        return {(tokens, enemy.tokens(ship)): 1.0}

    def attack_on(self, ship, target):
        return self.shot_at(ship, ship.tokens(target), target, target.tokens(None))

    def attack_score(self, ship, tokens, target, theirs):
        """Of the ship's own attack after its action."""
        return self.action_score(self.shot_at(ship, tokens, target, theirs), ship, target)

    # What they share.
    def shot_at(self, ship, tokens, target, theirs, keeps=False):
        return attack_at(ship.shots[target.name], ship.kind, tokens, target.kind, theirs, keeps)

    def targets(self, ship):
        return [enemy for enemy in self.battle.enemies(ship) if enemy.name in ship.shots and enemy.health > 0]

    def target(self, ship):
        best, most = None, -math.inf
        for enemy in self.targets(ship):
            value = self.target_score(ship, enemy, self.attack_on(ship, enemy))
            if value > most + SAME:
                best, most = enemy, value
        return best

    def dealt(self, ship, action, enemy):
        """The score of the ship's attack on the enemy after the action, a lock being on that enemy."""
        if enemy not in self.targets(ship):
            return 0
        after = self.after(ship, action)
        tokens = Tokens(after.focus, 0, action == "lock" or ship.lock is enemy)
        score = sum(p * self.attack_score(ship, tokens, enemy, theirs)
                    for theirs, p in self.when_attacking(ship, enemy, after).items())
        return self.weight(enemy) * score

    @staticmethod
    def after(ship, action):
        return Tokens(ship.focus + (action == "focus"), ship.evade + (action == "evade"))

    def lost(self, ship, action):
        """The sum of the scores of the enemies' attacks on the ship, those with other targets in part."""
        out = 0
        for enemy in self.battle.enemies(ship):
            if ship.name not in enemy.shots:
                continue
            for (mine, theirs), p in self.when_attacked(ship, enemy, self.after(ship, action), action).items():
                attack = self.shot_at(enemy, theirs, ship, mine)
                out += p * self.action_score(attack, enemy, ship) / len(self.targets(enemy))
        return self.weight(ship) * out

    def lock_target(self, ship):
        """The enemy in range whose lock helps the attack most; then the weakest one."""
        best, most = None, -math.inf
        for enemy in self.battle.enemies(ship):
            if enemy.name not in ship.near:
                continue
            value = self.dealt(ship, "lock", enemy)
            weaker = best is None or enemy.health < best.health
            if value > most + SAME or (value > most - SAME and weaker):
                best, most = enemy, value
        return best, most

    def action(self, ship):
        best, most = None, 0
        for action in (*ship.kind.actions, None):
            if action == "lock":
                target, value = self.lock_target(ship)
                if target is None:
                    continue
                lasts = not self.targets(ship) and ship.lock is not target
            else:
                target, lasts = None, False
                value = max([self.dealt(ship, action, enemy) for enemy in self.targets(ship)], default=0)
            value -= self.lost(ship, action)
            if best is None or value > most + SAME or (lasts and value > most - SAME):
                best, most = (action, target), value
        return best


class FocusFire(Greedy):
    """The target with the least health left; then as greedy. Actions as greedy."""

    def target(self, ship):
        targets = self.targets(ship)
        least = min((enemy.health for enemy in targets), default=0)
        best, most = None, -1
        for enemy in targets:
            value = self.attack_on(ship, enemy).counted(enemy.health)
            if enemy.health == least and value > most + SAME:
                best, most = enemy, value
        return best


class LikeliestKill(Greedy):
    def score(self, attack, target):
        return attack.at_least(target.health) + attack.counted(target.health) / 1000


class Points(Greedy):
    def score(self, attack, target):
        already = points_for(target.kind, target.health)
        mean = sum(p * (points_for(target.kind, max(0, target.health - end[0])) - already)
                   for end, p in zip(attack.ends, attack.chances))
        return mean + attack.counted(target.health) / 1000


class Value(Greedy):
    def score(self, attack, target):
        kind = target.kind
        return kind.attack * (attack.at_least(target.health) + attack.counted(target.health) / kind.health)


class Sound(Greedy):
    """The largest share of the damage that the other side still does."""

    def __init__(self, battle):
        super().__init__(battle)
        self.threat, self.shots_needed = {}, {}
        for side in (0, 1):
            kinds, enemies = battle.kinds[side], battle.kinds[1 - side]
            for i, kind in enumerate(kinds):
                self.threat[side == 0, i] = sum(self.usual_damage(kind, enemy) for enemy in enemies) / len(enemies)
                taken = sum(self.usual_damage(enemy, kind) for enemy in enemies) / len(enemies)
                self.shots_needed[side == 0, i] = 1 / max(taken, 1e-3)

    @functools.cached_property
    def usual_shot(self):
        """The likeliest place in the last round of the flight, and the chance of a shot."""
        flown = self.battle.flight[-1]
        ranges = chosen(flown["pair"], "range", {"2": 100})
        shot = Shot(int(max(ranges, key=ranges.get)), chosen(flown["pair"], "obstructed", 0) > 50)
        return shot, sum(ranges.values()) / 100 * chosen(flown["shot"], "arc", 100) / 100

    def usual_damage(self, attacker, defender):
        """In the last round of the flight: from the likeliest place, after the action that helps most."""
        shot, any_shot = self.usual_shot
        most = 0
        for action in (*attacker.actions, None):
            tokens = Tokens(attacker.tokens.focus + (action == "focus"), 0, action == "lock")
            most = max(most, attack_at(shot, attacker, tokens, defender, defender.tokens).counted(defender.health))
        return most * any_shot

    @functools.cache
    def weights(self, side, shooters):
        """By ship of a side, given as (name, health), what one damage to it and what destroying it takes away."""
        work = {name: health * self.shots_needed[name] for name, health in side}
        index = {name: self.threat[name] / work[name] for name in work}
        total = sum(self.threat[name] *
                    (sum(work[o] for o in work if index[o] > index[name] or o == name) / shooters + 1) for name in work)
        out = {}
        for name in work:
            waiting = sum(self.threat[o] for o in work if index[o] <= index[name])
            out[name] = (waiting * self.shots_needed[name] / shooters / total, self.threat[name] / total)
        return out

    def weights_of(self, ship):
        side = tuple((one.name, one.health) for one in self.battle.side(ship.mine) if one.health > 0)
        return self.weights(side, len(self.battle.enemies(ship)))[ship.name]

    def weight(self, ship):
        return self.weights_of(ship)[0]

    def target_score(self, ship, target, attack):
        damage, kill = self.weights_of(target)
        worth = attack.counted(target.health) + self.next_round(ship, target, ship.lock is target, attack)
        return damage * worth + kill * self.missed(ship, target) * attack.at_least(target.health)

    def ways(self, ship, tokens, target, theirs):
        """The attack, and the attack that keeps the lock."""
        return [self.shot_at(ship, tokens, target, theirs, keeps) for keeps in ((False, True) if tokens.lock else (False,))]

    def attack_on(self, ship, target):
        best, most = None, 0
        for attack in self.ways(ship, ship.tokens(target), target, target.tokens(None)):
            value = (attack.counted(target.health) + attack.at_least(target.health) / self.shots_needed[target.name]
                     + self.next_round(ship, target, ship.lock is target, attack))
            if best is None or value > most + SAME:
                best, most = attack, value
        return best

    def attack_score(self, ship, tokens, target, theirs):
        return max(self.action_score(attack, ship, target) + self.next_round(ship, target, ship.lock is target, attack)
                   for attack in self.ways(ship, tokens, target, theirs))

    def next_round(self, ship, target, had_lock, attack):
        """By how much better the next round is with the lock that the attack leaves, if the target survives."""
        out = 0
        for (damage, left, _), p in zip(attack.ends, attack.chances):
            if damage < target.health and left.lock != had_lock:
                out += p * (self.round_between(ship.name, target.name, target.health - damage, left.lock)
                            - self.round_between(ship.name, target.name, target.health - damage, had_lock))
        return out

    @functools.cache
    def round_between(self, ship, enemy, health, lock):
        """Damage to the enemy, with so much health, less the damage to the ship, in the enemy's: of the best action."""
        mine, theirs = (self.battle.kinds[0 if name[0] else 1][name[1]] for name in (ship, enemy))
        shot, any_shot = self.usual_shot
        worth = self.in_a_duel(ship, mine) / self.in_a_duel(enemy, theirs)
        have = self.helped_most(theirs, mine, shot, Tokens(), Tokens()) if any_shot > 0 else Tokens()
        values = []
        for action in (*mine.actions, None):
            tokens = Tokens(action == "focus", action == "evade", lock or action == "lock")
            done = attack_at(shot, mine, tokens, theirs, have).counted(health)
            taken = attack_at(shot, theirs, have, mine, tokens).counted(mine.health)
            values.append(any_shot * (done - worth * taken))
        return max(values)

    def in_a_duel(self, name, kind):
        """What one damage takes away from a ship without damage that has one enemy."""
        needed = self.shots_needed[name]
        return needed / (kind.health * needed + 1)

    @staticmethod
    def missed(ship, target):
        """The shots that the target does not make if the ship destroys it."""
        return 1 + (target.kind.initiative < ship.kind.initiative)

    def action_score(self, attack, ship, target):
        """An attack in damage, a kill counting as much as the damage of the shots that the target misses."""
        kill = self.missed(ship, target) * attack.at_least(target.health)
        return attack.counted(target.health) + kill / self.shots_needed[target.name]

    def expected(self, enemy, ship):
        """The tokens of an enemy; if it still acts, after what helps its attack on the ship most."""
        if self.battle.acts_first(enemy, ship):
            return enemy.tokens(ship)
        shot = enemy.shots.get(ship.name) or ship.shots[enemy.name]
        return self.helped_most(enemy.kind, ship.kind, shot, enemy.tokens(ship), ship.tokens(None))

    @staticmethod
    def helped_most(attacker, defender, shot, mine, theirs):
        """The tokens after the action that helps the attack most."""
        best, most = None, -1
        for action in (*attacker.actions, None):
            tokens = Tokens(mine.focus + (action == "focus"), mine.evade + (action == "evade"), mine.lock or action == "lock")
            damage = attack_at(shot, attacker, tokens, defender, theirs).counted(defender.health)
            if damage > most + SAME:
                best, most = tokens, damage
        return best

    def when_attacking(self, ship, enemy, tokens):
        """An enemy that engages first has spent tokens in its own attack, here on the ship."""
        theirs = self.expected(enemy, ship)
        if self.battle.engages_first(ship, enemy):
            return {theirs: 1.0}
        attack = attack_at(ship.shots[enemy.name], enemy.kind, theirs, ship.kind, tokens)
        out = {}
        for (left, _), p in attack.left().items():
            one = Tokens(left.focus, theirs.evade)
            out[one] = out.get(one, 0) + p
        return out

    def when_attacked(self, ship, enemy, tokens, action):
        """Where the ship engages first, its own attack, here on this enemy, has taken tokens of both."""
        theirs = self.expected(enemy, ship)
        if not self.battle.engages_first(ship, enemy):
            return {(tokens, theirs): 1.0}
        mine = Tokens(tokens.focus, 0, action == "lock")
        attack = attack_at(enemy.shots[ship.name], ship.kind, mine, enemy.kind, theirs)
        return {(Tokens(left.focus, tokens.evade), Tokens(kept.focus, kept.evade, theirs.lock)): p
                for (left, kept), p in attack.left().items()}


POLICIES = {"greedy": Greedy, "focus-fire": FocusFire, "likeliest-kill": LikeliestKill, "points": Points,
            "value": Value, "sound": Sound}
