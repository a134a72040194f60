/** Mails are composed when they are sent, so that content and address are current. */

import { emailTemplateOf } from '#command-api/catalogue/email-templates.ts';
import { siteSettingsOf } from '#command-api/catalogue/settings.ts';
import type { CommandHandler } from '#command-api/commands/command-handler.ts';
import { account } from '#domain/account/account.ts';
import { nameOf } from '#domain/account/state.ts';
import { booking } from '#domain/booking/booking.ts';
import { cancellationQuote } from '#domain/booking/quote.ts';
import { unfilledNow } from '#domain/booking/state.ts';
import { EMAIL_TEMPLATES, emailTemplate, templateFor } from '#domain/content/email-template.ts';
import type { BookingMail, SiteMail } from '#domain/content/site-mails.ts';
import { supportCategories } from '#domain/contracts/support.ts';
import { toPounds } from '#domain/kernel/money.ts';
import { isErased, orElse } from '#domain/kernel/personal.ts';
import { sayTime, sayWhen, yearAt } from '#domain/kernel/zone.ts';
import { listing } from '#domain/listing/listing.ts';
import { onSale } from '#domain/listing/state.ts';
import { venue } from '#domain/place/venue.ts';
import { refund } from '#domain/refund/refund.ts';
import { support } from '#domain/support/support.ts';
import { CALENDAR_TYPE, calendarOf } from '#infra/calendar/calendar.ts';
import { receiptOf } from '#infra/keys/erasure-receipt.ts';
import type { Clock } from '#infra/lib/clock.ts';
import type { Mail, Message } from '#infra/mail/mailer.ts';
import { type MailContext, renderMail, renderWords, sampleFor } from '#infra/mail/templates.ts';
import type { TicketPrinter } from '#infra/tickets/printer.ts';
import { ticketsOf } from '#infra/tickets/ticket-document.ts';
import type { TicketSigner } from '#infra/tickets/ticket-signer.ts';

export interface ComposeDeps {
  readonly handler: CommandHandler;
  readonly signer: TicketSigner;
  readonly printer: TicketPrinter;
  readonly clock: Clock;
  readonly baseUrl: string;
  readonly from: string;
}

const LINKS = {
  'verify-email': '/verify-email?token=',
  'reset-password': '/reset-password?token=',
} as const;
const hasLink = (kind: SiteMail): kind is keyof typeof LINKS => kind in LINKS;

const categoryOf = (category: string): string =>
  Object.entries(supportCategories).find(([name]) => name === category)?.[1] ?? category;

const NOTICES = [
  'password-changed',
  'password-removed',
  'second-factor-on',
  'second-factor-off',
  'wrong-codes',
  'account-deleted',
] as const satisfies readonly SiteMail[];
const isNotice = (kind: SiteMail): kind is (typeof NOTICES)[number] =>
  (NOTICES as readonly SiteMail[]).includes(kind);

const WITH_TICKET: ReadonlySet<BookingMail> = new Set([
  'booking-confirmation',
  'booking-reinstated',
  'ticket-reissued',
  'event-moved',
  'event-reminder',
]);

/** Undefined if the address is gone, the booking is unknown, or the mail is no longer true. */
export const createComposer = ({ handler, signer, printer, clock, baseUrl, from }: ComposeDeps) => {
  const ownAddress = /<(.+)>$/.exec(from)?.[1] ?? from;
  const testMail = async (to: string, templateId: number, about: MailContext) => {
    const template = await emailTemplateOf(templateId, handler);
    if (!template) return undefined;
    const message = await renderWords(template, { ...sampleFor(template.kind, baseUrl), ...about });
    return { to, ...message, subject: `[Test] ${message.subject}` };
  };

  const supportMail = async (supportId: number, about: { contactEmail: string }) => {
    const { message: written } = (await handler.state(support, supportId)).state;
    if (!written) return undefined;
    const { name, email, subject, message, booking: reference, category } = written;
    if (isErased(name) || isErased(email) || isErased(message)) return undefined;
    const said = { supportId, name, email, message, category: categoryOf(category) };
    const context = { ...about, ...said, topic: orElse(subject, ''), reference: orElse(reference, '') };
    const { state: templates } = await handler.state(emailTemplate, EMAIL_TEMPLATES);
    const kind = 'support-message';
    const rendered = await renderMail(kind, context, templateFor(templates, kind));
    return { to: about.contactEmail, replyTo: { name, address: email }, ...rendered };
  };

  return async (mail: Mail): Promise<Message | undefined> => {
    const site = await siteSettingsOf(handler);
    const about = {
      siteName: site.siteName,
      siteUrl: baseUrl,
      contactEmail: site.contactEmail || ownAddress,
    };
    if (mail.kind === 'support-message') return supportMail(Number(mail.data.supportId), about);
    const { state: person } = await handler.state(account, mail.accountId);
    if (person.accountId === null || isErased(person.email)) return undefined;
    const firstName = orElse(person.firstName, '');
    const userName = nameOf(person);
    if (mail.kind === 'template-test') return testMail(person.email, Number(mail.data.templateId), about);

    const { kind } = mail;
    const thisYear = yearAt(clock().toISOString());
    const common: MailContext = { ...about, firstName, userName };
    const { state: templates } = await handler.state(emailTemplate, EMAIL_TEMPLATES);
    const render = (context: MailContext) => renderMail(kind, context, templateFor(templates, kind));
    if (hasLink(kind)) {
      const link = `${baseUrl}${LINKS[kind]}${encodeURIComponent(String(mail.data.token))}`;
      return { to: person.email, link, ...(await render({ ...common, link })) };
    }

    if (isNotice(kind)) {
      const receipt = receiptOf(mail.accountId);
      return { to: person.email, ...(await render({ ...common, receipt })) };
    }

    if (kind === 'tickets-back') {
      const listingId = Number(mail.data.listingId);
      const { state: listed } = await handler.state(listing, listingId);
      const sale = onSale(listed, clock().toISOString());
      if (typeof sale === 'string' || !person.active) return undefined;
      const { state: place } = await handler.state(venue, listed.details?.venueId ?? 0);
      const { title, schedule } = sale;
      const venueName = place.details?.name ?? '';
      const known = { title, when: sayWhen(schedule, thisYear), venue: venueName, eventId: listingId };
      return { to: person.email, ...(await render({ ...common, ...known })) };
    }

    kind satisfies BookingMail;
    const bookingId = Number(mail.data.bookingId);
    const [{ state: booked }, { state: money }] = await Promise.all([
      handler.state(booking, bookingId),
      handler.state(refund, bookingId),
    ]);
    const { facts } = booked;
    if (!facts || facts.userId !== mail.accountId) return undefined;
    // The refund was decided again (an approval's notes are not for customers), or the booking was
    // reinstated.
    if (kind === 'refund-denied' && (money.phase !== 'denied' || money.withdrawn)) return undefined;
    if (kind === 'booking-cancelled' && booked.status === 'confirmed') return undefined;
    if (kind === 'booking-unfilled' && !unfilledNow(booked)) return undefined;
    const { state: listed } = await handler.state(listing, facts.listingId);
    const { details, schedule } = listed;
    if (!details || !schedule) return undefined;
    if (
      kind === 'event-reminder' &&
      (schedule.date !== mail.data.date || Date.parse(schedule.startsAt) <= clock().getTime())
    )
      return undefined;
    const { state: place } = await handler.state(venue, details.venueId);
    const { startsAt } = schedule;
    const bookedFor = listed.former.find((start) => start.startsAt === facts.startsAt) ?? schedule;
    const { extras } = details;
    const asked = { by: 'customer', at: clock().toISOString(), startsAt } as const;
    const amount =
      kind === 'event-reminder'
        ? cancellationQuote(booked, asked).refund
        : // The cancellation mail may come before the refund's request.
          (kind === 'booking-cancelled' && booked.cancellation?.refund) || money.amount;
    const venueName = place.details?.name ?? '';
    const calledOff = booked.cancellation?.by === 'listing-archived';
    const context: MailContext = {
      ...common,
      bookingId,
      doors: extras.doors ? sayTime(extras.doors) : '',
      title: details.title,
      eventTitle: details.title,
      reference: facts.reference,
      quantity: facts.quote.quantity,
      paid: facts.quote.total === 0 ? 'free' : toPounds(facts.quote.total),
      refund: amount > 0 ? toPounds(amount) : '',
      soldOut: booked.unfilled === 'sold_out',
      rescheduled: startsAt !== facts.startsAt,
      bookedFor: sayWhen(bookedFor, thisYear),
      calledOff,
      review: booked.cancellation?.by === 'admin' && (money.phase === 'none' || money.phase === 'requested'),
      reason: orElse(money.decision ?? '', ''),
      when: sayWhen(schedule, thisYear),
      eventDate: sayWhen(schedule, thisYear),
      venue: venueName,
      address: details.location,
    };
    const message = await render(context);
    const { title, location } = details;
    const entry = { id: facts.listingId, title, venue: venueName, location, ...schedule, ...extras };
    const calendar = (isCancelled: boolean) => ({
      filename: `event-${facts.listingId}.ics`,
      content: calendarOf({ ...entry, isCancelled }, { siteName: site.siteName, baseUrl, now: clock() }),
      contentType: CALENDAR_TYPE,
    });
    if (kind === 'booking-cancelled' && calledOff)
      return { to: person.email, ...message, attachments: [calendar(true)] };
    if (!WITH_TICKET.has(kind)) return { to: person.email, ...message };
    if (booked.status !== 'confirmed') return undefined;
    const content = await ticketsOf(
      {
        bookingId,
        reference: facts.reference,
        listingId: facts.listingId,
        quantity: facts.quote.quantity,
        epoch: booked.epoch,
        title: details.title,
        venue: venueName,
        location: details.location,
        date: schedule.date,
        time: schedule.time,
        startsAt: schedule.startsAt,
        holder: userName || null,
        extras,
      },
      { signer, printer, baseUrl, siteName: site.siteName },
      'mail',
    );
    const ticket = { filename: `ticket-${bookingId}.pdf`, content, contentType: 'application/pdf' };
    return { to: person.email, ...message, attachments: [ticket, calendar(false)] };
  };
};
