/// Shows what an answer assumes and leaves out. A button reverses each assumed or stated fact.
import type { Caveats } from '../engine/answers';
import type { Facts, OnFact, Rules } from '../state/question';
import { words } from '../words/en';
import { setOf, useLibrary } from './library';
import { assumedFact, capital, cardName, sayPlainly, type AssumedFact } from './sentence';

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
  const assumed = new Map<string, AssumedFact>();
  for (const fact of (caveats.assumed_facts ?? []).map(assumedFact)) {
    const key = `${fact.holds} ${fact.name}`;
    const cards = assumed.get(key)?.cards ?? [];
    assumed.set(key, { ...fact, cards: [...cards, ...fact.cards] });
  }
  const meaning = (name: string, card: string | undefined): string => {
    const pages = card ? library.cardsInUse(card, undefined, set) : undefined;
    return pages?.flatMap((page) => page.facts).find((fact) => fact.name === name)?.meaning ?? words.factShort(name, true);
  };
  const names = (ids: string[]): string => ids.map((id) => cardName(library, id, rules)).join(', ');
  const say = (text: string): string => sayPlainly(text, library, rules, nameOf);
  const stated = Object.entries(facts);
  return (
    <div class="caveats">
      {(assumed.size > 0 || stated.length > 0) && (
        <div class="assumptions" role="group" aria-label={words.assumptions}>
          <h3>{onFact ? words.assumptionsTap : words.assumptions}</h3>
          {[...assumed].map(([key, { holds, name, cards }]) => (
            <button key={key} type="button" class="fact assumed" disabled={!onFact} onClick={() => onFact?.(name, !holds)}>
              <span class="tick" aria-hidden="true">{holds ? '✓' : '✗'}</span>
              {words.factWords(meaning(name, cards[0]), holds)}{' '}
              <small>{cards.length > 0 ? words.assumedFor(names(cards)) : words.assumed}</small>
            </button>
          ))}
          {onFact &&
            stated.map(([name, value]) => (
              <button key={`stated ${name}`} type="button" class="fact stated" onClick={() => onFact(name, undefined)}>
                <span class="tick" aria-hidden="true">{value === false ? '✗' : '✓'}</span>
                {typeof value === 'number' ? `${words.factShort(name, true)}: ${value}` : words.factShort(name, value)} <small>{words.statedByYou}</small>
              </button>
            ))}
        </div>
      )}
      {caveats.unmodelled && caveats.unmodelled.length > 0 && <p class="mark">{words.unmodelledLine(names(caveats.unmodelled))}</p>}
      {caveats.partly && caveats.partly.length > 0 && <p class="mark">{words.partlyLine(caveats.partly.map(say).join('; '))}</p>}
      {caveats.no_effect && caveats.no_effect.length > 0 && <p class="hint">{words.noEffectLine(names(caveats.no_effect))}</p>}
      {caveats.notes?.map((note) => <p class="hint" key={note}>{capital(say(note))}</p>)}
    </div>
  );
}
