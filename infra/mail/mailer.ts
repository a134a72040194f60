import type { ClientBase } from 'pg';
import { SITE_MAILS, type SiteMail } from '#domain/content/site-mails.ts';

/** The kinds of mail: those of the site, whose default templates are in `infra/mail/templates`, and a template on sample data. */
export type MailKind = SiteMail | 'template-test';
export const MAIL_KINDS: readonly MailKind[] = [...SITE_MAILS, 'template-test'];

/**
 * A mail to one account, or, as `support-message`, about what one has written. It names the account, not its address: the address is looked up when the mail is sent, so that an
 * erased person gets no mail. `data` holds ids, and in mails with a link its secret token; it is deleted once the mail is sent.
 */
export interface Mail {
  readonly kind: MailKind;
  readonly accountId: string;
  readonly data: Readonly<Record<string, string | number | null>>;
  /** Identifies the mail. A mail whose key is in the outbox already is not added again. */
  readonly key: string;
  /** When the thing happened that the mail tells of, ISO 8601 in UTC. A mail that is a day late is not sent, only listed. Default: now. */
  readonly since?: string;
}

/** Takes mails for sending. */
export interface Outbox {
  /** Adds mails, in the caller's transaction if it has one. Once it returns, or that transaction commits, the mails survive restarts. */
  enqueue(mails: Mail | readonly Mail[], within?: ClientBase): Promise<void>;
}

/** A mail in the form in which it is sent. */
export interface Message {
  readonly to: string;
  /** Whom an answer goes to. Default: the sender. */
  readonly replyTo?: { readonly name: string; readonly address: string };
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  /** The link that the reader has to follow, in mails that have one. It is secret. */
  readonly link?: string;
  readonly attachments?: readonly { filename: string; content: Buffer; contentType: string }[];
}

/** Thrown when no mail can be sent for now: the mail server can't be reached, or takes none. */
export class MailServerAway extends Error {
  override readonly name = 'MailServerAway';
}

/** Thrown when the mail server says that nobody has the address. */
export class RecipientRefused extends Error {
  override readonly name = 'RecipientRefused';
}

/** Sends messages. */
export interface Transport {
  /**
   * Sends one message. When it throws, the message was not taken, and the outbox tries again later with the same `id`.
   * @throws MailServerAway where any other message would fail alike
   * @throws RecipientRefused where nobody has the address, as the server says
   */
  send(message: Message, id: string): Promise<void>;
  /** Deletes the copies that this transport keeps of sent messages, because their reader was erased. */
  forget(ids: readonly string[]): Promise<void>;
  close(): Promise<void>;
}
