import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { toPosition } from '#infra/event-log/batch.ts';
import { forgetPerson } from '#infra/read-models/forget-person.ts';
import { followReadModels } from '#infra/read-models/progress.ts';
import { type Table, text } from '#infra/read-models/table.ts';
import type { Projection } from '#projector/engine/projection.ts';
import { projections } from '#projector/projections/all.ts';
import { city, type GivenEvents, givenEvents } from '#tests/kit/given-events.ts';
import { describeComparison } from './compare.ts';
import { retryParked } from './parked.ts';
import { buildBeside, compareWithRebuild, rebuild } from './rebuild.ts';
import { alone, dropOutdated, switchBack } from './switch.ts';

const PATIENCE = 25_000;

describe('a rebuild', () => {
  let kit: GivenEvents;
  beforeEach(async () => {
    kit = await givenEvents();
  });

  const names = async () => (await kit.rows('city')).map(({ name }) => name);
  const expectFollowed = async (): Promise<void> => {
    const { rows } = await kit.pool.query('SELECT log_id, position FROM read.checkpoint');
    expect(rows).toEqual([{ log_id: kit.log.id, position: await kit.log.head() }]);
    await kit.engine.open();
    await kit.given(city(9, 'Leeds'));
    expect(await names()).toEqual(['York', 'Bath', 'Leeds']);
  };

  for (const [what, change] of [
    ['another log made the live ones', `log_id = 'another', position = '${toPosition(1_000)}'`],
    ['the log was restored from an older backup', `position = '${toPosition(1_000)}'`],
  ] as const)
    it(`starts afresh and switches when ${what}`, async () => {
      await kit.given(city(1, 'York'), city(2, 'Bath'));
      await kit.pool.query(`UPDATE read.checkpoint SET ${change}`);
      await expect(compareWithRebuild({ ...kit, projections })).rejects.toThrow('not of this log');
      expect(await rebuild({ ...kit, projections })).toMatchObject({ comparison: undefined, switched: true });
      await expectFollowed();
    });

  it('reports the rows that changed folds make differently and the tables that cannot be compared, and switches', async () => {
    await kit.given(city(1, 'York'), city(2, 'Bath'));
    const rewritten = (columns: Table['columns'], fold: (row: object | undefined) => object): Projection[] =>
      projections.map((projection) => ({
        ...projection,
        version: projection.version + 1,
        tables: projection.tables.map((projected) =>
          projected.table.name === 'city'
            ? {
                ...projected,
                table: { ...projected.table, columns: { ...projected.table.columns, ...columns } },
                fold: (...given) => fold(projected.fold(...given)),
              }
            : projected,
        ),
      }));
    const louder = rewritten({}, (row) => ({ ...row, name: 'YORK' }));
    expect(await rebuild({ ...kit, projections: louder })).toMatchObject({
      comparison: { differing: { city: 2 }, incomparable: [] },
      switched: true,
    });
    expect(await names()).toEqual(['YORK', 'YORK']);
    const wider = rewritten({ motto: text() }, (row) => ({ ...row, motto: '' })).map((projection) => ({
      ...projection,
      version: 9,
    }));
    const { comparison } = await rebuild({ ...kit, projections: wider });
    expect(comparison).toMatchObject({ differing: {}, incomparable: ['city'], equal: false });
    expect(comparison && describeComparison(comparison)).toContain('city: its columns differ');
  });

  it('excludes other switches and retries while it runs', async () => {
    await kit.given(city(1, 'York'));
    await rebuild({ ...kit, projections });
    await alone(kit.pool, async () => {
      for (const attempt of [
        () => rebuild({ ...kit, projections }),
        () => switchBack(kit.pool, kit.log),
        () => retryParked({ ...kit, projections }),
      ])
        await expect(attempt()).rejects.toThrow('Another rebuild is running.');
    });
  });

  const schemas = async () => {
    const { rows } = await kit.pool.query<{ name: string }>(
      "SELECT nspname AS name FROM pg_namespace WHERE nspname LIKE 'read%' ORDER BY 1",
    );
    return rows.map(({ name }) => name);
  };

  it('keeps the replaced read models for a set time, and drops nothing while another rebuild runs', async () => {
    await kit.given(city(1, 'York'));
    await kit.pool.query(`UPDATE read.checkpoint SET updated_at = now() - interval '3 days'`);
    await rebuild({ ...kit, projections });
    await buildBeside({ ...kit, projections });
    expect(await dropOutdated(kit.pool, 60_000)).toEqual([]);
    await kit.pool.query(`UPDATE read_next.checkpoint SET updated_at = now() - interval '2 minutes'`);
    await alone(kit.pool, () => expect(dropOutdated(kit.pool, 60_000)).rejects.toThrow('Another rebuild'));
    expect(await dropOutdated(kit.pool, 60_000)).toEqual(['read_next']);
    await switchBack(kit.pool, kit.log);
    expect(await dropOutdated(kit.pool, 60_000)).toEqual([]);
    expect(await dropOutdated(kit.pool, 0)).toEqual(['read_previous']);
    expect(await schemas()).toEqual(['read']);
    expect(await names()).toEqual(['York']);
  });

  /** Registers Ann. Resolves to her account's id. */
  const registered = async (): Promise<string> => {
    const accountId = randomUUID();
    const person = {
      accountId,
      email: 'ann@people.example',
      firstName: 'Ann',
      lastName: 'Ashby',
      profileImageUrl: null,
      role: 'user',
      via: 'password',
    } as const;
    await kit.given({
      stream: `account-${accountId}`,
      event: { type: 'AccountRegistered', data: person },
    });
    return accountId;
  };

  it('reports which rows differ and in which columns, without personal data, because the report is stored', async () => {
    const accountId = await registered();
    await kit.pool.query(`UPDATE read.person SET first_name = 'Hannah'`);
    const changed = await kit.comparedWithRebuild();
    expect(changed).toContain(`person ${accountId} (other, and not told: first_name)`);
    await kit.pool.query('DELETE FROM read.person');
    const missing = await kit.comparedWithRebuild();
    expect(missing).toContain(`person ${accountId}\n  - null\n  + {"account_id":"${accountId}"}`);
    for (const told of [changed, missing]) expect(told).not.toMatch(/Ann|Hannah|Ashby|people\.example/);
  });

  it('leaves no personal data of an erased person in the replaced or in the new read models', async () => {
    const accountId = await registered();
    await rebuild({ ...kit, projections });
    await buildBeside({ ...kit, projections });
    expect(await schemas()).toEqual(['read', 'read_next', 'read_previous']);
    await forgetPerson(kit.pool, accountId);
    for (const schema of await schemas())
      expect((await kit.pool.query(`SELECT * FROM ${schema}.person`)).rows).toEqual([]);
  });

  it('reports how far back a switch to the earlier read models leads', async () => {
    const progress = followReadModels({ pool: kit.pool, url: kit.url });
    try {
      await kit.given(city(1, 'York'));
      const before = kit.engine.position;
      await rebuild({ ...kit, projections });
      await kit.engine.open();
      await kit.given(city(2, 'Bath'));
      expect(await progress.waitFor(kit.engine.position, PATIENCE)).toBe(true);
      const told = vi.fn();
      progress.onNotice(told);
      await switchBack(kit.pool, kit.log);
      await vi.waitFor(() => expect(progress.position()).toBe(before), PATIENCE);
      expect(told).toHaveBeenCalledWith({ position: before, listings: undefined });
      expect(await names()).toEqual(['York']);
    } finally {
      await progress.close();
    }
  });
});
