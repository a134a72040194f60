import type { CommandDeps } from '#command-api/deps.ts';
import { SITE_CONFIG, siteConfig } from '#domain/content/site-config.ts';
import { type Subscribed, subscribeRequest, unsubscribeRequest } from '#domain/contracts/newsletter.ts';
import { siteDefaults } from '#domain/contracts/site.ts';
import { newsletter } from '#domain/newsletter/newsletter.ts';
import { Refusal } from '#domain/refusal.ts';
import { contextOf } from '#infra/http/context.ts';
import type { App } from '#infra/http/server.ts';

/** On and off the newsletter's list. Anybody may, for any address; the answers say nothing about accounts. */
export const newsletterRoutes = (
  app: App,
  { lane, emailId, clock, ids }: Pick<CommandDeps, 'lane' | 'emailId' | 'clock' | 'ids'>,
): void => {
  app.post(
    '/api/newsletter/subscribe',
    { config: { capability: 'contact', limit: 'newsletter' }, schema: { body: subscribeRequest } },
    async (request, reply): Promise<Subscribed> => {
      const { email, source } = request.body;
      const { state: settings } = await lane.state(siteConfig, SITE_CONFIG);
      const enabled = settings.get('newsletter_enabled')?.value ?? siteDefaults.newsletter_enabled;
      if (enabled === 'false') throw new Refusal('NEWSLETTER_DISABLED');
      const subscription = emailId(email);
      const command = { type: 'Subscribe', subscription, key: ids.uuid(), email, source } as const;
      const acting = lane.as(contextOf(request, clock));
      const { events, position } = await acting.do(newsletter, subscription, command);
      reply.position(position);
      return events.length > 0
        ? {
            message: 'You are on the list. We write when there is something worth going out for.',
            isNewSubscription: true,
          }
        : { message: 'This address is already subscribed.', isNewSubscription: false };
    },
  );

  app.post(
    '/api/newsletter/unsubscribe',
    { config: { capability: 'contact', limit: 'newsletter' }, schema: { body: unsubscribeRequest } },
    async (request, reply) => {
      const subscription = emailId(request.body.email);
      const { position } = await lane
        .as(contextOf(request, clock))
        .do(newsletter, subscription, { type: 'Unsubscribe', subscription });
      reply.position(position);
      return { message: 'You have been unsubscribed.' };
    },
  );
};
