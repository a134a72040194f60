import * as z from 'zod/mini';
import { call } from './call.ts';

/** What a site needs before it sells, in the order in which it is set up. */
export const SETUP_STEPS = [
  'categories',
  'city',
  'venue',
  'logo',
  'payments',
  'mail',
  'scanner',
  'event',
] as const;
export type SetupStep = (typeof SETUP_STEPS)[number];

/** A step of the setup, and whether it is done or ready. */
export const setupStep = z.object({
  name: z.enum(SETUP_STEPS),
  ready: z.boolean(),
  /** What there is, or what is missing. */
  detail: z.string(),
});

/** `GET /api/admin/setup`: whether the site is ready, step by step. */
export const setupCalls = {
  read: call('GET /api/admin/setup', { answer: z.array(setupStep), capability: 'administer' }),
};
