/** Webhooks as superusers keep them. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, expect, test } from 'vitest';
import { inChromium, leave, sharedSite, visit } from '#tests/kit/browser.ts';
import { atTheEnd } from '#tests/kit/endings.ts';
import { violations } from './axe.ts';
import { enter } from './people.ts';
import { button, shows, toast } from './steps.ts';

/** What no other spec lets happen on the shared site, so that only the test is sent. */
const EVENT = 'ticket.reissued';

let site: Awaited<ReturnType<typeof sharedSite>>;
let system = '';
beforeAll(async () => {
  site = await sharedSite();
  const server = createServer((_request, response) => response.writeHead(202).end('noted'));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  system = `http://127.0.0.1:${(server.address() as AddressInfo).port}/in`;
  atTheEnd(() => server.close());
});

inChromium('a webhook', (browser) => {
  test('is added, shows its secret once, and is tested, sent again and deleted', async () => {
    const { page, complaints } = await visit(browser(), site.origin, { width: 390, height: 844 });
    await enter(page, 'superuser@reprise.test');
    await page.goto('/admin?tab=webhooks');
    await button(page, 'Add Webhook').click();
    const form = page.getByRole('dialog', { name: 'Add Webhook' });
    await form.getByLabel('Address').fill(system);
    await button(form, EVENT).focus();
    await page.keyboard.press('Space');
    await shows(button(form, EVENT)).toHaveAttribute('aria-pressed', 'true');
    await button(form, 'Add Webhook').click();
    const secret = page.getByRole('dialog', { name: 'The webhook’s secret' });
    await shows(secret.getByText(/^whsec_/)).toBeVisible();
    expect(await violations(page)).toEqual([]);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await button(secret, 'Copy it').click();
    await shows(toast(page, 'Copied')).toBeVisible();
    await button(secret, 'I have it').click();
    await shows(secret).toBeHidden();

    await button(page, `Messages to ${system}`).click();
    const messages = page.getByRole('dialog', { name: 'Messages' });
    await shows(messages.getByText('Nothing has been sent yet.')).toBeVisible();
    await button(messages, 'Send a test').click();
    await shows(messages.getByText('Answered 202 · 1 try')).toBeVisible();
    await messages.getByText(/^Message test-/).click();
    await shows(messages.getByText(/“noted”$/)).toBeVisible();
    expect(await violations(page)).toEqual([]);
    await button(messages, /^Send test-.* again$/).click();
    await shows(messages.getByText('Answered 202 · 2 tries')).toBeVisible();
    await page.keyboard.press('Escape');
    await shows(messages).toBeHidden();

    await button(page, `Delete ${system}`).click();
    await button(page.getByRole('dialog'), 'Delete').click();
    await shows(button(page, `Messages to ${system}`)).toBeHidden();
    // The row and its button are gone: who goes by keyboard goes on from the list's head.
    await shows(page.locator(':focus')).toContainText('Add Webhook');
    expect(complaints).toEqual([]);
    await leave(page);
  });
});
