import * as z from 'zod/mini';
import { type AuditEntity, auditEntities } from '#domain/aggregates.ts';
import { call } from './call.ts';
import { listQuery } from './envelope.ts';
import { money } from './fields.ts';

/** What superusers look at before they do anything: figures, what was done, and who the users are. */

/** A figure of this month, and of the same stretch of the month before: null if there was nothing. */
const compared = <Value extends z.ZodMiniType>(value: Value) =>
  z.object({ now: value, before: z.nullable(value) });

/** This month up to now beside as much of the month before, by London's clock. */
const monthComparison = z.object({
  /** The last day of the stretch before: `2026-10-24`. */
  by: z.string(),
  /** That stretch is the whole month, which has no day like today. */
  whole: z.boolean(),
  /** Those who joined. Deleted accounts are not counted. */
  joined: compared(z.int()),
  /** Those placed, cancelled ones too. */
  booked: compared(z.int()),
  /** What was paid for these bookings, whatever was paid back: older ones had more time to be cancelled. */
  taken: compared(money()),
});
export type MonthComparison = z.infer<typeof monthComparison>;

/** `GET /api/admin/stats` */
export const adminStats = z.object({
  /** Deleted accounts are not counted. */
  users: z.object({ total: z.int(), active: z.int() }),
  /** Archived events are not counted. */
  events: z.object({ total: z.int(), featured: z.int() }),
  bookings: z.object({
    /** All that were ever placed, cancelled ones too. */
    total: z.int(),
    /** What was paid, less what was paid back. */
    revenue: money(),
    /** Those placed since the first of the month, by London's clock. */
    thisMonth: z.int(),
    /** The last 30 days by London's clock, today last. */
    perDay: z.array(z.object({ date: z.string(), bookings: z.int(), revenue: money() })),
  }),
  /** Ours. A server of an older version, beside this one for a while, sends none. */
  month: z.optional(monthComparison),
});
export type AdminStats = z.infer<typeof adminStats>;

const entity = z.enum(Object.keys(auditEntities) as AuditEntity[]);

/** An item of `GET /api/admin/audit-logs`: one command of staff, or one that changed an account, whoever gave it. */
export const auditEntry = z.object({
  id: z.string(),
  /** The account that did it; null if it was a visitor, or the site itself. */
  userId: z.nullable(z.string()),
  /** Null once the account is erased. */
  userEmail: z.nullable(z.string()),
  action: z.enum(['create', 'update', 'delete']),
  entityType: entity,
  /** Empty for what has no id that people know: an export, a subscriber. */
  entityId: z.string(),
  /** What happened, in words: `Capacity is now 90, moved to another time`. */
  details: z.string(),
  /** Null once the account is erased. */
  ipAddress: z.nullable(z.string()),
  createdAt: z.string(),
});
export type AuditEntry = z.infer<typeof auditEntry>;

const auditQuery = listQuery(['date'], {
  entity: z.optional(entity),
});

/** `GET /api/admin/user-analytics` */
export const userAnalytics = z.object({
  totalUsers: z.int(),
  usersWithDOB: z.int(),
  usersWithPreferences: z.int(),
  /** Years, to one place; null if nobody gave a date of birth. */
  averageAge: z.nullable(z.number()),
  /** How many people by age: `{ "18–24": 12 }`. All groups are there, from the youngest to the oldest. */
  ageGroups: z.record(z.string(), z.int()),
  /** The ten categories that most people chose. */
  topCategories: z.array(z.object({ category: z.string(), count: z.int() })),
});

/**
 * What the live updates of the admin panel say: something has changed. `position` is a token as in `X-Log-Position`, which the lists are
 * asked for.
 */
export const adminNews = z.object({ position: z.string() });
export type AdminNews = z.infer<typeof adminNews>;

/** Its close code once the session has ended (4000 to 4999 are the application's own, RFC 6455 section 7.4.2). */
export const SESSION_ENDED = 4401;

/** The calls of the dashboard, the audit tab and the analytics tab. */
export const overviewCalls = {
  stats: call('GET /api/admin/stats', { answer: adminStats, capability: 'administer' }),
  /** The newest first where no order is asked for. The search looks at what happened, the entity's id, and the user's address. */
  audit: call('GET /api/admin/audit-logs', {
    query: auditQuery,
    answer: z.array(auditEntry),
    capability: 'administer',
  }),
  exportAudit: call('GET /api/admin/audit-logs/export-csv', {
    query: auditQuery,
    answer: 'text/csv',
    capability: 'administer',
    limit: 'export',
  }),
  /** Messages of `adminNews`: one at once, then one after changes, at most one in two seconds. It ends with its session. */
  live: call('GET /api/admin/live', { answer: 'websocket', capability: 'administer' }),
  analytics: call('GET /api/admin/user-analytics', { answer: userAnalytics, capability: 'administer' }),
};
