/// The history: undo and redo while the page is open, and the last twenty questions in the browser's storage.
import { addressOf, readAddress } from './address';
import type { Question } from './question';

export interface Past {
  question: Question;
  undo: Question[];
  redo: Question[];
}

const longest = 100;

export const begin = (question: Question): Past => ({ question, undo: [], redo: [] });

export const change = (past: Past, question: Question): Past =>
  addressOf(question) === addressOf(past.question)
    ? { ...past, question }
    : { question, undo: [...past.undo, past.question].slice(-longest), redo: [] };

export function undo(past: Past): Past {
  const question = past.undo.at(-1);
  return question ? { question, undo: past.undo.slice(0, -1), redo: [past.question, ...past.redo] } : past;
}

export function redo(past: Past): Past {
  const [question, ...rest] = past.redo;
  return question ? { question, undo: [...past.undo, past.question], redo: rest } : past;
}

export interface Recent {
  address: string;
  title: string;
}

const most = 20;
const key = 'salvo.recent';

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/// Reads the recent questions. Storage may be forbidden or hold foreign data: then the list is empty.
export function readRecent(store: Store | undefined): Recent[] {
  try {
    const list: unknown = JSON.parse(store?.getItem(key) ?? '[]');
    if (!Array.isArray(list)) return [];
    return list
      .filter((entry): entry is Recent => typeof entry?.address === 'string' && typeof entry?.title === 'string')
      .filter((entry) => readAddress(entry.address).problems.length === 0)
      .slice(0, most);
  } catch {
    return [];
  }
}

/// Puts the question at the front of the list. It replaces the entry with the address `instead`, an earlier state of the same question.
export function remember(list: Recent[], entry: Recent, instead?: string): Recent[] {
  return [entry, ...list.filter((old) => old.address !== entry.address && old.address !== instead)].slice(0, most);
}

const lastKey = 'salvo.last';

/// The address to begin with: the given one, else where the last visit ended, else that of the home view.
export function firstAddress(hash: string, store: Store | undefined): string {
  if (hash.length > 1) return hash;
  try {
    return store?.getItem(lastKey) || readRecent(store)[0]?.address || '#v1/home';
  } catch {
    return '#v1/home';
  }
}

export function writeLast(store: Store | undefined, address: string): void {
  try {
    store?.setItem(lastKey, address);
  } catch {
    // The next visit begins with the home view.
  }
}

export function writeRecent(store: Store | undefined, list: Recent[]): void {
  try {
    store?.setItem(key, JSON.stringify(list));
  } catch {
    // Full or forbidden storage costs only the list.
  }
}
