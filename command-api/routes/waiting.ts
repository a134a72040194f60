import type { CommandDeps } from '#command-api/deps/deps.ts';
import { joinWaiting } from '#command-api/purchase/waiting.ts';
import { demandBuyer } from '#command-api/routes/buyer.ts';
import { changesOn } from '#command-api/routes/change.ts';
import { waitingCalls } from '#domain/contracts/waiting.ts';
import { waiting } from '#domain/waiting/waiting.ts';
import type { App } from '#infra/http/server.ts';

export const waitingRoutes = (
  app: App,
  deps: Pick<CommandDeps, 'handler' | 'sessions' | 'clock' | 'replies'>,
): void => {
  const change = changesOn(app, deps);

  change(waitingCalls.join, async ({ principal, params: { id } }, { acting }) => {
    const { accountId } = await demandBuyer(principal, deps);
    await joinWaiting(id, accountId, acting);
    return { message: 'You are on the waiting list. We mail you once, when there are tickets again.' };
  });

  change(waitingCalls.leave, async ({ principal: { accountId: userId }, params: { id } }, { acting }) => {
    await acting.do(waiting, id, { type: 'Leave', listingId: id, userId });
    return { message: 'You have left the waiting list.' };
  });
};
