import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { encodeTicket } from '#domain/admission/ticket-token.ts';
import { type DoorDay, type OfflineScan, ticketCalls } from '#domain/contracts/tickets.ts';
import { alone, type OfflineStore, openOfflineStore } from '#web/lib/offline-store.ts';

/** A site, as far as a device hears of it. */
const site = { isReachable: true, now: 0, day: {} as DoorDay, sent: [] as OfflineScan[] };
const [MINUTE, HOUR] = [60_000, 3_600_000];
const POST = { accountId: 'sam', eventId: 1 };

const base64url = (bytes: Iterable<number>): string =>
  btoa(String.fromCharCode(...bytes))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replace(/=/g, '');

/** What the device keeps, also while its page is closed. */
let device: OfflineStore;

/** A booking's code for the whole party, signed by the key of the site's list. */
let code: string;

beforeEach(async () => {
  device = openOfflineStore('reprise-door');
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
  vi.useRealTimers();
  vi.doUnmock('#web/lib/offline-store.ts');
});

/** Lets time pass. @param ahead how far the site's clock is then ahead of the device's */
const pass = (time: number, ahead: number): void => {
  site.now += time;
  vi.setSystemTime(site.now - ahead);
};

/** Opens the page anew. */
const load = async () => {
  vi.resetModules();
  vi.doMock('#web/lib/offline-store.ts', () => ({ alone, openOfflineStore: () => device }));
  return import('./offline-door.ts');
};

test('scans of a gate with a blank name are sent without a name', async () => {
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

test('the first scan has the site’s time, however wrong the device’s clock is', async () => {
  pass(0, 2 * HOUR);
  const { synchronize, scanOffline } = await load();
  await synchronize(POST);
  site.isReachable = false;
  const first = await scanOffline({ token: code, scanId: 'a', gate: 'Yard' }, POST);
  expect(first?.scannedAt).toBe('2026-12-10T18:30:00.000Z');
  pass(10 * MINUTE, 2 * HOUR);
  const second = await scanOffline({ token: code, scanId: 'b', gate: 'Yard' }, POST);
  expect(second).toMatchObject({ valid: false, scannedAt: '2026-12-10T18:30:00.000Z' });
  expect(second?.error).toMatch(/^Already scanned at .*6:30 pm, Yard$/);
  pass(10 * MINUTE, 2 * HOUR);
  site.isReachable = true;
  await synchronize(POST);
  expect(site.sent.map(({ ago }) => ago)).toEqual([20 * MINUTE, 10 * MINUTE]);
});

test.each([
  ['slow', 2 * HOUR],
  ['fast', -2 * HOUR],
])('a %s clock that is corrected offline changes no scan’s time', async (_, ahead) => {
  pass(0, ahead);
  const { synchronize, scanOffline } = await load();
  await synchronize(POST);
  site.isReachable = false;
  await scanOffline({ token: code, scanId: 'a', gate: null }, POST);
  pass(10 * MINUTE, 0);
  site.isReachable = true;
  await synchronize(POST);
  expect(site.sent.map(({ ago }) => ago)).toEqual([10 * MINUTE]);
});

test('a page opened offline knows the error of the device’s clock from when the list was made', async () => {
  pass(0, 2 * HOUR);
  await (await load()).synchronize(POST);
  site.isReachable = false;
  pass(10 * MINUTE, 2 * HOUR);
  const { synchronize, scanOffline } = await load();
  const scan = await scanOffline({ token: code, scanId: 'a', gate: null }, POST);
  expect(scan?.scannedAt).toBe('2026-12-10T18:40:00.000Z');
  pass(10 * MINUTE, 2 * HOUR);
  site.isReachable = true;
  await synchronize(POST);
  expect(site.sent.map(({ ago }) => ago)).toEqual([10 * MINUTE]);
});
