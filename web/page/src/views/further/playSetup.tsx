/// How a game begins: two squads, an example, or the log of a game.
import { useState } from 'preact/hooks';
import type { ReviewAnswer } from 'salvo-engine';
import type { RunAnswer, SquadAnswer } from '../../engine/answers';
import { AskError, type Engine } from '../../engine/engine';
import { useLibrary, type Library } from '../../parts/library';
import { unknownText } from '../../parts/sentence';
import { SquadField } from '../../parts/squadField';
import { longestSquad } from '../../state/pack';
import { squadValue } from '../../state/request';
import type { PackedSquad } from '../../state/question';
import { attackBody, measured, namesFor, newAttack, newGame, readLog, type Fighter, type Game, type SquadShip } from '../../state/further/game';
import { words } from '../../words/en';
import { viewWords } from '../../words/views';
import { exampleGame, exampleLog } from './playExamples';
import { playWords } from './playWords';

/// How many charges a card recovers in a round, according to its page.
async function recovers(engine: Engine, id: string, cards: unknown): Promise<number> {
  try {
    const { data } = await engine.ask('cards', { show: id, kind: 'upgrade', ...(cards ? { cards } : {}) });
    return Number(/\d+/.exec((data as { cards?: { recovers?: string }[] }).cards?.[0]?.recovers ?? '')?.[0] ?? 0);
  } catch {
    return 0;
  }
}

/// Asks the engine for the hull, the shields, the Force and the charges of every ship: those that an attack without
/// dice leaves.
export async function measure(engine: Engine, game: Game): Promise<Game> {
  const fighters: Fighter[] = [];
  for (const fighter of game.fighters) {
    const dummy: Fighter = { ...fighter, name: 'dummy', spec: '0', tokens: {}, locks: [], charges: {} };
    const bare = { ...fighter, tokens: {}, locks: [], charges: {} };
    const body = attackBody({ ...game, fighters: [dummy, bare] }, { ...newAttack('dummy'), on: fighter.name });
    const { ships } = (await engine.ask('run', body!)).data as RunAnswer;
    const { hull, shields, tokens_left } = ships.d!;
    const charges: Record<string, { most: number; recovers: number }> = {};
    for (const [kind, most] of Object.entries(tokens_left)) {
      if (kind === 'force') charges.force = { most, recovers: 1 };
      if (kind.startsWith('charge:')) charges[kind.slice(7)] = { most, recovers: await recovers(engine, kind.slice(7), body!.cards) };
    }
    fighters.push(measured(fighter, Math.max(0, hull.length - 1), Math.max(0, shields.length - 1), charges));
  }
  return { ...game, fighters };
}

interface ReadSquad {
  ships: SquadShip[];
  cards: string;
  rules: string;
  unknown: SquadAnswer['unknown'];
}

async function readSquad(engine: Engine, squad: unknown, taken: string[]): Promise<ReadSquad> {
  const answer = (await engine.ask('squad', { squad })).data as SquadAnswer;
  const names = namesFor(answer.pilots.map((pilot) => pilot.id), taken);
  return {
    ships: answer.pilots.map((pilot, i) => ({
      name: names[i]!,
      spec: [`pilot=${pilot.id}`, `ship=${pilot.ship}`, ...pilot.upgrades].join(' '),
    })),
    cards: answer.squad.cards ?? '',
    rules: answer.squad.rules,
    unknown: answer.unknown,
  };
}

/// Reads a log, which `salvo review` must accept.
export async function openLog(engine: Engine, text: string): Promise<Game> {
  if (text.trim().startsWith('{')) throw new AskError(playWords.jsonLog, '', 2);
  const answer = (await engine.ask('review', { log: text })).data as ReviewAnswer;
  const damages = new Map(answer.attacks.map((attack) => [attack.line, Math.round(attack.result.damage)]));
  const squads: SquadShip[][] = [];
  const taken: string[] = [];
  for (const [, squad] of text.matchAll(/^\s*squad\s+(.*)$/gim)) {
    const { ships } = await readSquad(engine, squadValue(squad!), taken);
    taken.push(...ships.map((ship) => ship.name));
    squads.push(ships);
  }
  return measure(engine, { ...readLog(text, damages, squads), over: true });
}

export async function beginWith(engine: Engine, what: 'example' | 'log'): Promise<Game> {
  return what === 'log' ? openLog(engine, exampleLog) : measure(engine, exampleGame(playWords.players));
}

export function Setup({ engine, onBegin }: { engine: Engine; onBegin: (game: Game, notes: string[]) => void }) {
  const library: Library = useLibrary();
  const [players, setPlayers] = useState<[string, string]>(playWords.players);
  const [squads, setSquads] = useState<[PackedSquad | undefined, PackedSquad | undefined]>([undefined, undefined]);
  const [log, setLog] = useState('');
  const [problem, setProblem] = useState('');
  const [busy, setBusy] = useState(false);
  const run = (what: () => Promise<[Game, string[]]>): void => {
    setBusy(true);
    setProblem('');
    what().then(
      ([game, notes]) => onBegin(game, notes),
      (error: unknown) => {
        setBusy(false);
        setProblem(error instanceof Error ? error.message : String(error));
      },
    );
  };
  const start = async (): Promise<[Game, string[]]> => {
    const first = await readSquad(engine, squadValue(squads[0]!.text), []);
    const second = await readSquad(engine, squadValue(squads[1]!.text), first.ships.map((ship) => ship.name));
    for (const [i, { ships }] of [first, second].entries()) if (ships.length === 0) throw new AskError(playWords.noShips(i + 1), '', 2);
    const notes = [
      ...(first.cards && second.cards && first.cards !== second.cards ? [playWords.setsDiffer(words.cardSetName(first.cards), words.cardSetName(second.cards))] : []),
      ...[first, second].flatMap(({ unknown, cards }) => (unknown.length > 0 ? [playWords.unknown(unknownText(unknown, library, { cards }))] : [])),
    ];
    const rules = [...(first.rules === 'second-edition' ? [] : [`rules ${first.rules}`]), ...(first.cards && first.cards !== 'xwa' ? [`cards ${first.cards}`] : [])];
    const clean = players.map((name, i) => name.replace(/[#\n]/g, ' ').trim() || playWords.players[i]!) as [string, string];
    if (clean[0] === clean[1]) clean[1] = `${clean[1]} 2`;
    return [await measure(engine, newGame(clean, [first.ships, second.ships], rules)), notes];
  };
  const open = (text: string): void => run(async () => [await openLog(engine, text), []]);
  return (
    <main class="playView setup" aria-busy={busy}>
      <section class="headline" tabIndex={0} aria-label={words.answer} aria-live="polite">
        <h1 class="hidden">{words.view('play')}</h1>
        <p class="sentence">{busy ? playWords.starting : playWords.begin}</p>
        {problem && <p class="error" role="alert">{problem}</p>}
      </section>
      <div class="squads">
        {([0, 1] as const).map((i) => (
          <section key={i} class={`card ${i === 0 ? 'attack' : 'defense'}`} aria-label={playWords.squadOf(i + 1)}>
            <input
              type="text"
              aria-label={playWords.playerName(i + 1)}
              maxLength={40}
              value={players[i]}
              onInput={(event) => setPlayers(players.map((name, j) => (j === i ? (event.target as HTMLInputElement).value : name)) as [string, string])}
            />
            <SquadField label={playWords.squadOf(i + 1)} squad={squads[i]} onChange={(squad) => setSquads((old) => old.map((one, j) => (j === i ? squad : one)) as typeof squads)} />
          </section>
        ))}
      </div>
      <p class="adders">
        <button type="button" class="primary" disabled={busy || !squads[0]?.text || !squads[1]?.text} onClick={() => run(start)}>{playWords.start}</button>
        <button type="button" disabled={busy} onClick={() => run(async () => [await measure(engine, exampleGame(players)), []])}>{playWords.example}</button>
      </p>
      <section class="card rulesCard" aria-label={playWords.readLog}>
        <h2>{playWords.readLog}</h2>
        <textarea rows={5} class="code" spellcheck={false} aria-label={playWords.logField} placeholder={playWords.logField} value={log} onInput={(event) => setLog((event.target as HTMLTextAreaElement).value)} />
        <p class="adders">
          <button type="button" disabled={busy || log.trim() === ''} onClick={() => open(log)}>{playWords.logOpen}</button>
          <label class="button">
            {playWords.logFile}
            <input
              type="file"
              class="hidden"
              accept=".txt,.log,text/plain"
              onClick={(event) => (event.currentTarget.value = '')}
              onChange={(event) => {
                const file = (event.target as HTMLInputElement).files?.[0];
                if (!file) return;
                if (file.size > longestSquad) setProblem(viewWords.squadTooLong(longestSquad));
                else void file.text().then((text) => (setLog(text), open(text)));
              }}
            />
          </label>
          <button type="button" class="quiet" disabled={busy} onClick={() => setLog(exampleLog)}>{playWords.logExample}</button>
        </p>
      </section>
      {library.loaded ? null : <p class="hint" role="status">{words.engineComing}</p>}
    </main>
  );
}
