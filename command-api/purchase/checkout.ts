/** The two calls of a purchase, on this process. */
import type { ActingLane } from '#command-api/lane/lane.ts';
import { type Booked, bookCheckout, type ToBook } from './book-checkout.ts';
import { type CheckoutDeps, Desk } from './desk.ts';
import { type AttemptIds, type Opened, openCheckout } from './open-checkout.ts';
import type { Wanted } from './quote.ts';

export type { AttemptIds, Opened } from './open-checkout.ts';

/** What a buyer asks of a purchase. */
export interface Checkouts {
  allocate(): Promise<AttemptIds>;
  /** Opens, goes on with, or reprices the caller's checkout; the tickets are held when it returns. @throws Refusal */
  open(userId: string, wanted: Wanted, ids: AttemptIds, acting: ActingLane): Promise<Opened>;
  /** Completes the caller's checkout once the provider says that it is paid. @throws Refusal */
  book(userId: string, wanted: ToBook, acting: ActingLane): Promise<Booked>;
}

/** Checkouts on one process, which remembers what it has lately seen; any other may serve the same buyer. */
export const createCheckouts = (deps: CheckoutDeps): Checkouts => {
  const desk = new Desk(deps);
  const { ids } = deps;
  return {
    open: (userId, wanted, own, acting) => openCheckout(desk, userId, wanted, own, acting),
    book: (userId, wanted, acting) => bookCheckout(desk, userId, wanted, acting),
    allocate: async () => ({
      attempt: ids.uuid(),
      bookingId: await ids.next('booking'),
      reference: ids.reference(),
    }),
  };
};
