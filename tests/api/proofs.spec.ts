import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { proofCalls, type Receipt } from '#domain/contracts/log-proofs.ts';
import { fromBase64, openCheckpoint, provesConsistency } from '#domain/proof/proof.ts';
import { hashEntry, provesInclusion } from '#domain/proof/verify.ts';
import { readKey, verifyLog, verifyReceipt } from '#infra/proof/verify-log.ts';
import { eventually } from '#tests/kit/eventually.ts';
import { freshFolder } from '#tests/kit/folder.ts';
import { putOnSale } from '#tests/kit/listing-on-sale.ts';
import { DAY } from '#tests/kit/programme.ts';
import { type Member, type Site, startSite } from '#tests/kit/site.ts';

let site: Site;
let buyer: Member;
let auditor: Member;
let bookingId: number;
let reference: string;
beforeAll(async () => {
  site = await startSite();
  [buyer, auditor] = [await site.member(), await site.member('auditor')];
  const [date = '', time = ''] = new Date(Date.now() + 30 * DAY).toISOString().split(/[T.]/);
  const start = { date, time: time.slice(0, 5), zone: 'UTC' };
  await putOnSale({ listingId: 900, price: 0, capacity: 10, start }, site.acting());
  const order = { eventId: 900, quantity: 2, totalAmount: '0.00' };
  const intent = { eventId: 900, quantity: 2, amount: '0.00' };
  expect((await buyer.browser.post('/api/create-payment-intent', intent)).status).toBe(200);
  const { status, body } = await buyer.browser.post('/api/bookings', order);
  expect(status, JSON.stringify(body)).toBeLessThan(300);
  ({ id: bookingId, reference } = body);
});

const keys = async () =>
  (await site.visitor().ask(proofCalls.keys)).keys.map(({ publicKey }) => readKey(publicKey));

const checkpoint = async () => {
  const note = (await site.visitor().send(proofCalls.checkpoint)).body as string;
  const opened = await openCheckpoint(note, await keys());
  if (!opened) throw new Error(`not signed: ${note}`);
  return { ...opened, note };
};

/** The booking's proof, once it is in a signed checkpoint. */
const proof = (): Promise<Receipt> =>
  eventually(() => buyer.browser.ask(proofCalls.booking, { params: { id: bookingId } }));

const proves = async ({ entry, index, path, checkpoint: note }: Receipt): Promise<boolean> => {
  const opened = await openCheckpoint(note, await keys());
  if (!opened) return false;
  return provesInclusion(await hashEntry(entry), index, opened.size, path.map(fromBase64), opened.root);
};

describe('proofs of the log', () => {
  it('show a booking’s owner its entry under a checkpoint that anyone can verify', async () => {
    const receipt = await proof();
    expect(receipt.entry).toMatchObject({
      type: 'BookingPlaced',
      stream: `booking-${bookingId}`,
      revision: 0,
    });
    expect(await proves(receipt)).toBe(true);
    const forged = { ...receipt, entry: { ...receipt.entry, data: receipt.entry.data.replace('2', '3') } };
    expect(await proves(forged)).toBe(false);
    expect(await verifyReceipt(JSON.stringify(receipt), await keys())).toContain(
      `Entry ${receipt.index + 1} of`,
    );
    expect(await verifyReceipt(JSON.stringify(forged), await keys())).toBeUndefined();
    expect(await verifyReceipt(JSON.stringify(receipt), [new Uint8Array(32)])).toBeUndefined();
    const cutOff = JSON.stringify(receipt).slice(0, -1);
    for (const other of [cutOff, '{"name":"reprise"}', ''])
      await expect(verifyReceipt(other, await keys())).rejects.toThrow('The file is no receipt');
  });

  it('are visible to the owner and to auditors only', async () => {
    const { index, entry } = await proof();
    const other = await site.member();
    const params = { id: bookingId };
    expect((await other.browser.send(proofCalls.booking, { params })).status).toBe(404);
    const { browser } = auditor;
    for (const query of [
      { booking: bookingId },
      { reference },
      { entry: index + 1 },
      { stream: `booking-${bookingId}`, revision: 0 },
      { id: entry.id },
    ]) {
      // The index by which events are found comes after the log.
      const receipt = await eventually(() => browser.ask(proofCalls.entry, { query }));
      expect(receipt.index).toBe(index);
      expect(await proves(receipt)).toBe(true);
    }
    for (const query of [
      { entry: 1_000_000 },
      { booking: 999_999 },
      { reference: 'BK00000000' },
      { stream: 'booking-1', revision: 77 },
      { id: crypto.randomUUID() },
    ])
      expect((await browser.send(proofCalls.entry, { query })).status).toBe(404);
    for (const query of [{}, { id: 'booking-1' }])
      expect((await browser.send(proofCalls.entry, { query })).status).toBe(400);
  });

  it('show that each checkpoint begins with the one before', async () => {
    await proof();
    const first = await checkpoint();
    await site.member();
    const second = await eventually(async () => {
      const newer = await checkpoint();
      expect(newer.size).toBeGreaterThan(first.size);
      return newer;
    });
    const visitor = site.visitor();
    const { path } = await visitor.ask(proofCalls.consistency, {
      query: { from: first.size, to: second.size },
    });
    expect(await provesConsistency(first, second, path.map(fromBase64))).toBe(true);
    const kept = await visitor.send(proofCalls.checkpointOf, { params: { size: first.size } });
    expect(kept.body).toBe(first.note);
    expect((await visitor.send(proofCalls.checkpointOf, { params: { size: 0 } })).status).toBe(404);
    for (const [from, to] of [
      [2, 1],
      [1, 1_000_000],
    ] as const)
      expect((await visitor.send(proofCalls.consistency, { query: { from, to } })).status).toBe(404);
  });

  it('cover the whole log, which an auditor can download and compare', async () => {
    await proof();
    const { browser } = auditor;
    const file = join(await freshFolder(), 'log.ndjson');
    const { body, headers } = await browser.send(proofCalls.export);
    await writeFile(file, body);
    const { size, findings, signed } = await verifyLog(file, await keys());
    expect(findings).toEqual([]);
    expect(signed).toBeGreaterThan(0);
    expect(headers.get('x-total-count')).toBe(`${size}`);
    expect((await verifyLog(file, [new Uint8Array(32)])).signed).toBe(0);
    for (const line of ['{"leaves"', '{"checkpoint"']) {
      await writeFile(file, body.slice(0, body.indexOf(line) + line.length + 9));
      await expect(verifyLog(file, await keys())).rejects.toThrow('it was cut off, or is another file');
    }

    const asked = await browser.ask(proofCalls.check);
    const check = await eventually(async () => {
      const { checks } = await browser.ask(proofCalls.verification);
      const found = checks.find(({ id, doneAt }) => id === asked.id && doneAt);
      expect(found).toBeDefined();
      return found;
    });
    expect(check).toMatchObject({ findings: [], error: null, askedBy: auditor.id });
    expect(await browser.ask(proofCalls.verification)).toMatchObject({ broken: null, brokenAt: null });
  });

  it('report where the log differs from what was signed', async () => {
    const { index, entry } = await proof();
    const { pool } = site.foundation.database;
    const set = (data: string) =>
      pool.query('update log.event set data = $1 where stream = $2 and revision = 0', [data, entry.stream]);
    await set(entry.data.replace('2', '3'));
    const admin = await site.member('superuser');
    await auditor.browser.ask(proofCalls.check);
    const { broken } = await eventually(async () => {
      const found = await auditor.browser.ask(proofCalls.verification);
      expect(found.broken).not.toBeNull();
      return found;
    });
    expect(broken).toContain(
      `Entry ${(index + 1).toLocaleString('en-GB')} (booking-${bookingId}, revision 0) was changed.`,
    );
    const { body: failures } = await admin.browser.get('/api/admin/failures');
    expect(failures).toContainEqual(expect.objectContaining({ kind: 'log', reason: broken }));
    // What auditors are given then proves nothing.
    expect(await proves(await auditor.browser.ask(proofCalls.entry, { query: { booking: bookingId } }))).toBe(
      false,
    );
    await set(entry.data);
    await auditor.browser.ask(proofCalls.check);
    await eventually(async () =>
      expect((await auditor.browser.ask(proofCalls.verification)).broken).toBeNull(),
    );
  });

  it('report nothing about the log while it cannot be checked', async () => {
    const { database, metrics } = site.foundation;
    const said = async () => /^reprise_log_broken\S* (\d)$/m.exec(await metrics.registry.metrics())?.[1];
    expect(await said()).toBe('0');
    await database.pool.query('alter table app.tree rename to away');
    expect(await said()).toBeUndefined();
    await database.pool.query('alter table app.away rename to tree');
    expect(await said()).toBe('0');
  });
});
