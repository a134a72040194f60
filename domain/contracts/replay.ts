import * as z from 'zod/mini';
import { logEntry, stateChange } from './audit.ts';
import { call } from './call.ts';
import { countText, LONGEST, money, text } from './fields.ts';

/** The past played again, for superusers. Personal values are masked, as in the log. */

/** As many steps as a timeline has. */
export const MOST_STEPS = 500;

const steps = /^\d{1,5}:\d{1,3}(,\d{1,5}:\d{1,3}){0,9}$/;

/** A refund policy as text, most hours first: `168:100,24:80`. Parsed into its steps. */
const policyText = z.pipe(
  z
    .string('Required')
    .check(z.regex(steps, 'Write hours and percent, most hours first: 168:100,24:80'))
    .check(
      z.refine((value) => {
        const parts = value.split(',').map((step) => step.split(':').map(Number));
        return parts.every(([hours = 0, percent = 0], index) => {
          const [before = Number.POSITIVE_INFINITY] = parts[index - 1] ?? [];
          return percent <= 100 && hours < before;
        });
      }, 'Hours have to fall from step to step, and percent are at most 100'),
    ),
  z.transform((value) =>
    value.split(',').map((step) => {
      const [hours = 0, percent = 0] = step.split(':').map(Number);
      return { hours, percent };
    }),
  ),
);

/** What a cancellation paid back, and what it would have paid under another rule. */
export const whatIfCase = z.object({
  bookingId: z.int(),
  reference: z.string(),
  /** From the cancellation to the start. */
  hours: z.int(),
  paid: money(),
  was: money(),
  would: money(),
});

export const whatIf = z.object({
  /** Cancellations that the rule decided. */
  cancellations: z.int(),
  /** Those of them that would have ended otherwise. */
  differing: z.int(),
  was: money(),
  would: money(),
  /** The greatest differences, at most 50. */
  cases: z.array(whatIfCase),
});
export type WhatIf = z.infer<typeof whatIf>;

export const replayCalls = {
  /**
   * The events of a stream in their order, at most `MOST_STEPS` from revision `from` on. With `story`, those of a booking in all
   * streams: its checkout, its tickets, its payment, refund and admission.
   */
  steps: call('GET /api/replay/steps', {
    query: z.object({
      stream: text(LONGEST.title, 'Which stream?'),
      from: z.optional(countText(0, 999_999_999)),
      story: z.optional(z.literal('true')),
    }),
    answer: z.array(logEntry),
    capability: 'replay',
    limit: 'history',
  }),
  /** The states of a stream right before and right after one of its events; null where nobody decides on it, or it is too long to fold. */
  states: call('GET /api/replay/states', {
    query: z.object({ stream: text(LONGEST.title, 'Which stream?'), revision: countText(0, 999_999_999) }),
    answer: z.object({
      before: z.nullable(z.unknown()),
      after: z.nullable(z.unknown()),
      changes: z.array(stateChange),
    }),
    capability: 'replay',
  }),
  /** What all cancellations so far would have paid back under another refund policy. Changes nothing. */
  whatIf: call('GET /api/replay/what-if', {
    query: z.object({ policy: policyText }),
    answer: whatIf,
    capability: 'replay',
    limit: 'export',
  }),
};
