import type { App } from '#infra/http/server.ts';
import type { ImageStore } from '#infra/images/image-store.ts';
import type { PaymentGateway } from '#infra/payments/gateway.ts';
import type { TicketSigner } from '#infra/tickets/ticket-signer.ts';
import type { AccountEnding, CommandDeps } from './deps/deps.ts';
import type { Purchases } from './purchase/purchases.ts';
import { routes } from './routes/all.ts';

export interface CommandApiDeps extends CommandDeps {
  readonly ending: AccountEnding;
  readonly purchases: Purchases;
  readonly gateway: PaymentGateway;
  readonly signer: TicketSigner;
  readonly images: ImageStore;
  wake(): void;
}

export const commandRoutes = (app: App, deps: CommandApiDeps): void => {
  for (const register of routes) register(app, deps);
};
