/// The view Cards: the library in plain words, and an editor for home-made cards.
import { useEffect, useState } from 'preact/hooks';
import type { CardCheckAnswer, CardListAnswer, CardPage } from '../engine/answers';
import type { Engine } from '../engine/engine';
import { Choose, Toggle } from '../parts/controls';
import { figure, signed } from '../parts/format';
import { ofSet, setOf, upgradeName, useLibrary, type Library } from '../parts/library';
import { useOwnCards } from '../parts/own';
import { RuleFields } from '../parts/rules';
import { Status } from '../parts/status';
import { useAnswer } from '../parts/use';
import { headOf } from '../state/own';
import { readAddress } from '../state/address';
import type { CardsQuestion, Question, Rules } from '../state/question';
import { requestOf } from '../state/request';
import { words } from '../words/en';
import { viewWords } from '../words/views';
import type { ViewProps } from './props';
import './cards.css';

const kinds = ['', 'upgrade', 'pilot', 'ship', 'condition'] as const;

const template = `id = "mycard"
kind = "upgrade"

[[effect]]
side = "attacker"
at = "attack-mod"
may = true
do = [{ verb = "reroll", dice = "attack", n = 1 }]
`;

export function View({ question, engine, onChange, onShow }: ViewProps<CardsQuestion>) {
  const library = useLibrary();
  const { rules } = question;
  const asked = useAnswer(engine, requestOf(question), 80);
  const answer = asked.answer?.data as CardListAnswer | undefined;
  const [most, setMost] = useState(40);
  const all = answer?.cards ?? [];
  const found = all.slice(0, most);
  const set = setOf(rules);
  const change = (next: Partial<CardsQuestion>): void => onChange({ ...question, ...next });
  const show = (key: string | undefined): void => {
    const { show: _old, ...rest } = question;
    onChange(key ? { ...rest, show: key } : rest);
  };
  return (
    <main class="two cardsView" aria-busy={asked.busy}>
      <section class="headline" tabIndex={0} aria-label={words.answer} aria-live="polite" aria-atomic="true">
        <h1 class="hidden">{words.view('cards')}</h1>
        {question.show ? <ShownCard {...{ library, question, rules, onShow }} /> : <p class="sentence">{answer ? viewWords.cardsFound(all.length) : '…'}</p>}
      </section>
      <section class="question" aria-label={words.question}>
        <div class="card rulesCard">
          <label>
            <span class="hidden">{viewWords.searchCards}</span>
            <input type="search" maxLength={100} placeholder={viewWords.searchCards} value={question.search} onInput={(event) => change({ search: (event.target as HTMLInputElement).value })} />
          </label>
          <Choose
            label={viewWords.kindOfCard}
            hideLabel
            value={question.kind ?? ''}
            options={kinds.map((value) => ({ value, label: viewWords.cardKind(value) }))}
            onChange={(value) => {
              const { kind: _old, ...rest } = question;
              onChange(value === '' ? rest : { ...rest, kind: value });
            }}
          />
          <p class="adders">
            <Toggle on={question.partly} onChange={(partly) => change({ partly })}>{viewWords.onlyPartly}</Toggle>
          </p>
          <RuleFields rules={rules} onChange={(next) => change({ rules: next })} />
        </div>
        <Status rules={rules} asked={asked} />
        <ul class="cardList">
          {found.map((card) => {
            const key = `${card.kind}:${card.id}`;
            return (
              <li key={key}>
                <button type="button" class={question.show === key ? 'on' : ''} aria-pressed={question.show === key} onClick={() => show(question.show === key ? undefined : key)}>
                  <b>{nameOf(library, card, rules)}</b> <small>{viewWords.cardKind(card.kind)}</small>
                  <span class="summary">{inWords(library.cards(card.id, card.kind, set === 'xwa' ? undefined : set))}</span>
                  {card.partly.length > 0 && <span class="mark">{words.partlyModelled(card.partly.join('; '))}</span>}
                </button>
              </li>
            );
          })}
        </ul>
        {all.length > most && <button type="button" class="quiet" onClick={() => setMost(most + 100)}>{viewWords.moreCards(all.length - most)}</button>}
      </section>
      <section class="details" aria-label={viewWords.ownCards}>
        <OwnEditor engine={engine} rules={rules} />
      </section>
    </main>
  );
}

function nameOf(library: Library, card: { id: string; kind: string }, rules: Rules): string {
  if (card.kind === 'upgrade') return upgradeName(library, card.id, rules);
  return (card.kind === 'pilot' && ofSet(library.names.pilots, card.id, setOf(rules))?.name) || card.id;
}

/// What a card does, in the sentences of its page.
const inWords = (pages: CardPage[] | undefined): string =>
  pages === undefined ? '…' : [...new Set(pages.flatMap(({ weapon, effects }) => [...(weapon ? [words.weaponText(weapon)] : []), ...effects.map((effect) => effect.text)]))].join(' ');

export function CardText({ card }: { card: CardPage }) {
  return (
    <div class="cardText">
      {card.weapon && <p>{words.weaponText(card.weapon)}</p>}
      {card.charges > 0 && <p class="hint">{viewWords.chargesOf(card.charges)}</p>}
      <ul>
        {card.effects.map((effect, i) => <li key={i}>{effect.text}</li>)}
      </ul>
      {card.facts.length > 0 && (
        <p class="hint">{viewWords.asksTheBoard(card.facts.map((fact) => viewWords.usualFact(fact.meaning, fact.usual)).join('; '))}</p>
      )}
      {card.partly.length > 0 && <p class="mark">{words.partlyModelled(card.partly.join('; '))}</p>}
      {card.omits.length > 0 && <p class="hint">{viewWords.omitsLine(card.omits.join('; '))}</p>}
    </div>
  );
}

function ShownCard({ library, question, rules, onShow }: { library: Library; question: CardsQuestion; rules: Rules; onShow: (question: Question) => void }) {
  const [kind = '', id = ''] = (question.show ?? '').split(':');
  const set = setOf(rules);
  const pages = library.cards(id, kind, set === 'xwa' ? undefined : set);
  const page = pages?.[0];
  if (!page) return <p class="sentence">{pages === undefined ? '…' : viewWords.noSuchCard}</p>;
  return (
    <>
      <p class="sentence">{nameOf(library, page, rules)} <small>{viewWords.cardKind(page.kind)}</small></p>
      <CardText card={page} />
      {page.kind === 'upgrade' && (
        <p class="adders">
          <button type="button" onClick={() => onShow(readAddress(`#v1/attack?a=:t65xwing.${page.id}~f1&d=:tielnfighter~f1`).question)}>{viewWords.tryIt}</button>
          <button type="button" onClick={() => onShow(readAddress(`#v1/compare?i=:t65xwing.${page.id}~f1&i=:t65xwing~f1&d=:tielnfighter~f1`).question)}>{viewWords.withAndWithout}</button>
        </p>
      )}
    </>
  );
}

/// The editor of a home-made card. The card is checked while the user types and saved in the browser.
function OwnEditor({ engine, rules }: { engine: Engine; rules: Rules }) {
  const own = useOwnCards();
  const [text, setText] = useState(() => own.list[0]?.text ?? '');
  const [said, setSaid] = useState('');
  useEffect(() => setSaid(''), [text]);
  const asked = useAnswer(engine, text.trim() === '' ? undefined : { verb: 'cards', body: { check: text, ...(rules.cards ? { cards: rules.cards } : {}) } }, 250);
  const checked = text.trim() === '' ? undefined : (asked.answer?.data as CardCheckAnswer | undefined)?.checked[0];
  const head = headOf(text);
  const saved = head && own.list.find((card) => card.id === head.id && card.kind === head.kind);
  return (
    <section class="ownCards">
      <h2>{viewWords.ownCards}</h2>
      <p class="hint">{viewWords.ownCardsHint}</p>
      {own.list.length > 0 && (
        <p class="adders">
          {own.list.map((card) => (
            <span class="chip" key={`${card.kind}:${card.id}`}>
              <button type="button" onClick={() => setText(card.text)}>{card.id}</button>
              <button type="button" aria-label={words.remove(card.id)} onClick={() => own.remove(card)}>×</button>
            </span>
          ))}
        </p>
      )}
      {text === '' && <button type="button" onClick={() => setText(template)}>{viewWords.beginCard}</button>}
      <label>
        <span class="hidden">{viewWords.cardText}</span>
        <textarea class="code" rows={Math.min(24, Math.max(6, text.split('\n').length + 1))} maxLength={20_000} spellcheck={false} value={text} placeholder={viewWords.cardText} onInput={(event) => setText((event.target as HTMLTextAreaElement).value)} />
      </label>
      {asked.error && <p class="error" role="alert">{asked.error.message}</p>}
      {checked && (
        <div role="status" class={asked.busy ? 'stale' : ''}>
          {checked.error ? (
            <p class="error">{checked.error.replace(/^card:/, viewWords.line)}</p>
          ) : checked.card ? (
            <>
              <p class="good">{viewWords.cardRight}</p>
              <CardText card={checked.card} />
              {checked.trial ? (
                <>
                  <p>{viewWords.trialLine(checked.trial.words, figure(checked.trial.with, 3), figure(checked.trial.without, 3), signed(checked.trial.difference, 3))}</p>
                  <ul class="changes">{checked.trial.changes.map((change) => <li key={change}>{change}</li>)}</ul>
                </>
              ) : (
                <p class="mark">{viewWords.changesNothing}</p>
              )}
              {checked.notes?.map((note) => <p class="hint" key={note}>{note}</p>)}
            </>
          ) : null}
        </div>
      )}
      {checked?.good && (
        <p class="adders">
          <button type="button" disabled={!head || saved?.text === text} onClick={() => setSaid(own.save(text) ? viewWords.cardSaved : viewWords.cardNotSaved)}>{viewWords.saveCard}</button>
          <span role="status" class="hint">{said || (saved?.text === text && viewWords.cardSaved)}</span>
        </p>
      )}
    </section>
  );
}
