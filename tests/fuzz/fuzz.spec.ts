/** A share of `npm run fuzz`. */
import { beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase } from '#tests/kit/database.ts';
import { freshFolder } from '#tests/kit/folder.ts';
import { type FuzzReport, fuzz } from './fuzz.ts';

const REQUESTS = 5_000;

describe('malformed requests to every route', () => {
  let report: FuzzReport;
  beforeAll(async () => {
    const [databaseUrl, dataDir] = [await freshDatabase('tables'), await freshFolder()];
    report = await fuzz({ databaseUrl, dataDir, requests: REQUESTS, seed: 'spec' });
  }, 600_000);

  it('are answered with their errors, never with a server fault', () => {
    expect(report.failures).toEqual([]);
  });

  it('leave log, read models and sales intact', () => {
    expect(report.wrong).toEqual([]);
  });

  it('succeed where they are valid, and are refused for many reasons', () => {
    expect(report.sent).toBe(REQUESTS);
    expect(Object.keys(report.succeeded).length).toBeGreaterThan(50);
    // Of one call a few succeed, or by bad luck none: what is asked of are rooms of the product.
    const done = (calls: RegExp): number =>
      Object.entries(report.succeeded)
        .filter(([call]) => calls.test(call))
        .reduce((sum, [, times]) => sum + times, 0);
    expect(done(/^(POST|PUT|PATCH|DELETE) \/api\/admin\//), 'changes by superusers').toBeGreaterThan(50);
    expect(done(/^POST \/api\/(bookings|tickets|create-payment-intent)/), 'sale and door').toBeGreaterThan(
      10,
    );
    expect(done(/^POST \/api\/stripe\/webhook/), 'the provider').toBeGreaterThan(0);
    expect(Object.keys(report.byCode).length).toBeGreaterThan(15);
  });
});
