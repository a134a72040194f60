/** Every call of what people do, in every way in which it may break. */
import { beforeAll, test } from 'vitest';
import { noCamera } from '#tests/browser/camera.ts';
import { cancellation, decision, deletion, party, purchase, scan } from '#tests/browser/flows.ts';
import { FAULTS, walk } from '#tests/kit/bad-connection.ts';
import { inChromium, sharedSite } from '#tests/kit/browser.ts';

inChromium('on a bad connection', (browser) => {
  let site: Awaited<ReturnType<typeof sharedSite>>;
  beforeAll(async () => {
    site = await sharedSite();
  });
  const there = () => site;
  let guests: ReturnType<typeof party> | undefined;
  const people = () => {
    guests ??= party(browser(), site, FAULTS.length);
    return guests;
  };
  const flows = [purchase, cancellation, deletion, decision].map((flow) => flow(browser, there));
  if (!noCamera) flows.push(scan(browser, there, people));
  for (const flow of flows)
    for (const name of Object.keys(flow.calls))
      for (const fault of FAULTS)
        test(`${flow.name} holds though ${name} ${fault}`, () => walk(flow, name, fault));
});
