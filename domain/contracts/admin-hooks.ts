import * as z from 'zod/mini';
import { HOOK_TYPES } from '#domain/hook/events.ts';
import { call } from './call.ts';
import { listQuery, said } from './envelope.ts';
import { blankable, idParams, idText, LONGEST, since, webAddress } from './fields.ts';

export const hookRequest = z.strictObject({
  /** In production `https` and no internal address. */
  url: webAddress('Please enter the address', 'Must be an https address'),
  description: z._default(z.optional(blankable(LONGEST.title)), ''),
  types: z
    .array(z.enum(HOOK_TYPES))
    .check(z.minLength(1, 'Please choose at least one'), z.maxLength(HOOK_TYPES.length, 'Each one once')),
  isActive: z._default(z.optional(z.boolean()), true),
});
export type HookRequest = z.output<typeof hookRequest>;
export const editHookRequest = z.extend(hookRequest, since());

export const savedHook = z.object({
  id: z.int(),
  url: z.string(),
  description: z.string(),
  types: z.array(z.enum(HOOK_TYPES)),
  isActive: z.boolean(),
  /** `gone`: the endpoint answered so; `failing`: no success for days. */
  stopped: z.nullable(z.enum(['gone', 'failing'])),
  updatedAt: z.string(),
  revision: z.string(),
});
export type SavedHook = z.infer<typeof savedHook>;

const deliveryStatus = z.enum(['waiting', 'sent', 'failed']);

export const adminHook = z.extend(savedHook, {
  waiting: z.int(),
  lastTriedAt: z.nullable(z.string()),
  lastStatus: z.nullable(deliveryStatus),
});
export type AdminHook = z.infer<typeof adminHook>;

export const delivery = z.object({
  id: z.int(),
  /** `webhook-id`, the same in every attempt and resend. */
  messageId: z.string(),
  type: z.string(),
  status: deliveryStatus,
  createdAt: z.string(),
  dueAt: z.nullable(z.string()),
  body: z.string(),
  attempts: z.array(
    z.object({
      at: z.string(),
      status: z.nullable(z.int()),
      milliseconds: z.int(),
      answer: z.string(),
    }),
  ),
});
export type Delivery = z.infer<typeof delivery>;

const secret = { secret: z.string() };
const administer = { capability: 'administer' } as const;
const changing = { ...administer, limit: 'administration' } as const;

export const adminHookCalls = {
  list: call('GET /api/admin/webhooks', {
    query: listQuery(['url', 'updated'], {}),
    answer: z.array(adminHook),
    ...administer,
  }),
  /** The only answer with the secret. */
  create: call('POST /api/admin/webhooks', {
    body: hookRequest,
    answer: z.extend(savedHook, secret),
    status: [201],
    idempotent: true,
    ...changing,
  }),
  /** `isActive` restarts a webhook disabled by the site. */
  edit: call('PUT /api/admin/webhooks/{id}', {
    params: idParams(),
    body: editHookRequest,
    answer: savedHook,
    ...changing,
  }),
  remove: call('DELETE /api/admin/webhooks/{id}', { params: idParams(), answer: said(), ...changing }),
  /** The former secret signs too until `formerUntil`. */
  renewSecret: call('POST /api/admin/webhooks/{id}/secret', {
    params: idParams(),
    answer: z.object({ ...secret, formerUntil: z.string() }),
    idempotent: true,
    ...changing,
  }),
  test: call('POST /api/admin/webhooks/{id}/test', { params: idParams(), answer: said(), ...changing }),
  /** Newest first. Finished deliveries are kept for 30 days. */
  deliveries: call('GET /api/admin/webhooks/deliveries', {
    query: listQuery(['id'], { hook: idText(), status: z.optional(deliveryStatus) }),
    answer: z.array(delivery),
    ...administer,
  }),
  sendAgain: call('POST /api/admin/webhooks/deliveries/{id}/send', {
    params: idParams(),
    answer: said(),
    ...changing,
  }),
};
