import { describe, expect, it } from 'vitest';
import { wordsOf } from '#infra/read-models/search.ts';
import { namesOf, nearQuery } from './spelling.ts';

const NAMES = namesOf(
  wordsOf(
    'Coldplay Shakespeare Beethoven Manchester Adele Motörhead Ξυλούρης Кино Dvořák Jazz Night 1975 Rock n Roll and the',
  ),
);
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
  ])('suggests for %s the name %s', (search, name) => {
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
    ['a word of which a part is no name', 'jazznights metalnight'],
    ['a word that is names and a letter', 'thejazzn ntheroll'],
    ['words that are no name together', 'jazz night'],
    ['words that would be a short one', 'a nd th e'],
    ['words with which names begin', 'cold man'],
    ['more misspelt words than anybody types', 'coldpaly bethoven manchster shakespere'],
  ])('suggests nothing for %s', (_, search) => {
    expect(query(search)).toBeUndefined();
  });

  it('keeps its correct words and those that may be in a description', () => {
    expect(query('beethov manchster no 5 orchestra')).toBe(
      "('beethov':*) & ('manchster':* | '=manchester':*) & ('no':*) & ('5':*) & ('orchestra':*)",
    );
  });

  it('suggests the names with the fewest differences', () => {
    const names = namesOf(['manchester', 'winchester', 'lanchester']);
    expect(nearQuery('nanchester', names)).toBe("('nanchester':* | '=manchester':* | '=lanchester':*)");
  });

  it.each([
    ['cold play', "(('cold':*) & ('play':*) | '=coldplay':*)"],
    ['Man Chest jazz', "(('man':*) & ('chest':*) | '=manchest':*) & ('jazz':*)"],
    ['the cold play', "('the':*) & (('cold':*) & ('play':*) | '=coldplay':*)"],
    ['jazznight', "('jazznight':* | '=jazz' & '=night')"],
    ['coldplay1975', "('coldplay1975':* | '=coldplay' & '=1975')"],
    ['rocknroll', "('rocknroll':* | '=rock' & '=n' & '=roll')"],
    ['thenight bethoven', "('thenight':* | '=the' & '=night') & ('bethoven':* | '=beethoven':*)"],
  ])('with a missing or extra space is read as names: %s', (search, read) => {
    expect(query(search)).toBe(read);
  });

  it('suggests every pair of names that it may be', () => {
    const names = namesOf(['now', 'here', 'no', 'where']);
    expect(nearQuery('nowhere', names)).toBe("('nowhere':* | '=no' & '=where' | '=now' & '=here')");
  });

  it('never passes the query language through', () => {
    expect(query("coldpaly':* | 'a")).toBe("('coldpaly':* | '=coldplay':*) & ('a':*)");
  });
});
