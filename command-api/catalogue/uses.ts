import { setTimeout as pause } from 'node:timers/promises';
import type { ActingLane } from '#command-api/lane/lane.ts';
import { reject } from '#domain/kernel/decider.ts';
import { Refusal, refusalOf } from '#domain/kernel/refusal.ts';
import type { Use } from '#domain/place/state.ts';
import type { Position } from '#infra/event-log/event-log.ts';
import type { Database } from '#infra/postgres/database.ts';
import { LIVE } from '#infra/read-models/read-models.ts';

/** A setting may hold the whole address of a picture, and so may a listing of earlier days. */
const pathIn = (column: string): string => `regexp_replace(${column}, '^https?://[^/]+', '')`;

/** What keeps a city, a venue, category or image from being deleted: its venues, or the listings there, in it or with it, past ones too, and the settings and documents that name it. `move`: what keeps a venue from moving to a city. */
const USES = {
  city: `select id, name from ${LIVE}.venue where city_id = $1 and not archived order by name`,
  venue: `select id, title as name from ${LIVE}.listing where venue_id = $1 and not archived order by title`,
  move: `select id, title as name from ${LIVE}.listing
    where venue_id = $1 and city_id <> $2 and not archived order by title`,
  category: `select id, title as name from ${LIVE}.listing where category = $1 and not archived order by title`,
  image: `select id, title as name, 'event' as kind from ${LIVE}.listing where ${pathIn('image_url')} = $1 and not archived
    union all select 0, 'the ' || replace(regexp_replace(key, '^site_|_url$', '', 'g'), '_', ' '), 'setting' from ${LIVE}.setting where ${pathIn('value')} = $1
    union all select 0, coalesce(state ->> 'name', id), aggregate from ${LIVE}.document where images ? $1 order by name`,
};

/** Something that may be in use: a city or a venue by its id, a category by its slug, an image by its path, a venue's move by its id and its new city's. */
export type Used = readonly [kind: keyof typeof USES, ...key: (number | string)[]];

/** Asks a read model what uses something. */
export const usesOf = async (
  { pool }: Pick<Database, 'pool'>,
  [kind, ...key]: Used,
): Promise<readonly Use[]> => {
  const { rows } = await pool.query<Omit<Use, 'kind'> & Partial<Use>>(USES[kind], key);
  return rows.map((row): Use => ({ kind: kind === 'city' ? 'venue' : 'event', ...row }));
};

/** How many milliseconds the read models may need to show what was just written. */
const PATIENCE = 5_000;
const ASK_EVERY = 10;

/** Waits until the read models have reached a position. @throws Refusal UNAVAILABLE */
export const caughtUp = async ({ pool }: Database, position: Position): Promise<void> => {
  const deadline = Date.now() + PATIENCE;
  for (;;) {
    const { rowCount } = await pool.query(`select from ${LIVE}.checkpoint where position >= $1`, [position]);
    if (rowCount) return;
    if (Date.now() > deadline) throw new Refusal('UNAVAILABLE', {}, { retryAfter: 5 });
    await pause(ASK_EVERY);
  }
};

/**
 * Makes a change to what nothing uses: takes a city, a venue or a category off the lists, or a venue to another city. Somebody may begin to
 * use it between the read model's answer and the event. So the read model is asked again once the event stands, as whoever begins to use it
 * looks again how it is: each writes first and looks then, and at least one of the two sees the other and restores it.
 * @throws Refusal IN_USE, and its message names what uses it; UNAVAILABLE while the read models are behind
 */
export const changeUnused = async (
  database: Database,
  used: Used,
  acting: ActingLane,
  { change, restore }: { change(usedBy: readonly Use[]): Promise<unknown>; restore(): Promise<unknown> },
): Promise<void> => {
  await change(await usesOf(database, used));
  try {
    await caughtUp(database, acting.position);
    const usedBy = await usesOf(database, used);
    if (usedBy.length > 0) throw refusalOf(reject('IN_USE', { usedBy }));
  } catch (error) {
    await restore();
    throw error;
  }
};
