import { readFileSync } from 'node:fs';
import type { GlyphRun } from 'fontkit';
import { Blob, Buffer, Face, Font, shape } from 'harfbuzzjs';
import { burmeseFontFile } from './fonts.ts';

let opened: Font | undefined;

export const shapeBurmese = (text: string): Pick<GlyphRun, 'glyphs' | 'positions'> => {
  opened ??= new Font(new Face(new Blob(readFileSync(burmeseFontFile()))));
  const font = opened;
  const buffer = new Buffer();
  buffer.addText(text);
  buffer.guessSegmentProperties();
  shape(font, buffer);
  return {
    glyphs: buffer.getGlyphInfos().map(({ codepoint: id }) => ({
      id,
      path: { toSVG: () => font.glyphToPath(id) },
    })),
    positions: buffer.getGlyphPositions(),
  };
};
