/**
 * The calls of what people do, and the ways in which they may break: each call that changes something in one way, and with
 * `WALKS=all` every call in every way.
 */
import { beforeAll, test } from 'vitest';
import { FAULTS, type Fault, walk } from '#tests/kit/bad-connection.ts';
import { inChromium, sharedSite } from '#tests/kit/browser.ts';
import { noCamera } from './camera.ts';
import { cancellation, decision, deletion, makeRoom, party, purchase, scan } from './flows.ts';

/** How each call that changes something breaks in a short round. */
const SHORT: Readonly<Record<string, Fault>> = {
  hold: 'answers HTML',
  pay: 'loses its answer',
  book: 'hangs after the work',
  cancel: 'loses its answer',
  delete: 'hangs after the work',
  decide: 'answers HTML',
  scan: 'hangs after the work',
};
const all = process.env.WALKS === 'all';

inChromium('on a bad connection', (browser) => {
  let site: Awaited<ReturnType<typeof sharedSite>>;
  beforeAll(async () => {
    site = await sharedSite();
    await makeRoom(browser(), site);
  });
  const there = () => site;
  let guests: ReturnType<typeof party> | undefined;
  const people = () => {
    // One code is the whole party's, the others admit one person each.
    guests ??= party(browser(), site, FAULTS.length + 1);
    return guests;
  };
  const flows = [purchase, cancellation, deletion, decision].map((flow) => flow(browser, there));
  if (!noCamera) flows.push(scan(browser, there, people));
  for (const flow of flows)
    for (const name of Object.keys(flow.calls))
      for (const fault of FAULTS.filter((one) => all || SHORT[name] === one))
        test(`${flow.name} holds though ${name} ${fault}`, () => walk(flow, name, fault));
});
