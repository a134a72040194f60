import { setTimeout as pause } from 'node:timers/promises';
import type { ActingHandler } from '#command-api/commands/command-handler.ts';
import { reject } from '#domain/kernel/decider.ts';
import { Refusal, refusalOf } from '#domain/kernel/refusal.ts';
import type { Use } from '#domain/place/state.ts';
import type { Position } from '#infra/event-log/event-log.ts';
import type { Database } from '#infra/postgres/database.ts';
import { LIVE } from '#infra/read-models/read-models.ts';

/** Settings and old listings may hold absolute URLs. */
const pathIn = (column: string): string => `regexp_replace(${column}, '^https?://[^/]+', '')`;

/** What prevents a deletion, or (`move`) moving a venue to another city. Past listings count. */
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

export type Used = readonly [kind: keyof typeof USES, ...key: (number | string)[]];

export const usesOf = async (
  { pool }: Pick<Database, 'pool'>,
  [kind, ...key]: Used,
): Promise<readonly Use[]> => {
  const { rows } = await pool.query<Omit<Use, 'kind'> & Partial<Use>>(USES[kind], key);
  return rows.map((row): Use => ({ kind: kind === 'city' ? 'venue' : 'event', ...row }));
};

/** Milliseconds. */
const PATIENCE = 5_000;
const ASK_EVERY = 10;

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
 * A new use can race with this change. Both write first and read afterwards, so that one sees the other and
 * restores the thing.
 * @throws Refusal IN_USE, with the uses in the message; UNAVAILABLE while the read models are behind
 */
export const changeUnused = async (
  database: Database,
  used: Used,
  acting: ActingHandler,
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
