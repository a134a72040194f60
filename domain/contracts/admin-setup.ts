import * as z from 'zod/mini';
import { call } from './call.ts';

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

export const setupStep = z.object({
  name: z.enum(SETUP_STEPS),
  ready: z.boolean(),
  detail: z.string(),
});

export const setupCalls = {
  read: call('GET /api/admin/setup', { answer: z.array(setupStep), capability: 'administer' }),
};
