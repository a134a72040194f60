import type { AccountEnding, CommandDeps } from '#command-api/deps.ts';
import type { ActingLane } from '#command-api/lane/lane.ts';
import type { Ids } from '#infra/ids/ids.ts';
import type { PaymentGateway } from '#infra/payments/gateway.ts';
import { intentsInOrder } from './advance.ts';
import { type Booked, bookCheckout, type ToBook } from './book-checkout.ts';
import { type CancelOutcome, type CancelRequest, cancelBooking } from './cancel.ts';
import { type DeletionOptions, deleteListing } from './delete-listing.ts';
import { type CheckoutDeps, Desk, type HoldLimits } from './desk.ts';
import { type EndingDeps, endPurchases } from './end-purchases.ts';
import { type AttemptIds, type Opened, openCheckout } from './open-checkout.ts';
import type { Wanted } from './quote.ts';
import { createReadings, type Readings } from './readings.ts';
import { reinstateBooking } from './reinstate.ts';
import { wishesAsJobs } from './wishes.ts';

/** The two calls of a purchase. */
export interface Checkouts {
  allocate(): Promise<AttemptIds>;
  /** Opens the caller's checkout, or goes on with it. The tickets are held when it returns. @throws Refusal as `openCheckout` */
  open(userId: string, wanted: Wanted, ids: AttemptIds, acting: ActingLane): Promise<Opened>;
  /** Completes the caller's checkout if it is paid. @throws Refusal as `bookCheckout` */
  book(userId: string, wanted: ToBook, acting: ActingLane): Promise<Booked>;
}

/** Makes the calls for one process, which remembers the last attempts. Other processes may serve the same buyer. */
export const createCheckouts = (deps: CheckoutDeps & { readonly ids: Ids }): Checkouts => {
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

/** What purchases need. */
export type PurchaseParts = Pick<CommandDeps, 'lane' | 'clock' | 'ids' | 'log' | 'database' | 'keys'> & {
  readonly gateway: PaymentGateway;
  /** How long tickets are held, in milliseconds. Default: 15 minutes. */
  readonly holdFor?: number | undefined;
  readonly holdLimits?: HoldLimits | undefined;
};

/** Buying, cancelling and refunding, for routes and jobs. There is one in a process. */
export interface Purchases {
  readonly checkouts: Checkouts;
  /** Listings, promotions and places, perhaps a second old. */
  readonly readings: Readings;
  cancel(request: CancelRequest, acting: ActingLane): Promise<CancelOutcome>;
  /** Makes a cancelled booking valid again. */
  reinstate(bookingId: number, acting: ActingLane): ReturnType<typeof reinstateBooking>;
  /** Closes the sales of a listing, archives it, and cancels and refunds its bookings. */
  deleteListing(
    listingId: number,
    acting: ActingLane,
    options?: DeletionOptions,
  ): ReturnType<typeof deleteListing>;
  /** Ends the purchases of an account, before its key is destroyed. @throws Refusal UNAVAILABLE: call it again */
  endPurchases: AccountEnding['endPurchases'];
  /** What the jobs need. */
  readonly parts: EndingDeps;
}

/** Makes the purchases of a process. */
export const createPurchases = (given: PurchaseParts): Purchases => {
  const { lane, clock, ids, log, database, keys, gateway, holdFor, holdLimits } = given;
  const { pool } = database;
  const readings = createReadings({ lane, clock });
  keys.onDestroyed(readings.forget);
  const inOrder = intentsInOrder();
  const parts: EndingDeps = { lane, clock, gateway, inOrder, wishes: wishesAsJobs(pool), log, pool };
  return {
    readings,
    parts,
    checkouts: createCheckouts({ ...parts, readings, ids, holdFor, holdLimits }),
    cancel: (request, acting) => cancelBooking(parts, request, acting),
    reinstate: (bookingId, acting) => reinstateBooking(parts, bookingId, acting),
    deleteListing: (listingId, acting, options) => deleteListing(parts, listingId, acting, options),
    endPurchases: (...of) => endPurchases(parts, ...of),
  };
};
