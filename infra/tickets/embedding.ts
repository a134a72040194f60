/** pdfkit builds a font subset per document: build those with the common characters once per thread. */
import type { Font } from 'fontkit';
import { type Face, faces, fontOf } from './fonts.ts';

const COMMON =
  'ABCDEFGHIJKLMNOPQRSTUVWXYZ abcdefghijklmnopqrstuvwxyz 0123456789 . , : ; ! ? & ( ) - – ’ ‘ “ ” / £ … é';

interface Embedded {
  encode(text: string): unknown;
  layoutCache: object;
}

interface Ready {
  readonly font: Font;
  layouts: object;
}

const KEPT_FOR = 500;
let documents = 0;
const ready = new Map<Face, Ready>();

const KEPT_SUBSETS = 50;

const prepare = (font: Font): Ready => {
  const kept = new Map<string, Uint8Array>();
  const createSubset = () => {
    const subset = font.createSubset();
    const encode = subset.encode.bind(subset);
    subset.encode = () => {
      const glyphs = subset.glyphs.join();
      const bytes = kept.get(glyphs) ?? encode();
      if (kept.size >= KEPT_SUBSETS) kept.clear();
      kept.set(glyphs, bytes);
      return bytes;
    };
    return subset;
  };
  return { font: Object.create(font, { createSubset: { value: createSubset } }), layouts: {} };
};

/** Call before writing anything. */
export const useFaces = (pdf: PDFKit.PDFDocument): void => {
  const renew = documents++ % KEPT_FOR === 0;
  for (const face of faces) {
    const known = ready.get(face) ?? prepare(fontOf(face));
    ready.set(face, known);
    if (renew) known.layouts = Object.create(null);
    pdf.registerFont(face, known.font as never).font(face);
    const { _font: embedded } = pdf as unknown as { readonly _font: Embedded };
    embedded.layoutCache = known.layouts;
    embedded.encode(COMMON);
  }
};
