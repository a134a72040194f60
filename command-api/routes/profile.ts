import { confirmOwner } from '#command-api/accounts/confirm-owner.ts';
import { eraseAccount } from '#command-api/accounts/erasure.ts';
import { slugNamed } from '#command-api/catalogue/categories.ts';
import type { ActingHandler } from '#command-api/commands/command-handler.ts';
import type { AccountEnding, CommandDeps } from '#command-api/deps/deps.ts';
import { changesOn } from '#command-api/routes/change.ts';
import { account } from '#domain/account/account.ts';
import { toUser } from '#domain/answers/accounts.ts';
import { category } from '#domain/content/category.ts';
import { profileCalls } from '#domain/contracts/profile.ts';
import { badInput } from '#domain/kernel/decider.ts';
import { orElse } from '#domain/kernel/personal.ts';
import { refusalOf } from '#domain/kernel/refusal.ts';
import type { App } from '#infra/http/server.ts';

const demandCategories = async (slugs: readonly string[], acting: ActingHandler): Promise<void> => {
  const named = await Promise.all([...new Set(slugs)].map((slug) => acting.state(category, slug)));
  if (named.every(({ state }) => state.categoryId !== null)) return;
  throw refusalOf(badInput({ 'preferences.favoriteCategories': 'Not a category' }));
};

export const profileRoutes = (app: App, deps: CommandDeps & { readonly ending: AccountEnding }): void => {
  const change = changesOn(app, deps);

  change(profileCalls.enhance, async ({ principal: { accountId }, body }, { acting }) => {
    const { dateOfBirth, preferences } = body;
    const chosen = preferences?.favoriteCategories;
    const favorites = chosen && (await Promise.all(chosen.map((named) => slugNamed(deps, named))));
    await demandCategories(favorites ?? [], acting);
    const before = await acting.state(account, accountId);
    const favoriteCategories = favorites ?? orElse(before.state.favoriteCategories, []);
    const { at } = acting.context;
    const command = { type: 'CompleteProfile', dateOfBirth, favoriteCategories, at } as const;
    const { state } = await acting.do(account, accountId, command);
    await deps.sessions.update(accountId, { profileComplete: true });
    return { user: toUser(state), message: 'Your profile is complete.' };
  });

  change(profileCalls.delete, async ({ principal, body }, { acting, reply }) => {
    const { accountId } = principal;
    await confirmOwner(deps, principal, body?.password);
    await eraseAccount(deps, accountId, accountId, acting);
    app.siteCookies.endSession(reply);
    return { message: 'Your account has been deleted.' };
  });
};
