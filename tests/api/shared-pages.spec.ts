/** What others read of the site's pages: search engines, and previews of links. */
import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { cancelBooking } from '#command-api/purchase/cancel.ts';
import { COOKIE_CONSENT, SIGNED_IN_HINT } from '#domain/contracts/envelope.ts';
import { listing } from '#domain/listing/listing.ts';
import { eventually } from '#tests/kit/eventually.ts';
import { mailTo } from '#tests/kit/mails.ts';
import { bought, type Hall, openHall } from '#tests/kit/programme.ts';
import { BASE_URL, type Member, type Site, startSite } from '#tests/kit/site.ts';

let site: Site;
let hall: Hall;
let superuser: Member;
/** By how much the clock of those who read is ahead, in milliseconds. */
let ahead = 0;
beforeAll(async () => {
  site = await startSite({ queryClock: () => new Date(Date.now() + ahead) });
  hall = await openHall(site);
  superuser = await site.member('superuser', 'Sue');
});

/** As whoever was here before, whose browser draws the page. */
const KNOWN = { cookie: `${COOKIE_CONSENT}=rejected` };

const text = async (path: string, headers: Readonly<Record<string, string>> = KNOWN) => {
  await site.caughtUp();
  const reply = await fetch(site.origin + path, { headers });
  return { status: reply.status, type: reply.headers.get('content-type'), text: await reply.text() };
};
/** The tags of a page's head, by their names, as a reader of the page would understand them. */
const headOf = async (path: string, found = 200) => {
  const { status, text: html } = await text(path);
  expect(status).toBe(found);
  const plain = (value = ''): string =>
    value.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => {
      const known: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
      return known[name] ?? '';
    });
  const [head = ''] = html.split('</head>');
  const tags = [...head.matchAll(/<meta\s+(?:name|property)="([^"]+)"\s+content="([^"]*)"/g)];
  return {
    html,
    title: plain(/<title>(.*?)<\/title>/.exec(head)?.[1]),
    canonical: plain(/<link rel="canonical" href="([^"]*)"/.exec(head)?.[1]),
    tags: new Map(tags.map(([, name = '', value]) => [name, plain(value)])),
    data: JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(head)?.[1] ?? 'null'),
  };
};

describe('an event’s page', () => {
  it('has the title, time, place and price in its head', async () => {
    const id = await hall.listed({
      title: 'Paper & Moons',
      date: '2031-07-18',
      time: '22:30',
      doors: '21:45',
      end: '01:00',
      organiser: 'The Shadow Company',
      minimumAge: 18,
    });
    const { title, canonical, tags, data, html } = await headOf(`/events/${id}?utm_source=a`);
    expect(title).toBe('Paper & Moons · Reprise');
    expect(canonical).toBe(`${BASE_URL}/events/${id}`);
    expect(tags.get('description')).toBe(
      'Friday 18 July 2031, 10:30 pm · Corn Exchange, Leeds. Shadow theatre for one night.',
    );
    expect(tags.get('og:title')).toBe(title);
    expect(tags.get('og:url')).toBe(canonical);
    expect(tags.get('og:image')).toBe(`${BASE_URL}/share.png`);
    expect(tags.has('robots')).toBe(false);
    expect(data).toEqual({
      '@context': 'https://schema.org',
      '@type': 'Event',
      name: 'Paper & Moons',
      description: 'Shadow theatre for one night.',
      url: canonical,
      image: [`${BASE_URL}/share.png`],
      startDate: '2031-07-18T22:30:00+01:00',
      endDate: '2031-07-19T01:00:00+01:00',
      doorTime: '2031-07-18T21:45:00+01:00',
      eventStatus: 'https://schema.org/EventScheduled',
      eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
      location: {
        '@type': 'Place',
        name: 'Corn Exchange',
        address: { '@type': 'PostalAddress', streetAddress: 'Call Lane, Leeds', addressLocality: 'Leeds' },
      },
      offers: {
        '@type': 'Offer',
        url: canonical,
        price: '20.00',
        priceCurrency: 'GBP',
        availability: 'https://schema.org/InStock',
      },
      organizer: { '@type': 'Organization', name: 'The Shadow Company' },
      typicalAgeRange: '18-',
    });
    // The page is the client's own besides.
    expect(html).toContain('<div id="root">');
    expect(html.match(/<title>/g)).toHaveLength(1);
    expect(html.match(/og:title/g)).toHaveLength(1);
  });

  it('has doors that open on the evening before', async () => {
    const id = await hall.listed({ title: 'Late', date: '2031-03-01', time: '00:30', doors: '23:15' });
    expect((await headOf(`/events/${id}`)).data.doorTime).toBe('2031-02-28T23:15:00+00:00');
  });

  it('cuts no character in half', async () => {
    for (const more of ['', 'x']) {
      const description = `<p>${more}${'🎭'.repeat(150)}</p>`;
      const { tags } = await headOf(`/events/${await hall.listed({ title: 'Masks', description })}`);
      expect(tags.get('description')).toMatch(/🎭…$/u);
      expect(tags.get('description')).not.toContain('\uFFFD');
    }
  });

  it('shows the event’s image, and that it is sold out', async () => {
    const imageUrl = '/images/0123456789abcdef01234567-aabbcc-1600x900.webp';
    const id = await hall.listed({ title: 'One seat', imageUrl, capacity: 1 });
    await bought(site, await site.member(), id, 1);
    const { tags, data } = await headOf(`/events/${id}`);
    expect(tags.get('og:image')).toBe(BASE_URL + imageUrl);
    expect([tags.get('og:image:width'), tags.get('og:image:height')]).toEqual(['1600', '900']);
    expect(data.offers.availability).toBe('https://schema.org/SoldOut');
  });

  it('escapes all texts in its head', async () => {
    const title = '</script><script>alert("1")</script> & \'$&\' $1 <!-- /about -->';
    const { tags, data, html } = await headOf(`/events/${await hall.listed({ title })}`);
    expect(tags.get('og:title')).toBe(`${title} · Reprise`);
    expect(data.name).toBe(title);
    expect(html).not.toContain('<script>alert');
    expect(html.match(/<script/g)).toHaveLength(2);
  });

  it('shows the former date of a moved event, as long as there are tickets for it', async () => {
    const first = { date: '2031-07-18', time: '22:30' };
    const id = await hall.listed({ title: 'Wandering', date: '2031-07-01' });
    const moveTo = (start: object) =>
      superuser.browser.call('PUT', `/api/admin/events/${id}`, { ...hall.form, ...start });
    const said = async () => {
      const { eventStatus, previousStartDate } = (await headOf(`/events/${id}`)).data;
      return [eventStatus.replace('https://schema.org/', ''), previousStartDate];
    };
    // Before anybody had a ticket.
    await moveTo(first);
    await bought(site, await site.member(), id, 1);
    expect(await said()).toEqual(['EventScheduled', undefined]);
    await moveTo({ date: '2031-12-04' });
    expect(await said()).toEqual(['EventRescheduled', '2031-07-18T22:30:00+01:00']);
    // A purchase may read the listing as it was a moment ago.
    await eventually(async () => {
      const { schedule } = await site.deps.purchases.readings.read(listing, id);
      expect(schedule?.date).toBe('2031-12-04');
    });
    const { id: later } = await bought(site, await site.member(), id, 1);
    await moveTo({ date: '2031-12-05' });
    const winter = `2031-12-04T${hall.form.time}:00+00:00`;
    expect(await said()).toEqual(['EventRescheduled', ['2031-07-18T22:30:00+01:00', winter]]);
    await moveTo(first);
    expect(await said()).toEqual(['EventRescheduled', winter]);
    const reason = 'The lead is ill';
    await cancelBooking(site.deps.purchases, { bookingId: later, by: 'admin', reason }, site.acting());
    expect(await said()).toEqual(['EventScheduled', undefined]);
  });

  it('is hidden from search engines if the event does not exist or is not on sale', async () => {
    const id = await hall.listed({ title: 'Called off' });
    await superuser.browser.call('DELETE', `/api/admin/events/${id}`);
    const { state } = await site.deps.handler.state(listing, id);
    expect(state.archived).toBe(true);
    const gone = await headOf(`/events/${id}`);
    expect([gone.tags.get('robots'), gone.data.eventStatus]).toEqual([
      'noindex',
      'https://schema.org/EventCancelled',
    ]);
    expect(gone.data.offers).toBeUndefined();
    expect(gone.tags.get('description')).toMatch(/^Called off\. /);
    for (const missing of ['999999', '0', '-1', '1.5', 'x', '99999999999999999999', '%F0%9F%8E%AD'])
      expect((await headOf(`/events/${missing}`, 404)).tags.get('robots')).toBe('noindex');
  });
});

describe('a page rendered by the server', () => {
  /** After that a rendered page is made anew, not sent from memory. */
  const minutesPass = () => {
    ahead += 120_000;
  };
  /** A busy machine sends the empty page first. */
  const rendered = (path: string): Promise<string> =>
    eventually(async () => {
      const { text: html } = await text(path, {});
      expect(html).toContain('id="given"');
      return html;
    });

  it('has its content before any script has run', async () => {
    const id = await hall.listed({
      title: 'Owls & Lamps',
      description: '<h1>Bring a coat</h1>',
      price: '31.50',
    });
    const html = await rendered(`/events/${id}`);
    expect(html).toMatch(/<h1[^>]*>Owls &amp; Lamps<\/h1>/);
    expect(html).toContain('<h2>Bring a coat</h2>');
    expect(html).toContain('£31.50');
    expect(html).toContain(`href="/booking/${id}"`);
    expect(await rendered('/events')).toContain(`href="/events/${id}"`);
    expect(await rendered('/')).toContain('Upcoming Events');
    expect(await rendered('/privacy')).toContain('What we keep');
  });

  it('shows the last entry, as do the calendar and the CSV file', async () => {
    const times = { time: '20:00', doors: '19:00', lastEntry: '10:00 PM', end: '01:00' };
    const id = await hall.listed({ title: 'Last in', ...times });
    expect(await rendered(`/events/${id}`)).toContain(
      'Doors at 7 pm · Starts at 8 pm · Last entry 10 pm · Ends at 1 am',
    );
    expect((await text(`/api/events/${id}/calendar`)).text).toContain('Doors at 7 pm · Last entry 10 pm');
    const { body: csv } = await superuser.browser.get('/api/admin/events/export-csv?search=last');
    const [names = '', row = ''] = String(csv).split('\n');
    // The location has a comma, and stands before it.
    const fromTheEnd = (line: string) => line.split(',').reverse();
    expect(fromTheEnd(row)[fromTheEnd(names).indexOf('Last entry')]).toBe('22:00');
  });

  it('says that an event is called off, as long as it lies ahead', async () => {
    const id = await hall.listed({ title: 'The leaking roof' });
    const calledOff = 'This event is called off';
    expect(await rendered(`/events/${id}`)).not.toContain(calledOff);
    await superuser.browser.call('DELETE', `/api/admin/events/${id}`);
    minutesPass();
    await eventually(async () => expect(await rendered(`/events/${id}`)).toContain(calledOff));
  });

  it('shows the former date of a moved event, unless it is called off', async () => {
    const id = await hall.listed({ title: 'The late ship', date: '2031-03-07', time: '19:30' });
    await bought(site, await site.member(), id, 1);
    const moved = 'It was to be on Fri 7 Mar 2031, 7:30 pm.';
    expect(await rendered(`/events/${id}`)).not.toContain(moved);
    const changes = { ...hall.form, date: '2031-03-14' };
    await superuser.browser.call('PUT', `/api/admin/events/${id}`, changes);
    minutesPass();
    await eventually(async () => expect(await rendered(`/events/${id}`)).toContain(moved));
    // Its bookings are cancelled one after the other.
    await site.acting().do(listing, id, { type: 'ArchiveListing' });
    minutesPass();
    await eventually(async () => expect(await rendered(`/events/${id}`)).not.toContain(moved));
  });

  it('shows and announces results for a similar spelling', async () => {
    const id = await hall.listed({ title: 'Coldplay' });
    await site.caughtUp();
    for (const search of ['coldpaly', 'cold play']) {
      const html = await rendered(`/events?search=${encodeURIComponent(search)}`);
      expect(html).toContain(`0 events found for &quot;${search}&quot;`);
      expect(html).toContain('Here is what is spelt nearly so: 1 event');
      expect(html).toContain(`href="/events/${id}"`);
    }
  });

  it('escapes all texts in its body', async () => {
    const title = '</script><script>alert("1")</script> & \'$&\' $1 </body><!-- /content -->';
    const id = await hall.listed({
      title,
      description: '<p onclick="alert(1)">a</p><script>alert(2)</script>',
    });
    const html = await rendered(`/events/${id}`);
    expect(html).not.toContain('<script>');
    expect(html).not.toContain('onclick');
    expect(html.match(/<\/body>/g)).toHaveLength(1);
    const [, given = ''] = /id="given">(.*?)<\/script>/s.exec(html) ?? [];
    const [event] = JSON.parse(given).queries.flatMap(([key, data]: [unknown[], object]) =>
      key.includes('{id}') ? [data] : [],
    );
    expect(event.title).toBe(title);
  });

  it('is left to browsers that have the scripts, and to pages without content', async () => {
    const id = await hall.listed({ title: 'Seen before' });
    await rendered(`/events/${id}`);
    for (const cookie of [`${COOKIE_CONSENT}=accepted`, `${SIGNED_IN_HINT}=1`])
      expect((await text(`/events/${id}`, { cookie })).text).not.toContain('id="given"');
    for (const other of ['/events/999999', `/events/0${id}`, '/%61bout'])
      expect((await text(other, {})).text).not.toContain('id="given"');
  });

  it('is shared for all campaign links, and differs for another list', async () => {
    const city = encodeURIComponent('Łódź & Köln');
    await eventually(async () =>
      expect(await rendered('/events?fbclid=abc&utm_source=post')).toBe(await rendered('/events?page=2')),
    );
    expect(await rendered(`/events?city=${city}&fbclid=abc`)).toContain('Łódź &amp; Köln');
  });

  it('is compressed for browsers that support it', async () => {
    await rendered('/about');
    const plain = await fetch(`${site.origin}/about`, { headers: { 'accept-encoding': 'gzip;q=0' } });
    expect([plain.headers.get('content-encoding'), plain.headers.get('vary')]).toEqual([
      null,
      'cookie, accept-encoding',
    ]);
    const packed = await fetch(`${site.origin}/about`, { headers: { 'accept-encoding': 'gzip' } });
    expect(packed.headers.get('content-encoding')).toBe('gzip');
    expect(await packed.text()).toBe(await plain.text());
  });
});

describe('an event’s calendar file', () => {
  const calendar = async (id: number): Promise<readonly string[]> => {
    const { status, type, text: file } = await text(`/api/events/${id}/calendar`);
    expect([status, type]).toEqual([200, 'text/calendar; charset=utf-8']);
    expect(file.split('\r\n').every((line) => Buffer.byteLength(line) <= 75)).toBe(true);
    // Long lines are folded.
    return file.replace(/\r\n[ \t]/g, '').split('\r\n');
  };

  it('has its times, its place and a permanent name', async () => {
    const title = 'Night; of \\ many, long words: 夜の影絵芝居とランタンの行列 and a title that is folded';
    const form = { title, date: '2031-10-25', time: '23:30', doors: '22:45', end: '02:30' };
    const id = await hall.listed(form);
    const lines = await calendar(id);
    expect(lines).toContain(`UID:event-${id}@localhost`);
    expect(lines).toContain('DTSTART:20311025T223000Z');
    // The clocks go back in that night.
    expect(lines).toContain('DTEND:20311026T023000Z');
    expect(lines).toContain(`SUMMARY:${title.replace(/[;\\,]/g, '\\$&')}`);
    expect(lines).toContain('LOCATION:Corn Exchange\\, Call Lane\\, Leeds');
    // A calendar elsewhere shows the start by its own clock.
    expect(lines).toContain('DESCRIPTION:Doors at 10:45 pm\\, local time.');
    expect(lines.filter((line) => line.startsWith('URL'))).toEqual([
      `URL;VALUE=URI:${BASE_URL}/events/${id}`,
    ]);
    expect(lines).toContain('STATUS:CONFIRMED');
    await superuser.browser.call('DELETE', `/api/admin/events/${id}`);
    const after = await calendar(id);
    expect(after).toContain(`UID:event-${id}@localhost`);
    expect(after).toContain('STATUS:CANCELLED');
  });

  it('is attached to the mail with the ticket', async () => {
    const id = await hall.listed({ title: 'By post' });
    const ann = await site.member();
    const { id: bookingId } = await bought(site, ann, id, 1);
    const mail = await mailTo(site.foundation.config, ann.email, new RegExp(`ticket-${bookingId}.pdf`));
    expect(mail).toContain(`event-${id}.ics`);
    expect(mail).toContain('Content-Type: text/calendar; charset=utf-8');
  });

  it('has no end if none is known, and is 404 for an unknown event', async () => {
    expect(await calendar(await hall.listed({ title: 'Open end' }))).not.toContainEqual(
      expect.stringMatching(/^(DTEND|DURATION|DESCRIPTION)/),
    );
    expect((await text('/api/events/999999/calendar')).status).toBe(404);
    expect((await text('/api/events/x/calendar')).status).toBe(400);
  });
});

describe('the site’s head and search files', () => {
  it('have the name and the tagline set by superusers', async () => {
    const entry = { key: 'site_name', value: 'Curtain & Co' };
    const changed = await superuser.browser.call('POST', '/api/admin/site-config', entry);
    expect(changed.status).toBe(200);
    const start = await headOf('/');
    expect(start.title).toBe('Curtain & Co: Discover Amazing Events');
    expect(start.tags.get('og:image')).toBe(`${BASE_URL}/share.png`);
    const list = await headOf('/events?city=Leeds');
    // As the client's page says it where this is missing.
    expect(await readFile('web/index.html', 'utf8')).toContain(`content="${start.tags.get('description')}"`);
    expect([list.title, list.canonical]).toEqual(['All Events · Curtain & Co', `${BASE_URL}/events`]);
  });

  it('list the pages for search engines, and those that they must not read', async () => {
    const [on, off] = [await hall.listed({ title: 'On' }), await hall.listed({ title: 'Off' })];
    await superuser.browser.call('DELETE', `/api/admin/events/${off}`);
    const map = await text('/sitemap.xml');
    expect(map.type).toBe('application/xml; charset=utf-8');
    const found = [...map.text.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, url]) => url);
    expect(found).toContain(`${BASE_URL}/events/${on}`);
    expect(found).not.toContain(`${BASE_URL}/events/${off}`);
    // Each is the address that its page calls its own.
    const heads = found
      .map((url = '') => url.slice(BASE_URL.length))
      .filter((path) => /^\/(events.*)?$/.test(path));
    for (const path of heads) expect((await headOf(path)).canonical).toBe(BASE_URL + path);
    expect(heads.length).toBeGreaterThan(2);
    const robots = await text('/robots.txt');
    expect(robots.type).toBe('text/plain; charset=utf-8');
    expect(robots.text).toContain(`Sitemap: ${BASE_URL}/sitemap.xml`);
    expect(robots.text).toContain('Disallow: /admin\n');
    // Search engines run the page, which asks for its data.
    expect(robots.text).not.toContain('/api');
  });

  it('are served without details while the database fails', async () => {
    const { pool } = site.foundation.database;
    await pool.query('alter table read.listing rename to away');
    try {
      const { status, text: html } = await text('/events/1');
      expect([status, html.includes('<div id="root">')]).toEqual([200, true]);
    } finally {
      await pool.query('alter table read.away rename to listing');
    }
  });
});
