import { describe, expect, it } from 'vitest';
import { searchQuery, searchWords } from './search.ts';

describe('search text', () => {
  it('folds accents, case, apostrophes and letters that have no accent to drop', () => {
    expect(searchWords('Łódź’s CAFÉ', 'Straße Ørsted')).toBe('lodzs cafe strasse orsted');
  });

  it('leaves out markup and repeats', () => {
    expect(searchWords('<p class="x">Jazz &amp; <b>jazz</b></p>')).toBe('jazz');
  });

  it('asks for every word as a prefix', () => {
    expect(searchQuery(' Jazz  Man ')).toBe("'jazz':* & 'man':*");
  });

  it('asks for nothing where the text is blank, and finds nothing by signs', () => {
    expect(searchQuery('  ')).toBeUndefined();
    expect(searchQuery(' & | ! ')).toBe('');
  });

  it('lets nothing of the query language through', () => {
    expect(searchQuery("a':* | b")).toBe("'a':* & 'b':*");
  });
});
