/** The past, played again for superusers. */
import { beforeAll, describe, expect, it } from 'vitest';
import { bookingCalls } from '#domain/contracts/bookings.ts';
import { replayCalls } from '#domain/contracts/replay.ts';
import { START } from '#infra/event-log/event-log.ts';
import { eventually } from '#tests/kit/eventually.ts';
import { bought, DAY, HOUR, inTime, openHall } from '#tests/kit/programme.ts';
import { type Member, type Site, startSite } from '#tests/kit/site.ts';

const REASON = 'My grandmother Zenobia is unwell.';
let site: Site;
let superuser: Member;
/** One whose cancellation gave 100%, and one whose cancellation gave 80%. */
let early: number;
let late: number;
beforeAll(async () => {
  site = await startSite();
  superuser = await site.member('superuser');
  const { listed } = await openHall(site);
  const buyer = await site.member();
  const cancelled = async (start: number, quantity: number): Promise<number> => {
    const { id } = await bought(site, buyer, await listed(inTime(start)), quantity);
    await buyer.browser.ask(bookingCalls.cancel, { body: { bookingId: id, reason: REASON } });
    return id;
  };
  early = await cancelled(30 * DAY, 1);
  late = await cancelled(50 * HOUR, 2);
  superuser.browser.position = buyer.browser.position;
});

describe('replaying a stream', () => {
  it('shows each event with the state before and after it', async () => {
    const stream = `booking-${late}`;
    const steps = await superuser.browser.ask(replayCalls.steps, { query: { stream } });
    expect(steps.slice(0, 2).map(({ type }) => type)).toEqual(['BookingPlaced', 'BookingCancelled']);
    const query = { stream, revision: '1' };
    const { before, after, changes } = await superuser.browser.ask(replayCalls.states, { query });
    expect(before).toMatchObject({ status: 'confirmed', cancellation: null });
    expect(after).toMatchObject({ status: 'cancelled', cancellation: { by: 'customer', percent: 80 } });
    expect(changes).toContainEqual({ path: ['status'], before: 'confirmed', after: 'cancelled' });
    expect(JSON.stringify([steps, after])).not.toContain('Zenobia');
  });

  it('without a state shows its steps only', async () => {
    const [read] = await eventually(async () => {
      const stream = `reads-${new Date().toISOString().slice(0, 10)}`;
      const steps = await superuser.browser.ask(replayCalls.steps, { query: { stream } });
      expect(steps.map(({ type }) => type)).toContain('LogRead');
      return steps;
    });
    const query = { stream: read?.stream ?? '', revision: '0' };
    expect(await superuser.browser.ask(replayCalls.states, { query })).toEqual({
      before: null,
      after: null,
      changes: [],
    });
    expect(await superuser.browser.ask(replayCalls.steps, { query: { stream: 'no-such-stream' } })).toEqual(
      [],
    );
  });

  it('of a booking includes all that belongs to it, in the log’s order', async () => {
    const query = { stream: `booking-${late}`, story: 'true' } as const;
    const types = await eventually(async () => {
      const steps = await superuser.browser.ask(replayCalls.steps, { query });
      const found = steps.map(({ type }) => type);
      expect(found).toContain('RefundSucceeded');
      expect(steps.map(({ position }) => position)).toEqual(steps.map(({ position }) => position).toSorted());
      return found;
    });
    const told = ['CheckoutOpened', 'TicketsHeld', 'PaymentReceived', 'TicketsSold', 'BookingPlaced'];
    expect(types.filter((type) => told.includes(type))).toEqual(told);
    expect(types).toEqual(expect.arrayContaining(['AdmissionVoided', 'BookingCancelled', 'RefundRequested']));
    const other = await superuser.browser.send(replayCalls.steps, {
      query: { ...query, stream: 'booking-99999' },
    });
    expect(other.status).toBe(404);
  });
});

describe('another refund policy', () => {
  const ask = (policy: string) => superuser.browser.ask(replayCalls.whatIf, { query: { policy } });

  it('shows no difference if it equals the present one', async () => {
    const same = { cancellations: 2, differing: 0, was: '52.00', would: '52.00', cases: [] };
    expect(await ask('168:100,24:80')).toEqual(same);
  });

  it('is replayed over all cancellations and changes nothing', async () => {
    // Work in the background may append meanwhile: what counts is what the superuser's question brings about.
    const hers = async () =>
      (await Array.fromAsync(site.foundation.log.readAll(START)))
        .flatMap(({ events }) => events)
        .filter(({ meta }) => meta.includes(superuser.id)).length;
    const before = await hers();
    expect(await ask('24:50')).toMatchObject({
      cancellations: 2,
      differing: 2,
      was: '52.00',
      would: '30.00',
      cases: [
        { bookingId: late, paid: '40.00', was: '32.00', would: '20.00' },
        { bookingId: early, paid: '20.00', was: '20.00', would: '10.00' },
      ],
    });
    expect(await hers()).toBe(before);
  });

  it('is refused if it is malformed', async () => {
    for (const policy of ['', 'x', '24:80,168:100', '24:101'])
      expect((await superuser.browser.send(replayCalls.whatIf, { query: { policy } })).status).toBe(400);
  });
});

describe('an event whose bytes were changed', () => {
  it('is named as the reason that a story or a policy cannot be replayed', async () => {
    const { log, database } = site.foundation;
    const event = (type: string) => ({ id: crypto.randomUUID(), type, version: 1, data: '{"x":', meta: '!' });
    await log.append([{ stream: 'booking-999', expected: 'none', events: [event('BookingCancelled')] }]);
    const answers = () =>
      Promise.all([
        superuser.browser.send(replayCalls.steps, { query: { stream: 'booking-999', story: 'true' } }),
        superuser.browser.send(replayCalls.whatIf, { query: { policy: '24:50' } }),
      ]);
    await eventually(async () => expect((await answers()).map(({ status }) => status)).toEqual([422, 422]));
    for (const { body } of await answers())
      expect(body).toMatchObject({
        code: 'UNREADABLE_EVENT',
        message: expect.stringContaining('Under Proof'),
      });
    await database.pool.query('DELETE FROM read.parked');
  });
});
