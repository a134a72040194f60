import type { ClientBase } from 'pg';
import { SITE_MAILS, type SiteMail } from '#domain/content/site-mails.ts';

export type MailKind = SiteMail | 'template-test';
export const MAIL_KINDS: readonly MailKind[] = [...SITE_MAILS, 'template-test'];

/**
 * A mail to one account, or as `support-message` about its message. It holds the account's id: the address
 * is looked up on sending, so that an erased person gets no mail. `data` holds ids and secret link tokens;
 * it is deleted once the mail is sent.
 */
export interface Mail {
  readonly kind: MailKind;
  readonly accountId: string;
  readonly data: Readonly<Record<string, string | number | null>>;
  /** Idempotency key: a mail whose key is already in the outbox is not added again. */
  readonly key: string;
  /** When the event behind the mail happened, ISO 8601 in UTC. A mail a day late is listed but not sent. Default: now. */
  readonly since?: string;
}

export interface Outbox {
  /** Adds mails, in the caller's transaction if given. They are durable once this returns or that transaction commits. */
  enqueue(mails: Mail | readonly Mail[], within?: ClientBase): Promise<void>;
}

export interface Message {
  readonly to: string;
  readonly replyTo?: { readonly name: string; readonly address: string };
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  readonly link?: string;
  readonly attachments?: readonly { filename: string; content: Buffer; contentType: string }[];
}

/** The mail server can't be reached or accepts no mail for now. */
export class MailServerAway extends Error {
  override readonly name = 'MailServerAway';
}

/** The mail server reports that the address does not exist. */
export class RecipientRefused extends Error {
  override readonly name = 'RecipientRefused';
}

export interface Transport {
  /**
   * When it throws, the message was not accepted, and the outbox retries later with the same `id`.
   * @throws MailServerAway if any other message would fail too
   * @throws RecipientRefused if the address does not exist
   */
  send(message: Message, id: string): Promise<void>;
  /** Deletes this transport's copies of sent messages after their reader was erased. */
  forget(ids: readonly string[]): Promise<void>;
  close(): Promise<void>;
}
