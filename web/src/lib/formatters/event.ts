import type { LogEntry } from '#domain/contracts/audit.ts';
import { HOME_ZONE } from '#domain/kernel/zone.ts';
import { pounds } from './money.ts';

/** An event's type in words: `BookingCancelled` → "Booking cancelled". */
export const wordsOfType = (type: string): string => {
  const words = type.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
};

export const shortId = (id: string): string => (id.length > 20 ? `${id.slice(0, 8)}…` : id);

/** A stream's name with long ids cut short: `account-0b5e61d2…`. */
export const shortStream = (stream: string): string =>
  stream.replace(/[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{40,}/g, shortId);

export const actorOf = ({ actor }: Pick<LogEntry, 'actor'>): string => {
  if (actor.kind === 'visitor') return 'a visitor';
  if (actor.kind === 'system') return `the site${actor.id ? ` (${actor.id})` : ''}`;
  return `${actor.role ?? actor.kind} ${shortId(actor.id ?? '')}`.trim();
};

const exact = new Intl.DateTimeFormat('en-GB', {
  timeZone: HOME_ZONE,
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});

/** London time, to the second: `Fri, 4 Dec 2026, 19:30:05`. */
export const exactly = (instant: string): string => exact.format(new Date(instant));

export const hiddenAs = (value: unknown): string | undefined => {
  if (typeof value !== 'object' || value === null || !('erased' in value)) return undefined;
  return 'sealed' in value ? 'sealed' : 'erased';
};

/** Names of amounts in pence. */
const PENCE = /^(amount|total|price|refund|discount|paid|unitPrice)$/;

export const valueInWords = (value: unknown, name = ''): string => {
  if (value === undefined) return 'nothing';
  if (value === null) return 'none';
  if (typeof value === 'number' && PENCE.test(name)) return pounds((value / 100).toFixed(2));
  if (typeof value === 'string') return value === '' ? 'empty' : value;
  return hiddenAs(value) ?? JSON.stringify(value);
};

const TOLD = ['title', 'name', 'code', 'quantity', 'amount', 'total', 'refund', 'percent', 'why', 'by'];
const MOST_TOLD = 3;

/** The most telling facts of an event: "quantity 2 · amount £40.00". */
export const factsOf = ({ data }: Pick<LogEntry, 'data'>): string => {
  const quote = typeof data.quote === 'object' && data.quote !== null ? data.quote : {};
  const facts: Readonly<Record<string, unknown>> = { ...quote, ...data };
  return TOLD.filter((name) => ['string', 'number'].includes(typeof facts[name]))
    .slice(0, MOST_TOLD)
    .map((name) => `${name} ${valueInWords(facts[name], name)}`)
    .join(' · ');
};
