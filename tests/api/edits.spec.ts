/** Two people who edit one thing: whoever is second is told what changed, and overwrites nothing unasked. */
import { beforeAll, describe, expect, it } from 'vitest';
import { siteMails } from '#domain/content/site-mails.ts';
import { bought, type Hall, openHall } from '#tests/kit/programme.ts';
import { type Member, type Site, startSite } from '#tests/kit/site.ts';

let site: Site;
let sue: Member;
let val: Member;
let hall: Hall;
beforeAll(async () => {
  site = await startSite();
  hall = await openHall(site);
  sue = await site.member('superuser', 'Sue');
  val = await site.member('superuser', 'Val');
});

const ROOT = '/api/admin';
const made = async (path: string, body: object): Promise<number> =>
  (await sue.browser.post(`${ROOT}/${path}`, body)).body.id;
const city = { name: 'Hull', state: 'Yorkshire', country: 'England' };
const venue = () => ({ name: 'Welly', address: 'Beverley Road', cityId: hall.form.cityId, capacity: 900 });
const category = { name: 'Poetry', emoji: '📖', description: '' };
const promotion = {
  ...{ name: 'Spring', code: 'SPRING', discountType: 'percentage', discountValue: '10' },
  ...{ validFrom: '2026-01-01', validUntil: '2036-01-01', usageLimit: 5 },
};
const template = {
  ...{ name: 'Winter', subject: 'Warm up', description: '', isActive: true },
  ...{ htmlContent: '<p>Warm up</p>', textContent: 'Warm up' },
};
const reset = siteMails['reset-password'];
const ownReset = {
  ...{ name: reset.name, description: reset.description, subject: 'A link', isActive: true },
  ...{ htmlContent: '<a href="{{ link }}">here</a>', textContent: '{{ link }}' },
};

/** A form: where it is listed and saved, what it holds, and two changes of different fields. */
interface Edited {
  readonly list: string;
  readonly save: readonly ['PUT' | 'PATCH' | 'POST', string];
  readonly id: number | string;
  readonly form: object;
  readonly theirs: object;
  readonly mine: object;
}

/** Each form of the admin panel that edits something. */
const forms: Readonly<Record<string, () => Promise<Edited>>> = {
  async event() {
    const id = await hall.listed();
    const { featured: _, ...form } = hall.form;
    const changes = { theirs: { title: 'Paper Suns' }, mine: { capacity: 40, price: 25 } };
    return { list: 'events', save: ['PUT', `events/${id}`], id, form, ...changes };
  },
  async 'event’s switches'() {
    const id = await hall.listed();
    const form = { ...hall.form, isActive: true };
    const changes = { theirs: { isActive: false }, mine: { featured: true, capacity: 45 } };
    return { list: 'events', save: ['PUT', `events/${id}`], id, form, ...changes };
  },
  async city() {
    const id = await made('cities', city);
    const changes = { theirs: { name: 'Kingston' }, mine: { country: 'Wales' } };
    return { list: 'cities', save: ['PUT', `cities/${id}`], id, form: city, ...changes };
  },
  async venue() {
    const id = await made('venues', venue());
    const changes = { theirs: { capacity: 800 }, mine: { address: 'Wellington Lane' } };
    return { list: 'venues', save: ['PUT', `venues/${id}`], id, form: venue(), ...changes };
  },
  async category() {
    const id = await made('categories', category);
    const changes = { theirs: { emoji: '📚' }, mine: { description: 'Read aloud' } };
    return { list: 'categories', save: ['PUT', `categories/${id}`], id, form: category, ...changes };
  },
  async promotion() {
    const id = await made('promotions', promotion);
    const changes = { theirs: { discountValue: '15' }, mine: { usageLimit: 9, code: 'SUMMER' } };
    return { list: 'promotions', save: ['PUT', `promotions/${id}`], id, form: promotion, ...changes };
  },
  async 'email template'() {
    const id = await made('email-templates', template);
    const changes = { theirs: { subject: 'Brrr' }, mine: { isActive: false } };
    return {
      list: 'email-templates',
      save: ['PUT', `email-templates/${id}`],
      id,
      form: template,
      ...changes,
    };
  },
  async 'default email template'() {
    const changes = { theirs: { subject: 'A key' }, mine: { subject: 'A door' } };
    const save = ['PUT', `email-templates/${reset.id}`] as const;
    return { list: 'email-templates', save, id: reset.id, form: ownReset, ...changes };
  },
  async setting() {
    const form = { key: 'site_tagline' };
    const changes = { theirs: { value: 'Out tonight' }, mine: { value: 'Stay in' } };
    return { list: 'site-config', save: ['POST', 'site-config'], id: 'site_tagline', form, ...changes };
  },
  async user() {
    const { id } = await site.member('user', 'Ulla');
    const form = { role: 'user', isActive: true };
    const changes = { theirs: { role: 'staff' }, mine: { isActive: false } };
    return { list: 'users', save: ['PATCH', `users/${id}`], id, form, ...changes };
  },
};

const rowOf = async ({ list, id }: Edited, by = val) =>
  (await by.browser.get(`${ROOT}/${list}`)).body.find(
    (row: { id?: unknown; key?: unknown }) => row.id === id || row.key === id,
  );
const saver =
  ({ save: [method, path], form }: Edited) =>
  (by: Member, changes: object) =>
    by.browser.call(method, `${ROOT}/${path}`, { ...form, ...changes });

describe.each(Object.keys(forms))('the form of a(n) %s', (name) => {
  it('tells the second editor what changed, by whom and when, and saves their decision', async () => {
    const edited = await (forms[name] as () => Promise<Edited>)();
    const { theirs, mine } = edited;
    const save = saver(edited);
    await site.caughtUp();
    const { revision } = await rowOf(edited);

    const first = await save(sue, { ...theirs, revision });
    expect(first.status).toBe(200);
    expect(await rowOf(edited, sue)).toMatchObject({ revision: first.body.revision });

    const second = await save(val, { ...mine, revision });
    expect(second).toMatchObject({
      status: 409,
      body: { code: 'CHANGED_MEANWHILE', by: 'Sue Ashby', current: theirs },
    });
    for (const field of Object.keys(theirs))
      expect(second.body.changed).toContain(field === 'value' ? 'site_tagline' : field);
    expect(Date.parse(second.body.at)).toBeGreaterThan(0);
    expect(second.body.current.revision).toBe(first.body.revision);
    expect(await rowOf(edited)).toMatchObject({ ...theirs, revision: first.body.revision });

    // The same again, as after a lost answer, changes nothing and is no conflict.
    expect(await save(sue, { ...theirs, revision })).toMatchObject({ status: 200, body: first.body });

    expect(await save(val, { ...mine, revision: second.body.current.revision })).toMatchObject({
      status: 200,
    });
    expect((await save(sue, theirs)).status).toBe(200);
  });
});

describe('an event', () => {
  it('can be saved by a form that was opened before tickets were sold', async () => {
    const edited = await (forms.event as () => Promise<Edited>)();
    await site.caughtUp();
    const { revision } = await rowOf(edited);
    await bought(site, await site.member(), edited.id as number);
    expect(await saver(edited)(val, { ...edited.mine, revision })).toMatchObject({
      status: 200,
      body: { capacity: 40, soldTickets: 2 },
    });
  });

  it('is saved by one of two editors at the same moment, and the other is told', async () => {
    const edited = await (forms.event as () => Promise<Edited>)();
    await site.caughtUp();
    const { revision } = await rowOf(edited);
    const save = saver(edited);
    const answers = await Promise.all([
      save(sue, { title: 'Ice', revision }),
      save(val, { title: 'Fire', revision }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const won = answers[0].status === 200 ? 'Ice' : 'Fire';
    expect(await rowOf(edited)).toMatchObject({ title: won });
  });
});

it('a malformed revision is refused', async () => {
  const edited = await (forms.city as () => Promise<Edited>)();
  for (const revision of ['', 'x', 'name:', 7, 'a:b'.repeat(1_000)])
    expect(await saver(edited)(val, { revision })).toMatchObject({
      status: 400,
      body: { fields: { revision: 'Not a revision' } },
    });
});
