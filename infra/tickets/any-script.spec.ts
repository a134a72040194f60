import { describe, expect, it } from 'vitest';
import { breakLines, setLine, undrawable } from './any-script.ts';
import { fontOf, suffices } from './fonts.ts';

const SIZE = 11.5;
const outlinesOf = (text: string): string[] =>
  setLine('strong', text).flatMap(({ glyphs }) => glyphs.map(({ outline }) => outline));
/** What fonts draw in place of a character that they lack. */
const boxes = new Set(['', fontOf('strong').layout('\u{10ffff}').glyphs[0]?.path.toSVG()]);

describe('text in any script', () => {
  it.each([
    '张伟',
    '東京カフェ',
    '서울',
    'مقهى الفن',
    'שלום',
    'दिवाली',
    'দুর্গা',
    'ਪੰਜਾਬ',
    'ગુજરાત',
    'தமிழ்',
    'สวัสดี',
    'Ἀθῆναι',
    'Лондон',
    '🎉',
    '👩‍🎤',
    '👩‍👩‍👧',
    '𠮷野家',
    'ខ្មែរ',
    'ລາວ',
    'བོད',
    'မြန်မာ',
    '﷽',
    'q\u1dc4 ก\u0308',
    '🇬🇧',
  ])('draws every character of %s', (text) => {
    expect(breakLines('strong', text, SIZE, 400, 1)).toEqual([text.normalize('NFC')]);
    const drawn = setLine('strong', text).flatMap(({ glyphs }) => glyphs.filter(({ outline }) => outline));
    expect(drawn.length).toBeGreaterThan(0);
    for (const { outline } of drawn) expect(boxes).not.toContain(outline);
  });

  it('runs from right to left if its script does, with left-to-right words in their own order', () => {
    expect(outlinesOf('אב')).toEqual([...outlinesOf('ב'), ...outlinesOf('א')]);
    expect(
      setLine('strong', 'Live: שלום 12 עולם!')
        .map(({ text }) => text.trim())
        .filter(Boolean),
    ).toEqual(expect.arrayContaining(['Live:', 'עולם', '12', 'שלום']));
    const order = setLine('strong', 'Live: שלום 12 עולם')
      .map(({ text }) => text.trim())
      .filter(Boolean);
    expect(order).toEqual(['Live:', 'עולם', '12', 'שלום']);
  });

  it('joins the letters of Arabic and forms the signs of Devanagari', () => {
    expect(outlinesOf('مقهى')).not.toEqual([...'مقهى'].reverse().flatMap(outlinesOf));
    // The sign of the short i is written after its consonant, and stands before it.
    const [first] = outlinesOf('दि');
    expect(first).not.toBe(outlinesOf('द')[0]);
  });

  it('places the signs of Khmer and Burmese that belong before their consonant', () => {
    expect(outlinesOf('ខេ')[0]).toBe(outlinesOf('េ').find((outline) => outlinesOf('ខេ').includes(outline)));
    expect(outlinesOf('ခေ').at(-1)).toBe(outlinesOf('ခ')[0]);
  });

  it('uses plain letters for styled ones that no font has', () => {
    expect(breakLines('strong', '𝗦𝘂𝗺𝗺𝗲𝗿 ℌ', SIZE, 400, 1)).toEqual(['Summer H']);
  });

  it('has a box for each character that no font has, and keeps its text', () => {
    const [box] = outlinesOf('□');
    for (const missing of ['𐀀', '\ue000', '\ufffd']) {
      expect(outlinesOf(missing)).toEqual([box]);
      expect(breakLines('strong', `Anna ${missing} Lee`, SIZE, 400, 1)).toEqual([`Anna ${missing} Lee`]);
      expect(setLine('strong', `Anna ${missing} Lee`).map(({ text }) => text)).toEqual([
        `Anna ${missing} Lee`,
      ]);
      expect(undrawable(`Anna ${missing} Lee${missing}`)).toEqual([missing]);
    }
    expect(breakLines('strong', 'A\ud800B', SIZE, 400, 1)).toEqual(['A\ufffdB']);
    expect(undrawable('Łódź 𝗦𝘂𝗺𝗺𝗲𝗿 张伟 မြန်မာ 👩‍👩‍👧 ⅷ ก\u0308')).toEqual([]);
  });

  it('has no glyph for invisible characters', () => {
    expect(breakLines('strong', 'a\u202eb', SIZE, 400, 1)).toEqual(['ab']);
    expect(breakLines('strong', '\u200d\u0007', SIZE, 400, 1)).toEqual([]);
    // In Inter, which has no glyph for it.
    expect(outlinesOf('b\u200dc').filter(Boolean)).toEqual([...outlinesOf('b'), ...outlinesOf('c')]);
  });

  it('breaks lines between words, in scripts without spaces too, and ends with an ellipsis', () => {
    const long = '中秋节的月亮照在伦敦的桥上';
    const lines = breakLines('strong', long, SIZE, 80, 9);
    expect(lines.join('')).toBe(long);
    expect(lines.length).toBeGreaterThan(1);
    const cut = breakLines('strong', long, SIZE, 80, 1);
    expect(cut).toHaveLength(1);
    expect(cut[0]).toMatch(/^中.*…$/);
    expect(breakLines('strong', 'الفن في المدينة', SIZE, 50, 9).join(' ')).toBe('الفن في المدينة');
  });

  it('uses only the page’s own fonts if they have every character', () => {
    for (const text of ['Łucja Wójcik', 'Brontë’s – “Night”', 'Zoë & Žofie, 12½'])
      expect(suffices('strong', text)).toBe(true);
    expect(suffices('display', 'Łódź')).toBe(true);
    for (const text of ['张伟', '🎉', '☺\ufe0f']) expect(suffices('strong', text)).toBe(false);
  });
});
