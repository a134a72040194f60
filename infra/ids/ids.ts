import { hash, randomBytes, randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { type EventLog, START } from '#infra/event-log/event-log.ts';

const BLOCKS = {
  listing: 1,
  booking: 200,
  city: 1,
  venue: 1,
  category: 1,
  promotion: 1,
  template: 1,
  image: 1,
  support: 1,
  hook: 1,
} as const;

export type IdName = keyof typeof BLOCKS;

export const sequenceOf = (name: IdName): string => `app.${name}_id`;

export interface Ids {
  /** Never repeats, across processes and restarts. May leave gaps. */
  next(name: IdName): Promise<number>;
  uuid(): string;
  reference(): string;
}

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

export const newReference = (): string => {
  let text = 'BK';
  for (const byte of randomBytes(8)) text += ALPHABET.charAt(byte & 31);
  return text;
};

export const createIds = (pool: Pool): Ids => {
  const blocks = new Map<IdName, number[]>();
  const fetching = new Map<IdName, Promise<void>>();

  const fetchBlock = async (name: IdName, size: number): Promise<void> => {
    const { rows } = await pool.query<{ id: string | number }>(
      `SELECT nextval('${sequenceOf(name)}') AS id FROM generate_series(1, $1::int)`,
      [size],
    );
    const block = blocks.get(name) ?? [];
    blocks.set(name, block);
    for (const { id } of rows) block.push(Number(id));
  };

  return {
    async next(name) {
      for (;;) {
        const id = blocks.get(name)?.shift();
        if (id !== undefined) return id;
        const under =
          fetching.get(name) ?? fetchBlock(name, BLOCKS[name]).finally(() => fetching.delete(name));
        fetching.set(name, under);
        await under;
      }
    },
    uuid: randomUUID,
    reference: newReference,
  };
};

const NEW_IDS: Readonly<Record<string, { readonly name: IdName; readonly field: string }>> = {
  ListingCreated: { name: 'listing', field: 'listingId' },
  CheckoutOpened: { name: 'booking', field: 'bookingId' },
  CityAdded: { name: 'city', field: 'cityId' },
  VenueAdded: { name: 'venue', field: 'venueId' },
  CategoryAdded: { name: 'category', field: 'categoryId' },
  PromotionCreated: { name: 'promotion', field: 'promotionId' },
  ImageAdded: { name: 'image', field: 'imageId' },
  EmailTemplateAdded: { name: 'template', field: 'templateId' },
  HookAdded: { name: 'hook', field: 'hookId' },
  SupportMessageReceived: { name: 'support', field: 'supportId' },
};

const fieldOf = (data: string, field: string): number => {
  const value: unknown = (JSON.parse(data) as Record<string, unknown>)[field];
  return Number.isSafeInteger(value) ? Number(value) : 0;
};

/** A restored database may be older than the log. Must run at every start. */
export const liftSequences = async (pool: Pool, log: EventLog): Promise<void> => {
  const { rows } = await pool.query<{ position: string }>(
    'SELECT position FROM app.sequence_lift WHERE log_id = $1',
    [log.id],
  );
  const highest = new Map<IdName, number>();
  let position = rows[0]?.position ?? START;
  for await (const batch of log.readAll(position, {
    filter: { types: Object.keys(NEW_IDS) },
    pageSize: 5_000,
  })) {
    position = batch.position;
    for (const { type, data } of batch.events) {
      const kind = NEW_IDS[type];
      if (kind) highest.set(kind.name, Math.max(highest.get(kind.name) ?? 0, fieldOf(data, kind.field)));
    }
  }
  for (const [name, id] of highest) {
    const sequence = sequenceOf(name);
    // Not `setval`: other processes may take ids meanwhile, and a sequence must never go back.
    await pool.query(
      `SELECT count(nextval('${sequence}')) FROM generate_series(
         (SELECT last_value + is_called::int FROM ${sequence}), $1::bigint)`,
      [id],
    );
  }
  await pool.query(
    `INSERT INTO app.sequence_lift (log_id, position) VALUES ($1, $2)
     ON CONFLICT (log_id) DO UPDATE SET position = excluded.position`,
    [log.id, position],
  );
};

/** RFC 9562, version 5: 16 ASCII characters, so that it can be hashed as text with the name. */
const NAMESPACE = 'Reprise.Events..';

const VARIANT = '89ab';

export const uuidFrom = (name: string): string => {
  const hex = hash('sha1', NAMESPACE + name, 'hex');
  const variant = VARIANT[Number.parseInt(hex.charAt(16), 16) & 3];
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};
