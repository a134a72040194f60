/** Cities, as superusers keep them. */
import { beforeAll, describe, expect, it } from 'vitest';
import { addVenue } from '#command-api/catalogue/places.ts';
import { adminCityCalls } from '#domain/contracts/admin-places.ts';
import { type Member, type Site, startSite } from '#tests/kit/site.ts';

const LEEDS = { name: 'Leeds', state: 'West Yorkshire', country: 'England' };

let site: Site;
let superuser: Member;
beforeAll(async () => {
  site = await startSite();
  superuser = await site.member('superuser', 'Sue');
});

const send = (method: 'POST' | 'PUT' | 'DELETE', path: string, body?: object, headers = {}) =>
  superuser.browser.call(method, `/api/admin/cities${path}`, body, headers);
const names = async (): Promise<string[]> =>
  (await superuser.browser.ask(adminCityCalls.list)).map(({ name }) => name);
const added = async (name: string): Promise<number> =>
  (await superuser.browser.ask(adminCityCalls.create, { body: { ...LEEDS, name } })).id;

describe('a city', () => {
  it('is added, edited and deleted, and everyone sees it at once', async () => {
    const made = await send('POST', '', LEEDS);
    expect(made).toMatchObject({ status: 201, body: { ...LEEDS, zone: 'Europe/London' } });
    const { id } = made.body;
    expect(await names()).toEqual(['Leeds']);

    const edited = await send('PUT', `/${id}`, { ...LEEDS, name: 'Łódź', zone: 'Europe/Warsaw' });
    expect(edited).toMatchObject({ status: 200, body: { id, name: 'Łódź', zone: 'Europe/Warsaw' } });
    // A zone that isn't sent stays.
    const again = await send('PUT', `/${id}`, { ...LEEDS, name: 'Lodz' });
    expect(again.body).toMatchObject({ name: 'Lodz', zone: 'Europe/Warsaw' });

    expect(await send('DELETE', `/${id}`)).toMatchObject({ status: 200 });
    expect(await names()).toEqual([]);
    for (const gone of [await send('PUT', `/${id}`, LEEDS), await send('DELETE', '/99999')])
      expect(gone).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  });

  it('is added once for one key, however often it is sent', async () => {
    const key = { 'idempotency-key': '0b5b0f7e-5c3b-4a6e-9a53-0f3f5f1d2c11' };
    const first = await send('POST', '', { ...LEEDS, name: 'York' }, key);
    const second = await send('POST', '', { ...LEEDS, name: 'York' }, key);
    expect(second.body).toEqual(first.body);
    expect(await names()).toEqual(['York']);
  });

  it('has a unique name within its state and country, also if several are added at once', async () => {
    const ripon = { ...LEEDS, name: 'Ripon' };
    const made = await Promise.all(Array.from({ length: 4 }, () => send('POST', '', ripon)));
    expect(made.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    const taken = { status: 409, body: { code: 'NAME_TAKEN', message: 'That name is already in use.' } };
    expect(await send('POST', '', { ...ripon, name: 'RIPON', state: 'west yorkshire' })).toMatchObject(taken);
    expect(await send('POST', '', { ...ripon, state: 'Wisconsin' })).toMatchObject({ status: 201 });

    const other = await added('Otley');
    expect(await send('PUT', `/${other}`, ripon)).toMatchObject(taken);
    const { id } = made.find(({ status }) => status === 201)?.body ?? {};
    const ireland = { ...ripon, zone: 'Europe/Dublin' };
    expect(await send('PUT', `/${id}`, ireland)).toMatchObject({ status: 200, body: ireland });

    expect(await send('DELETE', `/${id}`)).toMatchObject({ status: 200 });
    const both = [send('PUT', `/${other}`, ripon), send('POST', '', ripon)];
    const statuses = (await Promise.all(both)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 409)).toHaveLength(1);
    expect((await names()).filter((name) => name === 'Ripon')).toHaveLength(2);
  });

  it('cannot be deleted while it has venues, and the refusal names them', async () => {
    const cityId = await added('Hull');
    const hall = { address: 'Paragon Square', capacity: 900, cityId };
    const venue = await addVenue(site.commands.deps, { ...hall, name: 'Paragon Arts' }, site.acting());
    await addVenue(site.commands.deps, { ...hall, name: 'The Quay' }, site.acting());
    await site.caughtUp();
    expect(await send('DELETE', `/${cityId}`)).toMatchObject({
      status: 409,
      body: {
        code: 'IN_USE',
        message: 'This is still in use by Paragon Arts and 1 more.',
        usedBy: [{ kind: 'venue', id: venue, name: 'Paragon Arts' }, { name: 'The Quay' }],
      },
    });
    expect(await names()).toContain('Hull');
  });

  it.each([
    [{ ...LEEDS, name: ' ' }, 'name', 'City name is required'],
    [{ ...LEEDS, state: undefined }, 'state', 'State is required'],
    [{ ...LEEDS, country: '' }, 'country', 'Country is required'],
    [{ ...LEEDS, zone: 'Mars/Olympus' }, 'zone', 'Not a time zone'],
  ])('is refused with %j', async (body, field, message) => {
    for (const refused of [await send('POST', '', body), await send('PUT', '/1', body)])
      expect(refused).toMatchObject({ status: 400, body: { fields: { [field]: message } } });
  });
});
