import { leaveNewsletter } from '#command-api/accounts/erasure.ts';
import type { CommandDeps } from '#command-api/deps/deps.ts';
import { changesOn } from '#command-api/routes/change.ts';
import { SITE_CONFIG, settingOf, siteConfig } from '#domain/content/site-config.ts';
import { adminNewsletterCalls, newsletterCalls } from '#domain/contracts/newsletter.ts';
import { Refusal } from '#domain/kernel/refusal.ts';
import { newsletter } from '#domain/newsletter/newsletter.ts';
import { installForms } from '#infra/http/form-body.ts';
import type { App } from '#infra/http/server.ts';

export const newsletterRoutes = (
  app: App,
  deps: Pick<
    CommandDeps,
    'handler' | 'emailId' | 'clock' | 'ids' | 'replies' | 'keys' | 'database' | 'unsubscribeLinks'
  >,
): void => {
  const { emailId, ids, unsubscribeLinks } = deps;
  const change = changesOn(app, deps);

  change(newsletterCalls.subscribe, async ({ body: { email, source } }, { acting }) => {
    const { state: settings } = await acting.state(siteConfig, SITE_CONFIG);
    if (settingOf(settings, 'newsletter_enabled') === 'false') throw new Refusal('NEWSLETTER_DISABLED');
    const subscription = emailId(email);
    const command = { type: 'Subscribe', subscription, key: ids.uuid(), email, source } as const;
    const { events } = await acting.do(newsletter, subscription, command);
    return events.length > 0
      ? {
          message: 'You are on the list. We write when there is something worth going out for.',
          isNewSubscription: true,
        }
      : { message: 'This address is already subscribed.', isNewSubscription: false };
  });

  change(newsletterCalls.unsubscribe, async ({ body }, { acting }) => {
    const subscription = emailId(body.email);
    await acting.do(newsletter, subscription, { type: 'Unsubscribe', subscription });
    return { message: 'You have been unsubscribed.' };
  });

  app.register(async (scope) => {
    installForms(scope);
    changesOn(scope as App, deps)(newsletterCalls.unsubscribeByLink, async ({ query }, { acting }) => {
      const subscription = unsubscribeLinks.subscriptionOf(query.token);
      if (subscription === undefined)
        throw new Refusal('TOKEN_INVALID', {}, { message: 'This link is incomplete, or not one of ours.' });
      await acting.do(newsletter, subscription, { type: 'Unsubscribe', subscription });
      return { message: 'You have been unsubscribed.' };
    });
  });

  change(adminNewsletterCalls.remove, async ({ params: { id: subscription } }, { acting }) => {
    const { state } = await acting.state(newsletter, subscription);
    // An earlier erasure may have been interrupted before the keys were destroyed.
    if (state.keys.length + state.erasedKeys.length === 0) throw new Refusal('NOT_FOUND');
    await leaveNewsletter(deps, subscription, acting);
    return { message: 'Subscriber deleted' };
  });
};
