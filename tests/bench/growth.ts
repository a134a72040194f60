/** How the site's speed changes as its log grows: purchase, start-up and query, with a young log and with a grown one. */
import { prepareSale, type Sale } from '#tests/chaos/sale.ts';
import { sell } from './hot-sale.ts';
import { projected } from './queries.ts';
import { fillWithSales } from './rebuild.ts';
import type { Row } from './row.ts';
import type { Stage } from './stage.ts';
import { load, request } from './wire.ts';

interface Figures {
  readonly purchases: number;
  readonly startUp: number;
  readonly queries: number;
}

const BUYERS = 6_000;

/** Fills a log to a size, projects it, and measures on it. */
const measureAt = async (stage: Stage, events: number, duration: number): Promise<Figures> => {
  const url = await stage.freshDatabase();
  const foundation = await stage.foundation(url);
  await fillWithSales(foundation.log, foundation.codec, events);
  const sale = await prepareSale(foundation, { capacity: 1_000_000, buyers: BUYERS });
  const projector = await stage.play('projector', url);
  await projected(foundation);
  await foundation.close();

  // The first start after the log has grown looks at what is new; it is the second that is measured.
  await (await stage.play('command-api', url)).stop();
  const commands = await stage.play('command-api', url);
  const sold = await sell(commands.port, sale as Sale, duration);
  await commands.stop();

  const queries = await stage.play('query-api', url);
  let asked = 0;
  const asking = await load(queries.port, 16, duration, async (wire) => {
    const { status } = await wire.ask(request('GET', `/api/events?limit=24&search=n${asked++ % 7_000}`));
    if (status !== 200) throw new Error(`events: ${status}`);
    return true;
  });
  await queries.stop();
  await projector.stop();
  return { purchases: sold.rate, startUp: commands.startedIn, queries: asking.rate };
};

export const run = async (
  stage: Stage,
  { duration = 5_000, young = 10_000, grown = 1_000_000 } = {},
): Promise<readonly Row[]> => {
  const before = await measureAt(stage, young, duration);
  const after = await measureAt(stage, grown, duration);
  const sizes = `${young.toLocaleString('en-GB')} → ${grown.toLocaleString('en-GB')} events`;
  return [
    { what: `growth: purchases, ${sizes}: slower by`, figure: before.purchases / after.purchases, unit: '×' },
    {
      what: `growth: start of command-api, ${sizes}: slower by`,
      figure: after.startUp / before.startUp,
      unit: '×',
    },
    {
      what: `growth: uncached searches, ${sizes}: slower by`,
      figure: before.queries / after.queries,
      unit: '×',
    },
  ];
};
