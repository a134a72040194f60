import type { CommandDeps } from '#command-api/deps.ts';
import { type SupportAnswer, supportRequest } from '#domain/contracts/support.ts';
import { support } from '#domain/support/support.ts';
import { contextOf } from '#infra/http/context.ts';
import type { App } from '#infra/http/server.ts';

/**
 * `POST /api/contact-support`: keeps a message in the log. Until somebody at support is told of it by mail, the answer says
 * `fallback`, and the client asks the writer to send a mail as well.
 */
export const supportRoutes = (
  app: App,
  { lane, ids, clock }: Pick<CommandDeps, 'lane' | 'ids' | 'clock'>,
): void => {
  app.post(
    '/api/contact-support',
    { config: { capability: 'contact', limit: 'support' }, schema: { body: supportRequest } },
    async (request, reply): Promise<SupportAnswer> => {
      const { name, email, category, message } = request.body;
      const supportId = await ids.next('support');
      const command = {
        type: 'ReceiveMessage',
        supportId,
        accountId: request.principal.accountId,
        category,
        name,
        email,
        subject: request.body.subject ?? '',
        message,
        booking: String(request.body.bookingId ?? ''),
      } as const;
      const { position } = await lane.as(contextOf(request, clock)).do(support, supportId, command);
      reply.position(position);
      return { message: `Your message is number ${supportId}.`, fallback: true };
    },
  );
};
