import type { ClientBase } from 'pg';

/** The mails that the product sends. Each has a template of its own in `infra/mail/templates`. */
export type MailKind =
  | 'verify-email'
  | 'reset-password'
  | 'booking-confirmation'
  | 'booking-unfilled'
  | 'booking-cancelled'
  | 'refund-completed'
  | 'refund-denied';

/**
 * A mail to one account. It names the account, never an address: the address is looked up when the mail is sent, so
 * that an erased person gets none. `data` holds ids, and for the two links their secret token; it is wiped once sent.
 */
export interface Mail {
  readonly kind: MailKind;
  readonly accountId: string;
  readonly data: Readonly<Record<string, string | number | null>>;
  /** The same key is taken once, however often it is handed in. */
  readonly key: string;
  /** When what it tells of happened, ISO instant; a mail that is a day late is listed, not sent. Default: now. */
  readonly since?: string;
}

/** Takes mails for sending. Once `enqueue` returns (within a transaction: once that commits), the mail survives restarts. */
export interface Outbox {
  enqueue(mails: Mail | readonly Mail[], within?: ClientBase): Promise<void>;
}

/** A mail as it goes out. */
export interface Message {
  readonly to: string;
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  /** The one link that its reader has to follow, where there is one. It is a secret. */
  readonly link?: string;
  readonly attachments?: readonly { filename: string; content: Buffer; contentType: string }[];
}

/** Hands a message to the world. Throws when it was not taken; the outbox tries again. `id` is stable over retries. */
export interface Transport {
  send(message: Message, id: string): Promise<void>;
  /** Removes what is kept here of messages that were handed over: their reader was erased. */
  forget(ids: readonly string[]): Promise<void>;
  close(): Promise<void>;
}
