import * as z from 'zod/mini';
import { logEntry, stateChange } from './audit.ts';
import { call } from './call.ts';
import { countText, LONGEST, money, text } from './fields.ts';

export const MOST_STEPS = 500;

const steps = /^\d{1,5}:\d{1,3}(,\d{1,5}:\d{1,3}){0,9}$/;

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

export const whatIfCase = z.object({
  bookingId: z.int(),
  reference: z.string(),
  hours: z.int(),
  paid: money(),
  was: money(),
  would: money(),
});

export const whatIf = z.object({
  cancellations: z.int(),
  differing: z.int(),
  was: money(),
  would: money(),
  cases: z.array(whatIfCase),
});
export type WhatIf = z.infer<typeof whatIf>;

export const replayCalls = {
  /** In order, at most `MOST_STEPS` from revision `from`. `story`: a booking's events in all streams. */
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
  /** Before and after an event; null without a decider, or if the stream is too long to fold. */
  states: call('GET /api/replay/states', {
    query: z.object({ stream: text(LONGEST.title, 'Which stream?'), revision: countText(0, 999_999_999) }),
    answer: z.object({
      before: z.nullable(z.unknown()),
      after: z.nullable(z.unknown()),
      changes: z.array(stateChange),
    }),
    capability: 'replay',
  }),
  whatIf: call('GET /api/replay/what-if', {
    query: z.object({ policy: policyText }),
    answer: whatIf,
    capability: 'replay',
    limit: 'export',
  }),
};
