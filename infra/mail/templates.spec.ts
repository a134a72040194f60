import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { MailKind } from './mailer.ts';
import { renderMail } from './templates.ts';

const context = {
  siteName: 'Reprise',
  siteUrl: 'http://localhost:3000',
  contactEmail: 'hello@reprise.test',
  firstName: 'Zoë',
  link: 'http://localhost:3000/verify-email?token=abc',
  title: 'Night <Songs> & "Fog"',
  reference: 'BK12345678',
  quantity: 2,
  paid: '£57.00',
  refund: '£45.60',
  review: true,
  rescheduled: true,
  reason: 'used',
  when: 'Fri 4 Dec, 7:30 pm',
  venue: 'Barbican Hall',
  address: 'Silk Street',
};

const kinds = readdirSync(new URL('./templates', import.meta.url))
  .filter((file) => file !== 'layout.liquid')
  .map((file) => file.replace('.liquid', '') as MailKind);

describe('mail templates', () => {
  it.each(kinds)('%s renders, with everything escaped in HTML and nothing in text', async (kind) => {
    const mail = await renderMail(kind, context);
    expect(mail.html).not.toContain('<Songs>');
    expect(mail.subject + mail.text).not.toContain('&lt;');
    expect(mail.html).not.toContain('{{');
    if (mail.text.includes('Songs')) expect(mail.text).toContain('Night <Songs> & "Fog"');
  });

  it('lists the facts of a booking, in both forms', async () => {
    const mail = await renderMail('booking-confirmation', context);
    expect(mail.text).toContain('When: Fri 4 Dec, 7:30 pm\nWhere: Barbican Hall, Silk Street\nTickets: 2\n');
    expect(mail.html).toMatch(/>Where<\/td><td[^>]*>Barbican Hall, Silk Street<\/td>/);
  });

  it('does not render with a variable missing', async () => {
    await expect(renderMail('verify-email', { ...context, link: undefined as never })).rejects.toThrow(
      /link/,
    );
  });

  it('let no value inject a header or a link', async () => {
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
    '%s says nothing that whoever typed the address may have made up: it goes to strangers',
    async (kind) => {
      const firstName = 'You have won: evil.test';
      const { subject, html, text } = await renderMail(kind, { ...context, firstName });
      expect(subject + html + text).not.toContain('evil.test');
    },
  );
});
