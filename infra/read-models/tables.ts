/**
 * The read models' rows: what the projector writes and the query API reads. Money is integer pence;
 * an instant is ISO 8601 text in UTC with milliseconds (`readModels` turns PostgreSQL's timestamps into it).
 * Rows hold ids, and a query joins the title and the person. Personal plaintext lives in `person` alone; a
 * `SealedText` is opened on reading, and can't be once its key is destroyed.
 */
import type { Role } from '#domain/account/events.ts';
import type { TurnedAway } from '#domain/admission/events.ts';
import type { BookingEvent } from '#domain/booking/events.ts';
import type { Unfilled } from '#domain/checkout/events.ts';
import type { RefundPolicy } from '#domain/policy.ts';
import type { ProcessingType, RefundEvent } from '#domain/refund/events.ts';
import type { CheckpointRow, ParkedRow } from './bookkeeping.ts';
import type { Instant } from './instant.ts';
import type { SealedText } from './sealed-text.ts';

/** The catalogue entry (the site's "Event"). Key `id`. Availability is in `inventory`, one row a listing. */
export interface ListingRow {
  id: number;
  title: string;
  /** HTML, sanitized. */
  description: string;
  /** A category's slug. */
  category: string;
  city_id: number;
  venue_id: number;
  location: string;
  price: number;
  image_url: string | null;
  tags: readonly string[];
  featured: boolean;
  is_active: boolean;
  /** Archived listings are in no list; their bookings still name them. */
  archived: boolean;
  /** Wall clock at the venue: `YYYY-MM-DD`, `HH:mm`, IANA zone. */
  date: string;
  time: string;
  zone: string;
  starts_at: Instant;
  /** The start that it was last moved away from; null if it never moved. */
  rescheduled_from: Instant | null;
  created_at: Instant;
  updated_at: Instant;
  /** Folded words of title, tags and description (`searchWords`). */
  words: string;
}

/** The tickets of a listing. Key `listing_id`. Available = capacity − sold − held. */
export interface InventoryRow {
  listing_id: number;
  capacity: number;
  sold: number;
  held: number;
  closed: 'archived' | 'started' | null;
}

/**
 * The search text of a listing. Key `listing_id`. `document` is a tsvector over the words of title, tags,
 * description, venue, city and category: `document @@ ${searchQuery(text)}::tsquery`.
 */
export interface ListingSearchRow {
  listing_id: number;
  document: string;
}

/** Key `id`. */
export interface CityRow {
  id: number;
  name: string;
  state: string;
  country: string;
  zone: string;
  archived: boolean;
  words: string;
}

/** Key `id`. */
export interface VenueRow {
  id: number;
  name: string;
  address: string;
  city_id: number;
  capacity: number;
  archived: boolean;
  words: string;
}

/** Key `slug`. */
export interface CategoryRow {
  id: number;
  slug: string;
  name: string;
  emoji: string;
  description: string;
  archived: boolean;
  words: string;
}

/** An entry of the site's configuration. Key `key`. */
export interface SettingRow {
  key: string;
  value: string;
  description: string;
  category: string;
  updated_at: Instant;
}

/** Key `id`. `redeemed` counts bookings; `reserved` those whose checkout is open. */
export interface PromotionRow {
  id: number;
  code: string;
  name: string;
  description: string;
  discount_type: 'percentage' | 'fixed';
  /** Percent with up to two places, or pence. PostgreSQL's `numeric`, so it is read as text. */
  discount_value: string;
  usage_limit: number | null;
  valid_from: Instant;
  valid_until: Instant;
  is_active: boolean;
  archived: boolean;
  reserved: number;
  redeemed: number;
  created_at: Instant;
}

/**
 * Key `id`. `completed` is derived by the query for past events; a paid attempt that got no ticket has
 * status `cancelled` and `unfilled` says why.
 */
export interface BookingRow {
  id: number;
  reference: string;
  user_id: string;
  listing_id: number;
  attempt: string;
  unit_price: number;
  quantity: number;
  discount: number;
  total: number;
  promotion_id: number | null;
  promo_code: string | null;
  intent_id: string | null;
  policy: RefundPolicy;
  /** As the listing said when the booking was made; join `listing` for the current start. */
  booked_start: Instant;
  status: 'confirmed' | 'cancelled' | 'refunded';
  unfilled: Unfilled | null;
  placed_at: Instant;
  /** Of the last event of its stream. */
  changed_at: Instant;
  cancelled_at: Instant | null;
  cancelled_by: Extract<BookingEvent, { type: 'BookingCancelled' }>['data']['by'] | null;
  /** Sealed for `user_id`, from the `BookingCancelled` of `booking-{id}`. */
  cancel_reason: SealedText | null;
  /** What the cancellation promised. */
  refund_amount: number | null;
  refund_percent: number | null;
  refunded_at: Instant | null;
  /** Raised by a reissue; codes of an older epoch say "reissued". */
  epoch: number;
}

/**
 * Attempts that are paid and not booked (nor unfilled) yet: each is gone within moments, so a row that stays is
 * money without a booking. Key `attempt`.
 */
export interface PaidAttemptRow {
  attempt: string;
  user_id: string;
  listing_id: number;
  intent_id: string | null;
  amount: number;
  late: boolean;
  paid_at: Instant;
}

/** At most one a payment. Key `booking_id`, which is the refund's id. */
export interface RefundRow {
  booking_id: number;
  user_id: string;
  listing_id: number;
  intent_id: string | null;
  amount: number;
  paid: number;
  /** Sealed for `user_id`, from the `RefundRequested` of `refund-{booking_id}`. */
  reason: SealedText | null;
  processing_type: ProcessingType;
  status: 'requested' | 'approved' | 'denied' | 'submitted' | 'succeeded' | 'failed';
  decided_by: Extract<RefundEvent, { type: 'RefundApproved' | 'RefundDenied' }>['data']['by'] | null;
  /** Sealed for `user_id`, from the `RefundApproved` of `refund-{booking_id}`. */
  notes: SealedText | null;
  /** Sealed for `user_id`, from the `RefundDenied` of `refund-{booking_id}`. */
  denial_reason: SealedText | null;
  /** The last attempt with the provider; 0 before the first. */
  attempt: number;
  provider_refund_id: string | null;
  failure: string | null;
  requested_at: Instant;
  decided_at: Instant | null;
  submitted_at: Instant | null;
  completed_at: Instant | null;
}

/** What an account is, without naming anybody. Key `id`. It outlives the person. */
export interface AccountRow {
  id: string;
  role: Role;
  via: 'password' | 'google';
  /** Whether they can sign in with a password. */
  password_set: boolean;
  google_linked: boolean;
  email_verified: boolean;
  profile_completed: boolean;
  is_active: boolean;
  deleted_at: Instant | null;
  /** Sealed for `id`, from the `AccountSoftDeleted` of `account-{id}`. */
  deletion_reason: SealedText | null;
  erased_at: Instant | null;
  registered_at: Instant;
}

/** The only table with personal plaintext. Key `account_id`; gone once erased, so join it with a left join. */
export interface PersonRow {
  account_id: string;
  email: string;
  first_name: string;
  last_name: string | null;
  /** `YYYY-MM-DD` */
  date_of_birth: string | null;
  /** Category slugs. */
  favorite_categories: readonly string[];
  profile_image_url: string | null;
}

/** What happened at the door, one row an event. Key `id`, the event's id. Recent scans are the `admitted` ones. */
export interface ScanRow {
  id: string;
  booking_id: number;
  listing_id: number;
  outcome: 'admitted' | 'refused' | 'undone';
  /** Of a refused one: a code of `domain/errors.ts`. */
  why: TurnedAway | 'TICKET_USED' | null;
  page: number;
  quantity: number;
  gate: string | null;
  /** The account that scanned; join `person` for the name. */
  by_id: string | null;
  at: Instant;
}

/** How many of a booking's party are in. Key `booking_id`; no row before the first scan. */
export interface AdmissionRow {
  booking_id: number;
  listing_id: number;
  admitted: number;
  refused: number;
  last_admitted_at: Instant | null;
  voided: 'cancelled' | 'refunded' | null;
}

/** What staff did, and what was done with accounts. Key `id`, the event's id. */
export interface AuditRow {
  id: string;
  /** Place in the log; sorts as text. */
  position: string;
  at: Instant;
  actor_kind: 'visitor' | 'user' | 'system';
  actor_id: string | null;
  actor_role: string | null;
  /** Sealed with the actor's own key, or for a visitor the month's, and bound to `correlation_id`. */
  ip: SealedText | null;
  command_id: string;
  /** The event's type. */
  action: string;
  stream: string;
  /** The stream's name split: `booking` and `12`. */
  entity_type: string;
  entity_id: string;
  correlation_id: string;
}

/** The read models as Kysely sees them. */
export interface ReadModels {
  listing: ListingRow;
  inventory: InventoryRow;
  listing_search: ListingSearchRow;
  city: CityRow;
  venue: VenueRow;
  category: CategoryRow;
  setting: SettingRow;
  promotion: PromotionRow;
  booking: BookingRow;
  paid_attempt: PaidAttemptRow;
  refund: RefundRow;
  account: AccountRow;
  person: PersonRow;
  scan: ScanRow;
  admission: AdmissionRow;
  audit: AuditRow;
  checkpoint: CheckpointRow;
  parked: ParkedRow;
}
