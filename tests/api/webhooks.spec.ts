/** Webhooks: organisers' systems are told what happens, signed, in order, and at least once. */
import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import { startWebhooks } from '#command-api/webhooks/start.ts';
import { adminWebhookCalls, type Delivery } from '#domain/contracts/admin-webhooks.ts';
import { listing } from '#domain/listing/listing.ts';
import type { WebhookType } from '#domain/webhook/events.ts';
import { atTheEnd } from '#tests/kit/endings.ts';
import { eventually } from '#tests/kit/eventually.ts';
import { putOnSale } from '#tests/kit/listing-on-sale.ts';
import { DAY } from '#tests/kit/programme.ts';
import { type Member, type Site, startSite } from '#tests/kit/site.ts';

interface Received {
  readonly path: string;
  readonly id: string;
  readonly timestamp: string;
  readonly signatures: readonly string[];
  readonly body: string;
}

let site: Site;
let superuser: Member;
/** An organiser's system: what it was told, and with which status it answers on each path. */
const received: Received[] = [];
const answers = new Map<string, number>();
let system = '';
beforeAll(async () => {
  site = await startSite();
  superuser = await site.member('superuser', 'Sue');
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await Array.fromAsync(request)).toString();
    const path = request.url ?? '';
    const [id, timestamp, signature] = ['id', 'timestamp', 'signature'].map(
      (name) => `${request.headers[`webhook-${name}`]}`,
    );
    received.push({
      path,
      id: `${id}`,
      timestamp: `${timestamp}`,
      signatures: `${signature}`.split(' '),
      body,
    });
    response.writeHead(answers.get(path) ?? 204).end('noted');
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  system = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  atTheEnd(() => {
    server.closeAllConnections();
    server.close();
  });
});

const su = () => superuser.browser;
const toldAt = (path: string) => received.filter((one) => one.path === path);
const typesAt = (path: string): string[] => toldAt(path).map(({ body }) => JSON.parse(body).type);

const signed = ({ id, timestamp, body }: Received, secret: string): string => {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
};

const add = (path: string, types: WebhookType[] = ['event.activated', 'event.deactivated']) =>
  su().ask(adminWebhookCalls.create, { body: { url: system + path, types } });
const found = async (id: number) => (await su().ask(adminWebhookCalls.list)).find((one) => one.id === id);
const deliveries = (hook: number): Promise<Delivery[]> =>
  su().ask(adminWebhookCalls.deliveries, { query: { hook } });
/** The newest message to a webhook, once it is so. */
const newest = (hook: number, status: Delivery['status'], attempts = 1): Promise<Delivery> =>
  eventually(async () => {
    const [one] = await deliveries(hook);
    expect(one).toMatchObject({ status });
    expect(one?.attempts.length).toBeGreaterThanOrEqual(attempts);
    return one as Delivery;
  });

let listings = 700;
const onSale = async (): Promise<number> => {
  listings += 1;
  const [date = '', time = ''] = new Date(Date.now() + 30 * DAY).toISOString().split(/[T.]/);
  const start = { date, time: time.slice(0, 5), zone: 'UTC' };
  await putOnSale({ listingId: listings, price: 0, capacity: 10, start }, site.acting());
  return listings;
};
/** Something happens of which webhooks are told. */
const switchOff = (listingId: number) => site.acting().do(listing, listingId, { type: 'DeactivateListing' });
const switchOn = (listingId: number) => site.acting().do(listing, listingId, { type: 'ActivateListing' });

describe('a webhook', () => {
  it('is managed by superusers, who see its secret once', async () => {
    const made = await add('/kept');
    expect(made.secret).toMatch(/^whsec_[\w+/]{43}=$/);
    const { secret: _, ...saved } = made;
    const listed = await found(made.id);
    expect(listed).toEqual({ ...saved, waiting: 0, lastTriedAt: null, lastStatus: null });
    const { rows } = await site.foundation.database.pool.query('select sealed from app.hook_secret');
    expect(JSON.stringify(rows)).not.toContain(made.secret.slice('whsec_'.length));

    const change = { url: `${system}/kept`, types: ['event.deleted'], description: 'Box office' };
    const params = { id: made.id };
    const body = { ...change, types: ['event.deleted' as const], revision: made.revision };
    const edited = await su().ask(adminWebhookCalls.edit, { params, body });
    expect(edited).toMatchObject({ description: 'Box office', types: ['event.deleted'] });
    const late = await su().send(adminWebhookCalls.edit, { params, body: { ...body, description: 'Late' } });
    expect(late).toMatchObject({ status: 409, body: { code: 'CHANGED_MEANWHILE' } });

    await su().ask(adminWebhookCalls.remove, { params });
    expect(await found(made.id)).toBeUndefined();
    expect((await su().send(adminWebhookCalls.remove, { params })).status).toBe(404);
    const { body: audit } = await su().get('/api/admin/audit-logs?entity=webhook');
    expect(JSON.stringify(audit)).not.toContain(made.secret);
  });

  it('requires a valid address and at least one type', async () => {
    const types = ['event.created'];
    for (const [url, words] of [
      ['box office', 'Must be an https address'],
      ['ftp://box-office.example', 'Must be an https address'],
      ['https://ann:secret@box-office.example', 'Leave out the name and password'],
    ]) {
      const { status, body } = await su().post('/api/admin/webhooks', { url, types });
      expect({ status, url: body.fields?.url }).toEqual({ status: 400, url: words });
    }
    const { body } = await su().post('/api/admin/webhooks', { url: system, types: [] });
    expect(body.fields).toEqual({ types: 'Please choose at least one' });
  });

  it('receives its chosen events signed, in the log’s order, from when it was added', async () => {
    const listingId = await onSale();
    await switchOff(listingId);
    const { id, secret } = await add('/told', ['event.activated', 'event.deactivated', 'booking.placed']);
    await switchOn(listingId);
    const buyer = await site.member();
    const intent = { eventId: listingId, quantity: 2, amount: '0.00' };
    expect((await buyer.browser.post('/api/create-payment-intent', intent)).status).toBe(200);
    const order = { eventId: listingId, quantity: 2, totalAmount: '0.00' };
    expect((await buyer.browser.post('/api/bookings', order)).status).toBeLessThan(300);
    await switchOff(listingId);
    await eventually(() =>
      expect(typesAt('/told')).toEqual(['event.activated', 'booking.placed', 'event.deactivated']),
    );
    for (const one of toldAt('/told')) expect(one.signatures).toEqual([signed(one, secret)]);
    const [, booked] = toldAt('/told');
    const { data, timestamp } = JSON.parse(booked?.body ?? '{}');
    expect(data).toMatchObject({ eventId: listingId, quantity: 2, totalAmount: '0.00' });
    expect(Date.parse(timestamp)).not.toBeNaN();
    expect(booked?.body).not.toContain(buyer.id);
    await eventually(async () => expect(await found(id)).toMatchObject({ waiting: 0, lastStatus: 'sent' }));
  });

  it('is signed with both secrets after a new one was made', async () => {
    const { id, secret } = await add('/renewed');
    const { secret: next } = await su().ask(adminWebhookCalls.renewSecret, { params: { id } });
    expect(next).not.toBe(secret);
    await su().ask(adminWebhookCalls.test, { params: { id } });
    const [one] = await eventually(() => {
      expect(typesAt('/renewed')).toEqual(['test']);
      return toldAt('/renewed');
    });
    expect(one?.signatures).toEqual(one ? [signed(one, next), signed(one, secret)] : []);
    await newest(id, 'sent');
  });

  it('is retried after a failed answer, holds up later messages, and can be sent again', async () => {
    answers.set('/failing', 500);
    const { id } = await add('/failing');
    await add('/beside');
    const listingId = await onSale();
    await switchOff(listingId);
    const failed = await newest(id, 'waiting');
    expect(failed.attempts[0]).toMatchObject({ status: 500, answer: 'noted' });
    expect(failed.dueAt).not.toBeNull();
    // Its next try is not before the end of this spec.
    const later = `update app.hook_delivery set due_at = now() + interval '1 hour' where id = $1`;
    await site.foundation.database.pool.query(later, [failed.id]);
    await switchOn(listingId);
    await switchOff(listingId);
    await eventually(() => expect(typesAt('/beside')).toHaveLength(3));
    expect(await found(id)).toMatchObject({ waiting: 3 });
    expect(new Set(typesAt('/failing'))).toEqual(new Set(['event.deactivated']));
    answers.delete('/failing');
    await su().ask(adminWebhookCalls.sendAgain, { params: { id: failed.id } });
    await newest(id, 'sent');
    const ids = toldAt('/failing').map((one) => one.id);
    expect(new Set(ids.slice(0, -2))).toEqual(new Set([failed.messageId]));
    expect(typesAt('/failing').slice(-3)).toEqual([
      'event.deactivated',
      'event.activated',
      'event.deactivated',
    ]);
  });

  it('is stopped when it is gone or fails for days, and continues with the queued messages', async () => {
    const { pool } = site.foundation.database;
    for (const [path, status, why] of [
      ['/gone', 410, 'gone'],
      ['/down', 503, 'failing'],
    ] as const) {
      answers.set(path, status);
      const { id, secret: _, revision: __, updatedAt: ___, stopped: ____, ...rest } = await add(path);
      const listingId = await onSale();
      await switchOff(listingId);
      if (status === 503) {
        const { id: message } = await newest(id, 'waiting');
        await pool.query(
          `update app.hook_delivery set asked_at = now() - interval '4 days', due_at = now() where id = $1`,
          [message],
        );
      }
      await eventually(async () =>
        expect(await found(id)).toMatchObject({ isActive: false, stopped: why, lastStatus: 'failed' }),
      );
      const { body: failures } = await su().get('/api/admin/failures');
      expect(failures).toContainEqual(expect.objectContaining({ kind: 'webhook', about: system + path }));
      const test = await su().send(adminWebhookCalls.test, { params: { id } });
      expect(test).toMatchObject({ status: 409, body: { code: 'HOOK_STOPPED' } });
      answers.delete(path);
      await su().ask(adminWebhookCalls.edit, { params: { id }, body: { ...rest, isActive: true } });
      await switchOn(listingId);
      await newest(id, 'sent');
    }
  });

  it('gets its days of retries again when it is restarted, also for queued messages', async () => {
    const { pool } = site.foundation.database;
    answers.set('/slow', 503);
    const { id, secret: _, revision: __, updatedAt: ___, stopped: ____, ...rest } = await add('/slow');
    const listingId = await onSale();
    await switchOff(listingId);
    const first = await newest(id, 'waiting');
    await switchOn(listingId);
    const other = async () => (await deliveries(id)).find((one) => one.id !== first.id);
    const { id: second } = await eventually(async () => (await other()) ?? expect.fail('not there yet'));
    const age = (message: number) =>
      pool.query(
        `update app.hook_delivery set asked_at = now() - interval '4 days', due_at = now() where id = $1`,
        [message],
      );
    await age(first.id);
    await eventually(async () => expect(await found(id)).toMatchObject({ isActive: false }));
    const before = (await other())?.attempts.length ?? 0;
    await age(second);
    await su().ask(adminWebhookCalls.edit, { params: { id }, body: { ...rest, isActive: true } });
    await eventually(async () => expect((await other())?.attempts.length).toBeGreaterThan(before));
    expect(await other()).toMatchObject({ status: 'waiting' });
    expect(await found(id)).toMatchObject({ isActive: true });
  });

  it('reports a failed test and an unreachable address at once', async () => {
    const body = { url: 'http://127.0.0.1:1/', types: ['event.deleted' as const] };
    const { id } = await su().ask(adminWebhookCalls.create, { body });
    await su().ask(adminWebhookCalls.test, { params: { id } });
    const { attempts } = await newest(id, 'failed');
    expect(attempts).toEqual([expect.objectContaining({ status: null })]);
    expect(attempts[0]?.answer).toContain('ECONNREFUSED');
    expect(await found(id)).toMatchObject({ isActive: true });
  });

  it('receives each event once from several processes', async () => {
    const other = startWebhooks(site.deps);
    atTheEnd(() => other.stop());
    await add('/once');
    const listingId = await onSale();
    for (let round = 0; round < 5; round += 1) {
      await switchOff(listingId);
      await switchOn(listingId);
    }
    await eventually(() => expect(typesAt('/once')).toHaveLength(10));
    expect(new Set(toldAt('/once').map(({ id }) => id)).size).toBe(10);
  });

  it('continues from the end of a log that was put back to before its position', async () => {
    await add('/back');
    const { pool } = site.foundation.database;
    const listingId = await onSale();
    // As in a database that is newer than its log. Another process seems to have the lease, so that it is begun anew.
    await pool.query(
      `update app.hook_follower set position = lpad('900000', 20, '0'),
              holder = gen_random_uuid(), lease_until = clock_timestamp() + interval '3 seconds'`,
    );
    await switchOff(listingId);
    await eventually(async () => {
      const { rows } = await pool.query<{ position: string }>('select position from app.hook_follower');
      expect(Number(rows[0]?.position)).toBeLessThan(900_000);
    });
    await switchOn(listingId);
    await eventually(() => expect(typesAt('/back')).toContain('event.activated'));
  });

  it('is visible to superusers only', async () => {
    const admin = await site.member('admin');
    expect((await admin.browser.send(adminWebhookCalls.list)).status).toBe(403);
    const { status } = await admin.browser.send(adminWebhookCalls.sendAgain, { params: { id: 1 } });
    expect(status).toBe(403);
    expect((await su().send(adminWebhookCalls.sendAgain, { params: { id: 999_999 } })).status).toBe(404);
  });
});
