/** The posters that the site draws for listings without a picture. */
import { beforeAll, expect, it } from 'vitest';
import { posterPath } from '#domain/answers/picture.ts';
import { catalogueCalls } from '#domain/contracts/catalogue.ts';
import { type Hall, openHall } from '#tests/kit/programme.ts';
import { type Member, type Site, startSite } from '#tests/kit/site.ts';

let site: Site;
let superuser: Member;
let hall: Hall;
beforeAll(async () => {
  site = await startSite();
  superuser = await site.member('superuser', 'Sue');
  hall = await openHall(site);
});

const eventOf = (id: number) => site.visitor().ask(catalogueCalls.event, { params: { id } });
const poster = async (path: string) => {
  const { status, headers, body } = await site.visitor().get(path);
  return {
    status,
    type: headers.get('content-type'),
    cache: headers.get('cache-control'),
    body: String(body),
  };
};

it('a poster is drawn for an event without an image and cached for good', async () => {
  const event = await eventOf(await hall.listed({ title: 'Moths & <b>Owls</b>', imageUrl: null }));
  expect([event.imageUrl, event.picture]).toEqual([null, null]);
  const drawn = await poster(posterPath(event));
  expect(drawn).toMatchObject({ status: 200, type: 'image/svg+xml' });
  expect(drawn.cache).toBe('public, max-age=31536000, immutable');
  expect(drawn.body).toMatch(/^<svg .*<\/svg>$/s);
  expect(drawn.body).not.toMatch(/Owls|<text|<script/);
});

it('a poster’s former path shows the current one, uncached', async () => {
  const id = await hall.listed({ title: 'Before', imageUrl: null });
  const former = posterPath(await eventOf(id));
  await superuser.browser.call('PUT', `/api/admin/events/${id}`, {
    ...hall.form,
    title: 'After',
    imageUrl: null,
  });
  await site.caughtUp();
  const present = posterPath(await eventOf(id));
  expect(present).not.toBe(former);
  const [old, now] = [await poster(former), await poster(present)];
  expect(old.body).toBe(now.body);
  expect([old.cache, now.cache]).toEqual(['no-store', 'public, max-age=31536000, immutable']);
});

it.each(['999999-abc.svg', '0-abc.svg', '1.svg', '1-abc.webp', '99999999999-abc.svg', '%2e%2e', 'x'])(
  'a poster does not exist for %s',
  async (name) => {
    expect(await poster(`/images/posters/${name}`)).toMatchObject({ status: 404 });
  },
);
