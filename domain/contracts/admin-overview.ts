import * as z from 'zod/mini';
import { type AuditEntity, auditEntities } from '#domain/aggregates.ts';
import { call } from './call.ts';
import { listQuery } from './envelope.ts';
import { money } from './fields.ts';

const compared = <Value extends z.ZodMiniType>(value: Value) =>
  z.object({ now: value, before: z.nullable(value) });

/** London time. */
const monthComparison = z.object({
  /** Last day of the earlier period. */
  by: z.string(),
  /** The earlier period is its whole month, which has no such day. */
  whole: z.boolean(),
  joined: compared(z.int()),
  booked: compared(z.int()),
  /** Before refunds: older bookings had more time to be cancelled. */
  taken: compared(money()),
});
export type MonthComparison = z.infer<typeof monthComparison>;

export const adminStats = z.object({
  /** Without deleted accounts. */
  users: z.object({ total: z.int(), active: z.int() }),
  /** Without archived ones. */
  events: z.object({ total: z.int(), featured: z.int() }),
  bookings: z.object({
    /** With cancelled ones. */
    total: z.int(),
    /** Payments less refunds. */
    revenue: money(),
    /** Since the first of the month, London time. */
    thisMonth: z.int(),
    /** 30 London days, today last. */
    perDay: z.array(z.object({ date: z.string(), bookings: z.int(), revenue: money() })),
  }),
  /** Missing during an upgrade, from an older release. */
  month: z.optional(monthComparison),
});
export type AdminStats = z.infer<typeof adminStats>;

const entity = z.enum(Object.keys(auditEntities) as AuditEntity[]);

export const auditEntry = z.object({
  id: z.string(),
  userId: z.nullable(z.string()),
  userEmail: z.nullable(z.string()),
  action: z.enum(['create', 'update', 'delete']),
  entityType: entity,
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
  /** Years. */
  averageAge: z.nullable(z.number()),
  /** `{ "18–24": 12 }`, all groups, youngest first. */
  ageGroups: z.record(z.string(), z.int()),
  /** At most ten. */
  topCategories: z.array(z.object({ category: z.string(), count: z.int() })),
});

/** `position` is a token for `X-Min-Position` when fetching again. */
export const adminNews = z.object({ position: z.string() });
export type AdminNews = z.infer<typeof adminNews>;

/** RFC 6455, 7.4.2: codes from 4000 to 4999 are free. */
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
  /** Sends at once and after changes, at most every two seconds. Closes with its session. */
  live: call('GET /api/admin/live', { answer: 'websocket', capability: 'administer' }),
  analytics: call('GET /api/admin/user-analytics', { answer: userAnalytics, capability: 'administer' }),
};
