import * as z from 'zod/mini';
import { call } from './call.ts';
import { amount, countText, idText, LARGEST_CAPACITY, money } from './fields.ts';

/** The past rehearsed in a sandbox, for superusers: what would have happened under other conditions. */

/** As many events of the log as a rehearsal takes, the first ones. */
export const MOST_REHEARSED = 30_000;
/** As many rehearsals go on at once in a process. */
export const MOST_REHEARSALS = 2;
/** The fastest pace. */
export const FASTEST = 20;
/** Holds may last so many minutes (`LONGEST_HOLD` of the inventory). */
export const LONGEST_HOLD_MINUTES = 60;

/** A minute, and how often something happened in it. */
const busiest = z.nullable(z.object({ at: z.string(), count: z.int() }));

/** How a sale went, in fact or rehearsed (`domain/rehearsal/sale-tally.ts`). */
export const saleFigures = z.object({
  capacity: z.int(),
  sold: z.int(),
  bookings: z.int(),
  takings: money(),
  paidBack: money(),
  soldOut: z.int(),
  otherwise: z.int(),
  lapsed: z.int(),
  mostHeld: z.int(),
  soldOutAt: z.nullable(z.string()),
  busiest,
  curve: z.array(z.int()),
});
export type SaleOutcome = z.infer<typeof saleFigures>;

/** How an evening at the door went, in fact or rehearsed (`domain/rehearsal/door-tally.ts`). */
export const doorFigures = z.object({
  scans: z.int(),
  admitted: z.int(),
  conflicts: z.int(),
  refused: z.record(z.string(), z.int()),
  busiest,
  gates: z.array(
    z.object({
      gate: z.nullable(z.string()),
      scans: z.int(),
      busiest,
      queue: z.nullable(z.object({ longest: z.int(), seconds: z.int() })),
    }),
  ),
  curve: z.array(z.int()),
});
export type DoorOutcome = z.infer<typeof doorFigures>;

const news = {
  /** Whether this is the last line. */
  done: z.boolean(),
  /** The moment in the sandbox; null before the first step. */
  at: z.nullable(z.string()),
  played: z.int(),
  of: z.int(),
  /** Whether only the first events were taken (`MOST_REHEARSED`); the figures of what was are then of these, too. */
  cut: z.boolean(),
  /** From the first to the last moment of the curves; null where nothing happened. */
  span: z.nullable(z.object({ from: z.string(), to: z.string() })),
};

/** A line of a sale's rehearsal: how far it is, what was in fact, and what is by now. */
export const saleNews = z.object({ ...news, was: saleFigures, would: saleFigures });
export type SaleNews = z.infer<typeof saleNews>;

/** A line of an evening's rehearsal. */
export const doorNews = z.object({ ...news, was: doorFigures, would: doorFigures });
export type DoorNews = z.infer<typeof doorNews>;

const asked = {
  listing: idText(),
  /** So many times as fast as in fact; missing: at once. No wait between two steps lasts longer than some seconds. */
  pace: z.optional(countText(1, FASTEST)),
};

/**
 * Both answer with lines of JSON while they go on, and end when the caller leaves. They read the log (one `LogRead` each) and change
 * nothing. 409 `CONFLICT` while `MOST_REHEARSALS` go on.
 */
export const rehearsalCalls = {
  /** A listing's sale, played again. What is left out stays as it was. Lines of `saleNews`. */
  sale: call('GET /api/replay/rehearsal/sale', {
    query: z.object({
      ...asked,
      capacity: z.optional(countText(1, LARGEST_CAPACITY)),
      /** Of one ticket. */
      price: z.optional(amount('Not an amount of money')),
      /** How long tickets are held, in minutes. */
      hold: z.optional(countText(1, LONGEST_HOLD_MINUTES)),
    }),
    answer: 'application/x-ndjson',
    capability: 'replay',
    limit: 'export',
  }),
  /** A listing's evening at the door, played again. Lines of `doorNews`. */
  door: call('GET /api/replay/rehearsal/door', {
    query: z.object({
      ...asked,
      /** All gates have a network all evening. */
      connected: z.optional(z.literal('true')),
      /** How long a scan takes, in seconds, for the queues. */
      takes: z.optional(countText(1, 120)),
    }),
    answer: 'application/x-ndjson',
    capability: 'replay',
    limit: 'export',
  }),
};
