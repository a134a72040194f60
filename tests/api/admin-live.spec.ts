/** What the admin panel hears over its WebSocket. */
import { once } from 'node:events';
import { request } from 'node:http';
import { beforeAll, expect, it } from 'vitest';
import { adminCategoryCalls } from '#domain/contracts/admin-categories.ts';
import { adminNews, overviewCalls, SESSION_ENDED } from '#domain/contracts/admin-overview.ts';
import { authCalls } from '#domain/contracts/auth.ts';
import { BASE_URL, type Member, type Site, startSite } from '#tests/kit/site.ts';
import type { Visitor } from '#tests/kit/visitor.ts';

const PATH = overviewCalls.live.path;
let site: Site;
let superuser: Member;
beforeAll(async () => {
  site = await startSite();
  superuser = await site.member('superuser');
});

/** Opens it as a browser's page does, or as nobody's. Rejects where the server refuses. */
const follow = async ({ cookies }: Visitor, origin = BASE_URL): Promise<WebSocket> => {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  // The type is the browser's, which sends headers of its own.
  const options = { headers: { cookie, origin } } as unknown as string[];
  const socket = new WebSocket(site.origin.replace('http', 'ws') + PATH, options);
  await Promise.race([
    once(socket, 'open'),
    once(socket, 'error').then(() => Promise.reject(new Error('refused'))),
  ]);
  return socket;
};

/** Waits for news of the given position, or of any. */
const newsFrom = (socket: WebSocket, position = ''): Promise<void> =>
  new Promise((heard) => {
    socket.addEventListener('message', ({ data }) => {
      if (adminNews.parse(JSON.parse(data)).position >= position) heard();
    });
  });

it('the admin’s live feed sends the state of the site at once, and each later change', async () => {
  const socket = await follow(superuser.browser);
  await newsFrom(socket);
  const folk = { name: 'Folk', emoji: '🪕', description: '' };
  await superuser.browser.ask(adminCategoryCalls.create, { body: folk });
  await newsFrom(socket, superuser.browser.position);
  socket.close();
});

it('the admin’s live feed is for superusers only, and only for pages of this site', async () => {
  const others = [site.visitor(), (await site.member()).browser, (await site.member('admin')).browser];
  for (const browser of others) await expect(follow(browser)).rejects.toThrow('refused');
  await expect(follow(superuser.browser, 'https://elsewhere.test')).rejects.toThrow('refused');
});

it('the admin’s live feed ends with its session', async () => {
  const { browser } = await site.member('superuser');
  const socket = await follow(browser);
  const closed = once(socket, 'close');
  await browser.ask(authCalls.logout);
  expect((await closed)[0].code).toBe(SESSION_ENDED);
});

it('the admin’s live feed refuses requests for no WebSocket, and other upgrade requests are answered normally', async () => {
  expect(await superuser.browser.call('GET', PATH)).toMatchObject({ status: 426 });
  const asked = request(`${site.origin}/api/cities`, { headers: { connection: 'Upgrade', upgrade: 'h2c' } });
  const [answer] = await once(asked.end(), 'response');
  expect(answer.statusCode).toBe(200);
  answer.resume();
});
