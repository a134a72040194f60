/** Money is integer pence. Personal plaintext is only in `person` and `subscriber`; a `SealedText` is opened on reading. */
import type { Role } from '#domain/account/events.ts';
import type { ScanFacts, TurnedAway } from '#domain/admission/events.ts';
import type { Act } from '#domain/all-events.ts';
import type { BookingEvent } from '#domain/booking/events.ts';
import type { Unfilled } from '#domain/checkout/events.ts';
import type { ImageType } from '#domain/content/events.ts';
import type { SiteMail } from '#domain/content/site-mails.ts';
import type { DisputeOutcome } from '#domain/dispute/events.ts';
import type { RefundPolicy } from '#domain/kernel/policy.ts';
import type { SomeExtras } from '#domain/listing/extras.ts';
import type { PromotionTerms } from '#domain/promotion/events.ts';
import type { ProcessingType, RefundEvent } from '#domain/refund/events.ts';
import type { RefundPhase } from '#domain/refund/state.ts';
import type { StopReason, WebhookType } from '#domain/webhook/events.ts';
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

export const listingTable = table('listing', {
  key: 'id',
  columns: {
    id: integer(),
    title: text(),
    /** Sanitized HTML. */
    description: text(),
    category: text(),
    city_id: integer(),
    venue_id: integer(),
    location: text(),
    price: integer(),
    image_url: optional(text()),
    tags: json<readonly string[]>(),
    extras: json<SomeExtras>(),
    featured: boolean(),
    is_active: boolean(),
    archived: boolean(),
    /** Venue time: `YYYY-MM-DD`, `HH:mm`, IANA zone. */
    date: text(),
    time: text(),
    zone: text(),
    starts_at: instant(),
    moved_from: json<readonly Instant[]>(),
    created_at: instant(),
    updated_at: instant(),
    names: text(),
    words: text(),
  },
  indexes: ['(starts_at, id)', '(city_id)', '(venue_id)', '(category, starts_at)'],
});

/** Available = capacity − sold − held. */
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

/** The words of title, tags, description, venue, city and category. All but the description's are repeated with `NAME_MARK`. */
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

export const settingTable = table('setting', {
  key: 'key',
  columns: { key: text(), value: text(), description: text(), category: text(), updated_at: instant() },
});

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

export const webhookTable = table('hook', {
  key: 'id',
  columns: {
    id: integer(),
    url: text(),
    description: text(),
    types: json<readonly WebhookType[]>(),
    is_active: boolean(),
    stopped: optional(text<StopReason>()),
    updated_at: instant(),
  },
});

export const promotionTable = table('promotion', {
  key: 'id',
  columns: {
    id: integer(),
    code: text(),
    name: text(),
    description: text(),
    discount_type: text<PromotionTerms['discountType']>(),
    /** Percent with up to two decimals, or pence. */
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

/** A paid attempt that got no ticket is `cancelled`, and `unfilled` says why. */
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
    booked_start: instant(),
    /** Queries show past events as `completed`. */
    status: text<'confirmed' | 'cancelled' | 'refunded'>(),
    unfilled: optional(text<Unfilled>()),
    placed_at: instant(),
    changed_at: instant(),
    cancelled_at: optional(instant()),
    cancelled_by: optional(text<Extract<BookingEvent, { type: 'BookingCancelled' }>['data']['by']>()),
    /** From `BookingCancelled`, sealed for `user_id`. */
    cancel_reason: optional(text<SealedText>()),
    /** Pence, and the percentage of the amount paid. */
    refund_amount: optional(integer()),
    refund_percent: optional(integer()),
    refunded_at: optional(instant()),
    epoch: integer(),
  },
  indexes: ['(user_id, placed_at)', '(listing_id, booked_start)', '(reference)', '(placed_at, id)'],
});

/** Paid attempts without a booking. A row that stays means money without a booking. */
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

export const refundTable = table('refund', {
  key: 'booking_id',
  columns: {
    booking_id: integer(),
    user_id: uuid(),
    listing_id: integer(),
    intent_id: optional(text()),
    amount: integer(),
    paid: integer(),
    /** From `RefundRequested`, sealed for `user_id`. */
    reason: optional(text<SealedText>()),
    processing_type: text<ProcessingType>(),
    status: text<RefundPhase>(),
    decided_by: optional(
      text<Extract<RefundEvent, { type: 'RefundApproved' | 'RefundDenied' }>['data']['by']>(),
    ),
    /** From `RefundApproved`, sealed for `user_id`. */
    notes: optional(text<SealedText>()),
    /** From `RefundDenied`, sealed for `user_id`. */
    denial_reason: optional(text<SealedText>()),
    /** 0 before the first. */
    attempt: integer(),
    provider_refund_id: optional(text()),
    /** Pence refunded at the provider itself. */
    by_hand: integer(),
    failure: optional(text()),
    requested_at: instant(),
    decided_at: optional(instant()),
    submitted_at: optional(instant()),
    completed_at: optional(instant()),
  },
  indexes: ['(requested_at, booking_id)', '(user_id)', '(listing_id)', '(status)'],
});

export const disputeTable = table('dispute', {
  key: 'id',
  columns: {
    id: text(),
    booking_id: integer(),
    user_id: uuid(),
    listing_id: integer(),
    amount: integer(),
    reason: text(),
    outcome: optional(text<DisputeOutcome>()),
    inquiry: boolean(),
    opened_at: instant(),
    due_by: optional(instant()),
    closed_at: optional(instant()),
  },
  indexes: ['(booking_id)', '(opened_at, id)'],
});

export const waiterTable = table('waiter', {
  key: ['listing_id', 'user_id'],
  columns: { listing_id: integer(), user_id: uuid(), since: instant() },
  indexes: ['(user_id)'],
});

/** No personal data; outlives the person. */
export const accountTable = table('account', {
  key: 'id',
  columns: {
    id: uuid(),
    role: text<Role>(),
    via: text<'password' | 'google'>(),
    password_set: boolean(),
    google_linked: boolean(),
    email_verified: boolean(),
    profile_completed: boolean(),
    second_factor: boolean(),
    is_active: boolean(),
    deleted_at: optional(instant()),
    /** From `AccountSoftDeleted`, sealed for `id`. */
    deletion_reason: optional(text<SealedText>()),
    erased_at: optional(instant()),
    registered_at: instant(),
  },
  indexes: ['(registered_at, id)'],
});

/** Deleted when the person is erased: use a left join. */
export const personTable = table('person', {
  key: 'account_id',
  columns: {
    account_id: uuid(),
    email: personal(text()),
    first_name: personal(text()),
    last_name: personal(optional(text())),
    /** `YYYY-MM-DD` */
    date_of_birth: personal(optional(text())),
    favorite_categories: personal(json<readonly string[]>()),
    profile_image_url: personal(optional(text())),
  },
  indexes: ['(email)'],
});

/** Keyed by the address's HMAC, with unsubscribed addresses. Deleted when the person is erased. */
export const subscriberTable = table('subscriber', {
  key: 'id',
  columns: {
    id: text(),
    email: personal(text()),
    source: text(),
    active: boolean(),
    subscribed_at: instant(),
  },
  indexes: ['(subscribed_at, id)'],
});

/** One row for each event, with its id. */
export const scanTable = table('scan', {
  key: 'id',
  columns: {
    id: uuid(),
    booking_id: integer(),
    listing_id: integer(),
    outcome: text<'admitted' | 'refused' | 'undone' | 'conflict'>(),
    /** Error code (`domain/kernel/errors.ts`); set for refusals and conflicts. */
    why: optional(text<TurnedAway | 'TICKET_USED'>()),
    page: integer(),
    quantity: integer(),
    gate: optional(text()),
    by_id: optional(text()),
    at: instant(),
    undoes: optional(instant()),
    first: optional(json<ScanFacts>()),
  },
  indexes: ['(at, id)', '(booking_id)', '(listing_id, at)'],
});

export const admissionTable = table('admission', {
  key: 'booking_id',
  columns: {
    booking_id: integer(),
    listing_id: integer(),
    admitted: integer(),
    refused: integer(),
    conflicts: integer(),
    last_admitted_at: optional(instant()),
    voided: optional(text<'cancelled' | 'refunded'>()),
    /** By a payment dispute. */
    suspended: boolean(),
  },
  indexes: ['(listing_id) WHERE suspended'],
});

/** Expected and admitted head count. Denormalised because gates refresh it at 4 Hz. */
export const doorTable = table('door', {
  key: 'listing_id',
  columns: {
    listing_id: integer(),
    booked: integer(),
    admitted: integer(),
    conflicts: integer(),
  },
});

/** Staff actions and account events: one row for each command. */
export const auditTable = table('audit', {
  key: 'id',
  columns: {
    /** The command's correlation id; for a scan, the event's own id, since a request may send many. */
    id: text(),
    /** Of the command's first visible event. Sorts as text. */
    position: text(),
    at: instant(),
    actor_kind: text<'visitor' | 'user' | 'system'>(),
    actor_id: optional(text()),
    actor_role: optional(text()),
    /** Sealed with the actor's key, or for a visitor the month's, and bound to `correlation_id`. */
    ip: optional(text<SealedText>()),
    correlation_id: text(),
    action: text<Act['action']>(),
    entity_type: text<Act['entity']>(),
    entity_id: text(),
    details: text(),
  },
  indexes: ['(position)', '(actor_id, position)', '(entity_type, entity_id, position)'],
});

export interface CheckpointRow {
  only: boolean;
  log_id: string;
  position: string;
  event_at: Instant | null;
  updated_at: Instant;
  /** Of the projections that made the rows: `{ bookings: 1, … }`. */
  versions: Record<string, number>;
  /** Incremented by a switch or a retry of parked events. The runner then reloads everything. */
  generation: number;
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
  /** Rows that it touches, as `table/key`; later events that touch one of them are parked too. */
  keys: readonly string[];
  error: string | null;
  parked_at: Instant;
  tries: number;
}

export const documentTable = table('document', {
  key: ['aggregate', 'id'],
  columns: {
    aggregate: text(),
    id: text(),
    state: json<object>(),
    images: json<readonly string[]>(),
  },
});

type Declared = typeof import('./tables.ts');

export type ReadModels = { [T in Declared[keyof Declared] as T['name']]: RowOf<T> } & {
  checkpoint: CheckpointRow;
  parked: ParkedRow;
};
