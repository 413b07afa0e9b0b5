/// Packs a squad for an address. A builder's link and the words of a ship stay as they are; the rest is compressed.
import type { PackedSquad } from './question';

/// The most characters of a squad. No real squad is as long, so longer texts are rejected unread.
export const longestSquad = 100_000;

const toText = (bytes: Uint8Array): string => {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
};
const toBytes = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0));

async function through(bytes: Uint8Array<ArrayBuffer>, stream: GenericTransformStream, most: number): Promise<Uint8Array> {
  const reader = (new Blob([bytes]).stream().pipeThrough(stream as TransformStream) as ReadableStream<Uint8Array>).getReader();
  const parts: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > most) {
      await reader.cancel();
      throw new RangeError('too long');
    }
    parts.push(value);
  }
  const out = new Uint8Array(size);
  let at = 0;
  for (const part of parts) (out.set(part, at), (at += part.length));
  return out;
}

const isLink = (text: string): boolean => /^https?:\/\/\S+$/.test(text);
/// Whether the text can stand in an address as it is: printed names, ids, `focus`, `range=1`.
const isWords = (text: string): boolean => text.length <= 400 && /^[\p{L}\p{N} '’"“”(),.:=/|+-]+$/u.test(text) && /\p{L}{2}|^\d/u.test(text) && !/^\w+:/.test(text);

/// The object that a text states in JSON, or undefined: the engine reads other forms, or says what is wrong with them.
export function objectOf(text: string): object | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    return JSON.parse(text) as object;
  } catch {
    return undefined;
  }
}
/// Whether the text is complete: what a builder exports, and no words that are still being typed.
export const isExport = (text: string): boolean => objectOf(text) !== undefined || isLink(text);

/// Throws if the text is too long. The engine says what is no squad.
export async function packSquad(text: string): Promise<PackedSquad> {
  if (text.length > longestSquad) throw new RangeError('too long');
  const trimmed = text.trim();
  if (isLink(trimmed) || isWords(trimmed)) return { text: trimmed, packed: trimmed };
  const object = objectOf(trimmed);
  const minified = object ? JSON.stringify(object) : trimmed;
  const packed = await through(new TextEncoder().encode(minified), new CompressionStream('deflate-raw'), longestSquad);
  return { text: minified, packed: `.${toText(packed)}` };
}

/// Throws if the packed text is damaged or has no squad.
export async function unpackSquad(packed: string): Promise<PackedSquad> {
  if (!packed.startsWith('.')) {
    if (!isLink(packed) && !isWords(packed)) throw new SyntaxError('no squad');
    return { text: packed, packed };
  }
  const bytes = await through(toBytes(packed.slice(1)), new DecompressionStream('deflate-raw'), longestSquad);
  const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  // An empty text stands for a squad that is still packed.
  if (text.trim() === '') throw new SyntaxError('no squad');
  return { text, packed };
}
