/** The read models, for operators. */
import { beforeAll, expect, it, vi } from 'vitest';
import { type PROJECTION_WORK, projectionCalls } from '#domain/contracts/admin-projections.ts';
import { toPosition } from '#infra/event-log/batch.ts';
import { eventually } from '#tests/kit/eventually.ts';
import { openHall } from '#tests/kit/programme.ts';
import { type Member, type Site, startSite } from '#tests/kit/site.ts';

// Each piece of work starts a program.
vi.setConfig({ testTimeout: 120_000 });

let site: Site;
let superuser: Member;
beforeAll(async () => {
  site = await startSite();
  superuser = await site.member('superuser');
  await (await openHall(site)).listed();
  await site.caughtUp();
});

const overview = () => superuser.browser.ask(projectionCalls.overview);

type Kind = (typeof PROJECTION_WORK)[number];

/** Waits until the newest work has ended. */
const ended = (kind: Kind) =>
  eventually(async () => {
    const [work] = (await overview()).work;
    expect(work).toMatchObject({ kind, endedAt: expect.any(String) });
    return work;
  });
const done = async (kind: Kind) => {
  await superuser.browser.ask(projectionCalls.ask, { body: { kind } });
  return ended(kind);
};
const names = async () => (await overview()).sets.map(({ name }) => name);

it('projections are shown with their versions and positions', async () => {
  const { sets, parked } = await overview();
  expect(sets).toMatchObject([{ name: 'live', parked: 0, versions: { bookings: expect.any(Number) } }]);
  expect(parked).toEqual([]);
});

it('projections are rebuilt beside the live ones, compared and switched, one operation at a time', async () => {
  await superuser.browser.ask(projectionCalls.ask, { body: { kind: 'build' } });
  const refused = await superuser.browser.send(projectionCalls.ask, { body: { kind: 'build' } });
  expect(refused).toMatchObject({ status: 409 });
  expect(await ended('build')).toMatchObject({
    failed: false,
    outcome: expect.stringContaining('no row differs'),
  });
  expect(await names()).toEqual(['live', 'next']);

  await site.foundation.database.pool.query("UPDATE read.city SET name = 'Nowhere'");
  expect(await done('switch')).toMatchObject({ failed: true, outcome: expect.stringContaining('city') });
  expect(await done('replace')).toMatchObject({ failed: false });
  expect(await names()).toEqual(['live', 'previous']);
  const { body } = await site.visitor().get('/api/cities');
  expect(JSON.stringify(body)).not.toContain('Nowhere');
});

it('former projections are shown but cannot be restored if they are of another log or beyond this log’s end', async () => {
  const { pool } = site.foundation.database;
  const setPrevious = (column: string, value: string) =>
    pool.query(`UPDATE read_previous.checkpoint SET ${column} = $1`, [value]);
  const { rows } = await pool.query('SELECT log_id, position FROM read_previous.checkpoint');
  for (const [column, value] of [
    ['position', toPosition(1_000_000)],
    ['log_id', 'another'],
  ] as const) {
    await setPrevious(column, value);
    expect((await overview()).sets).toMatchObject([
      { name: 'live', otherLog: false },
      { name: 'previous', otherLog: true, behind: 0 },
    ]);
    const refused = { failed: true, outcome: expect.stringContaining('not of this log') };
    expect(await done('switch-back')).toMatchObject(refused);
    await setPrevious(column, rows[0][column]);
  }
  expect(await done('switch-back')).toMatchObject({ failed: false });
});

it('projections list the events that no table can apply, and retry them', async () => {
  const event = { id: crypto.randomUUID(), type: 'CityAdded', version: 1, data: '{', meta: '{}' };
  await site.foundation.log.append([{ stream: 'city-999', expected: 'none', events: [event] }]);
  await eventually(async () =>
    expect((await overview()).parked).toMatchObject([{ id: event.id, stream: 'city-999', tries: 1 }]),
  );
  expect(await done('retry-parked')).toMatchObject({
    failed: false,
    outcome: '0 events taken, 1 stay parked',
  });
  expect((await overview()).parked).toMatchObject([{ tries: 2 }]);
});
