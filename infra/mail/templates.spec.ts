import { readdirSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { SITE_MAILS, siteMails } from '#domain/content/site-mails.ts';
import { HOSTILE_HTML } from '#tests/kit/hostile-html.ts';
import { defaultWords } from './default-words.ts';
import { complaintsAbout, renderMail } from './templates.ts';

const context = {
  siteName: 'Reprise',
  siteUrl: 'http://localhost:3000',
  contactEmail: 'hello@reprise.test',
  firstName: 'Zoë',
  link: 'http://localhost:3000/verify-email?token=abc',
  title: 'Night <Songs> & "Fog"',
  receipt: 'E-4F0C2-91B7D-0A3E8-C55D1',
  eventId: 7,
  bookingId: 12,
  reference: 'BK12345678',
  quantity: 2,
  paid: '£57.00',
  refund: '£45.60',
  review: true,
  rescheduled: true,
  bookedFor: 'Thu 3 Dec, 7:30 pm',
  calledOff: true,
  reason: 'used',
  when: 'Fri 4 Dec, 7:30 pm',
  venue: 'Barbican Hall',
  address: 'Silk Street',
  doors: '7 pm',
  soldOut: true,
  supportId: 7,
  name: 'Zoë <Ashby>',
  email: 'zoe@people.example',
  category: 'A booking',
  topic: 'Night <Songs> & "Fog"',
  message: 'Hello!\n\nWhere is my <seat>?\nIt was K 12.',
};

const files = readdirSync(new URL('./templates', import.meta.url));

describe('mail templates', () => {
  it('exist for each mail that the site sends', () => {
    const kinds = files.filter((file) => file !== 'layout.liquid').map((file) => file.replace('.liquid', ''));
    expect(kinds.sort()).toEqual([...SITE_MAILS].sort());
  });

  it.each(SITE_MAILS)('%s renders with escaped HTML and plain text', async (kind) => {
    const mail = await renderMail(kind, context);
    expect(mail.html).not.toContain('<Songs>');
    expect(mail.subject + mail.text).not.toContain('&lt;');
    expect(mail.html).not.toContain('{{');
    if (mail.text.includes('Songs')) expect(mail.text).toContain('Night <Songs> & "Fog"');
  });

  const aboutBookings = SITE_MAILS.filter((kind) =>
    siteMails[kind].variables.some((name) => name === 'bookingId'),
  );
  it.each(aboutBookings)('%s links to the proof of its booking', async (kind) => {
    const { html, text } = await renderMail(kind, context);
    expect(text).toContain('http://localhost:3000/profile?proof=12');
    expect(html).toContain('href="http://localhost:3000/profile?proof=12"');
  });

  it.each(SITE_MAILS)('%s has at most one button', async (kind) => {
    const { html } = await renderMail(kind, context);
    expect(html.match(/<a [^>]*display:inline-block/g)?.length ?? 0).toBeLessThanOrEqual(1);
  });

  it('list the facts of a booking in both forms', async () => {
    const mail = await renderMail('booking-confirmation', context);
    expect(mail.text).toContain('When: Fri 4 Dec, 7:30 pm\nWhere: Barbican Hall, Silk Street\nTickets: 2\n');
    expect(mail.html).toMatch(/>Where<\/th><td[^>]*>Barbican Hall, Silk Street<\/td>/);
  });

  it('do not mention the refund policy for a free booking', async () => {
    const nothing = { ...context, refund: '', review: false };
    const mail = await renderMail('booking-cancelled', { ...nothing, paid: 'free' });
    expect(mail.text).toContain('It was free, so there is nothing to pay back.');
    expect(mail.text).not.toContain('policy');
    expect((await renderMail('booking-cancelled', nothing)).text).toContain('Under the refund policy');
  });

  it('use the number of tickets that no longer admit', async () => {
    const cancelled = async (quantity: number) =>
      (await renderMail('booking-cancelled', { ...context, quantity })).text;
    expect(await cancelled(1)).toContain('The ticket no longer admits anybody.');
    expect(await cancelled(2)).toContain('The tickets no longer admit anybody.');
  });

  it('do not call an event sold out if its sales had closed', async () => {
    const late = await renderMail('booking-unfilled', { ...context, soldOut: true });
    expect(late.text).toContain('there were not enough left');
    const closed = await renderMail('booking-unfilled', { ...context, soldOut: false });
    expect(closed.text).toContain('reached us after its sales had closed');
    expect(closed.text).not.toContain('left');
    const free = await renderMail('booking-unfilled', { ...context, paid: 'free', soldOut: true });
    expect(free.text).toContain('It was free, so there is nothing to pay back.');
    expect(free.text).not.toMatch(/payment|refunded/);
  });

  it('keep the lines of a quoted message, but nothing that could add headers or markup', async () => {
    const mail = await renderMail('support-message', {
      ...context,
      topic: 'Seat\r\nBcc: all@people.example',
    });
    expect(mail.subject).toBe('Seat Bcc: all@people.example (message 7)');
    expect(mail.text).toContain('Hello!\n\nWhere is my <seat>?\nIt was K 12.');
    expect(mail.html).toMatch(
      /<blockquote style="[^"]*white-space:pre-line[^"]*">Hello!\n\nWhere is my &lt;seat&gt;\?\nIt/,
    );
  });

  it('do not render if a variable is missing', async () => {
    await expect(renderMail('verify-email', { ...context, link: undefined as never })).rejects.toThrow(
      /link/,
    );
  });

  it('keep a superuser’s wording even if rendering stalls', async ({ onTestFinished }) => {
    let now = 0;
    const stalled = vi.spyOn(performance, 'now').mockImplementation(() => {
      now += 60_000;
      return now;
    });
    onTestFinished(() => stalled.mockRestore());
    const words = { ...defaultWords('booking-confirmation'), subject: 'See you there, {{ firstName }}' };
    const { subject } = await renderMail('booking-confirmation', context, words);
    expect(subject).toBe('See you there, Zoë');
  });

  it('do not let a value inject a header or a link', async () => {
    const mail = await renderMail('booking-confirmation', {
      ...context,
      title: 'A\r\nBcc: x@y.z\n\n[Pay](http://evil.test)',
    });
    expect(mail.subject).not.toMatch(/[\r\n]/);
    const refund = await renderMail('refund-completed', {
      ...context,
      title: 'A\n\n[Pay](http://evil.test)',
    });
    expect(refund.html).not.toContain('href="http://evil.test');
  });

  it.each(['verify-email', 'reset-password'] as const)(
    '%s repeats nothing that a stranger could have typed for somebody else’s address',
    async (kind) => {
      const firstName = 'You have won: evil.test';
      const { subject, html, text } = await renderMail(kind, { ...context, firstName });
      expect(subject + html + text).not.toContain('evil.test');
    },
  );
});

const words = {
  subject: 'For {{ userName }}',
  htmlContent: '<p>See you at {{ eventTitle }}, {{ eventDate }} ({{ bookingId }})</p>',
  textContent: 'See you at {{ eventTitle }}',
};
const values = {
  ...context,
  userName: 'Zoë <b>Smith</b>',
  eventTitle: context.title,
  eventDate: context.when,
  bookingId: 12,
};
const linked = {
  subject: 'Hello',
  htmlContent: '<p><a class="button" href="{{ link }}">Go</a></p>',
  textContent: 'Go: {{ link }}',
};

describe('a superuser’s mail template', () => {
  it.each(SITE_MAILS)('can be the default one: %s', async (kind) => {
    expect(await complaintsAbout(kind, defaultWords(kind))).toEqual({});
  });

  it('is put in the mails’ layout, with its values escaped in HTML', async () => {
    const mail = await renderMail('booking-confirmation', values, words);
    expect(mail.subject).toBe('For Zoë <b>Smith</b>');
    expect(mail.html).toMatch(/Reprise<\/td>.*<p style="[^"]+">See you at Night &lt;Songs&gt; &amp; "Fog"/s);
    expect(mail.html).toContain('href="mailto:hello@reprise.test"');
    expect(mail.text).toBe(
      'See you at Night <Songs> & "Fog"\n\nReprise, http://localhost:3000\nQuestions? hello@reprise.test',
    );
  });

  it.each(HOSTILE_HTML)('cannot run, load or cover anything: %s', async (vector) => {
    const { html } = await renderMail('booking-confirmation', values, { ...words, htmlContent: vector });
    expect(html).not.toMatch(
      /<(script|svg|iframe|form|object|style|base|link)|<[^>]*(\son\w+=|javascript:)/i,
    );
    expect(html).not.toMatch(/<[^>]+style="[^"]*(position|url\()/);
  });

  it.each([
    ['a subject of nothing', { subject: '{% if false %}x{% endif %}' }, { subject: /nothing at all/ }],
    ['only a script', { htmlContent: '<script>alert(1)</script>' }, { htmlContent: /nothing at all/ }],
    ['only a note', { textContent: '{% comment %}x{% endcomment %}' }, { textContent: /nothing at all/ }],
    ['an unknown variable', { subject: '{{ password }}' }, { subject: /no password\. It has siteName/ }],
    [
      'one that is never reached',
      { textContent: '{% if false %}{{ who }}{% endif %}' },
      { textContent: /who/ },
    ],
    ['a reason that is not for customers', { htmlContent: '{{ reason }}' }, { htmlContent: /no reason/ }],
    ['what is no template', { htmlContent: '<p>{{ userName </p>' }, { htmlContent: /not closed/ }],
    ['other files', { textContent: '{% include "layout" %}' }, { textContent: /include/ }],
    ['values that are not escaped', { htmlContent: '{{ title | raw }}' }, { htmlContent: /raw/ }],
    [
      'an endless loop',
      { textContent: '{% for i in (1..99999999) %}x{% endfor %}' },
      { textContent: /too much/ },
    ],
  ])('is refused with %s', async (_, changes, expected) => {
    const found = await complaintsAbout('booking-confirmation', { ...words, ...changes });
    expect(Object.keys(found)).toEqual(Object.keys(expected));
    for (const [field, pattern] of Object.entries(expected))
      expect(found[field as keyof typeof found]).toMatch(pattern);
  });

  it.each([
    ['{{ userName', '{{ userName is not closed with }}'],
    ['<p>\n{% if userName %}\nHello', 'Line 2: {% if userName %} has no end: it needs {% endif %}'],
    ['<p>{% if %}x{% endif %}', 'Something is missing or wrong in {% if %}'],
    ['<p>\n\n  {% unless %}x{% endunless %}', 'Line 3: Something is missing or wrong in {% unless %}'],
    ['{% if userName', '{% if userName is not closed with %}'],
    ['{{ userName | shout }}', 'There is no filter “shout”'],
    ['{% greet %}', 'There is no tag {% greet %}'],
    ['Hello{% endif %}', '{% endif %} belongs to no tag before it'],
    ['\n{% assign x = userName %}{{ x.y }}', 'Line 2: This mail has no x.y'],
    ['{% for i in (1..100000000) %}{{ i }}{% endfor %}', 'This makes too much text, or takes too long'],
    [
      '{% for i in (1..900) %}{% for j in (1..900) %}{% endfor %}{% endfor %}',
      'This makes too much text, or takes too long',
    ],
  ])('is refused with a plain description of the error and its place: %j', async (htmlContent, said) => {
    const found = await complaintsAbout('booking-confirmation', { ...words, htmlContent });
    expect(found).toEqual({ htmlContent: said });
  });

  it.each([
    [{ htmlContent: '<p>{{ link }}</p>' }, 'htmlContent'],
    [{ htmlContent: '<p><a href="javascript:{{ link }}">Go</a></p>' }, 'htmlContent'],
    [{ textContent: 'Go{% if false %}: {{ link }}{% endif %}' }, 'textContent'],
  ])('is refused if the mail’s link is missing: %j', async (changes, field) => {
    expect(await complaintsAbout('reset-password', linked)).toEqual({});
    const found = await complaintsAbout('reset-password', { ...linked, ...changes });
    expect(found).toEqual({ [field]: expect.stringContaining('{{ link }}') });
  });

  it('cannot use names in a mail that may go to a stranger', async () => {
    const found = await complaintsAbout('verify-email', { ...linked, subject: 'Hi {{ userName }}' });
    expect(found.subject).toMatch(/no userName/);
  });

  it.each([
    { ...linked, textContent: '{{ nothing }}' },
    { ...linked, htmlContent: '<p>No link</p>' },
  ])('is replaced by the default one if it fails', async (broken) => {
    expect(await renderMail('reset-password', values, broken)).toEqual(
      await renderMail('reset-password', values),
    );
  });
});
