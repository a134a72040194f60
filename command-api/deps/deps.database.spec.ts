import { pino } from 'pino';
import { expect, it } from 'vitest';
import { inventory } from '#domain/inventory/inventory.ts';
import { readConfig } from '#infra/config/config.ts';
import { layFoundation } from '#infra/foundation/foundation.ts';
import { freshDatabase } from '#tests/kit/database.ts';
import { atTheEnd } from '#tests/kit/endings.ts';
import { freshFolder } from '#tests/kit/folder.ts';
import { createCommandDeps } from './deps.ts';

it('the command handler logs a failed snapshot, because no caller notices it', async () => {
  const lines: string[] = [];
  const logger = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  const config = readConfig({ DATA_DIR: await freshFolder(), DEMO: 'off' });
  const databaseUrl = await freshDatabase('tables');
  const foundation = await layFoundation({ name: 'spec', config, databaseUrl, logger });
  atTheEnd(() => foundation.close());
  await foundation.database.pool.query('drop table app.snapshot');
  const { handler } = createCommandDeps(foundation);
  for (const listingId of [1, 2])
    expect(await handler.state(inventory, listingId)).toMatchObject({ revision: -1 });
  await handler.drain();
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual(['a snapshot could not be written or read']);
});
