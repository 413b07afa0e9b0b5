/// The frame around a view: navigation, address, undo, recent questions, colour theme.
import { Component, type ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Engine } from './engine/engine';
import { cachePage } from './offline';
import { publishHeadline } from './parts/headline';
import { Library, LibraryContext, setOf, shipName } from './parts/library';
import { useOwnCards } from './parts/own';
import { addressOf, prepareFor, readAddress } from './state/address';
import { carry } from './state/carry';
import { begin, change, firstAddress, readRecent, redo, remember, undo, writeLast, writeRecent, type Past, type Recent } from './state/past';
import { rulesOf, views, type Question, type View } from './state/question';
import { storage } from './state/storage';
import { titleOf } from './state/title';
import type { ViewProps } from './views/props';
import { ViewOf } from './views/view';
import { words } from './words/en';

const themes = ['auto', 'dark', 'light'] as const;
type Theme = (typeof themes)[number];

function useTheme(): [Theme, () => void] {
  const [theme, setTheme] = useState<Theme>(() => themes.find((name) => name === storage()?.getItem('salvo.theme')) ?? 'auto');
  useEffect(() => {
    if (theme === 'auto') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    try {
      storage()?.setItem('salvo.theme', theme);
    } catch {
      // Without storage the theme lasts for this visit only.
    }
  }, [theme]);
  return [theme, () => setTheme(themes[(themes.indexOf(theme) + 1) % themes.length]!)];
}

class ErrorBoundary extends Component<{ children: ComponentChildren; onReset: () => void }, { failed: boolean }> {
  override state = { failed: false };
  static getDerivedStateFromError = (): { failed: boolean } => ({ failed: true });
  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <main class="crashed">
        <p role="alert">{words.crashed}</p>
        <button
          type="button"
          onClick={() => {
            this.props.onReset();
            this.setState({ failed: false });
          }}
        >
          {words.startOver}
        </button>
      </main>
    );
  }
}

function skipToAnswer(): void {
  document.querySelector<HTMLElement>('main .headline')?.focus();
}

/// Some browsers reject frequent changes of the address. The next successful change corrects it.
function replaceAddress(address: string): void {
  try {
    history.replaceState(null, '', address);
  } catch {
    // Ignored: only the address bar is out of date.
  }
}

const defaultQuestion = (view: View): Question => readAddress(`#v1/${view}`).question;

export function Shell({ engine }: { engine: Engine }) {
  const first = useMemo(() => readAddress(firstAddress(location.hash, storage())), []);
  const [past, setPast] = useState<Past>(() => begin(first.question));
  const [problems, setProblems] = useState<string[]>(first.problems);
  const [recent, setRecent] = useState<Recent[]>(() => readRecent(storage()));
  const [theme, nextTheme] = useTheme();
  const own = useOwnCards();
  const library = useMemo(() => new Library(engine, own), [engine, own]);
  /// The address of the current question in the list of recent ones.
  const recentAddress = useRef<string | undefined>(undefined);
  const { question } = past;
  const address = addressOf(question);

  const show = (next: Question): void => {
    recentAddress.current = undefined;
    setProblems([]);
    setPast(begin(next));
    history.pushState(null, '', addressOf(next));
    scrollTo(0, 0);
  };
  /// An edit that arrives after its view was left is dropped.
  const set: ViewProps['onChange'] = (next) =>
    setPast((old) => (old.question.view !== question.view ? old : change(old, typeof next === 'function' ? next(old.question) : next)));

  useEffect(
    () =>
      library.listen(() => {
        if (!library.loaded) return;
        document.documentElement.dataset.names = 'there';
        cachePage();
      }),
    [library],
  );
  // The view has asked its question by now, so the names and cards queue behind it.
  useEffect(() => library.begin(), [library]);
  const cardSet = setOf(rulesOf(question));
  useEffect(() => library.load(cardSet), [library, cardSet]);
  // The address follows the question. A step in the browser's history loads another one.
  useEffect(() => {
    if (problems.length === 0 && location.hash !== address) replaceAddress(address);
    writeLast(storage(), address);
    document.title = `${titleOf(question, (ship, role) => shipName(library, ship, rulesOf(question), role))} · ${words.name}`;
  }, [address]);
  useEffect(() => {
    const onStep = async (): Promise<void> => {
      await prepareFor(location.hash).catch(() => undefined);
      const read = readAddress(location.hash);
      recentAddress.current = undefined;
      setProblems(read.problems);
      setPast(begin(read.question));
    };
    addEventListener('popstate', onStep);
    return () => removeEventListener('popstate', onStep);
  }, []);
  // Read what another tab has saved, so that this one does not overwrite it.
  useEffect(() => {
    const onStorage = (): void => {
      own.readAgain();
      setRecent(readRecent(storage()));
    };
    addEventListener('storage', onStorage);
    return () => removeEventListener('storage', onStorage);
  }, [own]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const typing = event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement;
      if (typing || !(event.ctrlKey || event.metaKey) || event.altKey) return;
      const back = event.key === 'z' && !event.shiftKey;
      const forth = event.key === 'y' || (event.key.toLowerCase() === 'z' && event.shiftKey);
      if (back || forth) {
        event.preventDefault();
        setPast((old) => (back ? undo(old) : redo(old)));
      }
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  // Scroll the current view's link into sight on narrow screens.
  useEffect(() => {
    document.querySelector('nav [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
    return publishHeadline();
  }, [question.view]);
  // Remember a question once it has stayed unchanged for a moment, not at every keystroke.
  useEffect(() => {
    if (past.undo.length === 0 && recentAddress.current === undefined && past.redo.length === 0) return;
    const timer = setTimeout(() => {
      const title = titleOf(question, (ship, role) => shipName(library, ship, rulesOf(question), role)).slice(0, 120);
      setRecent((old) => {
        const next = remember(old, { address, title }, recentAddress.current);
        recentAddress.current = address;
        writeRecent(storage(), next);
        return next;
      });
    }, 1200);
    return () => clearTimeout(timer);
  }, [address]);

  return (
    <LibraryContext.Provider value={library}>
      <header class="top">
        <a class="skip" href="#answer" onClick={(event) => (event.preventDefault(), skipToAnswer())}>{words.skip}</a>
        <a class="logo" href="#v1/home" title={words.viewQuestion('home')} onClick={(event) => (event.preventDefault(), show(defaultQuestion('home')))}>
          <svg viewBox="0 0 32 32" aria-hidden="true"><path d="M3 20h9l4-13 4 13h9l-9 5H12Z" /></svg>
          {words.name}
        </a>
        <nav aria-label={words.views}>
          {views.filter((view) => view !== 'home').map((view) => {
            const target = view === question.view ? question : carry(question, view);
            return (
              <a
                key={view}
                // Without ./ a link that is scrolled out of sight counts as a skip link.
                href={`./${addressOf(target)}`}
                title={words.viewQuestion(view)}
                aria-current={view === question.view ? 'page' : undefined}
                onClick={(event) => {
                  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
                  event.preventDefault();
                  if (view !== question.view) show(target);
                }}
              >
                {words.view(view)}
              </a>
            );
          })}
        </nav>
        <div class="tools">
          <button type="button" class="icon" aria-label={words.undo} title={words.undo} disabled={past.undo.length === 0} onClick={() => setPast(undo(past))}>
            <svg viewBox="0 0 16 16" aria-hidden="true"><path d="M6 2 1.5 6.5 6 11V8c4-.6 6 .5 8 4 0-5-3-7.500-8-7.500Z" /></svg>
          </button>
          <button type="button" class="icon" aria-label={words.redo} title={words.redo} disabled={past.redo.length === 0} onClick={() => setPast(redo(past))}>
            <svg viewBox="0 0 16 16" aria-hidden="true"><path d="M10 2l4.500 4.500L10 11V8c-4-.6-6 .5-8 4 0-5 3-7.500 8-7.500Z" /></svg>
          </button>
          <RecentMenu recent={recent} onShow={(entry) => show(readAddress(entry.address).question)} onFresh={() => show(defaultQuestion(question.view))} />
          <button type="button" class="icon" aria-label={words.theme(words.themes[theme]!)} title={words.theme(words.themes[theme]!)} onClick={nextTheme}>
            <svg viewBox="0 0 16 16" aria-hidden="true"><path d="M8 1a7 7 0 1 0 0 14ZM8 1a7 7 0 0 1 0 14" class={theme === 'light' ? 'half' : ''} /></svg>
          </button>
        </div>
      </header>
      {problems.length > 0 && (
        <p class="problems" role="alert">
          {words.linkProblems(problems)}{' '}
          <button type="button" onClick={() => (setProblems([]), replaceAddress(address))}>{words.dismiss}</button>
        </p>
      )}
      <ErrorBoundary onReset={() => show(defaultQuestion('attack'))}>
        <ViewOf key={question.view} question={question} engine={engine} onChange={set} onShow={show} />
      </ErrorBoundary>
      <footer>
        <p>{words.footer}</p>
      </footer>
    </LibraryContext.Provider>
  );
}

function RecentMenu({ recent, onShow, onFresh }: { recent: Recent[]; onShow: (entry: Recent) => void; onFresh: () => void }) {
  const details = useRef<HTMLDetailsElement>(null);
  const close = (): void => details.current?.removeAttribute('open');
  useEffect(() => {
    const outside = (event: Event): void => {
      if (!details.current?.contains(event.target as Node)) close();
    };
    const escape = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && details.current?.open) {
        close();
        details.current.querySelector('summary')?.focus();
      }
    };
    addEventListener('pointerdown', outside);
    addEventListener('keydown', escape);
    return () => {
      removeEventListener('pointerdown', outside);
      removeEventListener('keydown', escape);
    };
  }, []);
  return (
    <details class="recent" ref={details}>
      <summary>{words.recent}</summary>
      <div class="sheet">
        <button type="button" onClick={() => (close(), onFresh())}>{words.startOver}</button>
        <h2>{words.recentTitle}</h2>
        {recent.length === 0 && <p class="hint">{words.noRecent}</p>}
        <ul>
          {recent.map((entry) => (
            <li key={entry.address}>
              <a href={entry.address} onClick={(event) => (event.preventDefault(), close(), onShow(entry))}>{entry.title}</a>
            </li>
          ))}
        </ul>
      </div>
    </details>
  );
}
