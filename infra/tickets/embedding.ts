/**
 * Puts the faces into a document. pdfkit embeds of each font the glyphs that a document uses, and makes that subset anew each time. Most
 * tickets need no more than the common characters: these are in each subset from the start, so that it is made once in a thread.
 */
import type { Font } from 'fontkit';
import { type Face, faces, fontOf } from './fonts.ts';

const COMMON =
  'ABCDEFGHIJKLMNOPQRSTUVWXYZ abcdefghijklmnopqrstuvwxyz 0123456789 . , : ; ! ? & ( ) - – ’ ‘ “ ” / £ … é';

/** What of pdfkit's own font is used here. */
interface Embedded {
  /** Takes the glyphs of a text into the subset. */
  encode(text: string): unknown;
  /** The glyphs of each word so far. */
  layoutCache: object;
}

interface Ready {
  /** The font as pdfkit takes it. */
  readonly font: Font;
  layouts: object;
}

/** The words of so many documents stay laid out. */
const KEPT_FOR = 500;
let documents = 0;
const ready = new Map<Face, Ready>();

/** So many subsets of each face are kept: names have accents now and then. */
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

/** Lets a document use the faces. Call it before anything is written. */
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
