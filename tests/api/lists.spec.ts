/** Lists of the admin panel: pages, orders, searches, filters, and the same rows as a CSV file. */
import { beforeAll, describe, expect, it } from 'vitest';
import { listing } from '#domain/listing/listing.ts';
import { START } from '#infra/event-log/event-log.ts';
import { DAY, inTime, openHall } from '#tests/kit/programme.ts';
import { type Member, type Site, startSite } from '#tests/kit/site.ts';

let site: Site;
let superuser: Member;
/** Ids by the titles' first letters. */
const made = new Map<string, number>();

beforeAll(async () => {
  site = await startSite();
  const { listed } = await openHall(site);
  const add = async (title: string, price: number, days: number) =>
    made.set(title.replace(/[^A-Z]/g, '').slice(0, 1), await listed({ title, price, ...inTime(days * DAY) }));
  await add('Autumn Brass', 30, 20);
  await add('Blue Notes, "late"', 10, 10);
  await add('=HYPERLINK("https://evil.example")', 20, 30);
  await site.acting().do(listing, made.get('A') ?? 0, { type: 'DeactivateListing' });
  superuser = await site.member('superuser', 'Sue');
  await site.caughtUp();
});

const list = async (query: string) => {
  const answer = await superuser.browser.get(`/api/admin/events?${query}`);
  expect(answer).toMatchObject({ status: 200 });
  const ids: number[] = answer.body.map(({ id }: { id: number }) => id);
  return {
    total: answer.headers.get('x-total-count'),
    titles: ids.map((id) => [...made].find(([, one]) => one === id)?.[0]).join(''),
  };
};

describe('a list', () => {
  it('is complete and in its usual order without parameters', async () => {
    expect(await list('')).toEqual({ total: '3', titles: 'BAH' });
  });

  it.each([
    ['sort=title', '3', 'HAB'],
    ['sort=-price', '3', 'AHB'],
    ['sort=price&limit=2', '3', 'BH'],
    ['sort=price&limit=2&page=2', '3', 'A'],
    ['sort=price&limit=2&offset=1', '3', 'HA'],
    ['page=7', '3', ''],
    ['state=inactive', '1', 'A'],
    ['state=past', '0', ''],
    ['category=concerts&search=bras', '1', 'A'],
    ['category=dining', '0', ''],
    ['search=', '3', 'BAH'],
    ['search=%26!', '0', ''],
  ])('is sorted and paged: %s', async (query, total, titles) => {
    expect(await list(query)).toEqual({ total, titles });
  });

  it.each(['sort=secret', 'sort=--price', 'page=0', 'limit=501', 'state=gone', `search=${'x'.repeat(101)}`])(
    'refuses %s',
    async (query) => {
      for (const path of ['', '/export-csv'])
        expect(await superuser.browser.get(`/api/admin/events${path}?${query}`)).toMatchObject({
          status: 400,
          body: { code: 'BAD_INPUT' },
        });
    },
  );

  it('finds no event for signs alone, in the public list either', async () => {
    const answer = await superuser.browser.get('/api/events?search=%26!');
    expect(answer).toMatchObject({ status: 200, body: [] });
    expect(answer.headers.get('x-total-count')).toBe('0');
  });

  it('finds wildcard characters only literally', async () => {
    for (const search of ['%25', '_', '\\'])
      expect(await superuser.browser.get(`/api/admin/refunds?search=${search}`)).toMatchObject({
        status: 200,
        body: [],
      });
  });
});

describe('a list’s CSV file', () => {
  it('has the requested rows in that order, and no formulas', async () => {
    const file = await superuser.browser.get('/api/admin/events/export-csv?sort=price&limit=1');
    expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(file.headers.get('content-disposition')).toMatch(
      /^attachment; filename="events-\d{4}-\d\d-\d\d\.csv"$/,
    );
    expect(file.headers.get('x-total-count')).toBe('3');
    const [head, ...rows] = String(file.body)
      .replace(/^\uFEFF/, '')
      .trimEnd()
      .split('\n');
    expect(head).toMatch(/^ID,Title,Category,/);
    expect(rows).toEqual([
      expect.stringMatching(/^\d+,"Blue Notes, ""late""",Concerts,Leeds,.*,10\.00,50,0,0,50,no,yes$/),
      expect.stringMatching(/^\d+,"'=HYPERLINK\(""https:\/\/evil\.example""\)",Concerts,/),
      expect.stringMatching(/^\d+,Autumn Brass,Concerts,.*,no,no$/),
    ]);
  });

  it('is recorded in the log with its reader and filters', async () => {
    await superuser.browser.get('/api/admin/refunds/export-csv');
    const { log, codec } = site.foundation;
    const reads = { filter: { streamPrefixes: ['reads-'] } };
    const batches = await Array.fromAsync(log.readAll(START, reads));
    const recorded = await codec.decode(batches.flatMap(({ events }) => events));
    expect(recorded.at(-1)).toMatchObject({
      event: { type: 'DataExported', data: { what: 'refunds', rows: 0 } },
      meta: { actor: { kind: 'user', id: superuser.id } },
    });
  });

  it('is for superusers only', async () => {
    const staff = await site.member('staff', 'Kim');
    for (const path of ['/api/admin/events/export-csv', '/api/admin/refunds/export-csv']) {
      expect(await staff.browser.get(path)).toMatchObject({ status: 403 });
      expect(await site.visitor().get(path)).toMatchObject({ status: 401 });
    }
  });
});
