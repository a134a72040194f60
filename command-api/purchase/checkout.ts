/** The two calls of a purchase, on this process. */
import type { Context } from '#infra/event-log/recorded.ts';
import { type Booked, bookCheckout, type ToBook } from './book-checkout.ts';
import { type CheckoutDeps, Desk } from './desk.ts';
import { type AttemptIds, type Opened, openCheckout } from './open-checkout.ts';
import type { Wanted } from './quote.ts';

export type { AttemptIds, Opened } from './open-checkout.ts';

/** What a buyer asks of a purchase. */
export interface Checkouts {
  allocate(): Promise<AttemptIds>;
  /** Opens, goes on with, or reprices the caller's checkout; the tickets are held when it returns. @throws HttpError */
  open(userId: string, wanted: Wanted, ids: AttemptIds, context: Context): Promise<Opened>;
  /** Completes the caller's checkout once the provider says that it is paid. @throws HttpError */
  book(userId: string, wanted: ToBook, context: Context): Promise<Booked>;
}

/** Checkouts on one process, which remembers what it has lately seen; any other may serve the same buyer. */
export const createCheckouts = (deps: CheckoutDeps): Checkouts => {
  const desk = new Desk(deps);
  const { ids } = deps;
  return {
    open: (userId, wanted, own, context) => openCheckout(desk, userId, wanted, own, context),
    book: (userId, wanted, context) => bookCheckout(desk, userId, wanted, context),
    allocate: async () => ({
      attempt: ids.uuid(),
      bookingId: await ids.next('booking'),
      reference: ids.reference(),
    }),
  };
};
