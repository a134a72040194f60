/** The event log for auditors. */
import { once } from 'node:events';
import { beforeAll, describe, expect, it } from 'vitest';
import { auditCalls, logNews } from '#domain/contracts/audit.ts';
import { bookingCalls } from '#domain/contracts/bookings.ts';
import { canonicalJson } from '#infra/event-log/canonical-json.ts';
import { eventually } from '#tests/kit/eventually.ts';
import { bought, DAY, inTime, openHall } from '#tests/kit/programme.ts';
import { BASE_URL, type Member, type Site, startSite } from '#tests/kit/site.ts';
import type { Answer } from '#tests/kit/visitor.ts';

const REASON = 'My grandmother Zenobia is unwell.';
let site: Site;
let auditor: Member;
let buyer: Member;
let bookingId: number;
let listingId: number;
beforeAll(async () => {
  site = await startSite();
  auditor = await site.member('auditor');
  const { listed } = await openHall(site);
  buyer = await site.member();
  listingId = await listed(inTime(30 * DAY));
  ({ id: bookingId } = await bought(site, buyer, listingId, 2));
  await buyer.browser.ask(bookingCalls.cancel, { body: { bookingId, reason: REASON } });
  auditor.browser.position = buyer.browser.position;
});

const list = (query: Record<string, string | number> = {}) => auditor.browser.ask(auditCalls.list, { query });
const typesOf = (entries: readonly { type: string }[]) => entries.map(({ type }) => type);

/** The events of the log itself, in its order. */
const everything = async () =>
  (await Array.fromAsync(site.foundation.log.readAll(''))).flatMap(({ events }) => events);

describe('the audit log’s list', () => {
  it('shows the newest first, page by page without a gap', async () => {
    const stream = `inventory-${listingId}`;
    const all = (await everything()).filter((event) => event.stream === stream);
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: Answer = await auditor.browser.send(auditCalls.list, {
        query: { stream, limit: 2, ...(cursor && { cursor }) },
      });
      seen.push(...page.body.map(({ id }: { id: string }) => id));
      cursor = page.headers.get('x-next-cursor');
    }
    expect(seen).toEqual(all.map(({ id }) => id).reverse());
  });

  it('is filtered by stream, type, actor, correlation and time, also together', async () => {
    // The money's way back may have been noted by now.
    const ofBooking = await list({ stream: `booking-${bookingId}` });
    expect(new Set(ofBooking.map(({ stream }) => stream))).toEqual(new Set([`booking-${bookingId}`]));
    expect(typesOf(ofBooking)).toContain('BookingCancelled');
    const [cancelled] = await list({ type: 'BookingCancelled' });
    expect(cancelled).toMatchObject({
      stream: `booking-${bookingId}`,
      actor: { id: buyer.id, role: 'user' },
    });
    const { correlationId, recordedAt } = cancelled ?? {};
    const together = typesOf(await list({ correlation: correlationId ?? '' }));
    expect(together).toContain('BookingCancelled');
    expect(together).not.toContain('BookingPlaced');
    expect(typesOf(await list({ actor: buyer.id, type: 'BookingCancelled' }))).toEqual(['BookingCancelled']);
    expect(await list({ actor: auditor.id, type: 'BookingCancelled' })).toEqual([]);
    const at = recordedAt ?? '';
    expect(typesOf(await list({ type: 'BookingCancelled', from: at }))).toEqual(['BookingCancelled']);
    expect(await list({ type: 'BookingCancelled', to: at })).toEqual([]);
    expect(await list({ to: '0000-01-01T00:00:00Z' })).toEqual([]);
  });

  it('is searched by words that are not sealed, and by no sealed ones', async () => {
    const found = await list({ search: `cancell booking ${bookingId}` });
    expect(typesOf(found)).toContain('BookingCancelled');
    const [cancelled] = found.filter(({ type }) => type === 'BookingCancelled');
    expect(cancelled?.data.reason).toEqual({ erased: true, sealed: true });
    expect(await list({ search: 'Zenobia' })).toEqual([]);
    expect(JSON.stringify(await list({ limit: 200 }))).not.toContain('Zenobia');
  });

  it('refuses a cursor that its caller made up', async () => {
    for (const cursor of ['x', '2026-13-01T00:00:00.000Z~1', '2026-01-01T00:00:00.000Z~9999999999999999999'])
      expect((await auditor.browser.send(auditCalls.list, { query: { cursor } })).status).toBe(400);
  });

  it('is recorded in the log: each first page with its filters, without the searched text', async () => {
    const before = await list({ type: 'LogRead', actor: auditor.id });
    const { headers } = await auditor.browser.send(auditCalls.list, {
      query: { limit: 1, search: 'Quillon' },
    });
    const cursor = headers.get('x-next-cursor');
    if (cursor) await list({ limit: 1, search: 'Quillon', cursor });
    await list({ stream: 'booking-1', limit: 1 });
    const typed = 'quillon@people.example';
    for (const filter of ['actor', 'stream', 'type', 'correlation']) await list({ [filter]: typed });
    const after = await eventually(async () => {
      const found = await list({ type: 'LogRead', actor: auditor.id, limit: 200 });
      expect(found.length).toBeGreaterThanOrEqual(before.length + 7);
      return found;
    });
    expect(after.map(({ data }) => data)).toContainEqual(
      expect.objectContaining({ as: 'page', filter: { stream: 'booking-1' } }),
    );
    const raw = (await everything()).filter(({ type }) => type === 'LogRead').map(({ data }) => data);
    expect(raw.join()).not.toMatch(/quillon/i);
  });
});

it('reading the audit log is recorded for made-up cursors, and once for a series of pages', async () => {
  const mallory = await site.member('auditor', 'Mallory');
  const pages = async (query: object) => {
    const { status, headers } = await mallory.browser.send(auditCalls.list, {
      query: { limit: 1, ...query },
    });
    expect(status).toBe(200);
    return headers.get('x-next-cursor') ?? '';
  };
  const reads = () => list({ type: 'LogRead', actor: mallory.id });
  const made = { cursor: '2099-01-01T00:00:00.000Z~1' };
  const second = await pages(made);
  await eventually(async () => expect(await reads()).toHaveLength(1));
  await pages({ cursor: await pages({ cursor: second }) });
  // The same cursor with another filter.
  await pages({ type: 'BookingPlaced', cursor: second });
  await eventually(async () => expect(await reads()).toHaveLength(2));
  const filters = (await reads()).map(({ data }) => data.filter);
  expect(filters).toEqual([{ type: 'BookingPlaced' }, {}]);
});

describe('an event in the audit log', () => {
  const one = async (type: string) => {
    const [entry] = await list({ type, search: `${bookingId}` });
    if (!entry) throw new Error(`no ${type}`);
    return entry;
  };

  it('is shown with its changes to its stream’s state', async () => {
    const { id } = await one('BookingCancelled');
    const { entry, changes } = await auditor.browser.ask(auditCalls.read, { params: { id } });
    expect(entry).toMatchObject({ id, type: 'BookingCancelled', revision: 1 });
    expect(changes).toContainEqual({ path: ['status'], before: 'confirmed', after: 'cancelled' });
    expect(changes).toContainEqual({ path: ['cancellations'], before: 0, after: 1 });
    expect(JSON.stringify(changes)).not.toContain('Zenobia');
    const sold = await one('TicketsSold');
    const { changes: stock } = await auditor.browser.ask(auditCalls.read, { params: { id: sold.id } });
    expect(stock).toContainEqual({ path: ['sold'], before: 0, after: 2 });
    expect(stock).toContainEqual({
      path: ['sales', String(bookingId), 'quantity'],
      after: 2,
    });
  });

  it('of a stream without a state has no changes', async () => {
    const [read] = await list({ type: 'LogRead' });
    expect(await auditor.browser.ask(auditCalls.read, { params: { id: read?.id ?? '' } })).toMatchObject({
      changes: null,
    });
  });

  it('leads to what caused it and to what it caused', async () => {
    const paidBack = await eventually(() => one('RefundSubmitted'));
    const { causes } = await auditor.browser.ask(auditCalls.tree, { params: { id: paidBack.id } });
    const cause = causes.at(-1);
    expect(cause?.id).toBe(paidBack.causationId);
    const { effects } = await auditor.browser.ask(auditCalls.tree, { params: { id: cause?.id ?? '' } });
    expect(effects.map(({ id }) => id)).toContain(paidBack.id);
    const { id } = await one('BookingCancelled');
    const { together } = await auditor.browser.ask(auditCalls.tree, { params: { id } });
    expect(typesOf(together)).toContain('TicketsReturned');
  });

  it('has its sealed fields shown on demand, and the log records the reader', async () => {
    const { id, stream } = await one('BookingCancelled');
    const { fields } = await auditor.browser.ask(auditCalls.sealed, { params: { id } });
    expect(fields).toEqual({ reason: REASON, address: expect.stringMatching(/^[\d.]+$/) });
    const [shown] = await eventually(async () => {
      const found = await list({ type: 'SealedShown' });
      expect(found).not.toEqual([]);
      return found;
    });
    expect(shown).toMatchObject({
      actor: { id: auditor.id },
      data: { eventId: id, stream, revision: 1, fields: ['reason', 'address'] },
    });
  });

  it('is shown as it is if its bytes were changed', async () => {
    const { log, database } = site.foundation;
    const event = { id: crypto.randomUUID(), type: 'BookingPlaced', version: 1, data: '{"x":', meta: '!' };
    await log.append([{ stream: 'booking-999', expected: 'none', events: [event] }]);
    const [entry] = await eventually(async () => {
      const found = await list({ stream: 'booking-999' });
      expect(found).toHaveLength(1);
      return found;
    });
    expect(entry).toMatchObject({ data: { unreadable: '{"x":' }, actor: { kind: 'unknown' } });
    const params = { id: event.id };
    expect(await auditor.browser.ask(auditCalls.read, { params })).toMatchObject({ changes: null });
    expect(await auditor.browser.send(auditCalls.sealed, { params })).toMatchObject({ status: 422 });
    expect((await auditor.browser.send(auditCalls.tree, { params })).status).toBe(200);
    const query = { stream: 'booking-999' };
    const line = await auditor.browser.ask(auditCalls.exportNdjson, { query });
    expect(JSON.parse(String(line))).toMatchObject({ id: event.id, data: event.data, meta: event.meta });
    await database.pool.query('DELETE FROM read.parked');
  });

  it('is not found if it does not exist', async () => {
    const params = { id: crypto.randomUUID() };
    for (const call of [auditCalls.read, auditCalls.tree, auditCalls.sealed])
      expect((await auditor.browser.send(call, { params })).status).toBe(404);
  });
});

describe('an export of the audit log', () => {
  it('has each event as NDJSON as it is stored, in the log’s order', async () => {
    const stream = `booking-${bookingId}`;
    const { body, headers } = await auditor.browser.send(auditCalls.exportNdjson, { query: { stream } });
    const lines = String(body).trimEnd().split('\n');
    const stored = (await everything()).filter((event) => event.stream === stream);
    expect(headers.get('x-total-count')).toBe(String(stored.length));
    expect(lines).toEqual(
      stored.map(({ data, meta, recordedAt, ...rest }) =>
        canonicalJson({ ...rest, time: recordedAt, data: JSON.parse(data), meta: JSON.parse(meta) }),
      ),
    );
    expect(body).toContain('$sealed');
  });

  it('has a line for each event as CSV, without secrets', async () => {
    const file = await auditor.browser.ask(auditCalls.exportCsv, { query: { type: 'BookingCancelled' } });
    expect(String(file).trimEnd().split('\n')).toHaveLength(2);
    expect(file).toContain(`,booking-${bookingId},1,BookingCancelled,${buyer.id},user,`);
    expect(file).not.toMatch(/Zenobia|\$sealed/);
    const [read] = await eventually(async () => {
      const found = await list({ type: 'LogRead', search: 'csv' });
      expect(found).not.toEqual([]);
      return found;
    });
    expect(read?.data).toMatchObject({ as: 'csv', filter: { type: 'BookingCancelled' } });
  });
});

describe('the audit log’s live tail', () => {
  it('sends each appended event that passes the filter, and is not recorded itself', async () => {
    const admin = await site.member('admin');
    const cookie = [...admin.browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const options = { headers: { cookie, origin: BASE_URL } } as unknown as string[];
    const path = `${auditCalls.live.path}?type=LogRead&actor=${auditor.id}`;
    const socket = new WebSocket(site.origin.replace('http', 'ws') + path, options);
    const messages: unknown[] = [];
    socket.addEventListener('message', ({ data }) => messages.push(JSON.parse(data)));
    await once(socket, 'message');
    await list({ stream: 'booking-77' });
    await eventually(() => expect(messages.length).toBeGreaterThan(1));
    const { entries } = logNews.parse(messages[1]);
    expect(entries).toMatchObject([{ type: 'LogRead', data: { filter: { stream: 'booking-77' } } }]);
    expect((await everything()).filter(({ meta }) => meta.includes(`"${admin.id}"`)).at(-1)?.type).not.toBe(
      'LogRead',
    );
    socket.close();
  });
});
