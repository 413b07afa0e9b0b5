/// Shows what an answer assumes and leaves out. A button reverses each assumed or stated fact.
import type { Caveats } from '../engine/answers';
import type { Facts, OnFact, Rules } from '../state/question';
import { words } from '../words/en';
import { setOf, upgradeName, useLibrary, type Library } from './library';

function cardName(library: Library, id: string, rules: Rules): string {
  const pilot = library.names.pilots.find((entry) => entry.id === id);
  const name = pilot?.name ?? upgradeName(library, id, rules);
  // Abilities of ships have no page of their own.
  return name === id ? id.charAt(0).toUpperCase() + id.slice(1).replaceAll('-', ' ') : name;
}

/// Replaces the request's ship keys in a sentence of the engine by the page's names.
export const withShipNames = (text: string, nameOf?: (key: string) => string): string => (nameOf ? text.replace(/(?<![\w-])([aw]\d+|d\d*)(?![\w-])/g, nameOf) : text);

export function CaveatLines({ caveats, rules, facts = {}, onFact, nameOf }: {
  caveats: Caveats | undefined;
  rules: Rules;
  facts?: Facts;
  onFact?: OnFact;
  nameOf?: (key: string) => string;
}) {
  const library = useLibrary();
  if (!caveats) return null;
  const set = setOf(rules) === 'xwa' ? undefined : setOf(rules);
  const assumed = new Map<string, { negated: boolean; name: string; cards: string[] }>();
  for (const text of caveats.assumed_facts ?? []) {
    const [, fact = text, card = ''] = /^(.*?)(?: \((.*)\))?$/.exec(text) ?? [];
    const entry = assumed.get(fact) ?? { negated: fact.startsWith('not '), name: fact.replace(/^not /, ''), cards: [] };
    if (card) entry.cards.push(...card.split(', '));
    assumed.set(fact, entry);
  }
  const meaning = (name: string, card: string | undefined): string => {
    const pages = card ? library.cardsInUse(card, undefined, set) : undefined;
    return pages?.flatMap((page) => page.facts).find((fact) => fact.name === name)?.meaning ?? name;
  };
  const names = (ids: string[]): string => ids.map((id) => cardName(library, id, rules)).join(', ');
  const stated = Object.entries(facts);
  return (
    <div class="caveats">
      {(assumed.size > 0 || stated.length > 0) && (
        <div class="assumptions" role="group" aria-label={words.assumptions}>
          <h3>{onFact ? words.assumptionsTap : words.assumptions}</h3>
          {[...assumed].map(([text, { negated, name, cards }]) => (
            <button key={text} type="button" class="fact assumed" disabled={!onFact} onClick={() => onFact?.(name, negated)}>
              <span class="tick" aria-hidden="true">{negated ? '✗' : '✓'}</span>
              {words.factWords(meaning(name, cards[0]), !negated)}{' '}
              <small>{cards.length > 0 ? words.assumedFor(names(cards)) : words.assumed}</small>
            </button>
          ))}
          {onFact &&
            stated.map(([name, value]) => (
              <button key={`stated ${name}`} type="button" class="fact stated" onClick={() => onFact(name, undefined)}>
                <span class="tick" aria-hidden="true">{value === false ? '✗' : '✓'}</span>
                {typeof value === 'number' ? `${name} = ${value}` : words.factShort(name, value)} <small>{words.statedByYou}</small>
              </button>
            ))}
        </div>
      )}
      {caveats.unmodelled && caveats.unmodelled.length > 0 && <p class="mark">{words.unmodelledLine(names(caveats.unmodelled))}</p>}
      {caveats.partly && caveats.partly.length > 0 && <p class="mark">{words.partlyLine(caveats.partly.join('; '))}</p>}
      {caveats.no_effect && caveats.no_effect.length > 0 && <p class="hint">{words.noEffectLine(names(caveats.no_effect))}</p>}
      {caveats.notes?.map((note) => <p class="hint" key={note}>{withShipNames(note, nameOf)}</p>)}
    </div>
  );
}
