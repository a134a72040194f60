/** Help: a message to support comes to somebody. */
import { beforeAll, expect, test } from 'vitest';
import { inChromium, leave, sharedSite, visit } from '#tests/kit/browser.ts';
import { mailTo } from '#tests/kit/mails.ts';
import { button, shows, toast } from './steps.ts';

inChromium('help', (browser) => {
  let site: Awaited<ReturnType<typeof sharedSite>>;
  beforeAll(async () => {
    site = await sharedSite();
  });

  test('delivers a message to the support mailbox', async () => {
    const { page, complaints } = await visit(browser(), site.origin, { width: 390 });
    await page.goto('/help');
    await page.getByRole('tab', { name: 'Contact Support' }).click();
    await button(page, 'Contact Support').click();
    const dialog = page.getByRole('dialog', { name: 'Contact Support' });
    await button(dialog, 'Send message').click();
    await shows(toast(page, 'Please fill in all required fields.')).toBeVisible();
    // Said once: the fields say what each of them lacks.
    await shows(page.getByText('Please fill in all required fields.')).toHaveCount(1);
    await dialog.getByLabel('Email').fill('zoe.quill');
    await dialog.getByLabel('Email').press('Enter');
    await shows(dialog.getByText('Please fill this in')).toHaveCount(2);
    await shows(dialog.getByText('Invalid email address')).toBeVisible();
    await dialog.getByLabel('Email').fill('');
    await button(dialog, 'Send message').click();
    await shows(dialog.getByLabel('Name')).toBeFocused();
    await shows(dialog.getByLabel('Message')).toHaveAttribute('aria-invalid', 'true');
    await dialog.getByLabel('Name').fill('Zoë Quill');
    await dialog.getByLabel('Email').fill('zoe.quill@people.example');
    await dialog.getByLabel('Subject').fill('A cloakroom?');
    await dialog.getByLabel('Message').fill('Is there one?\n\nIt may rain.');
    await button(dialog, 'Send message').click();
    await shows(toast(page, 'Message Sent Successfully')).toBeVisible();
    await shows(dialog).toBeHidden();
    const mail = await mailTo(site, 'hello@reprise.test', /^Subject: A cloakroom\? \(message \d+\)/m);
    expect(mail).toContain('Is there one?\r\n\r\nIt may rain.');
    expect(complaints).toEqual([]);
    await leave(page);
  });
});
