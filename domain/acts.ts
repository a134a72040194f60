import type { AnyEvent } from './all-events.ts';
import type { AuditEntity } from './contracts/admin-overview.ts';

/** What an event says in the audit trail: what was done to what, and in which words. */
export interface Act {
  readonly action: 'create' | 'update' | 'delete';
  readonly entity: AuditEntity;
  /** In the past tense: `Rescheduled`. */
  readonly words: string;
}

type Words<Data> = string | ((data: Data) => string);
type Told<Data> = readonly [Act['action'], AuditEntity, Words<Data>];

/** Tells each event that the audit trail shows. `null`: it is routine, or stands beside the act that made it, such as an event's first tickets. */
const told: { readonly [E in AnyEvent as E['type']]: Told<E['data']> | null } = {
  ListingCreated: ['create', 'event', 'Created'],
  ListingEdited: ['update', 'event', 'Details changed'],
  ListingRescheduled: ['update', 'event', 'Moved to another time'],
  ListingFeatured: ['update', 'event', ({ featured }) => (featured ? 'Featured' : 'No longer featured')],
  ListingActivated: ['update', 'event', 'Activated'],
  ListingDeactivated: ['update', 'event', 'Deactivated'],
  ListingArchived: ['delete', 'event', 'Deleted'],
  InventoryOpened: null,
  CapacityChanged: ['update', 'event', ({ capacity }) => `Capacity is now ${capacity}`],
  TicketsHeld: null,
  HoldReleased: null,
  TicketsSold: null,
  TicketsReturned: null,
  TicketsRetaken: null,
  RetakeGivenUp: null,
  SalesClosed: null,
  WaitingListJoined: null,
  WaitingListLeft: null,
  WaiterTold: null,

  AccountRegistered: ['create', 'user', 'Registered'],
  EmailVerified: ['update', 'user', 'Email address verified'],
  ProfileCompleted: ['update', 'user', 'Profile completed'],
  PasswordChanged: ['update', 'user', 'Password changed'],
  PasswordRemoved: ['update', 'user', 'Password removed'],
  GoogleLinked: ['update', 'user', 'Linked with Google'],
  SecondFactorEnrolled: ['update', 'user', 'Second step switched on'],
  SecondFactorRemoved: ['update', 'user', 'Second step switched off'],
  SecondFactorReset: ['update', 'user', 'Second step reset'],
  RecoveryCodesRenewed: ['update', 'user', 'Recovery codes renewed'],
  RoleChanged: ['update', 'user', ({ role }) => `Role is now ${role}`],
  AccountDeactivated: ['update', 'user', 'Deactivated'],
  AccountActivated: ['update', 'user', 'Activated'],
  AccountSoftDeleted: ['delete', 'user', 'Soft deleted'],
  AccountRestored: ['update', 'user', 'Restored'],
  AccountErased: ['delete', 'user', 'Deleted for good'],
  EmailClaimed: null,
  ClaimConfirmed: null,
  EmailReleased: null,
  SuperuserJoined: null,
  SuperuserLeft: null,

  BookingPlaced: null,
  BookingUnfilled: null,
  BookingCancelled: ['update', 'booking', 'Cancelled'],
  BookingReinstated: ['update', 'booking', 'Reinstated'],
  BookingRefunded: null,
  TicketReissued: ['update', 'booking', 'Ticket reissued'],
  TicketDownloaded: null,
  MailSent: null,
  CheckoutOpened: null,
  IntentAttached: null,
  PaymentReceived: null,
  CheckoutClosing: null,
  CheckoutClosed: null,
  CheckoutCompleted: null,
  CheckoutUnfilled: null,
  HoldCounted: null,
  DisputeOpened: null,
  DisputeClosed: null,

  RefundRequested: null,
  RefundApproved: ['update', 'refund', 'Approved'],
  RefundDenied: ['update', 'refund', 'Denied'],
  RefundReset: ['update', 'refund', 'Put back to review'],
  RefundSubmitted: null,
  RefundSucceeded: null,
  RefundFailed: null,

  Admitted: ['create', 'scan', ({ quantity }) => `${quantity} let in`],
  AdmittedInConflict: ['create', 'scan', 'Let in twice'],
  ReEntryRefused: ['create', 'scan', 'Turned away'],
  EntryRefused: ['create', 'scan', 'Turned away'],
  AdmissionUndone: ['delete', 'scan', 'Undone'],
  AdmissionVoided: null,
  AdmissionRestored: null,
  AdmissionSuspended: null,
  AdmissionResumed: null,

  CategoryAdded: ['create', 'category', 'Added'],
  CategoryEdited: ['update', 'category', 'Edited'],
  CategoryArchived: ['delete', 'category', 'Deleted'],
  CityAdded: ['create', 'city', 'Added'],
  CityEdited: ['update', 'city', 'Edited'],
  CityArchived: ['delete', 'city', 'Deleted'],
  VenueAdded: ['create', 'venue', 'Added'],
  VenueEdited: ['update', 'venue', 'Edited'],
  VenueArchived: ['delete', 'venue', 'Deleted'],
  PromotionCreated: ['create', 'promotion', 'Created'],
  PromotionEdited: ['update', 'promotion', 'Edited'],
  PromotionArchived: ['delete', 'promotion', 'Deleted'],
  UseReserved: null,
  UseRedeemed: null,
  UseReleased: null,
  UseReturned: null,
  CodeTaken: null,
  CodeReleased: null,
  EmailTemplateAdded: ['create', 'email-template', 'Added'],
  EmailTemplateEdited: ['update', 'email-template', 'Edited'],
  EmailTemplateReplaced: null,
  EmailTemplateReset: ['update', 'email-template', 'Back to the default'],
  EmailTemplateRemoved: ['delete', 'email-template', 'Deleted'],
  SettingChanged: ['update', 'setting', 'Changed'],
  SettingReset: ['update', 'setting', 'Back to the default'],
  ImageAdded: ['create', 'image', 'Uploaded'],
  ImageRemoved: ['delete', 'image', 'Deleted'],
  NewsletterSubscribed: ['create', 'subscriber', 'Subscribed'],
  NewsletterUnsubscribed: ['delete', 'subscriber', 'Unsubscribed'],
  NewsletterErased: null,
  SupportMessageReceived: null,

  HookAdded: ['create', 'webhook', 'Added'],
  HookEdited: ['update', 'webhook', 'Edited'],
  HookSecretRenewed: ['update', 'webhook', 'New secret'],
  HookStopped: ['update', 'webhook', ({ why }) => (why === 'gone' ? 'Stopped: gone' : 'Stopped: failing')],
  HookRemoved: ['delete', 'webhook', 'Deleted'],

  DataExported: ['create', 'export', ({ what, rows }) => `${what}, ${rows} rows`],
  LogRead: ['create', 'export', ({ as }) => `event log, as ${as}`],
  GuestsShown: ['create', 'look-up', 'Guests shown at the door'],
  SealedShown: ['create', 'look-up', 'Sealed values of the event log shown'],
};

/** What an event says in the audit trail, if anything. */
export const actOf = (event: AnyEvent): Act | undefined => {
  const found = told[event.type] as Told<AnyEvent['data']> | null;
  if (!found) return undefined;
  const [action, entity, words] = found;
  return { action, entity, words: typeof words === 'string' ? words : words(event.data) };
};

/** The types of the events that the audit trail shows. */
export const shownInAudit: readonly AnyEvent['type'][] = (Object.keys(told) as AnyEvent['type'][]).filter(
  (type) => told[type],
);
