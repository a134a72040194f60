import type { ClientBase } from 'pg';
import { SITE_MAILS, type SiteMail } from '#domain/content/site-mails.ts';

export type MailKind = SiteMail | 'template-test';
export const MAIL_KINDS: readonly MailKind[] = [...SITE_MAILS, 'template-test'];

/**
 * To one account, or as `support-message` about its message. The address is looked up on sending, so that an
 * erased person gets no mail. `data` holds ids and secret link tokens; it is deleted once the mail is sent.
 */
export interface Mail {
  readonly kind: MailKind;
  readonly accountId: string;
  readonly data: Readonly<Record<string, string | number | null>>;
  /** A mail whose key is already in the outbox is not added again. */
  readonly key: string;
  /** Time of its event, ISO 8601 in UTC. A mail a day late is listed but not sent. Default: now. */
  readonly since?: string;
}

export interface Outbox {
  /** In the caller's transaction if given. Durable once this returns or that transaction commits. */
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

/** The server can't be reached or accepts no mail for now. */
export class MailServerAway extends Error {
  override readonly name = 'MailServerAway';
}

export class RecipientRefused extends Error {
  override readonly name = 'RecipientRefused';
}

export interface Transport {
  /**
   * If it throws, the message was not accepted: the outbox retries later with the same `id`.
   * @throws MailServerAway if any other message would fail too
   * @throws RecipientRefused if the address does not exist
   */
  send(message: Message, id: string): Promise<void>;
  /** Deletes its copies of sent messages after their reader was erased. */
  forget(ids: readonly string[]): Promise<void>;
  close(): Promise<void>;
}
