import { breakLines, piecesOf, setLine } from '#infra/tickets/any-script.ts';
import { fontOf, suffices } from '#infra/tickets/fonts.ts';

const FACE = 'display';
const CLOSER = 0.025;
const HEAVIER = 0.012;

const LEFT = 116;
const WIDTH = 1600 - 2 * LEFT;

type Kind = 'title' | 'note';

const runsOf = (kind: Kind, text: string) =>
  setLine(FACE, text).map(({ font, glyphs, width, bolder }) => {
    const step = kind === 'title' && font === fontOf(FACE) ? CLOSER * font.unitsPerEm : 0;
    const stroke = bolder + (kind === 'title' ? HEAVIER * font.unitsPerEm : 0);
    return { font, glyphs, step, stroke, width: (width - step * glyphs.length) / font.unitsPerEm };
  });
const widthOf = (kind: Kind, text: string): number =>
  runsOf(kind, text).reduce((sum, { width }) => sum + width, 0);

const RIGHT_TO_LEFT = /^\P{L}*[\p{Script=Arabic}\p{Script=Hebrew}]/u;

const drawLine = (kind: Kind, text: string, size: number, baseline: number, ink: string): string => {
  let x = RIGHT_TO_LEFT.test(text) ? LEFT + WIDTH - widthOf(kind, text) * size : LEFT;
  const groups = runsOf(kind, text).map(({ font, glyphs, step, stroke, width }) => {
    const scale = (size / font.unitsPerEm).toFixed(5);
    const letters = glyphs.map(
      ({ outline, ...at }, index) =>
        `<path transform="translate(${Math.round(at.x - index * step)} ${at.y})" d="${outline}"/>`,
    );
    const place = `translate(${x.toFixed(1)} ${baseline.toFixed(1)}) scale(${scale} -${scale})`;
    x += width * size;
    return `<g transform="${place}" fill="${ink}" stroke="${ink}" stroke-width="${Math.round(stroke)}">${letters.join('')}</g>`;
  });
  return groups.join('');
};

const LARGEST = 204;
const LARGEST_OTHER = 152;
const SMALLEST = 72;
const LEADING = 0.96;
const MOST_HEIGHT = 480;

export const fitTitle = (title: string): { readonly lines: readonly string[]; readonly size: number } => {
  const pieces = piecesOf(FACE, title).map((text) => ({ text, width: widthOf('title', text.trimEnd()) }));
  const space = widthOf('title', ' ');
  const wrap = (room: number): string[] | undefined => {
    const lines: string[] = [];
    let used = room;
    for (const { text, width } of pieces) {
      if (width > room) return undefined;
      if (used + width > room) {
        lines.push('');
        used = 0;
      }
      lines[lines.length - 1] += text;
      used += width + (text.endsWith(' ') ? space : 0);
    }
    return lines.map((line) => line.trimEnd());
  };
  for (let size = suffices(FACE, title) ? LARGEST : LARGEST_OTHER; size >= SMALLEST; size -= 4) {
    const room = WIDTH / size;
    let lines = wrap(room);
    if (!lines || lines.length * LEADING * size > MOST_HEIGHT) continue;
    for (let narrower = room - room / 40; ; narrower -= room / 40) {
      const balanced = narrower > 0 ? wrap(narrower) : undefined;
      if (!balanced || balanced.length > lines.length) return { lines, size };
      lines = balanced;
    }
  }
  const most = Math.floor(MOST_HEIGHT / LEADING / SMALLEST);
  return { lines: breakLines(FACE, title, SMALLEST, WIDTH, most), size: SMALLEST };
};

export const drawTitle = (title: string, baseline: number, ink: string) => {
  const { lines, size } = fitTitle(title);
  const lineAt = (index: number) => baseline - (lines.length - 1 - index) * LEADING * size;
  const drawn = lines.map((line, index) => drawLine('title', line, size, lineAt(index), ink));
  return { top: lineAt(0) - size, drawn: drawn.join('') };
};

export const drawNote = (text: string, size: number, baseline: number, ink: string): string => {
  const fitting = Math.max(size * 0.75, Math.min(size, WIDTH / widthOf('note', text)));
  const [line = ''] = breakLines(FACE, text, fitting, WIDTH, 1);
  return drawLine('note', line, fitting, baseline, ink);
};
