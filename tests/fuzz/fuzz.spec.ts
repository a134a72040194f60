/** A share of `npm run fuzz`. */
import { beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase } from '#tests/kit/database.ts';
import { freshFolder } from '#tests/kit/folder.ts';
import type { Draft } from './draft.ts';
import { type FuzzReport, fuzz } from './fuzz.ts';
import { judge } from './judge.ts';
import type { Reply } from './socket.ts';

const REQUESTS = 2_500;

describe('malformed requests over every route', () => {
  let report: FuzzReport;
  beforeAll(async () => {
    const [databaseUrl, dataDir] = [await freshDatabase('tables'), await freshFolder()];
    report = await fuzz({ databaseUrl, dataDir, requests: REQUESTS, seed: 'spec' });
  }, 600_000);

  it('are answered with what is wrong with them, never with a fault of ours', () => {
    expect(report.failures).toEqual([]);
  });

  it('leave log, read models and shop whole', () => {
    expect(report.wrong).toEqual([]);
  });

  it('get past the first checks: what is right among them is done, and refused for many reasons', () => {
    expect(report.sent).toBe(REQUESTS);
    expect(Object.keys(report.succeeded).length).toBeGreaterThan(50);
    for (const call of ['POST /api/admin/events', 'POST /api/bookings/cancel', 'POST /api/stripe/webhook'])
      expect(report.succeeded[call], call).toBeGreaterThan(0);
    expect(Object.keys(report.byCode).length).toBeGreaterThan(15);
  });
});

describe('the judge', () => {
  const draft: Pick<Draft, 'method' | 'path' | 'spoilt' | 'line'> = {
    method: 'GET',
    path: '/api/events/1',
    spoilt: [],
    line: undefined,
  };
  const answer = (status: number, body: unknown, type = 'application/json'): Reply => ({
    status,
    headers: new Map([['content-type', type]]),
    body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  });
  const said = { message: 'x', requestId: 'y' };

  it.each([
    ['a fault', answer(500, { ...said, code: 'INTERNAL' })],
    ['a dependency that is down', answer(503, { ...said, code: 'UNAVAILABLE' })],
    ['no answer', answer(0, '')],
    ['an error of another shape', answer(400, { error: 'Bad Request' })],
    ['a code that there is not', answer(400, { ...said, code: 'WHATEVER' })],
    ['a code with another status', answer(409, { ...said, code: 'BAD_INPUT' })],
    ['a page for a call', answer(404, '<!doctype html>', 'text/html')],
    ['half an answer', answer(200, '{"a":')],
  ])('finds %s', (_name, reply) => {
    expect(judge(draft, reply)).toEqual(expect.any(String));
  });

  it.each([
    ['a success', answer(200, {})],
    ['a refusal', answer(400, { ...said, code: 'BAD_INPUT' })],
    ['a queue that is full', answer(503, { ...said, code: 'BUSY' })],
  ])('lets %s be', (_name, reply) => {
    expect(judge(draft, reply)).toBeUndefined();
  });

  it('owes no answer to bytes that are no request', () => {
    expect(judge({ ...draft, spoilt: ['wire cut'] }, answer(0, ''))).toBeUndefined();
  });
});
