/// Buttons that copy an answer as a link, a picture, text for a forum, JSON, or the command that prints the same bytes.
import { useRef, useState } from 'preact/hooks';
import { words } from '../words/en';

async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // The clipboard API needs a secure context and permission; execCommand does not.
    const area = document.createElement('textarea');
    area.value = text;
    area.setAttribute('readonly', '');
    document.body.append(area);
    area.select();
    const done = document.execCommand('copy');
    area.remove();
    if (!done) throw new Error(words.copyFailed);
  }
}

interface Props {
  title: string;
  /// The lines of the text for a forum, without the link.
  lines: () => string[];
  json: string | undefined;
  command: string | undefined;
}

export function Share({ title, lines, json, command }: Props) {
  const [said, setSaid] = useState('');
  const [shown, setShown] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const say = (what: () => Promise<string | void>, done: string): void => {
    what().then(
      (other) => setSaid(other || done),
      (error: unknown) => setSaid(error instanceof Error ? error.message : words.copyFailed),
    );
  };
  const picture = async (): Promise<string> => {
    const chart = root.current?.closest('main')?.querySelector('figure.chart svg') as SVGSVGElement | null;
    const { pictureOf } = await import('./picture');
    const blob = await pictureOf(title, lines(), chart ?? undefined);
    try {
      await navigator.clipboard.write([new ClipboardItem({ 'image/png': blob })]);
      return words.pictureCopied;
    } catch {
      const anchor = document.createElement('a');
      anchor.href = URL.createObjectURL(blob);
      anchor.download = 'salvo.png';
      anchor.click();
      setTimeout(() => URL.revokeObjectURL(anchor.href), 10_000);
      return words.pictureSaved;
    }
  };
  const text = (): string => [title, ...lines(), location.href].join('\n');
  return (
    <div class="share" ref={root} role="group" aria-label={words.share}>
      <button type="button" onClick={() => say(() => copy(location.href), words.linkCopied)}>{words.copyLink}</button>
      <button type="button" onClick={() => say(picture, words.pictureCopied)}>{words.copyPicture}</button>
      <button type="button" onClick={() => say(() => copy(text()), words.textCopied)}>{words.copyText}</button>
      {json !== undefined && <button type="button" onClick={() => say(() => copy(json), words.jsonCopied)}>{words.copyJson}</button>}
      {command !== undefined && (
        <button type="button" aria-expanded={shown} onClick={() => (setShown(true), say(() => copy(command), words.commandCopied))}>{words.copyCommand}</button>
      )}
      <span class="said" role="status">{said}</span>
      {shown && command !== undefined && <pre class="command" tabIndex={0} aria-label={words.copyCommand}>{command}</pre>}
    </div>
  );
}
