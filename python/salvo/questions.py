"""The keys that the methods of Engine take by name, besides their arguments (docs/format.md: Requests).

Made from src/questions by salvo_tests "[update]".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypedDict, Union


class _RunShips(TypedDict, total=False):
    ships: Mapping[str, Any]
    """the ships of the scenario, by name"""
    attacks: Sequence[Mapping[str, Any]]
    """its attacks, in the order in which they happen"""
    rounds: Union[int, Sequence[Mapping[str, Any]]]
    """in how many rounds the attacks happen, or a list of rounds in place of `attacks`"""


# SPECs of ships that then shoot back at the first attacker, which needs a named ship
_RunAttackReturn = TypedDict("_RunAttackReturn", {"return": Union[str, Sequence[str]]}, total=False)


class _RunAttack(_RunAttackReturn, total=False):
    attack: Union[str, Sequence[str]]
    """SPECs of attackers in place of ships and attacks, as '3 focus lock range=1'"""
    defend: Union[str, Sequence[str]]
    """SPECs of who is shot at; of several, attackers choose"""
    among: Union[str, Sequence[str]]
    """names of ships of the scenario among which attackers choose"""


class _RunRules(TypedDict, total=False):
    rules: str
    """id of an edition (default second-edition)"""
    cards: Literal["xwa", "2025", "legacy", "first-edition", "first-edition-4.2.3"]
    """card set, such as 2025 (default: by the rules)"""


class _RunCard(TypedDict, total=False):
    card: Union[str, Sequence[str]]
    """home-made cards, each a text in TOML"""


class _RunObjective(TypedDict, total=False):
    objective: Literal["damage", "kill", "health", "exchange"]
    """what both players play for (default damage)"""
    budget: int
    """limit of the exact engine: transitions (default 5e6)"""


class _RunDamageDeck(TypedDict, total=False):
    damage_deck: str
    """damage cards: none (default), core, ..."""


class _RunAttackerPolicy(TypedDict, total=False):
    attacker_policy: Literal["optimal", "greedy", "hold"]
    """how the attacker plays (default optimal)"""
    defender_policy: Literal["optimal", "greedy", "hold"]
    """how the defender plays (default optimal)"""


class _RunEngine(TypedDict, total=False):
    engine: Literal["exact", "sample", "both"]
    """exact, sample or both (default: exact if it fits)"""


class _RunTrials(TypedDict, total=False):
    trials: int
    """sampling: number of trials (default 1e6)"""


class _RunSeed(TypedDict, total=False):
    seed: int
    """seed of the random numbers (default 1)"""


class _RunThreads(TypedDict, total=False):
    threads: int
    """number of threads (default 0: all cores)"""


class _AdvisePoint(TypedDict, total=False):
    point: Mapping[str, Any]
    """what happened so far"""


class _ShipsWords(TypedDict, total=False):
    words: str
    """name, part of it, nickname or id (default: all)"""
    cards: Literal["xwa", "2025", "legacy", "first-edition", "first-edition-4.2.3"]
    """only this card set (default: all of them)"""


class _BattleFlight(TypedDict, total=False):
    flight: str
    """id of a flight, or a flight as a text in TOML or JSON (default joust)"""
    rounds: int
    """maximum number of rounds (default 12)"""
    rules: str
    """id of an edition (default: the squads')"""
    cards: Literal["xwa", "2025", "legacy", "first-edition", "first-edition-4.2.3"]
    """card set (default: the squads')"""
    engine: Literal["exact", "sample", "both"]
    """exact, sample, both (default: exact for 3 ships)"""
    budget: int
    """limit of the exact engine: outcomes (default 2e7)"""
    precision: float
    """sample until each win probability is within +-X"""


class RunKeys(_RunShips, _RunAttack, _RunRules, _RunCard, _RunObjective, _RunDamageDeck, _RunAttackerPolicy, _RunEngine, _RunTrials, _RunSeed, _RunThreads, total=False):
    """Answer one scenario: what its attacks do."""

    precision: float
    """sample until each 95% half-width is at most X"""
    generator: Literal["philox4x32-10", "ars-7", "xoshiro256++"]
    """generator of the random numbers (default philox4x32-10)"""
    certify: bool
    """recompute the exact value as a fraction"""
    count_tokens: bool
    """sampling: count tokens that are left (default true)"""
    id: Union[str, float, None]
    """repeated by the answer"""
    would_add: bool
    """also compute what the usual damage deck would add (default false)"""


class AdviseKeys(_RunShips, _RunAttack, _RunRules, _RunCard, _RunObjective, _RunDamageDeck, _RunAttackerPolicy, _AdvisePoint, total=False):
    """What to do with this roll: what each play is worth."""


class LuckKeys(_RunShips, _RunAttack, _RunRules, _RunCard, _RunObjective, _RunDamageDeck, _RunAttackerPolicy, _AdvisePoint, total=False):
    """Was it luck? One attack, luck and skill apart."""

    damage: int
    """damage that the defender suffered in this attack"""


class ReviewKeys(_RunRules, _RunCard, _RunObjective, _RunDamageDeck, total=False):
    """Who was lucky? A game from its log."""


class WorthKeys(_RunShips, _RunAttack, _RunRules, _RunCard, _RunObjective, _RunDamageDeck, _RunAttackerPolicy, total=False):
    """What one more token, shield or die would change."""


class OrderKeys(_RunShips, _RunAttack, _RunRules, _RunCard, _RunObjective, _RunDamageDeck, _RunAttackerPolicy, total=False):
    """In which order ships of one initiative should shoot."""

    side: Literal["mine", "theirs"]
    """whose attackers (default mine)"""


class DurabilityKeys(_RunShips, _RunRules, _RunCard, _RunObjective, _RunDamageDeck, _RunThreads, total=False):
    """How many shots a ship survives."""

    defender: Mapping[str, Any]
    """who is shot at: keys of a ship, `dice` for its agility, and tokens; with `attacker`"""
    attacker: Mapping[str, Any]
    """who shoots: keys of a ship, `dice` for its attack value, and tokens"""
    attack: Union[str, Sequence[str], Mapping[str, Any]]
    """SPECs of attackers, or range, weapon and facts of the attack of `attacker`"""
    defend: Union[str, Sequence[str]]
    """SPEC of who is shot at; with `all`, the tokens of every ship"""
    all: bool
    """every ship of the card set"""
    refresh: Literal["shot", "round", "never"]
    """when tokens return (default for one attacker: shot)"""
    round: int
    """shots of one attacker per round (default 1)"""
    attacker_policy: Literal["optimal", "greedy", "hold"]
    """greedy (default) or hold; optimal if all tokens return after each shot"""
    defender_policy: Literal["optimal", "greedy", "hold"]
    """greedy (default) or hold; optimal if all tokens return after each shot"""
    tail: float
    """cut the distribution below P (default 1e-9)"""


class SquadKeys(_RunCard, _RunObjective, _RunDamageDeck, _RunAttackerPolicy, _RunSeed, _RunThreads, total=False):
    """Report on every ship of a squad builder's export."""

    against: Union[Mapping[str, Any], str, Sequence[str]]
    """another squad, XWS, a list or a link: every ship against every ship"""
    range: int
    """range of the attacks between the squads (default 2)"""
    rules: str
    """id of an edition (default: the squad's)"""
    cards: Literal["xwa", "2025", "legacy", "first-edition", "first-edition-4.2.3"]
    """card set (default: the squad's)"""
    trials: int
    """trials if an attack is too large (default 1e6)"""


class CompareKeys(_RunRules, _RunCard, _RunObjective, _RunDamageDeck, _RunAttackerPolicy, _RunEngine, _RunTrials, _RunSeed, _RunThreads, total=False):
    """Rank loadouts by what they do to defenders."""

    defend: Union[str, Sequence[str]]
    """SPECs of defenders (default: references)"""
    tokens: Literal["none", "focus", "lock", "focus+lock"]
    """tokens of squad ships"""
    range: int
    """range for loadouts without one (default 2)"""
    weapon: str
    """best for each target (default), primary, upgrade"""
    by: str
    """mean, hit, destroyed, at_least:K or per_point"""


class HazardKeys(_RunRules, _RunCard, _RunTrials, _RunSeed, total=False):
    """Dice outside attacks: bombs, mines, obstacles."""

    ships: Union[str, Sequence[str]]
    """SPECs of the ships that it affects"""
    situation: str
    """one of its situations (default: the usual one)"""
    numbers: Mapping[str, Any]
    """numbers that it needs, by name; `'hazard': 'list'` names them"""
    times: int
    """repeat it N times (default 1)"""
    engine: Literal["exact", "sample", "both"]
    """exact (default), sample or both"""


class RulesKeys(_RunCard, total=False):
    """Which rules are modelled, and which are left out."""

    edition: str
    """the edition whose rules are listed"""
    left_out: bool
    """only rules that are not or only partly modelled"""
    search: Union[str, Sequence[str]]
    """only rules with these words"""


class ShipsKeys(_RunCard, _ShipsWords, total=False):
    """Find ships by name."""


class PilotsKeys(_RunCard, _ShipsWords, total=False):
    """Find pilots by name."""


class UpgradesKeys(_RunCard, _ShipsWords, total=False):
    """Find upgrades by name."""


class WeaponsKeys(_RunCard, _ShipsWords, total=False):
    """Find torpedoes, cannons and the like by name."""


class CardsKeys(_RunRules, _RunCard, total=False):
    """The library of cards."""

    show: str
    """id of a card"""
    check: str
    """a home-made card in TOML"""
    list: bool
    """all cards of the set"""
    kind: Literal["upgrade", "pilot", "ship", "condition"]
    """only this kind"""
    search: Union[str, Sequence[str]]
    """words that must all occur"""
    partly: bool
    """only cards that are partly modelled"""


class BattleKeys(_RunCard, _RunDamageDeck, _RunSeed, _RunThreads, _BattleFlight, total=False):
    """Who wins: two squads fight, round after round."""

    first: Literal["random", "mine", "theirs"]
    """who is first player (default random)"""
    my_policy: Literal["greedy", "focus-fire", "likeliest-kill", "points", "best", "optimal", "value", "sound"]
    """how I play (default sound)"""
    their_policy: Literal["greedy", "focus-fire", "likeliest-kill", "points", "best", "optimal", "value", "sound"]
    """how the opponent plays (default sound)"""
    target_order: Union[str, Sequence[str]]
    """names of their ships, with commas between or as a list: those that mine attack first, in this order"""
    their_target_order: Union[str, Sequence[str]]
    """names of my ships, which theirs attack first, in this order"""
    win: Literal["last-standing", "points"]
    """who wins (default last-standing)"""
    half_points: Literal["all", "large", "none"]
    """ships that give half their points (default all)"""
    squad_points: int
    """points that a squad may have; the opponent scores unused ones"""
    end_points: int
    """the battle ends when a side has N points"""
    worth: bool
    """return what each part of my side is worth"""
    sensitivity: bool
    """how the result changes with policy and flight (default true)"""
    trials: int
    """battles to sample (default 2e5)"""
    plain: bool
    """reference simulator: roll every die; slow"""


class GauntletKeys(_RunCard, _RunDamageDeck, _RunSeed, _RunThreads, _BattleFlight, total=False):
    """Which list to bring: each squad against each other."""

    weights: Sequence[int]
    """how often each is met in the field; default 1"""
    policy: Literal["greedy", "focus-fire", "likeliest-kill", "points", "best", "optimal", "value", "sound"]
    """how all play (default sound)"""
    trials: int
    """battles of a pair (default 2e4)"""
