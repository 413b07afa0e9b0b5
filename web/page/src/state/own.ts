/// The user's home-made cards, saved in the browser's storage.

export interface OwnCard {
  id: string;
  kind: string;
  /// TOML as described in docs/cards.md.
  text: string;
}

const key = 'salvo.cards';
type Store = Pick<Storage, 'getItem' | 'setItem'>;

/// Reads the id and the kind from a card's text.
export function headOf(text: string): { id: string; kind: string } | undefined {
  const id = /^\s*id\s*=\s*["']([a-z0-9-]{1,80})["']/m.exec(text)?.[1];
  const kind = /^\s*kind\s*=\s*["']([a-z]{1,20})["']/m.exec(text)?.[1] ?? 'upgrade';
  return id ? { id, kind } : undefined;
}

export class OwnCards {
  list: OwnCard[];
  private listeners = new Set<() => void>();
  constructor(private readonly store: Store | undefined) {
    this.list = this.read();
  }

  /// Reads the storage again, since another tab may have saved cards.
  readAgain(): void {
    this.list = this.read();
    this.notify();
  }
  private read(): OwnCard[] {
    try {
      const list: unknown = JSON.parse(this.store?.getItem(key) ?? '[]');
      if (!Array.isArray(list)) return [];
      return list
        .filter((card): card is OwnCard => typeof card?.text === 'string' && card.text.length < 20_000)
        .flatMap((card) => {
          const head = headOf(card.text);
          return head ? [{ ...head, text: card.text }] : [];
        })
        .slice(0, 50);
    } catch {
      return [];
    }
  }

  listen(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private notify(): void {
    for (const listener of this.listeners) listener();
  }

  /// Returns whether the browser stored the cards. Otherwise they last until the page is closed.
  private write(list: OwnCard[]): boolean {
    this.list = list;
    try {
      this.store?.setItem(key, JSON.stringify(list));
      return this.store !== undefined;
    } catch {
      return false;
    } finally {
      this.notify();
    }
  }

  save(text: string): boolean {
    const head = headOf(text);
    return head !== undefined && this.write([{ ...head, text }, ...this.list.filter((card) => card.id !== head.id || card.kind !== head.kind)].slice(0, 50));
  }
  remove(card: OwnCard): void {
    this.write(this.list.filter((other) => other !== card));
  }

  /// The texts of the cards with these ids.
  textsFor(ids: Iterable<string>): string[] {
    const named = new Set(ids);
    return this.list.filter((card) => named.has(card.id)).map((card) => card.text);
  }
}
