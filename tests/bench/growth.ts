/** How the site's speed changes as its log grows: purchase, start-up and query, with a young log and with a grown one. */
import { prepareSale } from '#tests/kit/prepared-sale.ts';
import { sell } from './hot-sale.ts';
import { fill } from './rebuild.ts';
import { type Row, row } from './row.ts';
import { salesMix } from './sales-mix.ts';
import { type Stage, settled } from './stage.ts';
import { load, median, request } from './wire.ts';

type Figures = Awaited<ReturnType<typeof measure>>;
type House = Awaited<ReturnType<typeof prepare>>;

const DURATION = 4_000;
const [YOUNG, GROWN] = [10_000, 1_000_000];
/** Each house is measured so often, in turns with the other, and the median counts: one turn alone is off by a fifth now and then. */
const TURNS = 3;
/** Nobody buys twice: more than a turn can serve. */
const BUYERS_A_TURN = 8_000;

/** Fills a log to a size and projects it, for a sale that has not begun. */
const prepare = async (stage: Stage, events: number) => {
  const url = await stage.freshDatabase();
  const foundation = await stage.foundation(url);
  await fill(foundation, salesMix(), events);
  const sale = await prepareSale(foundation, { capacity: 1_000_000, buyers: TURNS * BUYERS_A_TURN });
  const projector = await stage.play('projector', url);
  await settled(foundation);
  await projector.stop();
  // As on a site that grew by itself: none of its mails and jobs is still to be done.
  await foundation.database.pool.query(
    `insert into app.subscription (name, log_id, position) values ('jobs', $1, $2)`,
    [foundation.log.id, await foundation.log.head()],
  );
  // The first start after the log has grown looks at what is new; later ones are measured.
  await (await stage.play('command-api', url)).stop();
  return { url, sale };
};

const measure = async (stage: Stage, { url, sale }: House, turn: number) => {
  const projector = await stage.play('projector', url);
  const commands = await stage.play('command-api', url);
  const buyers = sale.buyers.slice(turn * BUYERS_A_TURN, (turn + 1) * BUYERS_A_TURN);
  const sold = await sell(commands.port, { ...sale, buyers }, DURATION);
  await commands.stop();

  const queries = await stage.play('query-api', url);
  let asked = 0;
  const asking = await load(queries.port, 16, DURATION, async (wire) => {
    const { status } = await wire.ask(request('GET', `/api/events?limit=24&search=n${asked++ % 7_000}`));
    if (status !== 200) throw new Error(`events: ${status}`);
    return true;
  });
  await queries.stop();
  await projector.stop();
  return { purchases: sold.rate, startUp: commands.startedIn, queries: asking.rate };
};

export const run = async (stage: Stage): Promise<readonly Row[]> => {
  const houses = { before: await prepare(stage, YOUNG), after: await prepare(stage, GROWN) };
  const before: Figures[] = [];
  const after: Figures[] = [];
  for (let turn = 0; turn < TURNS; turn++) {
    before.push(await measure(stage, houses.before, turn));
    after.push(await measure(stage, houses.after, turn));
  }
  const ratio = (above: readonly Figures[], below: readonly Figures[], name: keyof Figures): number =>
    median(above.map((one) => one[name])) / median(below.map((one) => one[name]));
  const sizes = `${YOUNG.toLocaleString('en-GB')} → ${GROWN.toLocaleString('en-GB')} events`;
  return [
    row(`growth: purchases, ${sizes}: slower by`, ratio(before, after, 'purchases'), '×'),
    row(`growth: start of command-api, ${sizes}: slower by`, ratio(after, before, 'startUp'), '×'),
    row(`growth: uncached searches, ${sizes}: slower by`, ratio(before, after, 'queries'), '×'),
  ];
};
