/// The fields for the objective, the rules and the engine.
import { cardSets, editions, limits, objectives, policies, type Edition, type Objective, type Policy, type Rules } from '../state/question';
import { words } from '../words/en';
import { Choose } from './controls';

const without = <K extends keyof Rules>(rules: Rules, key: K): Rules => {
  const { [key]: _old, ...rest } = rules;
  return rest;
};
const put = <K extends keyof Rules>(rules: Rules, key: K, value: Rules[K] | '' | undefined): Rules =>
  value === undefined || value === '' ? without(rules, key) : { ...rules, [key]: value };

export function ObjectiveField({ rules, onChange, kill }: { rules: Rules; onChange: (rules: Rules) => void; kill: boolean }) {
  const shown = objectives.filter((objective) => objective !== 'exchange' && (kill || objective === 'damage' || objective === rules.objective));
  const list = rules.objective === 'exchange' ? [...shown, 'exchange' as const] : shown;
  if (list.length === 1) return null;
  return (
    <Choose<Objective>
      label={words.playFor}
      value={rules.objective ?? 'damage'}
      options={list.map((value) => ({ value, label: words.objective(value), title: words.objectiveMeaning(value) }))}
      onChange={(objective) => onChange(put(rules, 'objective', objective === 'damage' ? undefined : objective))}
    />
  );
}

function Select({ label, value, options, onChange }: {
  label: string;
  value: string;
  options: readonly { value: string; label: string }[];
  onChange: (value: string) => void;
}) {
  return (
    <label class="field">
      <span>{label}</span>
      <select value={value} onChange={(event) => onChange((event.target as HTMLSelectElement).value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>{option.label}</option>
        ))}
      </select>
    </label>
  );
}

export function RuleFields({ rules, onChange, attacks, engine }: {
  rules: Rules;
  onChange: (rules: Rules) => void;
  /// Whether to show the fields for attacks: objective, damage deck, policies.
  attacks?: boolean;
  /// Whether to show the choice of the engine.
  engine?: boolean;
}) {
  const edition: Edition = rules.rules ?? 'second-edition';
  const stated = Object.keys(rules).filter((key) => key !== 'objective').length;
  return (
    <details class="rules">
      <summary>{words.rulesAndEngine(stated)}</summary>
      <div class="fields">
        <Select
          label={words.edition}
          value={edition}
          options={editions.map((value) => ({ value, label: words.editionName(value) }))}
          onChange={(value) => onChange(without(without(put(rules, 'rules', value === 'second-edition' ? undefined : (value as Edition)), 'cards'), 'deck'))}
        />
        <Select
          label={words.cardSet}
          value={rules.cards ?? ''}
          options={[{ value: '', label: words.cardSetName(cardSets[edition][0]!) }, ...cardSets[edition].slice(1).map((value) => ({ value, label: words.cardSetName(value) }))]}
          onChange={(value) => onChange(put(rules, 'cards', value))}
        />
        {attacks && (
          <>
            <Select
              label={words.damageDeck}
              value={rules.deck ?? ''}
              options={[{ value: '', label: words.noDeck }, { value: 'core', label: words.coreDeck }]}
              onChange={(value) => onChange(put(rules, 'deck', value))}
            />
            {(['attackerPolicy', 'defenderPolicy'] as const).map((key) => (
              <Select
                key={key}
                label={words.policyOf(key)}
                value={rules[key] ?? 'optimal'}
                options={policies.map((value) => ({ value, label: words.policy(value) }))}
                onChange={(value) => onChange(put(rules, key, value === 'optimal' ? undefined : (value as Policy)))}
              />
            ))}
          </>
        )}
        {engine && (
          <>
            <Select
              label={words.engine}
              value={rules.engine ?? ''}
              options={['', 'exact', 'sample', 'both'].map((value) => ({ value, label: words.engineName(value) }))}
              onChange={(value) => {
                const next = put(rules, 'engine', value as Rules['engine']);
                onChange(value === 'sample' || value === 'both' ? next : without(without(next, 'trials'), 'seed'));
              }}
            />
            {(rules.engine === 'sample' || rules.engine === 'both') && (
              <Select
                label={words.trials}
                value={String(rules.trials ?? '')}
                options={['', '10000', '100000', '1000000', String(limits.trials)].map((value) => ({ value, label: words.trialsName(value) }))}
                onChange={(value) => onChange(put(rules, 'trials', value === '' ? undefined : Number(value)))}
              />
            )}
          </>
        )}
      </div>
    </details>
  );
}
