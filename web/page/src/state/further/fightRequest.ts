/// The requests of the views Battle and Gauntlet, and the commands that print the same bytes.
import type { FightQuestion, FightSide, GauntletQuestion, Rules, Ship } from '../question';
import { some, specOf, squadValue, type Body, type Request } from '../request';

/// The SPEC of a ship of a fight. Bare dice may have defense dice here.
function spec(ship: Ship): string[] {
  const bare = !ship.pilot && !ship.ship;
  if (bare && ship.attack === undefined) return [];
  const { agility, ...rest } = ship;
  const text = specOf(bare ? rest : ship, 'attacker');
  return text === undefined ? [] : [bare && agility !== undefined ? `${text} agility=${agility}` : text];
}

/// The value of a side in a request, or undefined while it is empty or still being unpacked.
function sideValue({ squad, ships }: FightSide): unknown {
  if (squad) return squad.text === '' ? undefined : squadValue(squad.text);
  const specs = ships.flatMap(spec);
  return specs.length > 0 ? specs : undefined;
}

const ruleKeys = (rules: Rules): Body =>
  some({ rules: rules.rules, cards: rules.cards, damage_deck: rules.deck, engine: rules.engine, trials: rules.trials, seed: rules.seed });

const withCards = (cards: string[]): Body => (cards.length > 0 ? { card: cards } : {});

/// Undefined while a side is missing.
export function battleRequest(question: FightQuestion, cards: string[] = []): Request | undefined {
  const [mine, theirs] = [sideValue(question.mine), sideValue(question.theirs)];
  if (mine === undefined || theirs === undefined) return undefined;
  const { flight, rounds, first, myPolicy, theirPolicy, rules } = question;
  return {
    verb: 'battle',
    body: { mine, theirs, ...some({ flight, rounds, first, my_policy: myPolicy, their_policy: theirPolicy }), ...ruleKeys(rules), ...withCards(cards) },
  };
}

/// Undefined while there are fewer than two lists.
export function gauntletRequest(question: GauntletQuestion): Request | undefined {
  const { lists, flight, rounds, policy, rules } = question;
  if (lists.length < 2 || lists.some(({ squad }) => squad.text === '')) return undefined;
  const weights = lists.some(({ met }) => met !== 1) ? lists.map(({ met }) => met) : undefined;
  return {
    verb: 'gauntlet',
    body: { squads: lists.map(({ squad }) => squadValue(squad.text)), ...some({ weights, flight, rounds, policy }), ...ruleKeys(rules) },
  };
}

export const commandOfRequest = ({ verb, body }: Request): string => `salvo request ${verb} - <<'END'\n${JSON.stringify(body)}\nEND`;

/// The requests that refine an answer: few trials for a quick one, then more, and finally the request itself. A request that states its
/// engine or trials is asked only once.
export function refinements(request: Request, trials: number[]): Request[] {
  const { engine, trials: stated } = request.body;
  if (engine !== undefined || stated !== undefined) return [request];
  const quick = request.verb === 'battle' ? { engine: 'sample', sensitivity: false } : { engine: 'sample' };
  return [...trials.map((count) => ({ ...request, body: { ...request.body, ...quick, trials: count } })), request];
}

/// A copy of a question without one of its optional values.
export function withoutKey<T extends object, K extends keyof T>(question: T, key: K): T {
  const { [key]: _old, ...rest } = question;
  return rest as unknown as T;
}
