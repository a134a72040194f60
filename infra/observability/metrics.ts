import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export const WATCHED = {
  projection_lag_events: 'Events that a read model has still to take',
  reactor_lag_events: 'Events that have still to be turned into jobs and mails',
  paid_without_booking: 'Payments older than a minute that have neither a booking nor a refund',
  payments_unknown: 'Payments whose purchase is not in the log, and that are not paid back',
  outbox_age_seconds: 'Age of the oldest mail that waits to be sent',
  jobs_waiting: 'Jobs that are due and not done',
  jobs_failed: 'Jobs that were given up, with their reason kept',
  unread_events: 'Events that made no jobs or mails, since no process could read them',
  parked_events: 'Events that a projection could not take',
  log_broken: 'Whether the log does not fit its tree, so that nothing is signed',
  live_clients: 'Clients connected to live updates',
} as const;
export type Watched = keyof typeof WATCHED;

export type Reading = number | Readonly<Record<string, number>>;

export interface Metrics {
  readonly registry: Registry;
  /** `route` is the template, not the address. */
  answered(method: string, route: string, status: number, seconds: number): void;
  appended(seconds: number, events: number): void;
  conflicted(count?: number): void;
  holdsExpired(count?: number): void;
  watch(name: Watched, read: () => Reading | Promise<Reading>): void;
}

const readOrNothing = async (read: () => Reading | Promise<Reading>): Promise<Reading> => {
  try {
    return await read();
  } catch {
    return {};
  }
};

const BUCKETS = [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

export const createMetrics = (process: string): Metrics => {
  const registry = new Registry();
  registry.setDefaultLabels({ process });
  collectDefaultMetrics({ register: registry, prefix: 'reprise_' });
  const registers = [registry];

  const requests = new Histogram({
    name: 'reprise_http_seconds',
    help: 'Requests by route template',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS,
    registers,
  });
  const appends = new Histogram({
    name: 'reprise_append_seconds',
    help: 'Calls of the log’s append',
    buckets: BUCKETS,
    registers,
  });
  const events = new Counter({ name: 'reprise_appended_events_total', help: 'Events appended', registers });
  const conflicts = new Counter({
    name: 'reprise_append_conflicts_total',
    help: 'Appends that met a newer revision',
    registers,
  });
  const expired = new Counter({
    name: 'reprise_holds_expired_total',
    help: 'Holds that ended unpaid',
    registers,
  });

  return {
    registry,
    answered: (method, route, status, seconds) => requests.observe({ method, route, status }, seconds),
    appended(seconds, count) {
      appends.observe(seconds);
      events.inc(count);
    },
    conflicted: (count = 1) => conflicts.inc(count),
    holdsExpired: (count = 1) => expired.inc(count),
    watch(name, read) {
      registry.removeSingleMetric(`reprise_${name}`);
      new Gauge({
        name: `reprise_${name}`,
        help: WATCHED[name],
        labelNames: ['of'],
        registers,
        async collect() {
          this.reset();
          const reading = await readOrNothing(read);
          if (typeof reading === 'number') this.set(reading);
          else for (const [of, value] of Object.entries(reading)) this.set({ of }, value);
        },
      });
    },
  };
};
