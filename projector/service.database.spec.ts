import { pino } from 'pino';
import { expect, it, vi } from 'vitest';
import { readConfig } from '#infra/config.ts';
import { layFoundation } from '#infra/foundation.ts';
import { freshDatabase } from '#tests/kit/database.ts';
import { atTheEnd } from '#tests/kit/endings.ts';
import { freshFolder } from '#tests/kit/folder.ts';
import { versionsOf } from './projection.ts';
import { projections } from './projections/all.ts';
import { openProjectorService } from './service.ts';

it('leaves read models of a newer version to a newer projector, and rebuilds those of an older one', async () => {
  const databaseUrl = await freshDatabase('tables');
  const config = readConfig({ DATA_DIR: await freshFolder(), DEMO: 'off' });
  const lines: string[] = [];
  const said = () => lines.join('');
  const logger = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  const foundation = await layFoundation({ name: 'spec', config, databaseUrl, logger });
  atTheEnd(() => foundation.close());
  const start = async (saysFirst: RegExp) => {
    lines.length = 0;
    const { stop } = await openProjectorService(foundation);
    await vi.waitFor(() => expect(said()).toMatch(saysFirst), 20_000);
    await stop();
  };
  const madeBy = (versions: Readonly<Record<string, number>>) =>
    foundation.database.pool.query('update read.checkpoint set versions = $1', [versions]);
  await start(/^$/);

  const ours = versionsOf(projections);
  await madeBy({ ...ours, bookings: 99 });
  await start(/newer version of bookings/);
  expect(said()).not.toMatch(/rebuilt beside/);
  await madeBy({ ...ours, unheardOf: 1 });
  await start(/newer version of unheardOf/);
  expect(said()).not.toMatch(/rebuilt beside/);

  await madeBy({ ...ours, bookings: 0 });
  await start(/rebuilt beside/);
});
