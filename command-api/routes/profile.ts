/** `/api/profile`: completing it, and deleting the account. */
import { eraseAccount } from '#command-api/accounts/erasure.ts';
import type { AccountEnding, CommandDeps } from '#command-api/deps.ts';
import { account } from '#domain/account/account.ts';
import { toUser } from '#domain/account/answer.ts';
import { emptyRequest, type SignedIn } from '#domain/contracts/auth.ts';
import type { Said } from '#domain/contracts/envelope.ts';
import { enhanceProfileRequest } from '#domain/contracts/profile.ts';
import { orElse } from '#domain/personal.ts';
import { contextOf } from '#infra/http/context.ts';
import { demandSignedIn } from '#infra/http/principal.ts';
import type { App } from '#infra/http/server.ts';

const config = { capability: 'use-account' } as const;

/** `PATCH /api/profile/enhance` and `DELETE /api/profile`. */
export const profileRoutes = (app: App, deps: CommandDeps & { readonly ending: AccountEnding }): void => {
  const { lane, sessions, clock } = deps;

  app.patch(
    '/api/profile/enhance',
    { config, schema: { body: enhanceProfileRequest } },
    async (request, reply): Promise<SignedIn & Said> => {
      const { accountId } = demandSignedIn(request.principal);
      const { dateOfBirth, preferences } = request.body;
      const acting = lane.as(contextOf(request, clock));
      const before = await acting.state(account, accountId);
      const favoriteCategories =
        preferences?.favoriteCategories ?? orElse(before.state.favoriteCategories, []);
      const { at } = acting.context;
      const command = { type: 'CompleteProfile', dateOfBirth, favoriteCategories, at } as const;
      const { state, position } = await acting.do(account, accountId, command);
      await sessions.update(accountId, { profileComplete: true });
      reply.position(position);
      return { user: toUser(state), message: 'Your profile is complete.' };
    },
  );

  app.delete(
    '/api/profile',
    { config, schema: { body: emptyRequest } },
    async (request, reply): Promise<Said> => {
      const { accountId } = demandSignedIn(request.principal);
      const acting = lane.as(contextOf(request, clock));
      await eraseAccount(deps, accountId, accountId, acting);
      app.siteCookies.endSession(reply);
      reply.position(acting.position);
      return { message: 'Your account has been deleted.' };
    },
  );
};
