import { describe, expect, it } from 'vitest';
import { wordsOf } from '#infra/read-models/search.ts';
import { nameWord, nearQuery } from './spelling.ts';

const NAMES = wordsOf(
  'Coldplay Shakespeare Beethoven Manchester Adele Motörhead Ξυλούρης Кино Dvořák Jazz 1975 and the',
).map(nameWord);
const query = (search: string) => nearQuery(search, NAMES);

describe('a misspelt search', () => {
  it.each([
    ['coldpaly', 'coldplay'],
    ['shakespere', 'shakespeare'],
    ['shakspere', 'shakespeare'],
    ['bethoven', 'beethoven'],
    ['beethovven', 'beethoven'],
    ['Manchster', 'manchester'],
    ['nanchester', 'manchester'],
    ['adlee', 'adele'],
    ['mötorhaed', 'motorhead'],
    ['Ξυλουρις', 'ξυλουρης'],
    ['Кини', 'кино'],
    ['dvorjak', 'dvorak'],
  ])('%s is near to %s', (search, name) => {
    const [word] = wordsOf(search);
    expect(query(search)).toBe(`('${word}':* | '=${name}':*)`);
  });

  it.each([
    ['another word', 'metallica'],
    ['a short word with two slips', 'adlel'],
    ['a word of three letters', 'jza'],
    ['a word that is near to a short one', 'andy then'],
    ['a number', '1957'],
    ['signs', '🎸🎸🎸🎸 & | !'],
    ['a blank text', ' '],
    ['a very long word', 'coldplay'.repeat(12)],
    ['words with which names begin', 'cold man'],
    ['more misspelt words than anybody types', 'coldpaly bethoven manchster shakespere'],
  ])('nothing is near to %s', (_, search) => {
    expect(query(search)).toBeUndefined();
  });

  it('keeps its right words, and those that may stand in a description', () => {
    expect(query('beethov manchster no 5 orchestra')).toBe(
      "('beethov':*) & ('manchster':* | '=manchester':*) & ('no':*) & ('5':*) & ('orchestra':*)",
    );
  });

  it('is read as the names with the fewest slips', () => {
    const names = ['manchester', 'winchester', 'lanchester'].map(nameWord);
    expect(nearQuery('nanchester', names)).toBe("('nanchester':* | '=manchester':* | '=lanchester':*)");
  });

  it('lets nothing of the query language through', () => {
    expect(query("coldpaly':* | 'a")).toBe("('coldpaly':* | '=coldplay':*) & ('a':*)");
  });
});
