/** Sponsors, as superusers keep them and as everybody sees them. */
import sharp from 'sharp';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sweepImages } from '#command-api/catalogue/unused-images.ts';
import type { AdminImage } from '#domain/contracts/admin-images.ts';
import { overviewCalls } from '#domain/contracts/admin-overview.ts';
import {
  type AdminSponsor,
  adminSponsorCalls,
  MOST_SPONSORS,
  sponsorCalls,
} from '#domain/contracts/sponsors.ts';
import { eventually } from '#tests/kit/eventually.ts';
import { DAY } from '#tests/kit/programme.ts';
import { BASE_URL, type Member, type Site, startSite } from '#tests/kit/site.ts';

let site: Site;
let superuser: Member;
let logo: AdminImage;
let red = 0;

const uploaded = async (): Promise<AdminImage> => {
  const background = { r: ++red, g: 90, b: 40 };
  const file = await sharp({ create: { width: 640, height: 160, channels: 3, background } })
    .png()
    .toBuffer();
  const sent = new FormData();
  sent.set('image', new Blob([new Uint8Array(file)]), 'Logo.png');
  return (await superuser.browser.call('POST', '/api/admin/images', sent)).body;
};

beforeAll(async () => {
  site = await startSite();
  superuser = await site.member('superuser', 'Sue');
  logo = await uploaded();
});
beforeEach(async () => {
  for (const { id } of await listed()) await send('DELETE', `/${id}`);
});

const send = (method: 'POST' | 'PUT' | 'DELETE', path = '', body?: object, headers = {}) =>
  superuser.browser.call(method, `/api/admin/sponsors${path}`, body, headers);
const form = (more: Partial<AdminSponsor> = {}) => ({
  ...{ name: 'Tide Brewery', link: 'https://tide.example', logo: logo.path, order: 1 },
  ...more,
});
const listed = (query = {}) => superuser.browser.ask(adminSponsorCalls.list, { query });
const shown = async () => {
  await site.caughtUp();
  return site.visitor().ask(sponsorCalls.list);
};

describe('a sponsor', () => {
  it('is added, edited and deleted, and everyone sees it', async () => {
    expect(await shown()).toEqual([]);
    const made = await send('POST', '', form());
    expect(made).toMatchObject({
      status: 201,
      body: { ...form(), link: 'https://tide.example/', logo: logo.secureUrl },
    });
    const { id } = made.body;
    expect(await listed()).toEqual([made.body]);
    const [first] = await shown();
    expect(first).toMatchObject({ id, name: 'Tide Brewery', logo: { width: 640, height: 160 } });
    expect(first?.logo.sizes[0]?.url).toMatch(`${BASE_URL}/images/`);

    const edited = await send('PUT', `/${id}`, { ...made.body, name: 'Tide & Sons' });
    expect(edited).toMatchObject({ status: 200, body: { id, name: 'Tide & Sons' } });
    expect(await listed()).toEqual([edited.body]);
    expect(await send('DELETE', `/${id}`)).toMatchObject({
      status: 200,
      body: { message: 'Sponsor deleted' },
    });
    expect(await shown()).toEqual([]);
    for (const gone of [await send('PUT', `/${id}`, form()), await send('DELETE', `/${id}`)])
      expect(gone).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  });

  it('is added once for one key, however often it is sent', async () => {
    const key = { 'idempotency-key': '0b5b0f7e-5c3b-4a6e-9a53-0f3f5f1d2c11' };
    const [first, second] = [await send('POST', '', form(), key), await send('POST', '', form(), key)];
    expect(second.body).toEqual(first.body);
    expect(await listed()).toHaveLength(1);
  });

  it('keeps what another superuser changed meanwhile', async () => {
    const { body: made } = await send('POST', '', form());
    await send('PUT', `/${made.id}`, { ...made, link: 'https://tide.example/beer' });
    expect(await send('PUT', `/${made.id}`, { ...made, link: 'https://tide.example/ale' })).toMatchObject({
      status: 409,
      body: { code: 'CHANGED_MEANWHILE', changed: ['link'], current: { link: 'https://tide.example/beer' } },
    });
    expect((await send('PUT', `/${made.id}`, { ...made, order: 5 })).status).toBe(409);
  });

  it('is sorted by its order, and the footer shows only the first ones', async () => {
    for (const order of [100, 9, 10]) await send('POST', '', form({ name: `No. ${order}`, order }));
    expect((await shown()).map(({ name }) => name)).toEqual(['No. 9', 'No. 10', 'No. 100']);
    expect((await listed({ sort: '-order' })).map(({ order }) => order)).toEqual([100, 10, 9]);
    expect((await listed({ search: 'no. 1', limit: '1' })).map(({ name }) => name)).toEqual(['No. 10']);
    for (let order = 0; order < MOST_SPONSORS; order++)
      await send('POST', '', form({ order: 1_000 + order }));
    expect(await listed()).toHaveLength(MOST_SPONSORS + 3);
    expect(await shown()).toHaveLength(MOST_SPONSORS);
  });

  it.each([
    [{ name: ' ' }, 'name', 'Name is required'],
    [{ name: 'x'.repeat(81) }, 'name', 'Must be at most 80 characters'],
    [{ name: 'Tide\u202Eyrewerb' }, 'name', 'Must be one line, without control characters'],
    [{ link: '' }, 'link', 'Link is required'],
    [{ link: 'javascript:alert(1)' }, 'link', 'Must be an address that begins with https:// or http://'],
    [{ link: 'java\nscript:alert(1)' }, 'link', 'Must be an address that begins with https:// or http://'],
    [{ link: '//tide.example' }, 'link', 'Must be an address that begins with https:// or http://'],
    [{ link: 'https://user:secret@tide.example' }, 'link', 'Leave out the name and password'],
    [{ logo: '' }, 'logo', 'Logo is required'],
    [
      { logo: 'https://elsewhere.test/logo.png' },
      'logo',
      'Please upload the logo, or choose it from the gallery',
    ],
    [{ logo: '/images/../secret' }, 'logo', 'Please upload the logo, or choose it from the gallery'],
    [{ order: 1.5 }, 'order', 'Must be a whole number from 0 to 9,999'],
    [{ order: -1 }, 'order', 'Must be a whole number from 0 to 9,999'],
  ])('is refused with %j', async (more, field, message) => {
    const { id } = (await send('POST', '', form())).body;
    for (const refused of [await send('POST', '', form(more)), await send('PUT', `/${id}`, form(more))])
      expect(refused).toMatchObject({ status: 400, body: { fields: { [field]: message } } });
    expect(await listed()).toHaveLength(1);
  });

  it('gets a normalised address that browsers treat as another site', async () => {
    const { body } = await send('POST', '', form({ link: 'https:tide.example/a b' }));
    expect(body.link).toBe('https://tide.example/a%20b');
  });

  it('is in the audit trail and in the exported file', async () => {
    const { id } = (await send('POST', '', form({ name: '=Tide' }))).body;
    await send('PUT', `/${id}`, form({ name: '=Tide', order: 2 }));
    await send('DELETE', `/${id}`);
    await send('POST', '', form({ name: '=Tide' }));
    const query = { entity: 'sponsor', search: id } as const;
    const history = await eventually(async () => {
      const found = await superuser.browser.ask(overviewCalls.audit, { query });
      expect(found).toHaveLength(3);
      return found;
    });
    expect(history.map(({ action, details }) => [action, details])).toEqual([
      ['delete', 'Deleted'],
      ['update', 'Edited'],
      ['create', 'Added'],
    ]);
    const file = await superuser.browser.send(adminSponsorCalls.exportCsv);
    expect(String(file.body)).toContain("Order,Name,Link,Logo\n1,'=Tide,https://tide.example/,");
  });
});

describe('a sponsor’s logo', () => {
  it('cannot be deleted, and stays on disk until no sponsor has it', async () => {
    const image = await uploaded();
    const { id } = (await send('POST', '', form({ logo: image.secureUrl }))).body;
    const removal = () => superuser.browser.call('DELETE', `/api/admin/images/${image.id}`);
    expect(await removal()).toMatchObject({
      status: 409,
      body: { code: 'IN_USE', usedBy: [{ kind: 'sponsor', name: 'Tide Brewery' }] },
    });
    // Not the gallery keeps it.
    await site.foundation.database.pool.query('delete from read.image where id = $1', [image.id]);
    const isKept = async () => {
      await site.caughtUp();
      await sweepImages(site.deps, new Date(Date.now() + DAY));
      return (await site.visitor().get(image.path)).status === 200;
    };
    expect(await isKept()).toBe(true);
    await send('DELETE', `/${id}`);
    expect(await isKept()).toBe(false);
  });

  it('is on pages rendered by the server', async () => {
    await send('POST', '', form({ name: 'Tide & Sons' }));
    await site.caughtUp();
    await eventually(async () => {
      const html = await (await fetch(`${site.origin}/terms`)).text();
      expect(html).toMatch(/<a href="https:\/\/tide\.example\/" rel="noopener sponsored"/);
      expect(html).toMatch(/<img[^>]* alt="Tide &amp; Sons" width="144" height="36"/);
    });
  });
});
