/** Where ids come from: integers that the API shows from sequences, everything else from randomness. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { Pool } from 'pg';

/** How many integers are fetched at a time. What is made by the thousand comes in blocks; the catalogue keeps small numbers. */
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
} as const;

/** What has integer ids. A refund's id is its booking's. */
export type IdName = keyof typeof BLOCKS;

/** Every name. */
export const ID_NAMES = Object.keys(BLOCKS) as readonly IdName[];

/** The sequence behind a name. */
export const sequenceOf = (name: IdName): string => `app.${name}_id`;

/** Makes what commands are given to name things by. */
export interface Ids {
  /** The next integer of a sequence, never given twice, not even across processes and restarts. There may be gaps. */
  next(name: IdName): Promise<number>;
  /** A random UUID: account ids, attempts, command and correlation ids. */
  uuid(): string;
  /** A booking's reference: `BK` and 8 characters without ambiguous ones (40 bits). */
  reference(): string;
}

/** Crockford's alphabet: no I, L, O, U. 32 characters, so 5 bits each. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** `BK` and 8 random characters. */
export const newReference = (): string => {
  let text = 'BK';
  for (const byte of randomBytes(8)) text += ALPHABET.charAt(byte & 31);
  return text;
};

/** Ids with sequences in PostgreSQL. */
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
        // Callers that find the block empty wait for the same one.
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
