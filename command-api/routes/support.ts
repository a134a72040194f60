import { siteSettingsOf } from '#command-api/catalogue/settings.ts';
import type { CommandDeps } from '#command-api/deps/deps.ts';
import { changesOn } from '#command-api/routes/change.ts';
import { supportCalls } from '#domain/contracts/support.ts';
import { support } from '#domain/support/support.ts';
import type { App } from '#infra/http/server.ts';

/** Without a contact address, mail goes to the sender address, which may be unread (`fallback`). */
export const supportRoutes = (
  app: App,
  deps: Pick<CommandDeps, 'handler' | 'ids' | 'clock' | 'replies'>,
): void => {
  const change = changesOn(app, deps);

  change(supportCalls.contact, async ({ body, principal: { accountId } }, { acting }) => {
    const supportId = await deps.ids.next('support');
    const { name, email, category, subject, message, bookingId } = body;
    const about = { subject: subject ?? '', message, booking: String(bookingId ?? '') };
    const command = {
      type: 'ReceiveMessage',
      supportId,
      accountId,
      category,
      name,
      email,
      ...about,
    } as const;
    await acting.do(support, supportId, command);
    const { contactEmail } = await siteSettingsOf(deps.handler);
    return { message: `Your message is number ${supportId}.`, fallback: contactEmail === '' };
  });
};
