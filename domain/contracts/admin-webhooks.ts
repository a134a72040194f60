import * as z from 'zod/mini';
import { HOOK_TYPES } from '#domain/webhook/events.ts';
import { call } from './call.ts';
import { listQuery, said } from './envelope.ts';
import { blankable, idParams, idText, LONGEST, since, webAddress } from './fields.ts';

export const webhookRequest = z.strictObject({
  /** In production `https` and no internal address. */
  url: webAddress('Please enter the address', 'Must be an https address'),
  description: z._default(z.optional(blankable(LONGEST.title)), ''),
  types: z
    .array(z.enum(HOOK_TYPES))
    .check(z.minLength(1, 'Please choose at least one'), z.maxLength(HOOK_TYPES.length, 'Each one once')),
  isActive: z._default(z.optional(z.boolean()), true),
});
export type WebhookRequest = z.output<typeof webhookRequest>;
export const editWebhookRequest = z.extend(webhookRequest, since());

export const savedWebhook = z.object({
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
export type SavedWebhook = z.infer<typeof savedWebhook>;

const deliveryStatus = z.enum(['waiting', 'sent', 'failed']);

export const adminWebhook = z.extend(savedWebhook, {
  waiting: z.int(),
  lastTriedAt: z.nullable(z.string()),
  lastStatus: z.nullable(deliveryStatus),
});
export type AdminWebhook = z.infer<typeof adminWebhook>;

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

export const adminWebhookCalls = {
  list: call('GET /api/admin/webhooks', {
    query: listQuery(['url', 'updated'], {}),
    answer: z.array(adminWebhook),
    ...administer,
  }),
  /** The only answer with the secret. */
  create: call('POST /api/admin/webhooks', {
    body: webhookRequest,
    answer: z.extend(savedWebhook, secret),
    status: [201],
    idempotent: true,
    ...changing,
  }),
  /** `isActive` restarts a webhook disabled by the site. */
  edit: call('PUT /api/admin/webhooks/{id}', {
    params: idParams(),
    body: editWebhookRequest,
    answer: savedWebhook,
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
