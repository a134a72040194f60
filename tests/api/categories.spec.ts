/** Categories, as superusers keep them. */
import { beforeAll, describe, expect, it } from 'vitest';
import { adminCategoryCalls } from '#domain/contracts/admin-categories.ts';
import { catalogueCalls } from '#domain/contracts/catalogue.ts';
import { type Hall, openHall } from '#tests/kit/programme.ts';
import { type Member, type Site, startSite } from '#tests/kit/site.ts';

const JAZZ = { name: 'Jazz & Blues', emoji: '🎷', description: 'Late and low' };

let site: Site;
let superuser: Member;
let listed: Hall['listed'];
let form: Hall['form'];
beforeAll(async () => {
  site = await startSite();
  ({ listed, form } = await openHall(site));
  superuser = await site.member('superuser', 'Sue');
});

const send = (method: 'POST' | 'PUT' | 'DELETE', path: string, body?: object, headers = {}) =>
  superuser.browser.call(method, `/api/admin/categories${path}`, body, headers);
const all = (query = {}) => superuser.browser.ask(adminCategoryCalls.list, { query });
const added = async (changes = {}): Promise<number> =>
  (await send('POST', '', { ...JAZZ, ...changes })).body.id;

describe('a category', () => {
  it('is added, edited and deleted, and keeps its slug', async () => {
    const made = await send('POST', '', JAZZ);
    expect(made).toMatchObject({ status: 201, body: { ...JAZZ, slug: 'jazz-blues' } });
    const { id } = made.body;
    expect(await all()).toContainEqual({ ...made.body, eventCount: 0 });

    const changed = { name: 'Late Jazz', emoji: '🎺🎷', description: '' };
    const edited = await send('PUT', `/${id}`, changed);
    expect(edited).toMatchObject({ status: 200, body: { id, slug: 'jazz-blues', ...changed } });
    const { browser } = superuser;
    expect(await browser.ask(catalogueCalls.categories)).toContainEqual({
      id,
      slug: 'jazz-blues',
      ...changed,
    });

    expect(await send('DELETE', `/${id}`)).toMatchObject({ status: 200 });
    expect((await all()).map(({ name }) => name)).toEqual(['Concerts']);
    for (const gone of [await send('PUT', `/${id}`, JAZZ), await send('DELETE', '/99999')])
      expect(gone).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    // The name is free again, and the old id does not come to mean the new one.
    const again = await added();
    expect(again).not.toBe(id);
    expect(await send('PUT', `/${id}`, JAZZ)).toMatchObject({ status: 404 });
  });

  it('can be edited, deleted and named as soon as it is added', async () => {
    for (const name of ['Open Air', 'Street Food', 'Late Talks']) {
      expect(await send('PUT', `/${await added({ name })}`, { ...JAZZ, name })).toMatchObject({
        status: 200,
      });
      expect(await send('DELETE', `/${await added({ name: `${name} II` })}`)).toMatchObject({ status: 200 });
      await added({ name: `${name} III` });
      const event = { ...form, category: `${name} iii` };
      expect(await superuser.browser.post('/api/admin/events', event)).toMatchObject({ status: 201 });
    }
  });

  it('is added once for one key, and its name is unique', async () => {
    const key = { 'idempotency-key': '4f2a1f6c-98a5-4f0e-8c0c-6e1a2f7d3b11' };
    const talks = { ...JAZZ, name: 'Talks' };
    const first = await send('POST', '', talks, key);
    expect((await send('POST', '', talks, key)).body).toEqual(first.body);
    expect(await send('POST', '', { ...JAZZ, name: 'TALKS' })).toMatchObject({
      status: 409,
      body: { code: 'NAME_TAKEN' },
    });
  });

  it('cannot be deleted while events are in it, past and inactive ones too, and the refusal names them', async () => {
    const id = await added({ name: 'Film' });
    const reel = await listed({ title: 'First Reel', category: 'film' });
    await listed({ title: 'Second Reel', category: 'film' });
    await site.caughtUp();
    expect(await all({ sort: '-events', limit: 1 })).toMatchObject([{ name: 'Film', eventCount: 2 }]);
    expect(await send('DELETE', `/${id}`)).toMatchObject({
      status: 409,
      body: {
        code: 'IN_USE',
        message: 'This is still in use by First Reel and 1 more.',
        usedBy: [{ kind: 'event', id: reel, name: 'First Reel' }, { name: 'Second Reel' }],
      },
    });
    expect(await all({ search: 'film' })).toHaveLength(1);
  });

  it.each([
    [{ ...JAZZ, name: ' ' }, 'name', 'Please provide both name and emoji for the category'],
    [{ name: 'Jazz' }, 'emoji', 'Please provide both name and emoji for the category'],
    [{ ...JAZZ, name: '🎷' }, 'name', 'Use letters from A to Z, or digits'],
    [{ ...JAZZ, emoji: '🎷🎺🥁' }, 'emoji', 'Emoji must be at most 2 characters'],
    [{ ...JAZZ, description: 'x'.repeat(1001) }, 'description', 'Must be at most 1,000 characters'],
  ])('is refused with %j', async (body, field, message) => {
    for (const refused of [await send('POST', '', body), await send('PUT', '/1', body)])
      expect(refused).toMatchObject({ status: 400, body: { fields: { [field]: message } } });
  });

  it('without name and emoji gets a single message', async () => {
    const message = 'Please provide both name and emoji for the category';
    expect((await send('POST', '', {})).body).toMatchObject({
      message,
      errors: [message],
      fields: { name: message, emoji: message },
    });
  });

  it('is in the exported file', async () => {
    const { body } = await superuser.browser.get('/api/admin/categories/export-csv?search=concerts');
    expect(body).toBe('\uFEFFID,Name,Emoji,Description,Events\n1,Concerts,🎵,,0\n');
  });
});
