import * as z from 'zod/mini';
import { type AuditEntity, auditEntities } from '#domain/aggregates.ts';
import { call } from './call.ts';
import { listQuery } from './envelope.ts';
import { money } from './fields.ts';

const compared = <Value extends z.ZodMiniType>(value: Value) =>
  z.object({ now: value, before: z.nullable(value) });

/** This month to date and the same part of last month, in London time. */
const monthComparison = z.object({
  /** Last day of the earlier period: `2026-10-24`. */
  by: z.string(),
  /** The earlier period is the whole month, which has no day like today. */
  whole: z.boolean(),
  /** Excludes deleted accounts. */
  joined: compared(z.int()),
  /** Includes cancelled bookings. */
  booked: compared(z.int()),
  /** Gross of refunds: older bookings had more time to be cancelled. */
  taken: compared(money()),
});
export type MonthComparison = z.infer<typeof monthComparison>;

export const adminStats = z.object({
  /** Excludes deleted accounts. */
  users: z.object({ total: z.int(), active: z.int() }),
  /** Excludes archived events. */
  events: z.object({ total: z.int(), featured: z.int() }),
  bookings: z.object({
    /** Includes cancelled bookings. */
    total: z.int(),
    /** Payments less refunds. */
    revenue: money(),
    /** Placed since the first of the month, London time. */
    thisMonth: z.int(),
    /** The last 30 days in London time, today last. */
    perDay: z.array(z.object({ date: z.string(), bookings: z.int(), revenue: money() })),
  }),
  /** Missing from servers of an older release during an upgrade. */
  month: z.optional(monthComparison),
});
export type AdminStats = z.infer<typeof adminStats>;

const entity = z.enum(Object.keys(auditEntities) as AuditEntity[]);

export const auditEntry = z.object({
  id: z.string(),
  /** Null for a visitor or the site itself. */
  userId: z.nullable(z.string()),
  userEmail: z.nullable(z.string()),
  action: z.enum(['create', 'update', 'delete']),
  entityType: entity,
  /** Empty for entities without a public id, such as an export or a subscriber. */
  entityId: z.string(),
  details: z.string(),
  ipAddress: z.nullable(z.string()),
  createdAt: z.string(),
});
export type AuditEntry = z.infer<typeof auditEntry>;

const auditQuery = listQuery(['date'], {
  entity: z.optional(entity),
});

export const userAnalytics = z.object({
  totalUsers: z.int(),
  usersWithDOB: z.int(),
  usersWithPreferences: z.int(),
  /** In years, to one place; null without any date of birth. */
  averageAge: z.nullable(z.number()),
  /** People by age group: `{ "18–24": 12 }`. Includes all groups, youngest first. */
  ageGroups: z.record(z.string(), z.int()),
  /** The ten most chosen. */
  topCategories: z.array(z.object({ category: z.string(), count: z.int() })),
});

/** `position` is a token as in `X-Log-Position`; pass it on when refetching. */
export const adminNews = z.object({ position: z.string() });
export type AdminNews = z.infer<typeof adminNews>;

/** WebSocket close code of an ended session (4000 to 4999 are for applications, RFC 6455 section 7.4.2). */
export const SESSION_ENDED = 4401;

export const overviewCalls = {
  stats: call('GET /api/admin/stats', { answer: adminStats, capability: 'administer' }),
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
  /** Sends `adminNews` at once and after changes, at most every two seconds. Closed when its session ends. */
  live: call('GET /api/admin/live', { answer: 'websocket', capability: 'administer' }),
  analytics: call('GET /api/admin/user-analytics', { answer: userAnalytics, capability: 'administer' }),
};
