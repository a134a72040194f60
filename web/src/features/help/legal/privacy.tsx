import { type Clause, LegalText } from './legal-text.tsx';

const clauses: readonly Clause[] = [
  {
    title: 'What we keep',
    text: 'Your name, email address and date of birth; what you like, if you tell us; your bookings, tickets and refunds; and when and from which address you signed in. Card numbers go to the payment provider and never reach us.',
  },
  {
    title: 'What for',
    text: 'To sell you tickets and let you in, to pay you back, to answer you, and to keep the site safe. The newsletter comes only if you asked for it, and each one carries a link that ends it.',
  },
  {
    title: 'How it is kept',
    text: 'What happens is written to a log that is only ever added to. Your personal details in it are encrypted with a key of your own.',
  },
  {
    title: 'How it is deleted',
    text: 'Delete your account in your profile, and that key is destroyed: what it protected can be read by nobody, us included. The amounts, dates and events that accounting must keep no longer name you. Addresses of visitors become unreadable after 90 days, and messages to us from people who weren’t signed in after two years. To have your address for the newsletter erased, write to us.',
  },
  {
    title: 'Who else sees it',
    text: 'Those who run the site see what is listed here, to help you and to keep it safe. The door staff see your name, your email address, your booking’s reference and whether your ticket is good. The payment provider sees your payment, the mail provider your address and what we write to you. Nobody buys anything about you.',
  },
  {
    title: 'Your rights',
    text: 'You may see, correct and delete what we hold about you, and toastError to the Information Commissioner’s Office. Write to us through the help center.',
  },
];

export const PrivacyPage = () => (
  <LegalText title="Privacy Policy" version="Version 3, 24 November 2026" clauses={clauses} />
);
