/// Draws a question and its answer as a picture, for sharing.

const drawn = ['fill', 'stroke', 'stroke-width', 'stroke-dasharray', 'stroke-linejoin', 'paint-order', 'font-size', 'font-family', 'font-weight', 'text-anchor', 'opacity'];

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (char) => escapes[char]!).replace(/[\u0000-\u0008\u000b-\u001f]|\p{Cs}/gu, '');

function withStyles(svg: SVGSVGElement): SVGSVGElement {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const from = [svg, ...svg.querySelectorAll('*')];
  const to = [copy, ...copy.querySelectorAll('*')];
  from.forEach((element, i) => {
    const style = getComputedStyle(element);
    for (const name of drawn) to[i]!.setAttribute(name, style.getPropertyValue(name));
    to[i]!.removeAttribute('class');
  });
  return copy;
}

function folded(line: string, most: number): string[] {
  const out: string[] = [];
  let rest = line;
  while (rest.length > most) {
    const at = rest.lastIndexOf(' ', most);
    out.push(rest.slice(0, at > 0 ? at : most));
    rest = rest.slice(at > 0 ? at + 1 : most);
  }
  return [...out, rest];
}

/// The page's current colours by CSS variable. They are read from an element, since the variable itself may hold light-dark().
function colours(): (name: string) => string {
  const known = new Map<string, string>();
  return (name) => {
    if (!known.has(name)) {
      const probe = document.body.appendChild(document.createElement('i'));
      probe.style.color = `var(${name})`;
      known.set(name, getComputedStyle(probe).color);
      probe.remove();
    }
    return known.get(name)!;
  };
}

/// The chart's legend: a dash in the colour of each curve or bar, followed by its label.
function legendOf(chart: SVGSVGElement, from: number, ink: string): { parts: string[]; y: number } {
  const parts: string[] = [];
  let y = from;
  for (const key of chart.closest('figure')?.querySelectorAll('.key') ?? []) {
    const mark = getComputedStyle(key, '::before');
    const stroke = mark.borderTopStyle === 'none' ? mark.backgroundColor : mark.borderTopColor;
    parts.push(`<path d="M20 ${y + 14}h26" stroke="${stroke}" stroke-width="3" stroke-dasharray="${getComputedStyle(key).strokeDasharray}"/>`);
    for (const line of folded(key.textContent ?? '', 62)) parts.push(`<text x="54" y="${(y += 18)}" font-size="12" fill="${ink}">${escaped(line)}</text>`);
  }
  return { parts, y };
}

export async function pictureOf(title: string, lines: string[], chart?: SVGSVGElement): Promise<Blob> {
  const color = colours();
  const width = 480;
  const titles = folded(title, 52);
  const texts = lines.flatMap((line) => folded(line, 62));
  let y = 14;
  const parts: string[] = [];
  for (const line of titles) parts.push(`<text x="20" y="${(y += 20)}" font-size="16" font-weight="700" fill="${color('--ink')}">${escaped(line)}</text>`);
  y += 4;
  for (const line of texts) parts.push(`<text x="20" y="${(y += 18)}" font-size="13" fill="${color('--soft')}">${escaped(line)}</text>`);
  y += 10;
  if (chart) {
    const [, , w = 440, h = 190] = (chart.getAttribute('viewBox') ?? '').split(' ').map(Number);
    const copy = withStyles(chart);
    copy.setAttribute('x', '20');
    copy.setAttribute('y', String(y));
    copy.setAttribute('width', String(width - 40));
    copy.setAttribute('height', String(((width - 40) * h) / w));
    parts.push(new XMLSerializer().serializeToString(copy));
    y += ((width - 40) * h) / w + 6;
    const legend = legendOf(chart, y, color('--soft'));
    parts.push(...legend.parts);
    y = legend.y;
  }
  const height = Math.ceil(y + 14);
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="system-ui, sans-serif">` +
    `<rect width="100%" height="100%" fill="${color('--paper')}"/>${parts.join('')}</svg>`;
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  const scale = 2;
  canvas.width = width * scale;
  canvas.height = height * scale;
  const context = canvas.getContext('2d');
  if (!context) throw new Error('no canvas');
  context.scale(scale, scale);
  context.drawImage(image, 0, 0);
  return new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture'))), 'image/png'));
}
