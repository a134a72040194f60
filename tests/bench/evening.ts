/**
 * An evening at the door: everybody comes within twenty minutes, at twelve gates, two of which have no network for ten of these. Some
 * show a copy at another gate. What a gate without a network does is what the scanner does, with the scanner's own code.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { createCommandDeps } from '#command-api/deps/deps.ts';
import { decideOffline, type KeptScan } from '#domain/answers/offline-door.ts';
import {
  type DoorConflict,
  type DoorCount,
  type DoorDay,
  MOST_OFFLINE_SCANS,
  type OfflineOutcome,
  type ScanResult,
} from '#domain/contracts/tickets.ts';
import type { Foundation } from '#infra/foundation/foundation.ts';
import { chanceOf } from '#tests/kit/chance.ts';
import { call, type Reply, signedIn } from '#tests/kit/http.ts';
import { person, prepareSale } from '#tests/kit/prepared-sale.ts';
import { sellTickets } from '#tests/kit/sold-tickets.ts';
import { verifyOffline } from '#web/features/door/offline/verify-offline.ts';
import { type Row, row } from './row.ts';
import { projected, type Stage } from './stage.ts';
import { quantile } from './wire.ts';

const MINUTE = 60_000;

/** Times are the evening's own, in milliseconds from its beginning. It goes `pace` times faster than real; the first gates have no network for a while. */
const TWENTY_MINUTES = {
  ...{ tickets: 3_000, gates: 12, copies: 40, lasts: 20 * MINUTE, pace: 10 },
  offline: { gates: 2, from: 5 * MINUTE, until: 15 * MINUTE },
};
export type Programme = Readonly<typeof TWENTY_MINUTES>;

export interface Place {
  readonly commands: string;
  readonly queries: string;
  readonly listingId: number;
  /** The code of each booking, from id 1. */
  readonly tokens: readonly string[];
  /** The session of who stands at each gate. */
  readonly staff: readonly string[];
}

/** Puts tickets and staff there, on a foundation that the product then runs on. */
export const prepareEvening = async (
  foundation: Foundation,
  { tickets, gates }: Pick<Programme, 'tickets' | 'gates'>,
): Promise<Omit<Place, 'commands' | 'queries'>> => {
  const sale = await prepareSale(foundation, { capacity: tickets, buyers: 1 });
  const tokens = await sellTickets(foundation, sale, tickets);
  const deps = createCommandDeps(foundation);
  const staff: string[] = [];
  for (let gate = 0; gate < gates; gate++) staff.push((await person(deps, 'staff', `gate${gate}`)).token);
  await deps.handler.drain();
  return { listingId: sale.listingId, tokens, staff };
};

interface Arrival {
  readonly at: number;
  readonly gate: number;
  readonly bookingId: number;
}

/** Who comes when and where: the tickets, and then their copies, half a minute to three minutes later at another gate. */
const arrivals = ({ tickets, gates, copies, lasts, offline }: Programme) => {
  const chance = chanceOf('an evening');
  const first: Arrival[] = Array.from({ length: tickets }, (_, index) => ({
    ...{ at: chance.roll() * (lasts - 3 * MINUTE), gate: chance.between(0, gates - 1), bookingId: index + 1 },
  }));
  const copied: Arrival[] = [];
  const calm = (offline.until - offline.from) / 3;
  for (let index = 0; index < copies; index++) {
    const original = first[index];
    if (!original) break;
    const { bookingId } = original;
    if (index % 4 < 2 && offline.gates > 1) {
      // At a gate without a network, and then at another one without, or at one that has it.
      const at = offline.from + calm * (1 + chance.roll());
      first[index] = { at, gate: 0, bookingId };
      copied.push({ at: at + calm / 2, gate: index % 4 === 0 ? 1 : gates - 1, bookingId });
    } else {
      const gate = (original.gate + chance.between(1, gates - 1)) % gates;
      copied.push({ at: original.at + MINUTE * (0.5 + 2.5 * chance.roll()), gate, bookingId });
    }
  }
  return { first, copied };
};

interface Answer extends Arrival {
  readonly when: number;
  readonly valid: boolean;
  readonly code: string | null;
  /** When the code was used first, if the gate knows. */
  readonly scannedAt: string | null;
  readonly wasOffline: boolean;
}

/** Resolves to what is wrong, and how long a scan's answer took, in milliseconds. `late`: scans that were sent when the network was back. */
export const playEvening = async (place: Place, programme: Programme) => {
  const { first, copied } = arrivals(programme);
  const { pace, offline, lasts } = programme;
  const began = performance.now();
  const now = (): number => (performance.now() - began) * pace;
  const until = (at: number) => pause(Math.max(0, (at - now()) / pace));
  const times: number[] = [];
  const answers: Answer[] = [];
  let late = 0;
  let position = '';

  const gate = (nth: number) => {
    const headers = { 'content-type': 'application/json', ...signedIn(place.staff[nth] ?? '') };
    const name = `Gate ${nth + 1}`;
    const ask = async (method: 'GET' | 'POST', path: string, body?: object): Promise<Reply['body']> => {
      const origin = method === 'GET' ? place.queries : place.commands;
      const more: Record<string, string> = method === 'GET' && position ? { 'x-min-position': position } : {};
      const reply = await call(method, origin + path, { ...headers, ...more }, body && JSON.stringify(body));
      if (reply.status !== 200) throw new Error(`${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
      const seen = String(reply.headers['x-log-position'] ?? '');
      if (seen > position) position = seen;
      return reply.body;
    };
    return { name, ask };
  };
  type Gate = ReturnType<typeof gate>;

  const online = async ({ ask, name }: Gate, arrival: Arrival): Promise<Answer> => {
    const encryptedData = place.tokens[arrival.bookingId - 1] ?? '';
    const [from, when] = [performance.now(), Date.now()];
    const asked = { encryptedData, gate: name, eventId: place.listingId, scanId: randomUUID() };
    const { valid, code, scannedAt } = (await ask('POST', '/api/tickets/scan', asked)) as ScanResult;
    times.push(performance.now() - from);
    return { ...arrival, when, valid, code, scannedAt, wasOffline: false };
  };

  /** A device without a network: what it has fetched, and what it keeps. */
  const device = (day: DoorDay, name: string) => {
    const kept: KeptScan[] = [];
    return {
      kept,
      async scan(arrival: Arrival): Promise<Answer> {
        const token = place.tokens[arrival.bookingId - 1] ?? '';
        const ticket = await verifyOffline(token, day.keys);
        if (!ticket) throw new Error(`${name} takes booking ${arrival.bookingId} for forged`);
        const verdict = decideOffline(day, kept, ticket, place.listingId);
        if (!verdict) throw new Error(`${name} does not know the event`);
        const { admitted, why } = verdict;
        const at = Date.now();
        const scan = { scanId: randomUUID(), token, gate: name, at, sent: false };
        kept.push({ ...scan, bookingId: ticket.bookingId, page: ticket.page, admitted, why });
        const scannedAt = verdict.first?.at ?? null;
        return { ...arrival, when: at, valid: admitted > 0, code: why, scannedAt, wasOffline: true };
      },
      async send({ ask }: Gate): Promise<void> {
        for (let from = 0; from < kept.length; from += MOST_OFFLINE_SCANS) {
          const scans = kept.slice(from, from + MOST_OFFLINE_SCANS).map((one) => ({
            ...{ encryptedData: one.token, scanId: one.scanId, gate: one.gate, admitted: one.admitted },
            ...{ why: one.why, ago: Date.now() - one.at },
          }));
          // Twice, as after an answer that got lost.
          for (let time = 0; time < 2; time++)
            await (ask('POST', '/api/tickets/offline-scans', { scans }) as Promise<OfflineOutcome[]>);
        }
        late += kept.length;
      },
    };
  };

  /** The evening of one gate: it takes who comes, one after the other. */
  const stand = async (nth: number): Promise<void> => {
    const own = gate(nth);
    const queue = [...first, ...copied].filter((one) => one.gate === nth).sort((a, b) => a.at - b.at);
    const isOff = nth < offline.gates;
    let alone: ReturnType<typeof device> | undefined;
    const back = async () => {
      await until(offline.until);
      await alone?.send(own);
      alone = undefined;
    };
    let gone = !isOff;
    for (const arrival of queue) {
      if (!gone && arrival.at >= offline.from) {
        await until(offline.from);
        const day = (await own.ask('GET', `/api/tickets/day?eventId=${place.listingId}`)) as DoorDay;
        alone = device(day, own.name);
        gone = true;
      }
      if (alone && arrival.at >= offline.until) await back();
      await until(arrival.at);
      answers.push(await (alone ? alone.scan(arrival) : online(own, arrival)));
    }
    if (alone) await back();
  };
  await Promise.all(place.staff.map((_, nth) => stand(nth)));
  await until(lasts);

  const { ask } = gate(0);
  const conflicts = (await ask('GET', '/api/tickets/conflicts')) as readonly DoorConflict[];
  const counts = (await ask('GET', `/api/tickets/counts?eventId=${place.listingId}`)) as DoorCount;
  const wrong: string[] = [];
  if (counts.inside !== programme.tickets || counts.expected !== programme.tickets)
    wrong.push(`the count says ${counts.inside} of ${counts.expected}`);
  if (counts.conflicts !== conflicts.length)
    wrong.push(`the count says ${counts.conflicts} conflicts of ${conflicts.length}`);
  for (const { bookingId } of first) {
    const own = answers.filter((one) => one.bookingId === bookingId).sort((a, b) => a.when - b.when);
    const admitted = own.filter(({ valid }) => valid);
    const told = conflicts.filter(({ booking }) => booking.id === bookingId);
    if (admitted.length !== 1 + told.length)
      wrong.push(`booking ${bookingId}: let in ${admitted.length} times, ${told.length} conflicts`);
    const [earliest] = admitted;
    const [conflict] = told;
    if (conflict) {
      const named = [conflict.first?.gate, conflict.copy.gate].join();
      const gates = admitted.map((one) => `Gate ${one.gate + 1}`).join();
      if (named !== gates)
        wrong.push(`booking ${bookingId}: the conflict names ${named} instead of ${gates}`);
    }
    for (const copy of own.filter(({ valid }) => !valid))
      if (copy.code !== 'TICKET_USED' || copy.scannedAt === null)
        wrong.push(`booking ${bookingId}: a copy was refused as ${copy.code} without its first scan`);
      else if (!copy.wasOffline && !earliest?.wasOffline && copy.scannedAt !== earliest?.scannedAt)
        wrong.push(`booking ${bookingId}: a copy was told ${copy.scannedAt}, not ${earliest?.scannedAt}`);
  }
  times.sort((a, b) => a - b);
  const [p50, p99] = [quantile(times, 0.5), quantile(times, 0.99)];
  return { wrong, conflicts: conflicts.length, late, p50, p99 };
};

/** Plays the evening against the product's own processes. @throws if anything of it went wrong */
export const run = async (stage: Stage): Promise<readonly Row[]> => {
  const url = await stage.freshDatabase();
  const foundation = await stage.foundation(url);
  const prepared = await prepareEvening(foundation, TWENTY_MINUTES);
  const origin = async (part: string) => `http://127.0.0.1:${(await stage.play(part, url)).port}`;
  await origin('projector');
  const place = { ...prepared, commands: await origin('command-api'), queries: await origin('query-api') };
  await projected(foundation);
  const { wrong, conflicts, late, p50, p99 } = await playEvening(place, TWENTY_MINUTES);
  if (wrong.length > 0) throw new Error(wrong.join('\n'));
  return [
    row('evening: tickets let in, each once', TWENTY_MINUTES.tickets),
    row('evening: copies that were let in without a network, each a conflict', conflicts),
    row('evening: scans sent when the network was back', late),
    row('evening: p50 of a scan’s answer', p50, 'ms'),
    row('evening: p99 of a scan’s answer (aim: below 100)', p99, 'ms'),
  ];
};
