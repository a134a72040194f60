import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Clock } from '#infra/lib/clock.ts';
import { wordsOf } from '#infra/read-models/search.ts';
import type { ReadModels } from '#infra/read-models/tables.ts';
import { listed } from './listings.ts';
import { type Names, namesOf } from './spelling.ts';

/** Milliseconds, whatever has changed. */
const OLDEST = 30_000;
/** Some 5 ms. */
const AT_ONCE = 1_000;

const readNames = async (db: Kysely<ReadModels>, now: Date): Promise<Names> => {
  const rows = await listed(db, now)
    .clearSelect()
    .select(['l.title', 'l.tags', 'v.name as venue', 'c.name as city', 'k.name as category'])
    .execute();
  const names = new Set(
    rows.flatMap(({ title, tags, venue, city, category }) => [title, ...tags, venue, city, category ?? '']),
  );
  const whole = [...names];
  const words = new Set<string>();
  for (let at = 0; at < whole.length; at += AT_ONCE) {
    for (const word of wordsOf(whole.slice(at, at + AT_ONCE).join(' '))) words.add(word);
    await nextTurn();
  }
  return namesOf(words);
};

export const listedNames = (db: Kysely<ReadModels>, clock: Clock): (() => Promise<Names>) => {
  let kept: { readonly at: number; readonly names: Promise<Names> } | undefined;
  return () => {
    const now = clock();
    // Negative if the clock was set back.
    const age = now.getTime() - (kept?.at ?? 0);
    if (kept && age >= 0 && age < OLDEST) return kept.names;
    const reading = { at: now.getTime(), names: readNames(db, now) };
    kept = reading;
    reading.names.catch(() => {
      if (kept === reading) kept = undefined;
    });
    return reading.names;
  };
};
