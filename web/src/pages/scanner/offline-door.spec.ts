import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { encodeTicket } from '#domain/admission/ticket-token.ts';
import { type DoorDay, type OfflineScan, ticketCalls } from '#domain/contracts/tickets.ts';

/** A site, as far as a device hears of it. */
const site = { isReachable: true, now: 0, day: {} as DoorDay, sent: [] as OfflineScan[] };
const POST = { accountId: 'sam', eventId: 1 };

const base64url = (bytes: Iterable<number>): string =>
  btoa(String.fromCharCode(...bytes))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replace(/=/g, '');

/** A booking's code for the whole party, signed by the key of the site's list. */
let code: string;

beforeEach(async () => {
  vi.stubGlobal('document', { cookie: '' });
  vi.stubGlobal('fetch', async (address: string, { body }: RequestInit = {}) => {
    if (!site.isReachable) throw new TypeError('Failed to fetch');
    const answered = (json: unknown) =>
      Response.json(json, { headers: { Date: new Date(site.now).toUTCString() } });
    const [path] = address.split('?');
    if (path === ticketCalls.day.path) return answered(site.day);
    if (path !== ticketCalls.offlineScans.path) return answered([]);
    const { scans }: { scans: OfflineScan[] } = JSON.parse(String(body));
    site.sent.push(...scans);
    return answered(scans.map(({ scanId }) => ({ scanId, outcome: 'recorded' })));
  });
  const { publicKey, privateKey } = await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify']);
  const payload = encodeTicket(
    { bookingId: 10, page: 1, listingId: 1, quantity: 3, epoch: 1, expiresAt: 0 },
    new Uint8Array(4),
  );
  const signature = new Uint8Array(await crypto.subtle.sign('Ed25519', privateKey, payload.slice()));
  code = base64url([...payload, ...signature]);
  const { x = '' } = await crypto.subtle.exportKey('jwk', publicKey);
  const startsAt = '2026-12-10T19:00:00.000Z';
  Object.assign(site, { isReachable: true, now: Date.parse('2026-12-10T18:30:00Z'), sent: [] });
  site.day = {
    at: '2026-12-10T18:00:00.000Z',
    keys: [{ id: 0, algorithm: 'Ed25519', publicKey: x }],
    events: [
      {
        ...{ id: 1, title: 'Night Ferry', venue: 'The Hall', date: '2026-12-10', time: '19:00', startsAt },
        ...{ zone: 'Europe/London', tickets: [[10, 3, 1]] },
        ...{ cancelled: [], refunded: [], disputed: [], entries: [] },
      },
    ],
  };
});
afterEach(() => {
  vi.unstubAllGlobals();
});

const load = async () => {
  vi.resetModules();
  return import('./offline-door.ts');
};

test('scans of a gate whose name is only spaces are sent as of one without a name', async () => {
  const { synchronize, scanOffline } = await load();
  await synchronize(POST);
  site.isReachable = false;
  await scanOffline({ token: code, scanId: 'a', gate: '  ' }, POST);
  await scanOffline({ token: code, scanId: 'b', gate: ' Yard ' }, POST);
  site.isReachable = true;
  expect(await synchronize(POST)).toBeUndefined();
  expect(site.sent).toMatchObject([
    { scanId: 'a', gate: null, admitted: 3 },
    { scanId: 'b', gate: 'Yard', admitted: 0 },
  ]);
});
