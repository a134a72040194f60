/**
 * The tables of the read models: what the projector writes and the query API reads. Money is integer pence. Rows hold ids, and a
 * query joins the title and the person. Personal plaintext lives in `person` and `subscriber` alone; a `SealedText` is opened on reading, and
 * can't be once its key is destroyed.
 */
import type { Role } from '#domain/account/events.ts';
import type { ScanFacts, TurnedAway } from '#domain/admission/events.ts';
import type { Act } from '#domain/all-events.ts';
import type { BookingEvent } from '#domain/booking/events.ts';
import type { Unfilled } from '#domain/checkout/events.ts';
import type { ImageType } from '#domain/content/events.ts';
import type { SiteMail } from '#domain/content/site-mails.ts';
import type { DisputeOutcome } from '#domain/dispute/events.ts';
import type { HookType, StopReason } from '#domain/hook/events.ts';
import type { RefundPolicy } from '#domain/kernel/policy.ts';
import type { SomeExtras } from '#domain/listing/extras.ts';
import type { PromotionTerms } from '#domain/promotion/events.ts';
import type { ProcessingType, RefundEvent } from '#domain/refund/events.ts';
import type { RefundPhase } from '#domain/refund/state.ts';
import type { SealedText } from './sealed-text.ts';
import {
  boolean,
  type Instant,
  instant,
  integer,
  json,
  numeric,
  optional,
  personal,
  type RowOf,
  searchable,
  table,
  text,
  uuid,
} from './table.ts';

/** The catalogue entry (the site's "Event"). Its tickets are in `inventory`, one row a listing. */
export const listingTable = table('listing', {
  key: 'id',
  columns: {
    id: integer(),
    title: text(),
    /** HTML, sanitized. */
    description: text(),
    /** A category's slug. */
    category: text(),
    city_id: integer(),
    venue_id: integer(),
    location: text(),
    price: integer(),
    image_url: optional(text()),
    tags: json<readonly string[]>(),
    /** As the events have them. Nothing filters or sorts by them. */
    extras: json<SomeExtras>(),
    featured: boolean(),
    is_active: boolean(),
    /** Archived listings are in no list; their bookings still name them. */
    archived: boolean(),
    /** Wall clock at the venue: `YYYY-MM-DD`, `HH:mm`, IANA zone. */
    date: text(),
    time: text(),
    zone: text(),
    starts_at: instant(),
    /** The starts that it was moved away from, in that order, without the present one. */
    moved_from: json<readonly Instant[]>(),
    created_at: instant(),
    updated_at: instant(),
    /** Folded words of title and tags, and those of the description (`searchWords`). */
    names: text(),
    words: text(),
  },
  indexes: ['(starts_at, id)', '(city_id)', '(venue_id)', '(category, starts_at)'],
});

/** The tickets of a listing. Available = capacity − sold − held. */
export const inventoryTable = table('inventory', {
  key: 'listing_id',
  columns: {
    listing_id: integer(),
    capacity: integer(),
    sold: integer(),
    held: integer(),
    closed: optional(text<'archived' | 'started'>()),
  },
});

/**
 * The search text of a listing: the words of title, tags, description, venue, city and category, to be matched by
 * `document @@ ${searchQuery(text)}::tsquery`. All but those of the description are names, and stand there a second time with `NAME_MARK`.
 */
export const listingSearchTable = table('listing_search', {
  key: 'listing_id',
  columns: { listing_id: integer(), document: searchable() },
  indexes: ['USING gin (document)'],
});

export const cityTable = table('city', {
  key: 'id',
  columns: {
    id: integer(),
    name: text(),
    state: text(),
    country: text(),
    zone: text(),
    archived: boolean(),
    words: text(),
  },
});

export const venueTable = table('venue', {
  key: 'id',
  columns: {
    id: integer(),
    name: text(),
    address: text(),
    city_id: integer(),
    capacity: integer(),
    archived: boolean(),
    words: text(),
  },
  indexes: ['(city_id)'],
});

export const categoryTable = table('category', {
  key: 'slug',
  columns: {
    id: integer(),
    slug: text(),
    name: text(),
    emoji: text(),
    description: text(),
    archived: boolean(),
    words: text(),
  },
});

/** An image of the gallery. */
export const imageTable = table('image', {
  key: 'id',
  columns: {
    id: integer(),
    original_name: text(),
    use: text<ImageType>(),
    /** `/images/….webp` */
    path: text(),
    format: text(),
    bytes: integer(),
    width: integer(),
    height: integer(),
    created_at: instant(),
  },
  indexes: ['(created_at, id)', '(path)'],
});

/** An entry of the site's configuration that was set. */
export const settingTable = table('setting', {
  key: 'key',
  columns: { key: text(), value: text(), description: text(), category: text(), updated_at: instant() },
});

/** An email template that a superuser wrote. The other defaults have no row. */
export const emailTemplateTable = table('email_template', {
  key: 'id',
  columns: {
    id: integer(),
    kind: optional(text<SiteMail>()),
    name: text(),
    subject: text(),
    html_content: text(),
    text_content: text(),
    description: text(),
    is_active: boolean(),
    updated_at: instant(),
  },
});

/** An organiser's system that is told what happens. */
export const hookTable = table('hook', {
  key: 'id',
  columns: {
    id: integer(),
    url: text(),
    description: text(),
    types: json<readonly HookType[]>(),
    is_active: boolean(),
    stopped: optional(text<StopReason>()),
    updated_at: instant(),
  },
});

/** Promotions. `redeemed` counts uses by bookings; `reserved` counts uses by open checkouts. */
export const promotionTable = table('promotion', {
  key: 'id',
  columns: {
    id: integer(),
    code: text(),
    name: text(),
    description: text(),
    discount_type: text<PromotionTerms['discountType']>(),
    /** Percent with up to two places, or pence. */
    discount_value: numeric(),
    usage_limit: optional(integer()),
    valid_from: instant(),
    valid_until: instant(),
    is_active: boolean(),
    archived: boolean(),
    reserved: integer(),
    redeemed: integer(),
    created_at: instant(),
  },
  indexes: ['(code)'],
});

/** Bookings. A paid attempt that got no ticket has status `cancelled`, and `unfilled` says why (`unfilledNow`). */
export const bookingTable = table('booking', {
  key: 'id',
  columns: {
    id: integer(),
    reference: text(),
    user_id: uuid(),
    listing_id: integer(),
    attempt: uuid(),
    unit_price: integer(),
    quantity: integer(),
    discount: integer(),
    total: integer(),
    promotion_id: optional(integer()),
    promo_code: optional(text()),
    intent_id: optional(text()),
    policy: json<RefundPolicy>(),
    /** As the listing said when the booking was made; join `listing` for the current start. */
    booked_start: instant(),
    /** `completed` is not among them: a query derives it for past events. */
    status: text<'confirmed' | 'cancelled' | 'refunded'>(),
    unfilled: optional(text<Unfilled>()),
    placed_at: instant(),
    /** When the last event of its stream happened. */
    changed_at: instant(),
    cancelled_at: optional(instant()),
    cancelled_by: optional(text<Extract<BookingEvent, { type: 'BookingCancelled' }>['data']['by']>()),
    /** Sealed for `user_id`, from the `BookingCancelled` of `booking-{id}`. */
    cancel_reason: optional(text<SealedText>()),
    /** What the cancellation pays back: pence, and the percentage of what was paid. */
    refund_amount: optional(integer()),
    refund_percent: optional(integer()),
    refunded_at: optional(instant()),
    /** Raised by a reissue. Codes of an older epoch no longer admit. */
    epoch: integer(),
  },
  indexes: ['(user_id, placed_at)', '(listing_id, booked_start)', '(reference)', '(placed_at, id)'],
});

/**
 * Attempts that are paid and have no booking yet. A row is removed within moments, when the booking is placed or the attempt
 * is found to be unfilled; one that stays means money without a booking.
 */
export const paidAttemptTable = table('paid_attempt', {
  key: 'attempt',
  columns: {
    attempt: uuid(),
    user_id: uuid(),
    listing_id: integer(),
    intent_id: optional(text()),
    amount: integer(),
    late: boolean(),
    paid_at: instant(),
  },
});

/** Refunds. There is at most one for each payment, so that its id is its booking's. */
export const refundTable = table('refund', {
  key: 'booking_id',
  columns: {
    booking_id: integer(),
    user_id: uuid(),
    listing_id: integer(),
    intent_id: optional(text()),
    amount: integer(),
    paid: integer(),
    /** Sealed for `user_id`, from the `RefundRequested` of `refund-{booking_id}`. */
    reason: optional(text<SealedText>()),
    processing_type: text<ProcessingType>(),
    status: text<RefundPhase>(),
    decided_by: optional(
      text<Extract<RefundEvent, { type: 'RefundApproved' | 'RefundDenied' }>['data']['by']>(),
    ),
    /** Sealed for `user_id`, from the `RefundApproved` of `refund-{booking_id}`. */
    notes: optional(text<SealedText>()),
    /** Sealed for `user_id`, from the `RefundDenied` of `refund-{booking_id}`. */
    denial_reason: optional(text<SealedText>()),
    /** The number of the last attempt with the provider; 0 before the first. */
    attempt: integer(),
    provider_refund_id: optional(text()),
    /** How much of it somebody paid back at the provider itself. */
    by_hand: integer(),
    failure: optional(text()),
    requested_at: instant(),
    decided_at: optional(instant()),
    submitted_at: optional(instant()),
    completed_at: optional(instant()),
  },
  indexes: ['(requested_at, booking_id)', '(user_id)', '(listing_id)', '(status)'],
});

/** Disputes of payments by card. */
export const disputeTable = table('dispute', {
  key: 'id',
  columns: {
    /** The provider's. */
    id: text(),
    booking_id: integer(),
    user_id: uuid(),
    listing_id: integer(),
    amount: integer(),
    reason: text(),
    /** Null while it is open. */
    outcome: optional(text<DisputeOutcome>()),
    /** Whether, while it is open, the bank only asks and has taken no money. */
    inquiry: boolean(),
    opened_at: instant(),
    due_by: optional(instant()),
    closed_at: optional(instant()),
  },
  indexes: ['(booking_id)', '(opened_at, id)'],
});

/** Who waits for tickets of a sold-out listing. */
export const waiterTable = table('waiter', {
  key: ['listing_id', 'user_id'],
  columns: { listing_id: integer(), user_id: uuid(), since: instant() },
  indexes: ['(user_id)'],
});

/** What an account is, without naming anybody. It outlives the person. */
export const accountTable = table('account', {
  key: 'id',
  columns: {
    id: uuid(),
    role: text<Role>(),
    via: text<'password' | 'google'>(),
    /** Whether they can sign in with a password. */
    password_set: boolean(),
    google_linked: boolean(),
    email_verified: boolean(),
    profile_completed: boolean(),
    /** Whether a sign-in needs a code too. */
    second_factor: boolean(),
    is_active: boolean(),
    deleted_at: optional(instant()),
    /** Sealed for `id`, from the `AccountSoftDeleted` of `account-{id}`. */
    deletion_reason: optional(text<SealedText>()),
    erased_at: optional(instant()),
    registered_at: instant(),
  },
  indexes: ['(registered_at, id)'],
});

/** With `subscriber` the only table with personal plaintext. A row is gone once its person is erased, so join it with a left join. */
export const personTable = table('person', {
  key: 'account_id',
  columns: {
    account_id: uuid(),
    email: personal(text()),
    first_name: personal(text()),
    last_name: personal(optional(text())),
    /** `YYYY-MM-DD` */
    date_of_birth: personal(optional(text())),
    /** Category slugs. */
    favorite_categories: personal(json<readonly string[]>()),
    profile_image_url: personal(optional(text())),
  },
  indexes: ['(email)'],
});

/** The newsletter's addresses, also those that have unsubscribed; by the address's HMAC. A row is gone once its person is erased. */
export const subscriberTable = table('subscriber', {
  key: 'id',
  columns: {
    id: text(),
    email: personal(text()),
    source: text(),
    active: boolean(),
    /** The last time. */
    subscribed_at: instant(),
  },
  indexes: ['(subscribed_at, id)'],
});

/** Scans, and scans that were undone: one row for each event, with the event's id. Recent scans are the `admitted` ones. */
export const scanTable = table('scan', {
  key: 'id',
  columns: {
    id: uuid(),
    booking_id: integer(),
    listing_id: integer(),
    outcome: text<'admitted' | 'refused' | 'undone' | 'conflict'>(),
    /** Of a refused one, and of a conflict: a code of `domain/kernel/errors.ts`. */
    why: optional(text<TurnedAway | 'TICKET_USED'>()),
    page: integer(),
    quantity: integer(),
    gate: optional(text()),
    /** The account that scanned; join `person` for the name. */
    by_id: optional(text()),
    at: instant(),
    /** Of an undone one: when the scan was that it undoes. */
    undoes: optional(instant()),
    /** Of a conflict: the scan that had used the code up. */
    first: optional(json<ScanFacts>()),
  },
  indexes: ['(at, id)', '(booking_id)', '(listing_id, at)'],
});

/** How many of a booking's people were admitted. There is no row before the first scan. */
export const admissionTable = table('admission', {
  key: 'booking_id',
  columns: {
    booking_id: integer(),
    listing_id: integer(),
    admitted: integer(),
    refused: integer(),
    /** People whom a gate without a network should not have let in. They are not among the admitted. */
    conflicts: integer(),
    last_admitted_at: optional(instant()),
    voided: optional(text<'cancelled' | 'refunded'>()),
    /** Whether a dispute of the payment keeps the codes from admitting. */
    suspended: boolean(),
  },
  indexes: ['(listing_id) WHERE suspended'],
});

/** How many people a listing's door has to do with. Gates see it four times a second: it is too much to count each time. */
export const doorTable = table('door', {
  key: 'listing_id',
  columns: {
    listing_id: integer(),
    /** The people of all confirmed bookings, also of those whose codes a dispute keeps from admitting. */
    booked: integer(),
    /** As the sums of the listing's admissions. */
    admitted: integer(),
    conflicts: integer(),
  },
});

/** What staff did, and what happened to accounts: one row for each command. */
export const auditTable = table('audit', {
  key: 'id',
  columns: {
    /** The command's correlation id; for a scan, of which one request may send many, the event's own id. */
    id: text(),
    /** The position in the log of the command's first event that is shown. It sorts as text. */
    position: text(),
    at: instant(),
    actor_kind: text<'visitor' | 'user' | 'system'>(),
    actor_id: optional(text()),
    actor_role: optional(text()),
    /** Sealed with the actor's own key, or for a visitor the month's, and bound to `correlation_id`. */
    ip: optional(text<SealedText>()),
    correlation_id: text(),
    action: text<Act['action']>(),
    entity_type: text<Act['entity']>(),
    entity_id: text(),
    /** What happened, in words. */
    details: text(),
  },
  indexes: ['(position)', '(actor_id, position)', '(entity_type, entity_id, position)'],
});

/** How far the read models are. One row. */
export interface CheckpointRow {
  only: boolean;
  log_id: string;
  position: string;
  /** When the log took the last event that was applied. */
  event_at: Instant | null;
  updated_at: Instant;
  /** The versions of the projections that made the rows: `{ bookings: 1, … }`. */
  versions: Record<string, number>;
  /** Raised by other writers than the runner (a switch, a retry of parked events). The runner then reads everything anew. */
  generation: number;
  /** The runner that holds the lease. */
  holder: string | null;
  lease_until: Instant;
}

/** An event that could not be folded, or that waits behind one. Key `position`. */
export interface ParkedRow {
  position: string;
  event_id: string;
  type: string;
  stream: string;
  revision: number;
  /** The rows that it touches, as `table/key`: later events that touch one of them wait behind it. */
  keys: readonly string[];
  /** Why it could not be folded; null for one that only waits. */
  error: string | null;
  parked_at: Instant;
  tries: number;
}

/** Instances of small aggregates (`document` in `domain/kernel/decider.ts`). A query knows the type of `state` by its aggregate. */
export const documentTable = table('document', {
  key: ['aggregate', 'id'],
  columns: {
    aggregate: text(),
    id: text(),
    state: json<object>(),
    /** The paths of the stored images that it names. */
    images: json<readonly string[]>(),
  },
});

type Declared = typeof import('./tables.ts');

/** The read models as Kysely sees them: all tables of this file, and those that the projector keeps for itself. */
export type ReadModels = { [T in Declared[keyof Declared] as T['name']]: RowOf<T> } & {
  checkpoint: CheckpointRow;
  parked: ParkedRow;
};
