/** Makes outlined text findable, copyable and readable aloud. Most readers ignore the shorter `ActualText`. */

interface TextLayer {
  readonly codes: Map<string, number>;
  readonly fonts: Reference[];
}
interface Reference {
  readonly data: object;
  end(): void;
}
const layers = new WeakMap<PDFKit.PDFDocument, TextLayer>();

const CODES_OF_A_FONT = 256;
const WIDTH = 0.5;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
const hex = (number: number, digits: number): string => number.toString(16).padStart(digits, '0');
const utf16 = (text: string): string =>
  Array.from({ length: text.length }, (_, at) => hex(text.charCodeAt(at), 4)).join('');

export interface Drawn {
  readonly text: string;
  readonly leftwards: boolean;
  readonly x: number;
  readonly baseline: number;
  readonly width: number;
  readonly size: number;
}

export const writeInvisibly = (pdf: PDFKit.PDFDocument, drawn: Drawn): void => {
  const layer: TextLayer = layers.get(pdf) ?? { codes: new Map(), fonts: [] };
  layers.set(pdf, layer);
  const clusters = Array.from(graphemes.segment(drawn.text), ({ segment }) => segment);
  const width = drawn.width / clusters.length;
  const written = (drawn.leftwards ? clusters.reverse() : clusters).map((cluster, index) => {
    const code = layer.codes.get(cluster) ?? layer.codes.size;
    layer.codes.set(cluster, code);
    const font = Math.floor(code / CODES_OF_A_FONT);
    layer.fonts[font] ??= pdf.ref({}) as unknown as Reference;
    pdf.page.fonts[`T${font}`] = layer.fonts[font];
    const matrix = [width / WIDTH, 0, 0, -drawn.size, drawn.x + index * width, drawn.baseline];
    return `/T${font} 1 Tf ${matrix.map((number) => number.toFixed(3)).join(' ')} Tm <${hex(code % CODES_OF_A_FONT, 2)}> Tj`;
  });
  pdf.addContent(`BT 3 Tr\n${written.join('\n')}\n0 Tr ET`);
};

/** Call after the last page. */
export const endTextLayer = (pdf: PDFKit.PDFDocument): void => {
  const layer = layers.get(pdf);
  if (!layer) return;
  const clusters = [...layer.codes.keys()];
  for (const font of layer.fonts) {
    const its = clusters.splice(0, CODES_OF_A_FONT);
    const outline = pdf.ref({});
    outline.end(Buffer.from(`${WIDTH * 1_000} 0 d0`));
    const meanings = pdf.ref({});
    meanings.end(
      Buffer.from(`/CIDInit /ProcSet findresource begin 12 dict begin begincmap
/CMapName /Adobe-Identity-UCS def /CMapType 2 def
1 begincodespacerange <00> <ff> endcodespacerange
1 beginbfrange <00> <${hex(its.length - 1, 2)}> [${its.map((cluster) => `<${utf16(cluster)}>`).join(' ')}] endbfrange
endcmap CMapName currentdict /CMap defineresource pop end end`),
    );
    Object.assign(font.data, {
      Type: 'Font',
      Subtype: 'Type3',
      FontBBox: [0, 0, 0, 0],
      FontMatrix: [0.001, 0, 0, 0.001, 0, 0],
      CharProcs: { a: outline },
      Encoding: { Type: 'Encoding', Differences: [0, ...its.map(() => 'a')] },
      FirstChar: 0,
      LastChar: its.length - 1,
      Widths: its.map(() => WIDTH * 1_000),
      Resources: {},
      ToUnicode: meanings,
    });
    font.end();
  }
};
