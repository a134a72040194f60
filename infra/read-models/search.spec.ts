import { describe, expect, it } from 'vitest';
import { searchQuery, searchWords } from './search.ts';

describe('search text', () => {
  it('folds accents, case, apostrophes and letters that have no accent to drop', () => {
    expect(searchWords('Łódź’s CAFÉ', 'Straße Ørsted')).toBe('lodzs cafe strasse orsted');
  });

  it('leaves out markup and repeats', () => {
    expect(searchWords('<p class="x">Jazz &amp; <b>jazz</b></p>')).toBe('jazz');
  });

  it('matches the beginning of every word', () => {
    expect(searchQuery(' Jazz  Man ')).toBe("'jazz':* & 'man':*");
  });

  it('needs at least one word: blank text lists everything, and signs alone find nothing', () => {
    expect(searchQuery('  ')).toBeUndefined();
    expect(searchQuery(' & | ! ')).toBe('');
  });

  it('never passes the query language through', () => {
    expect(searchQuery("a':* | b")).toBe("'a':* & 'b':*");
  });
});
