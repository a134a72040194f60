/** The gallery: what may be uploaded, and what becomes of an image. */
import { readdir } from 'node:fs/promises';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { sweepImages } from '#command-api/catalogue/unused-images.ts';
import { adminEventCalls } from '#domain/contracts/admin-events.ts';
import { type AdminImage, adminImageCalls } from '#domain/contracts/admin-images.ts';
import { adminSiteCalls } from '#domain/contracts/admin-site.ts';
import { siteCalls } from '#domain/contracts/site.ts';
import { imageFolder } from '#infra/images/image-store.ts';
import { DAY, type Hall, openHall } from '#tests/kit/programme.ts';
import { BASE_URL, type Member, type Site, startSite } from '#tests/kit/site.ts';

let site: Site;
let superuser: Member;
let hall: Hall;
let colour = 0;
beforeAll(async () => {
  site = await startSite();
  superuser = await site.member('superuser', 'Sue');
  hall = await openHall(site);
});

/** A picture that no other is like. */
const picture = (width = 640, height = 400): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: { r: ++colour, g: 90, b: 40 } } })
    .png()
    .toBuffer();
const form = (file: Buffer | string, name = 'Poster.png', type?: string): FormData => {
  const sent = new FormData();
  sent.set('image', new Blob([typeof file === 'string' ? file : new Uint8Array(file)]), name);
  if (type !== undefined) sent.set('type', type);
  return sent;
};
const upload = (sent: object, by = superuser) => by.browser.call('POST', '/api/admin/images', sent);
const uploaded = async (type?: string): Promise<AdminImage> =>
  (await upload(form(await picture(), 'C:\\fake\\Poster.png', type))).body;
const set = (what: 'logo' | 'hero', id: number, body?: object) =>
  superuser.browser.call('PATCH', `/api/admin/images/${id}/set-${what}`, body);
const remove = (id: number) => superuser.browser.call('DELETE', `/api/admin/images/${id}`);
const setting = async (key: string) => {
  await site.caughtUp();
  return (await site.visitor().ask(siteCalls.config)).find((entry) => entry.key === key)?.value;
};

describe('an image', () => {
  it('is uploaded, listed, served and deleted', async () => {
    const image = await uploaded('event');
    expect(image).toMatchObject({ originalName: 'Poster.png', type: 'event', format: 'webp', width: 640 });
    expect(image.secureUrl).toBe(BASE_URL + image.path);
    const served = await site.visitor().get(image.path);
    expect([served.status, served.headers.get('content-type')]).toEqual([200, 'image/webp']);
    const found = await superuser.browser.ask(adminImageCalls.list, { query: { type: 'event' } });
    expect(found[0]).toEqual(image);
    expect(await superuser.browser.ask(adminImageCalls.list, { query: { search: 'no such name' } })).toEqual(
      [],
    );

    expect(await remove(image.id)).toMatchObject({ status: 200 });
    const left = await superuser.browser.ask(adminImageCalls.list);
    expect(left.map(({ id }) => id)).not.toContain(image.id);
    expect((await remove(99_999)).status).toBe(404);
  });

  it('gets a one-line name with its true file type', async () => {
    const { body } = await upload(form(await picture(), 'summer\u202Egnp.exe\u2028free.png'));
    expect(body.originalName).toBe('summer gnp.exe free.png');
  });

  it('is removed from disk with all sizes once nothing uses its content', async () => {
    const file = await picture();
    const [first, second] = [(await upload(form(file))).body, (await upload(form(file))).body];
    const sweep = async () => {
      await site.caughtUp();
      await sweepImages(site.deps, new Date(Date.now() + DAY));
      return (await site.visitor().get(first.path)).status;
    };
    await remove(first.id);
    expect(second.path).toBe(first.path);
    expect(await sweep()).toBe(200);
    await remove(second.id);
    // Read models that are made anew name nothing at first.
    const ahead = { ...site.deps, log: { ...site.deps.log, head: async () => '~' } };
    await expect(sweepImages(ahead, new Date(Date.now() + DAY), 1)).rejects.toThrow('behind the log');
    // An event that is parked may name it, although the checkpoint has passed it.
    await site.deps.database.pool.query(
      `insert into read.parked (position, event_id, type, stream, revision, keys)
       values ('1', gen_random_uuid(), 'ImageAdded', 'image-1', 0, '{}')`,
    );
    await expect(sweepImages(site.deps, new Date(Date.now() + DAY), 1)).rejects.toThrow('behind the log');
    await site.deps.database.pool.query('delete from read.parked');
    // It was stored a moment ago: whoever did may be about to use it.
    expect(await sweepImages(site.deps, new Date(Date.now() - DAY))).toBe(0);
    expect(await sweep()).toBe(404);
    expect(await readdir(imageFolder(site.foundation.config.dataDir))).not.toContainEqual(
      expect.stringContaining(first.path.slice('/images/'.length, -'.webp'.length)),
    );
  });

  it('becomes the logo or the hero by its id, or by its address under any id', async () => {
    const [logo, hero] = [await uploaded(), await uploaded('hero')];
    expect((await set('logo', logo.id)).status).toBe(200);
    expect((await set('hero', 1, { imageUrl: hero.secureUrl })).status).toBe(200);
    expect(await setting('site_logo_url')).toBe(logo.secureUrl);
    expect(await setting('hero_image_url')).toBe(hero.secureUrl);
    expect(await remove(logo.id)).toMatchObject({
      status: 409,
      body: { code: 'IN_USE', message: 'This is still in use by the logo.' },
    });
    for (const imageUrl of ['https://elsewhere.test/logo.png', '/images/../../etc/passwd', '/logo.png'])
      expect((await set('logo', logo.id, { imageUrl })).status, imageUrl).toBe(404);
  });

  it('cannot be deleted while an event shows it', async () => {
    const image = await uploaded('event');
    await hall.listed({ imageUrl: image.path });
    // At once: no read model may show the event yet.
    expect(await remove(image.id)).toMatchObject({
      status: 409,
      body: { message: 'This is still in use by Paper Moons.' },
    });
  });

  it('can be given by its whole address, as a form sends it after an upload', async () => {
    const [shown, hero] = [await uploaded('event'), await uploaded('hero')];
    const made = await superuser.browser.ask(adminEventCalls.create, {
      body: { ...hall.form, title: 'Paper Suns', imageUrl: shown.secureUrl },
    });
    expect(made).toMatchObject({ imageUrl: shown.secureUrl, picture: { width: 640 } });
    await superuser.browser.ask(adminSiteCalls.change, {
      body: { key: 'hero_image_url', value: hero.secureUrl },
    });
    expect(await setting('hero_image_url')).toBe(hero.secureUrl);
    for (const [{ id }, user] of [
      [shown, 'Paper Suns'],
      [hero, 'the hero image'],
    ] as const)
      expect(await remove(id)).toMatchObject({
        status: 409,
        body: { message: `This is still in use by ${user}.` },
      });
  });
});

describe('an upload', () => {
  it.each([
    ['a text', form('not a picture'), 422, 'UNUSABLE_FILE'],
    [
      'a drawing, which can hold scripts',
      form('<svg xmlns="http://www.w3.org/2000/svg"/>', 'a.svg'),
      422,
      'UNUSABLE_FILE',
    ],
    ['nothing', form(''), 400, 'BAD_INPUT'],
    ['a form without a file', new FormData(), 400, 'BAD_INPUT'],
    ['no form', { image: 'x' }, 400, 'BAD_INPUT'],
  ])('of %s is refused with a reason', async (_, sent, status, code) => {
    expect(await upload(sent)).toMatchObject({ status, body: { code } });
  });

  it('of an image that cannot be shown is refused with the reason', async () => {
    const whole = await picture();
    const refused = [
      [whole.subarray(0, whole.length / 2), 'This picture can’t be read. It may be damaged.'],
      [await picture(8000, 5100), 'The picture has more than 40 megapixels.'],
      [await picture(100, 16_400), 'The picture is too tall for its width.'],
    ] as const;
    for (const [bad, message] of refused)
      expect(await upload(form(bad))).toMatchObject({
        status: 422,
        body: { code: 'UNUSABLE_FILE', message },
      });
  });

  it('of an unknown type, above the limit or broken off is refused', async () => {
    expect(await upload(form(await picture(), 'a.png', 'moon'))).toMatchObject({
      status: 400,
      body: { message: 'Not a type of image', errors: ['Not a type of image'] },
    });
    expect((await upload(new FormData())).body.message).toBe('Please choose a file');
    expect((await upload(form(Buffer.alloc(11 * 1024 * 1024)))).status).toBe(413);
    const headers = { 'content-type': 'multipart/form-data; boundary=x' };
    const broken = await superuser.browser.call(
      'POST',
      '/api/admin/images',
      Buffer.from('--x\r\nnope'),
      headers,
    );
    expect(broken).toMatchObject({ status: 400, body: { code: 'BAD_INPUT' } });
  });
});
