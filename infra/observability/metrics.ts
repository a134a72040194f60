/** What `/metrics` tells, in Prometheus' form. One registry a process; names start with `reprise_`. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** Values that are asked for when somebody looks, by whoever knows them. */
export const WATCHED = {
  projection_lag_events: 'Events that a read model has still to take',
  reactor_lag_events: 'Events that have still to be turned into jobs and mails',
  paid_without_booking: 'Payments older than a minute that have neither a booking nor a refund',
  outbox_age_seconds: 'Age of the oldest mail that waits to be sent',
  jobs_waiting: 'Jobs that are due and not done',
  jobs_failed: 'Jobs that were given up, with their reason kept',
  parked_events: 'Events that a projection could not take',
  live_clients: 'Clients connected to live updates',
} as const;
/** A value that is read when metrics are collected. */
export type Watched = keyof typeof WATCHED;

/** A value without labels, or one for each label (a projection's name, a kind of connection). */
export type Reading = number | Readonly<Record<string, number>>;

/** A process's metrics; others tell it what happens. */
export interface Metrics {
  readonly registry: Registry;
  /** One answered request. `route` is its template, never the address; `seconds` how long it took. */
  answered(method: string, route: string, status: number, seconds: number): void;
  /** One call of the log's `append`. */
  appended(seconds: number, events: number): void;
  /** Appends that met a newer revision. */
  conflicted(count?: number): void;
  holdsExpired(count?: number): void;
  /** Reads a value whenever metrics are collected. The last one who watches a name answers for it. */
  watch(name: Watched, read: () => Reading | Promise<Reading>): void;
}

/** What can't be known now, because the database is away, is left out: the rest is told all the same. */
const told = async (read: () => Reading | Promise<Reading>): Promise<Reading> => {
  try {
    return await read();
  } catch {
    return {};
  }
};

const FAST = [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** @param process named on every value */
export const createMetrics = (process: string): Metrics => {
  const registry = new Registry();
  registry.setDefaultLabels({ process });
  collectDefaultMetrics({ register: registry, prefix: 'reprise_' });
  const registers = [registry];

  const requests = new Histogram({
    name: 'reprise_http_seconds',
    help: 'Requests by route template',
    labelNames: ['method', 'route', 'status'],
    buckets: FAST,
    registers,
  });
  const appends = new Histogram({
    name: 'reprise_append_seconds',
    help: 'Calls of the log’s append',
    buckets: FAST,
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
          const reading = await told(read);
          if (typeof reading === 'number') this.set(reading);
          else for (const [of, value] of Object.entries(reading)) this.set({ of }, value);
        },
      });
    },
  };
};
