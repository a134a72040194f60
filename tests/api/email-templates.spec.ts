/** Email templates, as superusers write them, and the mails that they make. */
import { beforeAll, describe, expect, it } from 'vitest';
import { SITE_MAILS, siteMails } from '#domain/content/site-mails.ts';
import { adminEmailTemplateCalls } from '#domain/contracts/admin-email-templates.ts';
import { mailTo } from '#tests/kit/mails.ts';
import { type Member, type Site, startSite } from '#tests/kit/site.ts';

const WINTER = {
  name: 'Winter',
  subject: 'Warm up, {{ userName }}',
  htmlContent: '<h1>{{ eventTitle }}</h1><p onclick="x()">On {{ eventDate }}, booking {{ bookingId }}</p>',
  textContent: '{{ eventTitle }}, {{ when }}',
  description: 'For the cold months',
};
const RESET = siteMails['reset-password'].id;
const OWN = {
  name: 'Reset',
  subject: 'A new password for {{ siteName }}',
  htmlContent: '<p>Please <a class="button" href="{{ link }}">choose one</a></p>',
  textContent: 'Please choose one: {{ link }}',
};

let site: Site;
let superuser: Member;
beforeAll(async () => {
  site = await startSite();
  superuser = await site.member('superuser', 'Sue');
});

const send = (method: 'POST' | 'PUT' | 'DELETE', path: string, body?: object, headers = {}) =>
  superuser.browser.call(method, `/api/admin/email-templates${path}`, body, headers);
const all = (query = {}) => superuser.browser.ask(adminEmailTemplateCalls.list, { query });
const mailed = (has: RegExp) => mailTo(site.foundation.config, superuser.email, has);
/** Has a mail with a link for a new password sent. */
const forget = () => site.visitor().post('/api/auth/forgot-password', { email: superuser.email });

describe('email templates', () => {
  it('are the site’s own at first, all active, with their variables', async () => {
    const templates = await all();
    expect(templates).toHaveLength(SITE_MAILS.length);
    expect(templates[6]).toMatchObject({
      id: 7,
      name: 'Booking confirmed',
      subject: 'Your tickets: {{ title }} ({{ reference }})',
      isActive: true,
      isCustom: false,
      isDefault: true,
      updatedAt: null,
    });
    for (const variable of ['userName', 'eventTitle', 'eventDate', 'bookingId'])
      expect(templates[6]?.variables).toContain(variable);
  });

  it('are added, edited and deleted', async () => {
    const made = await send('POST', '', WINTER);
    expect(made).toMatchObject({
      status: 201,
      body: { ...WINTER, isActive: true, isCustom: true, kind: null },
    });
    const { id } = made.body;
    expect(await all({ search: 'cold' })).toEqual([made.body]);
    expect(await send('POST', '', { ...WINTER, name: 'WINTER' })).toMatchObject({
      status: 409,
      body: { code: 'NAME_TAKEN' },
    });
    const changed = { ...WINTER, kind: 'booking-cancelled', isActive: false };
    expect(await send('PUT', `/${id}`, changed)).toMatchObject({ status: 200, body: { id, ...changed } });
    // Without a word about its mail it stays that mail's.
    await send('PUT', `/${id}`, { ...WINTER, isActive: false });
    expect(await all({ status: 'inactive' })).toMatchObject([{ id, kind: 'booking-cancelled' }]);
    expect(await send('DELETE', `/${id}`)).toMatchObject({ body: { message: 'Email template deleted' } });
    expect(await all()).toHaveLength(SITE_MAILS.length);
    for (const gone of [await send('PUT', `/${id}`, WINTER), await send('DELETE', `/${id}`)])
      expect(gone).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  });

  it('are added once for one key', async () => {
    const key = { 'idempotency-key': '7a0d8e0e-5f4a-4b53-9f0f-0a4f3f6f3c11' };
    const first = await send('POST', '', { ...WINTER, name: 'Once' }, key);
    expect((await send('POST', '', { ...WINTER, name: 'Once' }, key)).body).toEqual(first.body);
    await send('DELETE', `/${first.body.id}`);
  });

  it.each([
    [{ subject: ' ' }, 'subject', 'Subject is required'],
    [{ textContent: undefined }, 'textContent', 'Text content is required'],
    [{ htmlContent: '<p>{{ pasword }}</p>' }, 'htmlContent', /^This mail has no pasword\. It has siteName, /],
    [{ htmlContent: '<p>{% if %}</p>' }, 'htmlContent', /./],
    [{ subject: '{{ link }}' }, 'subject', /^This mail has no link/],
    [{ kind: 'verify-email' }, 'subject', /no userName/],
    [{ kind: 'no-such-mail' }, 'kind', /./],
    [{ htmlContent: 'x'.repeat(20_001) }, 'htmlContent', /20,000/],
  ])('are refused with %j', async (changes, field, message) => {
    const body = { ...WINTER, ...changes };
    for (const refused of [await send('POST', '', body), await send('PUT', '/7', body)])
      if (refused.status === 400) expect(refused.body.fields[field]).toMatch(message);
      // The kind of a default is its own, whatever is sent.
      else expect([changes, refused.status]).toEqual([{ kind: 'verify-email' }, 200]);
    await send('DELETE', '/7');
  });

  it('are previewed with sample data, without anything that runs', async () => {
    const { name: _, description: __, ...words } = WINTER;
    const { status, body } = await send('POST', '/preview', { ...words, kind: 'booking-confirmation' });
    expect([status, body.subject]).toEqual([200, 'Warm up, Ada Lovelace']);
    expect(body.html).toMatch(/<h1 style="[^"]+">Night Ferry<\/h1>/);
    expect(body.html).not.toContain('onclick');
    expect(body.text).toMatch(/^Night Ferry, Fri 4 Dec, 7:30 pm\n\nReprise, /);
    expect(await send('POST', '/preview', { ...words, subject: '{{ x }}' })).toMatchObject({ status: 400 });
    expect(await all()).toHaveLength(SITE_MAILS.length);
  });
});

describe('the site’s mails', () => {
  it('use the active template, or the default one if there is none', async () => {
    await send('PUT', `/${RESET}`, OWN);
    await forget();
    expect(await mailed(/Subject: A new password for Reprise/)).toMatch(
      /<a href="[^"]+token=[^"]+"[^>]+border-radius:999px[^>]+>choose one<\/a>/,
    );

    await send('PUT', `/${RESET}`, { ...OWN, subject: 'Never sent', isActive: false });
    await forget();
    // Without a contact address of its own the site names the one that it sends from.
    expect(await mailed(/Subject: Reset your Reprise password/)).toContain('mailto:no-reply@localhost');

    expect(await send('DELETE', `/${RESET}`)).toMatchObject({
      status: 200,
      body: { message: 'Email template is back to its default' },
    });
    expect((await all()).find(({ id }) => id === RESET)).toMatchObject({ isCustom: false, isActive: true });
  });

  it('use an added template instead of the former one', async () => {
    await send('PUT', `/${RESET}`, OWN);
    const added = await send('POST', '', {
      ...OWN,
      name: 'Friendlier',
      subject: 'Forgot it? {{ siteName }}',
      kind: 'reset-password',
    });
    expect((await all({ status: 'inactive' })).map(({ id }) => id)).toEqual([RESET]);
    await forget();
    await mailed(/Subject: Forgot it\? Reprise/);
    await send('DELETE', `/${added.body.id}`);
    await send('DELETE', `/${RESET}`);
  });

  it('can be sent to oneself as a test', async () => {
    const { body } = await send('POST', '', { ...WINTER, name: 'Trial' });
    expect(await send('POST', `/${body.id}/test`)).toMatchObject({ status: 200 });
    expect(await mailed(/Subject: \[Test\] Warm up, Ada Lovelace/)).toContain('Night Ferry');
    expect(await send('POST', '/7/test')).toMatchObject({ status: 200 });
    await mailed(/Subject: \[Test\] Your tickets: Night Ferry/);
    expect(await send('POST', '/99999/test')).toMatchObject({ status: 404 });
    await send('DELETE', `/${body.id}`);
  });
});
