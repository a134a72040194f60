import * as z from 'zod/mini';
import { HOOK_TYPES } from '#domain/hook/events.ts';
import { call } from './call.ts';
import { listQuery, said } from './envelope.ts';
import { blankable, idParams, idText, LONGEST, since, webAddress } from './fields.ts';

/** `/api/admin/webhooks*`: organisers' systems that are told what happens, by Standard Webhooks. */

/** `POST /api/admin/webhooks` */
export const hookRequest = z.strictObject({
  /** In production `https`, and nowhere inside: see `command-api/hooks`. */
  url: webAddress('Please enter the address', 'Must be an https address'),
  description: z._default(z.optional(blankable(LONGEST.title)), ''),
  types: z
    .array(z.enum(HOOK_TYPES))
    .check(z.minLength(1, 'Please choose at least one'), z.maxLength(HOOK_TYPES.length, 'Each one once')),
  isActive: z._default(z.optional(z.boolean()), true),
});
export type HookRequest = z.output<typeof hookRequest>;
/** `PUT /api/admin/webhooks/{id}` */
export const editHookRequest = z.extend(hookRequest, since());

export const savedHook = z.object({
  id: z.int(),
  url: z.string(),
  description: z.string(),
  types: z.array(z.enum(HOOK_TYPES)),
  isActive: z.boolean(),
  /** Why the site stopped it by itself: it answered that it is gone, or no answer was good for days. */
  stopped: z.nullable(z.enum(['gone', 'failing'])),
  updatedAt: z.string(),
  revision: z.string(),
});
export type SavedHook = z.infer<typeof savedHook>;

const deliveryStatus = z.enum(['waiting', 'sent', 'failed']);

/** An item of `GET /api/admin/webhooks`. */
export const adminHook = z.extend(savedHook, {
  /** How many messages wait to be sent, and how the last one that was tried ended. */
  waiting: z.int(),
  lastTriedAt: z.nullable(z.string()),
  lastStatus: z.nullable(deliveryStatus),
});
export type AdminHook = z.infer<typeof adminHook>;

/** A message to a hook. */
export const delivery = z.object({
  id: z.int(),
  /** What it carries as `webhook-id`: the same in every try, and however often it is sent again. */
  messageId: z.string(),
  type: z.string(),
  status: deliveryStatus,
  createdAt: z.string(),
  /** When it is tried next; null if it is not. */
  dueAt: z.nullable(z.string()),
  body: z.string(),
  /** Its tries, the first one first. */
  attempts: z.array(
    z.object({
      at: z.string(),
      /** The answer's status; null where none came. */
      status: z.nullable(z.int()),
      milliseconds: z.int(),
      /** Why there was no answer, or how it began. */
      answer: z.string(),
    }),
  ),
});
export type Delivery = z.infer<typeof delivery>;

/** A secret as people see it once, and until when the former one is used beside it. */
const secret = { secret: z.string() };
const administer = { capability: 'administer' } as const;
const changing = { ...administer, limit: 'administration' } as const;

/** The calls of `/api/admin/webhooks`. */
export const adminHookCalls = {
  list: call('GET /api/admin/webhooks', {
    query: listQuery(['url', 'updated'], {}),
    answer: z.array(adminHook),
    ...administer,
  }),
  /** The secret is answered this once. */
  create: call('POST /api/admin/webhooks', {
    body: hookRequest,
    answer: z.extend(savedHook, secret),
    status: [201],
    idempotent: true,
    ...changing,
  }),
  /** One that the site stopped is started again by `isActive`. */
  edit: call('PUT /api/admin/webhooks/{id}', {
    params: idParams(),
    body: editHookRequest,
    answer: savedHook,
    ...changing,
  }),
  remove: call('DELETE /api/admin/webhooks/{id}', { params: idParams(), answer: said(), ...changing }),
  /** A new secret. The former one signs too until `formerUntil`, so that both sides can change one after the other. */
  renewSecret: call('POST /api/admin/webhooks/{id}/secret', {
    params: idParams(),
    answer: z.object({ ...secret, formerUntil: z.string() }),
    idempotent: true,
    ...changing,
  }),
  /** Sends a message of the type `test`, which is tried once. */
  test: call('POST /api/admin/webhooks/{id}/test', { params: idParams(), answer: said(), ...changing }),
  /** What was sent to it and what waits, the newest first. What is done is kept for 30 days. */
  deliveries: call('GET /api/admin/webhooks/deliveries', {
    query: listQuery(['id'], { hook: idText(), status: z.optional(deliveryStatus) }),
    answer: z.array(delivery),
    ...administer,
  }),
  /** Sends a message once more, whatever became of it. */
  sendAgain: call('POST /api/admin/webhooks/deliveries/{id}/send', {
    params: idParams(),
    answer: said(),
    ...changing,
  }),
};
