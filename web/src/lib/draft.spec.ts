import { beforeEach, expect, it } from 'vitest';
import { forgetDraft, keepDraft, keepUnanswered, keptDraft, keptUnanswered } from './draft.ts';

const blank = { title: 'Jazz', tags: ['late'], revision: 4 };
beforeEach(() => ['sue event 7', 'ann event 7'].forEach(forgetDraft));

it('a draft has the typed text, under its name alone', () => {
  keepDraft('sue event 7', { title: 'Jazz, late', tags: ['late'], revision: 4 });
  expect(keptDraft('sue event 7', blank)).toEqual({ ...blank, title: 'Jazz, late' });
  expect(keptDraft('ann event 7', blank)).toBe(blank);
});

it('a draft is empty if nothing differs, because it was undone or saved meanwhile', () => {
  keepDraft('sue event 7', { title: 'Jazz', tags: ['late'], revision: 3 });
  expect(keptDraft('sue event 7', blank)).toBe(blank);
});

it('a draft keeps the revision that it was typed on, so that another user’s edit is noticed', () => {
  keepDraft('sue event 7', { title: 'Jazz', tags: ['late', 'loud'], revision: 3 });
  expect(keptDraft('sue event 7', blank)).toEqual({ ...blank, tags: ['late', 'loud'], revision: 3 });
});

it('a draft ignores values of another type', () => {
  keepDraft('sue event 7', { title: 7, revision: '4' });
  expect(keptDraft('sue event 7', blank)).toBe(blank);
});

it('a draft keeps a change sent without an answer, until it is dropped', () => {
  const sent = { sent: '{}', key: 'k' };
  keepDraft('sue event 7', { title: 'Jazz, late' });
  keepUnanswered('sue event 7', sent);
  keepDraft('sue event 7', { title: 'Jazz, later' });
  expect(keptUnanswered('sue event 7')).toEqual(sent);
  expect(keptUnanswered('ann event 7')).toBeUndefined();
  forgetDraft('ann event 7');
  expect(keptDraft('sue event 7', blank).title).toBe('Jazz, later');
  forgetDraft('sue event 7');
  expect(keptUnanswered('sue event 7')).toBeUndefined();
  expect(keptDraft('sue event 7', blank)).toBe(blank);
});
